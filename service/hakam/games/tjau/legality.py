"""What may be played in a state of Tjau, and why anything else may not.

`sources` decides the moves of the pieces by masks, `violation` names the clause for one of them;
the tests hold the two equal. Source: clauses W3.1 to W3.7 and W5.1.
"""

from collections.abc import Callable
from typing import Final

from hakam.games.game import Violation
from hakam.games.reasons import Reason
from hakam.games.tjau.board import SHAPES
from hakam.games.tjau.moves import HAND, THROW, Move, MovePiece, Throw, moves_from
from hakam.games.tjau.rules import Rules
from hakam.games.tjau.state import SQUARES, Phase, State, in_hand, own_and_other

__all__ = ["legal_moves", "sources", "violation"]


def sources(rules: Rules, own: int, other: int, throw: int) -> int:
    """The squares from which `own` may play `throw`; bit 0 is the hand. None for a 0 (W2.2)."""
    shape = SHAPES[rules.board]
    board = own & SQUARES
    movable = board | 1 if in_hand(rules.pieces, own) > 0 else board
    landings = (movable << throw) & shape.landings & ~board  # W3.1 to W3.3
    if rules.mark_protects:
        landings &= ~(other & shape.guarded)  # W3.5
    return landings >> throw


def legal_moves(rules: Rules, state: State) -> tuple[Move, ...]:
    """Entering first, then the squares ascending; the one move `Throw` where a throw is due."""
    return _LEGAL[state.phase](rules, state)


def violation(rules: Rules, state: State, move: Move) -> Violation | None:
    """The first clause that forbids the move; `cell` is a path square of the seat to act."""
    return _VIOLATION[state.phase](rules, state, move)


def _nothing(_rules: Rules, _state: State) -> tuple[Move, ...]:
    return ()


def _the_throw(_rules: Rules, _state: State) -> tuple[Move, ...]:
    return (THROW,)


def _piece_moves(rules: Rules, state: State) -> tuple[Move, ...]:
    own, other = own_and_other(state)
    return moves_from(sources(rules, own, other, state.throw))


def _first_is_drawn(_rules: Rules, _state: State, _move: Move) -> Violation | None:
    return Violation(Reason.CHANCE_IS_DUE, "W4.2")


def _throw_is_due(_rules: Rules, _state: State, move: Move) -> Violation | None:
    return None if isinstance(move, Throw) else Violation(Reason.WRONG_PHASE, "W5.1")


def _game_is_over(_rules: Rules, _state: State, _move: Move) -> Violation | None:
    return Violation(Reason.GAME_OVER, "W4.1")


def _piece_violation(rules: Rules, state: State, move: Move) -> Violation | None:
    if not isinstance(move, MovePiece):
        return Violation(Reason.WRONG_PHASE, "W5.1")
    own, other = own_and_other(state)
    absent = _absent(rules, own, move.from_square)
    return absent or _landing_violation(rules, state, own, other, move.from_square)


def _absent(rules: Rules, own: int, from_square: int) -> Violation | None:
    if from_square == HAND:
        if in_hand(rules.pieces, own) > 0:
            return None
        return Violation(Reason.NO_PIECE_IN_HAND, "W3.1")
    if 1 <= from_square <= SHAPES[rules.board].last and own >> from_square & 1:
        return None
    return Violation(Reason.NO_PIECE_ON_SQUARE, "W3.1", cell=from_square)


def _landing_violation(
    rules: Rules, state: State, own: int, other: int, from_square: int
) -> Violation | None:
    shape = SHAPES[rules.board]
    to = from_square + state.throw
    if to > shape.last + 1:
        return Violation(Reason.BEYOND_BEARING_OFF, "W3.2", cell=from_square)
    if (own & SQUARES) >> to & 1:
        return Violation(Reason.OWN_PIECE_ON_TARGET, "W3.3", cell=to)
    if rules.mark_protects and (other & shape.guarded) >> to & 1:
        return Violation(Reason.MARK_PROTECTS, "W3.5", seat=1 - state.turn, cell=to)
    return None


_LEGAL: Final[dict[Phase, Callable[[Rules, State], tuple[Move, ...]]]] = {
    Phase.FIRST: _nothing,
    Phase.THROW: _the_throw,
    Phase.MOVE: _piece_moves,
    Phase.OVER: _nothing,
}
_VIOLATION: Final[dict[Phase, Callable[[Rules, State, Move], Violation | None]]] = {
    Phase.FIRST: _first_is_drawn,
    Phase.THROW: _throw_is_due,
    Phase.MOVE: _piece_violation,
    Phase.OVER: _game_is_over,
}
