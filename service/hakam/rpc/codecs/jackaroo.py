"""Jackaroo on the wire."""

from typing import Any, Final

from hakam.games.game import Fault
from hakam.games.jackaroo.moves import BringOut, Burn, Hit, Move, Split, Step, Swap, Take
from hakam.games.jackaroo.state import Setup, Side
from hakam.games.jackaroo.view import View
from hakam.rpc.codecs.common import check_enum, choose, fill, refill, required, required_enum
from hakam.v1 import card_pb2, jackaroo_pb2

__all__ = ["read_move", "read_state", "write_move", "write_next", "write_state", "write_view"]

_CARDS: Final = card_pb2.Card.DESCRIPTOR
# The kinds of move by the member of the message that holds what they name.
_ACTIONS: Final[dict[str, type[Move]]] = {
    "bring_out": BringOut,
    "step": Step,
    "split": Split,
    "swap": Swap,
    "hit": Hit,
    "take": Take,
    "burn": Burn,
}
_MEMBERS: Final = {kind: member for member, kind in _ACTIONS.items()}


def read_state(message: jackaroo_pb2.JackarooState, _path: str, _faults: list[Fault]) -> Setup:
    """Absent `dealer` and `to_act` have meanings of their own; nothing else can be absent."""
    sides = tuple(Side(tuple(side.marbles), tuple(side.hand)) for side in message.sides)
    return Setup(
        phase=message.phase,
        dealer=message.dealer if message.HasField("dealer") else None,
        to_act=message.to_act if message.HasField("to_act") else None,
        sides=sides,
        deck=tuple(message.deck),
        discard=tuple(message.discard),
    )


def write_state(setup: Setup, out: jackaroo_pb2.JackarooState) -> None:
    """The inverse of `read_state`."""
    fill(out, setup)


def write_next(before: Setup, after: Setup, out: jackaroo_pb2.JackarooState) -> None:
    """The same, where most is there already."""
    refill(out, before, after)


def read_move(message: jackaroo_pb2.JackarooMove, path: str, faults: list[Fault]) -> Move | None:
    """One card, and what is done with it, whatever the numbers are."""
    found: list[Fault] = []
    card = required_enum(message, "card", path, found)
    if message.played_as:
        check_enum(message.played_as, _CARDS, f"{path}.played_as", found)
    which = choose(message, "action", path, found)
    named: dict[str, int | None] = {}
    if which is not None:
        named = _read_named(getattr(message, which), f"{path}.{which}", found)
    faults += found
    if found or which is None:
        return None
    kind: Any = _ACTIONS[which]
    move: Move = kind(card=card, face=message.played_as, **named)
    return move


def _read_named(action: Any, path: str, faults: list[Fault]) -> dict[str, int | None]:
    """What an action names; only a hit may leave its position out (J5.10)."""
    if isinstance(action, jackaroo_pb2.JackarooHit):
        return {"position": action.position if action.HasField("position") else None}
    names = [field.name for field in action.DESCRIPTOR.fields]
    return {name: required(action, name, path, faults) for name in names}


def write_move(move: Move, out: jackaroo_pb2.JackarooMove) -> None:
    """The inverse of `read_move`."""
    out.card = move.card  # type: ignore[assignment] # the enum's number
    out.played_as = move.face  # type: ignore[assignment] # the enum's number
    fill(getattr(out, _MEMBERS[type(move)]), move)


def write_view(view: View, out: jackaroo_pb2.JackarooView) -> None:
    """All of a view."""
    fill(out, view)
