"""The only bridge from decoded fields to a `State`, and the checks of the options.

Every fault is named, each once, in the order of the fields; a fault that only follows from another
one is not. A position is valid if play can go on from it: whether it can come about is not judged.
"""

from typing import Final

from hakam.games.game import Drawn, Fault
from hakam.games.reasons import Reason
from hakam.games.tjau.board import SEATS, SHAPES, Shape, TjauBoard
from hakam.games.tjau.legality import sources
from hakam.games.tjau.rules import MAX_PIECES, RULE_SETS, Rules
from hakam.games.tjau.state import (
    NOBODY,
    Phase,
    Setup,
    Side,
    State,
    borne_off,
    own_and_other,
    pack,
    squares_of,
)

__all__ = ["rules_faults", "setup", "validate"]

_NUMBERS: Final = frozenset(int(p) for p in Phase)
_PHASES: Final = tuple(p.name.lower() for p in Phase)
_BOARDS: Final = tuple(b.name.lower() for b in TjauBoard)
_ACTING: Final = (Phase.THROW, Phase.MOVE)


def rules_faults(rules: Rules) -> tuple[Fault, ...]:
    """Every option out of its range (W4.3); all combinations make sense."""
    faults: list[Fault] = []
    if rules.rule_set not in RULE_SETS:
        faults.append(
            Fault("rule_set", Reason.VALUE_UNKNOWN, "no such rule set", "W4.3", tuple(RULE_SETS))
        )
    if rules.board not in SHAPES:
        faults.append(Fault("board", Reason.VALUE_UNKNOWN, "no such board", "W4.3", _BOARDS))
    if not 1 <= rules.pieces <= MAX_PIECES:
        detail = f"pieces must be 1 to {MAX_PIECES}"
        faults.append(Fault("pieces", Reason.VALUE_OUT_OF_RANGE, detail, "W4.3"))
    if not _first_is_known(rules.first):
        detail = "first must be a seat or chance"
        faults.append(
            Fault("first", Reason.VALUE_OUT_OF_RANGE, detail, "W4.2", ("0", "1", "chance"))
        )
    return tuple(faults)


def _first_is_known(first: int | Drawn) -> bool:
    return first is Drawn.CHANCE if isinstance(first, Drawn) else 0 <= first < SEATS


def setup(_rules: Rules, state: State) -> Setup:
    """The state as plain fields."""
    sides = tuple(Side(squares_of(s), borne_off(s)) for s in (state.cones, state.spools))
    turn = None if state.turn == NOBODY else state.turn
    return Setup(state.phase, turn, state.throw, sides)


def validate(rules: Rules, setup: Setup) -> State | tuple[Fault, ...]:
    """The setup as a state, or every fault of it; `rules` must be without fault."""
    faults = (
        *_phase_faults(rules, setup),
        *_turn_faults(setup),
        *_throw_faults(setup),
        *_sides_faults(rules, setup),
    )
    if faults:
        return faults
    turn = NOBODY if setup.turn is None else setup.turn
    state = State(Phase(setup.phase), turn, setup.throw, pack(setup.sides[0]), pack(setup.sides[1]))
    return _stuck_faults(rules, state) or state


def _phase_faults(rules: Rules, setup: Setup) -> list[Fault]:
    if setup.phase not in _NUMBERS:
        return [Fault("phase", Reason.VALUE_UNKNOWN, "no such phase", "W5.1", _PHASES)]
    if setup.phase == Phase.FIRST and not isinstance(rules.first, Drawn):
        detail = "phase is first though the rules name the first seat"
        return [Fault("phase", Reason.PHASE_INCONSISTENT, detail, "W4.2")]
    finished = [side.borne_off == rules.pieces for side in setup.sides]
    if setup.phase == Phase.OVER and not any(finished):
        detail = "phase is over though no side has borne all off"
        return [Fault("phase", Reason.PHASE_INCONSISTENT, detail, "W4.1")]
    if setup.phase in _ACTING and any(finished):
        detail = "phase is not over though a side has borne all off"
        return [Fault("phase", Reason.PHASE_INCONSISTENT, detail, "W4.1")]
    return []


