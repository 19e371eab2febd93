"""Trix on the wire."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from hakam.games.game import Fault
from hakam.games.trix.moves import Choose, Double, Move, Play
from hakam.games.trix.state import SeatCard, Setup, SheetDeal
from hakam.games.trix.view import View
from hakam.rpc.codecs.common import check_enum, choose, fill, refill, required, required_enum
from hakam.v1 import card_pb2, trix_pb2

__all__ = ["read_move", "read_state", "write_move", "write_next", "write_state", "write_view"]


def read_state(message: trix_pb2.TrixState, path: str, faults: list[Fault]) -> Setup:
    """Absent `owner` and `to_act` have meanings of their own; a seat beside a card is required."""
    sheet = tuple([_read_deal(deal, i, path, faults) for i, deal in enumerate(message.sheet)])
    return Setup(
        phase=message.phase,
        sheet=sheet,
        owner=message.owner if message.HasField("owner") else None,
        contract=message.contract,
        to_act=message.to_act if message.HasField("to_act") else None,
        hands=tuple([tuple(hand.cards[:]) for hand in message.hands]),
        doubled=_read_seat_cards(message.doubled, f"{path}.doubled", faults),
        trick=tuple(message.trick[:]),
        taken=tuple([tuple(pile.cards[:]) for pile in message.taken]),
        layout=tuple(message.layout[:]),
        out=tuple(message.out[:]),
    )


def _read_deal(
    message: trix_pb2.TrixSheetDeal, index: int, path: str, faults: list[Fault]
) -> SheetDeal:
    if not message.doubled:
        return _plain_deal(message.SerializeToString())
    doubled = _read_seat_cards(message.doubled, f"{path}.sheet[{index}].doubled", faults)
    return SheetDeal(message.contract, doubled, tuple(message.points))


@lru_cache(maxsize=4096)
def _plain_deal(raw: bytes) -> SheetDeal:
    """A line in which nothing is doubled, as most are: every state of a game has the same again."""
    message = trix_pb2.TrixSheetDeal.FromString(raw)
    return SheetDeal(message.contract, (), tuple(message.points))


def _read_seat_cards(
    messages: Sequence[trix_pb2.TrixSeatCard], path: str, faults: list[Fault]
) -> tuple[SeatCard, ...]:
    if not messages:
        return ()
    return tuple(
        [
            SeatCard(message.card, required(message, "seat", f"{path}[{i}]", faults))
            for i, message in enumerate(messages)
        ]
    )


def write_state(setup: Setup, out: trix_pb2.TrixState) -> None:
    """The inverse of `read_state`."""
    fill(out, setup)


def write_next(before: Setup, after: Setup, out: trix_pb2.TrixState) -> None:
    """The same, where most is there already."""
    refill(out, before, after)


def read_move(message: trix_pb2.TrixMove, path: str, faults: list[Fault]) -> Move | None:
    """A contract, an answer or a card, if there is such a one."""
    which = choose(message, "action", path, faults)
    if which is None:
        return None
    found: list[Fault] = []
    move = _read_action(message, which, f"{path}.{which}", found)
    faults += found
    return None if found else move


def _read_action(message: trix_pb2.TrixMove, which: str, path: str, faults: list[Fault]) -> Move:
    if which == "double":
        for i, card in enumerate(message.double.cards):
            check_enum(card, card_pb2.Card.DESCRIPTOR, f"{path}.cards[{i}]", faults)
        return Double(tuple(message.double.cards))
    if which == "choose":
        return Choose(required_enum(message.choose, "contract", path, faults))
    return Play(required_enum(message.play, "card", path, faults))


def write_move(move: Move, out: Any) -> None:
    """The inverse of `read_move`."""
    if isinstance(move, Play):
        out.play.card = move.card
    elif isinstance(move, Choose):
        out.choose.contract = move.contract
    else:
        out.double.SetInParent()
        out.double.cards.extend(move.cards)


def write_view(view: View, out: trix_pb2.TrixView) -> None:
    """All of a view."""
    fill(out, view)
