"""Tjau on the wire."""

from hakam.games.game import Fault
from hakam.games.reasons import Reason
from hakam.games.tjau.moves import THROW, Move, MovePiece
from hakam.games.tjau.state import Setup, Side
from hakam.games.tjau.view import View
from hakam.rpc.codecs.common import choose, required
from hakam.v1 import tjau_pb2

__all__ = ["read_move", "read_state", "write_move", "write_next", "write_state", "write_view"]


def read_state(message: tjau_pb2.TjauState, path: str, faults: list[Fault]) -> Setup:
    """Absent `turn` and `throw` have meanings of their own; `borne_off` is required."""
    sides = tuple(
        Side(tuple(side.squares), required(side, "borne_off", f"{path}.sides[{i}]", faults))
        for i, side in enumerate(message.sides)
    )
    turn = message.turn if message.HasField("turn") else None
    if message.HasField("throw") and message.throw == 0:  # absence is how no throw is said
        faults.append(Fault(f"{path}.throw", Reason.VALUE_OUT_OF_RANGE, "throw must be 1 to 4"))
    return Setup(message.phase, turn, message.throw, sides)


def write_state(setup: Setup, out: tjau_pb2.TjauState) -> None:
    """The inverse of `read_state`."""
    _write_due(setup, out)
    for side in setup.sides:
        out.sides.add(squares=side.squares, borne_off=side.borne_off)


def write_next(_before: Setup, after: Setup, out: tjau_pb2.TjauState) -> None:
    """The same, where another stood: it is so little that it is written anew."""
    out.Clear()
    write_state(after, out)


def _write_due(position: Setup | View, out: tjau_pb2.TjauState | tjau_pb2.TjauView) -> None:
    out.phase = position.phase  # type: ignore[assignment] # the enum's number
    if position.turn is not None:
        out.turn = position.turn
    if position.throw:
        out.throw = position.throw


def read_move(message: tjau_pb2.TjauMove, path: str, faults: list[Fault]) -> Move | None:
    """A throw, or a move from whatever square is named."""
    which = choose(message, "action", path, faults)
    if which == "throw":
        return THROW
    if which is None:
        return None
    return MovePiece(required(message.move_piece, "from_square", f"{path}.move_piece", faults))


def write_move(move: Move, out: tjau_pb2.TjauMove) -> None:
    """The inverse of `read_move`."""
    if isinstance(move, MovePiece):
        out.move_piece.from_square = move.from_square
    else:
        out.throw.SetInParent()


def write_view(view: View, out: tjau_pb2.TjauView) -> None:
    """All of a view."""
    _write_due(view, out)
    for side in view.sides:
        out.sides.add(squares=side.squares, in_hand=side.in_hand, borne_off=side.borne_off)
