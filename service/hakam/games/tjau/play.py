"""How a game of Tjau goes on: chance, moves, captures, passes and the end.

Laws:
- `resolve` and `apply` trust what they are given: the envelope has asked `chance_due` or
  `violation` before.
- Wherever a state is made in MOVE, its throw has a legal move (W3.7): no state is ever stuck.

Source: clauses W2.1 to W5.1.
"""

from typing import Final

from hakam.games.game import ChanceDue, ChanceKind, ChanceOutcome, Drawn, GameOver, Outcome
from hakam.games.tjau.board import SEATS, SHAPES
from hakam.games.tjau.events import (
    Captured,
    Event,
    ExtraThrow,
    FirstDrawn,
    Moved,
    Passed,
    Thrown,
)
from hakam.games.tjau.legality import sources
from hakam.games.tjau.moves import HAND, Move, MovePiece
from hakam.games.tjau.rules import Rules
from hakam.games.tjau.state import NOBODY, OFF_ONE, Phase, State, borne_off, own_and_other

__all__ = [
    "apply",
    "chance_due",
    "effects",
    "initial",
    "outcome",
    "resolve",
    "seats",
    "to_act",
]

_SEATS: Final = range(SEATS)
_FIRST_DUE: Final = ChanceDue(ChanceKind.SEAT, seats=SEATS)
_THROW_DUE: Final = tuple(ChanceDue(ChanceKind.THROW, seats=SEATS, asked_by=s) for s in _SEATS)
_OUTCOMES: Final = tuple(Outcome(winners=(s,)) for s in _SEATS)

# Events are prebuilt: by seat, then by throw or square.
_THROWN: Final = tuple(tuple(Thrown(s, k) for k in range(5)) for s in _SEATS)
_PASSED: Final = tuple(Passed(s) for s in _SEATS)
_CAPTURED: Final = tuple(tuple(Captured(s, p) for p in range(17)) for s in _SEATS)
_EXTRA_THROW: Final = tuple(ExtraThrow(s) for s in _SEATS)
_GAME_OVER: Final = tuple(GameOver(o) for o in _OUTCOMES)


def seats(_rules: Rules) -> int:
    """Always 2: 0 the cones, 1 the spools."""
    return SEATS


def initial(rules: Rules) -> State:
    """All pieces in hand; the first throw is due, or chance names who throws first (W4.2)."""
    if isinstance(rules.first, Drawn):
        return State(Phase.FIRST, NOBODY, 0, 0, 0)
    return State(Phase.THROW, rules.first, 0, 0, 0)


def chance_due(_rules: Rules, state: State) -> ChanceDue | None:
    """SEAT in FIRST; THROW, asked by the seat to act, in THROW."""
    if state.phase == Phase.THROW:
        return _THROW_DUE[state.turn]
    return _FIRST_DUE if state.phase == Phase.FIRST else None


def to_act(_rules: Rules, state: State) -> int | None:
    """The seat that throws or moves."""
    return None if state.turn == NOBODY else state.turn


def outcome(rules: Rules, state: State) -> Outcome | None:
    """One winner, no scores (W4.1)."""
    if state.phase != Phase.OVER:
        return None
    return _OUTCOMES[0 if borne_off(state.cones) == rules.pieces else 1]


def resolve(rules: Rules, state: State, outcome: ChanceOutcome) -> tuple[State, tuple[Event, ...]]:
    """The seat that throws first, or the value of a throw and the pass that it may force."""
    if not isinstance(outcome, int):
        raise TypeError("a throw and a seat are numbers")
    if state.phase == Phase.FIRST:
        return State(Phase.THROW, outcome, 0, 0, 0), (FirstDrawn(outcome),)
    return _thrown(rules, state, outcome)


def _thrown(rules: Rules, state: State, throw: int) -> tuple[State, tuple[Event, ...]]:
    seat = state.turn
    own, other = own_and_other(state)
    if sources(rules, own, other, throw):
        moving = State(Phase.MOVE, seat, throw, state.cones, state.spools)
        return moving, (_THROWN[seat][throw],)
    # W2.2, W3.7: a 0 has no move.
    passed = State(Phase.THROW, 1 - seat, 0, state.cones, state.spools)
    return passed, (_THROWN[seat][throw], _PASSED[seat])


def apply(rules: Rules, state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Move a piece. A `Throw` is resolved, never applied: raises TypeError for it."""
    if not isinstance(move, MovePiece):
        raise TypeError("a throw is resolved, not applied")
    origin = move.from_square
    target = origin + state.throw
    if target > SHAPES[rules.board].last:
        return _bear_off(rules, state, origin, target)
    return _land(rules, state, origin, target)


def effects(rules: Rules, state: State, move: Move) -> tuple[Event, ...]:
    """The events of moving a piece: all of them. A throw has none before its value is known."""
    return apply(rules, state, move)[1] if isinstance(move, MovePiece) else ()


def _bear_off(
    rules: Rules, state: State, origin: int, target: int
) -> tuple[State, tuple[Event, ...]]:
    seat = state.turn
    own, other = own_and_other(state)
    own += OFF_ONE - (1 << origin)
    left = Moved(seat, origin, target)
    if borne_off(own) == rules.pieces:  # W4.1
        return _next(Phase.OVER, NOBODY, seat, own, other), (left, _GAME_OVER[seat])
    return _next(Phase.THROW, 1 - seat, seat, own, other), (left,)


def _land(rules: Rules, state: State, origin: int, target: int) -> tuple[State, tuple[Event, ...]]:
    shape = SHAPES[rules.board]
    seat, bit = state.turn, 1 << target
    own, other = own_and_other(state)
    own += bit if origin == HAND else bit - (1 << origin)
    events: tuple[Event, ...] = (Moved(seat, origin, target),)
    if other & shape.shared & bit:  # W3.4
        other -= bit
        events += (_CAPTURED[1 - seat][target],)
    if shape.marks & bit:  # W3.6
        return _next(Phase.THROW, seat, seat, own, other), (*events, _EXTRA_THROW[seat])
    return _next(Phase.THROW, 1 - seat, seat, own, other), events


def _next(phase: Phase, turn: int, seat: int, own: int, other: int) -> State:
    """The state whose sides are `own`, that of `seat`, and `other`."""
    if seat == 0:
        return State(phase, turn, 0, own, other)
    return State(phase, turn, 0, other, own)
