"""Chance on the wire: sources, outcomes, and what is due."""

from collections.abc import Sequence
from typing import Final

from hakam import chance
from hakam.games.game import ChanceDue, ChanceKind, Fault
from hakam.games.reasons import Reason
from hakam.referee import MAX_COUNT, SUPPLIED, Chance, ChanceSource, Seeded
from hakam.rpc.codecs.common import check_enum, choose, required
from hakam.v1 import card_pb2, chance_pb2

__all__ = [
    "HASH_BYTES",
    "check_bytes",
    "check_entropy",
    "check_version",
    "read_outcome",
    "read_source",
    "write_due",
    "write_outcome",
    "write_source",
]

HASH_BYTES: Final = 32
_MAX_ENTROPY_ITEMS: Final = 8
_MAX_ENTROPY_BYTES: Final = 64
_MAX_HANDS: Final = 6
_MAX_CARDS: Final = 52


def check_bytes(value: bytes, path: str, faults: list[Fault]) -> None:
    """A seed or a SHA-256."""
    if len(value) != HASH_BYTES:
        faults.append(Fault(path, Reason.LENGTH_OUT_OF_RANGE, f"must be {HASH_BYTES} bytes"))


def check_entropy(entropy: Sequence[bytes], path: str, faults: list[Fault]) -> None:
    """At most 8 entries of 1 to 64 bytes."""
    if len(entropy) > _MAX_ENTROPY_ITEMS:
        detail = f"at most {_MAX_ENTROPY_ITEMS} entries"
        faults.append(Fault(path, Reason.LENGTH_OUT_OF_RANGE, detail))
    for i, entry in enumerate(entropy[:_MAX_ENTROPY_ITEMS]):
        if not 1 <= len(entry) <= _MAX_ENTROPY_BYTES:
            detail = f"must be 1 to {_MAX_ENTROPY_BYTES} bytes"
            faults.append(Fault(f"{path}[{i}]", Reason.LENGTH_OUT_OF_RANGE, detail))


def check_version(version: int, path: str, faults: list[Fault]) -> None:
    """The version of the derivation of chance, once it is known to be present."""
    if version != chance.CHANCE_VERSION:
        allowed = (str(chance.CHANCE_VERSION),)
        detail = "this version is not served"
        faults.append(Fault(path, Reason.CHANCE_VERSION_UNSUPPORTED, detail, allowed=allowed))


def read_source(message: chance_pb2.ChanceSource, path: str, faults: list[Fault]) -> ChanceSource:
    """The source; SUPPLIED, and faults, where none is named."""
    version = required(message, "version", path, faults)
    if message.HasField("version"):
        check_version(version, f"{path}.version", faults)
    if choose(message, "source", path, faults) != "seeded":
        return SUPPLIED
    seeded, where = message.seeded, f"{path}.seeded"
    check_bytes(seeded.seed, f"{where}.seed", faults)
    check_entropy(seeded.entropy, f"{where}.entropy", faults)
    check_bytes(seeded.commitment, f"{where}.commitment", faults)
    events: int = required(seeded, "events", where, faults)
    if not 0 <= events <= MAX_COUNT:
        detail = f"must be 0 to {MAX_COUNT}"
        faults.append(Fault(f"{where}.events", Reason.VALUE_OUT_OF_RANGE, detail))
    return Seeded(seeded.seed, tuple(seeded.entropy), events, seeded.commitment)


def write_source(source: ChanceSource, out: chance_pb2.ChanceSource) -> None:
    """The inverse of `read_source`."""
    out.version = chance.CHANCE_VERSION
    if isinstance(source, Seeded):
        seeded = out.seeded
        seeded.seed = source.seed
        seeded.entropy.extend(source.entropy)
        seeded.events = source.events
        seeded.commitment = source.commitment
    else:
        out.supplied.SetInParent()


def read_outcome(
    message: chance_pb2.ChanceOutcome, path: str, faults: list[Fault]
) -> Chance | None:
    """The outcome, not yet judged; None, and a fault, where there is none."""
    which = choose(message, "outcome", path, faults)
    if which == "deal":
        return _read_deal(message.deal, f"{path}.deal", faults)
    if which == "throw":
        return Chance(ChanceKind.THROW, message.throw)
    return None if which is None else Chance(ChanceKind.SEAT, message.seat)


def _read_deal(message: chance_pb2.Deal, path: str, faults: list[Fault]) -> Chance:
    if len(message.hands) > _MAX_HANDS:
        detail = f"at most {_MAX_HANDS} hands"
        faults.append(Fault(f"{path}.hands", Reason.LENGTH_OUT_OF_RANGE, detail))
    hands = tuple(
        _read_cards(hand.cards, f"{path}.hands[{i}].cards", faults)
        for i, hand in enumerate(message.hands[:_MAX_HANDS])
    )
    return Chance(
        ChanceKind.DEAL, hands=hands, rest=_read_cards(message.rest, f"{path}.rest", faults)
    )


def _read_cards(cards: Sequence[int], path: str, faults: list[Fault]) -> tuple[int, ...]:
    if len(cards) > _MAX_CARDS:
        faults.append(Fault(path, Reason.LENGTH_OUT_OF_RANGE, f"at most {_MAX_CARDS} cards"))
        return ()
    for i, card in enumerate(cards):
        check_enum(card, card_pb2.Card.DESCRIPTOR, f"{path}[{i}]", faults)
    return tuple(cards)


def write_outcome(move: Chance, out: chance_pb2.ChanceOutcome) -> None:
    """The inverse of `read_outcome`."""
    if move.kind is ChanceKind.THROW:
        out.throw = move.value
    elif move.kind is ChanceKind.SEAT:
        out.seat = move.value
    else:
        out.deal.rest.extend(move.rest)  # type: ignore[arg-type] # numbers of the enum
        for hand in move.hands:
            out.deal.hands.add().cards.extend(hand)  # type: ignore[arg-type] # numbers of the enum


def write_due(due: ChanceDue, out: chance_pb2.ChanceDue) -> None:
    """What the caller must bring, and its shape."""
    out.kind = int(due.kind)  # type: ignore[assignment] # the enum's number
    if due.kind is ChanceKind.THROW:
        return
    out.seats = due.seats
    if due.kind is ChanceKind.DEAL:
        out.cards_per_seat = due.per_seat
        out.first_seat = due.first
        out.deck.extend(sorted(due.deck))  # type: ignore[arg-type] # numbers of the enum