def _turn_faults(setup: Setup) -> list[Fault]:
    if setup.turn is None:
        if setup.phase not in _ACTING:
            return []
        return [Fault("turn", Reason.PHASE_INCONSISTENT, "turn must name the seat to act", "W5.1")]
    if setup.phase in (Phase.FIRST, Phase.OVER):
        detail = "turn must be absent where nobody is to act"
        return [Fault("turn", Reason.PHASE_INCONSISTENT, detail, "W5.1")]
    if not 0 <= setup.turn < SEATS:
        return [Fault("turn", Reason.VALUE_OUT_OF_RANGE, "turn must be 0 or 1", "W5.1")]
    return []


def _throw_faults(setup: Setup) -> list[Fault]:
    if not 0 <= setup.throw <= 4:
        return [Fault("throw", Reason.VALUE_OUT_OF_RANGE, "throw must be 0 to 4", "W2.1")]
    if setup.phase == Phase.MOVE and setup.throw == 0:
        detail = "throw must be 1 to 4 in phase move"
        return [Fault("throw", Reason.PHASE_INCONSISTENT, detail, "W2.2")]
    if setup.phase in _NUMBERS and setup.phase != Phase.MOVE and setup.throw:
        detail = "throw must be absent except in phase move"
        return [Fault("throw", Reason.PHASE_INCONSISTENT, detail, "W5.1")]
    return []


def _sides_faults(rules: Rules, setup: Setup) -> list[Fault]:
    faults: list[Fault] = []
    if len(setup.sides) != SEATS:
        detail = f"sides must be {SEATS}"
        faults.append(Fault("sides", Reason.LENGTH_OUT_OF_RANGE, detail, "W1.4"))
    for seat, side in enumerate(setup.sides):
        faults += _side_faults(rules, setup, f"sides[{seat}]", side)
    if len(setup.sides) == SEATS:
        faults += _meeting_faults(rules, setup)
    return faults


def _side_faults(rules: Rules, setup: Setup, path: str, side: Side) -> list[Fault]:
    faults = _square_faults(SHAPES[rules.board], path, side.squares)
    counted = 0 <= side.borne_off <= rules.pieces
    if not counted:
        detail = f"borne_off must be 0 to {rules.pieces}"
        faults.append(Fault(f"{path}.borne_off", Reason.VALUE_OUT_OF_RANGE, detail, "W1.4"))
    if len(side.squares) + (side.borne_off if counted else 0) > rules.pieces:
        detail = f"squares and borne_off make more than {rules.pieces} pieces"
        faults.append(Fault(path, Reason.COUNT_WRONG, detail, "W1.4"))
    if setup.phase == Phase.FIRST and (side.squares or side.borne_off):
        detail = "all pieces must be in hand in phase first"
        faults.append(Fault(path, Reason.PHASE_INCONSISTENT, detail, "W4.2"))
    return faults


def _square_faults(shape: Shape, path: str, squares: tuple[int, ...]) -> list[Fault]:
    """Squares are on the path, ascending and each named once: a set has one spelling."""
    faults: list[Fault] = []
    seen: set[int] = set()
    for i, square in enumerate(squares):
        where = f"{path}.squares[{i}]"
        if not 1 <= square <= shape.last:
            detail = f"a square must be 1 to {shape.last}"
            faults.append(Fault(where, Reason.VALUE_OUT_OF_RANGE, detail, shape.clause))
        elif square in seen:
            faults.append(Fault(where, Reason.DUPLICATE, "the square is named twice", "W3.3"))
        elif i and squares[i - 1] > square:
            faults.append(Fault(where, Reason.STATE_INVALID, "squares must ascend", "W1.4"))
        seen.add(square)
    return faults


def _meeting_faults(rules: Rules, setup: Setup) -> list[Fault]:
    """No shared square holds both sides (W3.4), and only one side can have won (W4.1)."""
    shape = SHAPES[rules.board]
    first, second = setup.sides
    faults = [
        Fault(f"sides[1].squares[{i}]", Reason.DUPLICATE, "both sides are on the square", "W3.4")
        for i, p in enumerate(second.squares)
        if 1 <= p <= shape.last and shape.shared >> p & 1 and p in first.squares
    ]
    if first.borne_off == second.borne_off == rules.pieces:
        detail = "both sides have borne all off"
        faults.append(Fault("sides", Reason.STATE_INVALID, detail, "W4.1"))
    return faults


def _stuck_faults(rules: Rules, state: State) -> tuple[Fault, ...]:
    own, other = own_and_other(state)
    if state.phase != Phase.MOVE or sources(rules, own, other, state.throw):
        return ()
    detail = "the throw allows no move: the turn has passed"
    return (Fault("throw", Reason.PHASE_INCONSISTENT, detail, "W3.7"),)
