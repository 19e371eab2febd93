"""What all codecs share: required fields, faults and violations, and the fields nobody knows."""

from collections.abc import Iterator
from typing import Any, Final, Protocol

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from hakam.games.game import Fault, Violation
from hakam.games.reasons import Reason
from hakam.v1 import error_pb2

__all__ = [
    "Codec",
    "choose",
    "required",
    "unknown_field_faults",
    "write_fault",
    "write_violation",
]

_REASONS: Final = {reason: error_pb2.Reason.Value(f"REASON_{reason}") for reason in Reason}


class Codec(Protocol):
    """What a game's codec offers. Readers add faults with wire paths and return a placeholder."""

    def read_state(self, message: Any, path: str, faults: list[Fault], /) -> Any:
        """The game's setup."""

    def write_state(self, setup: Any, out: Any, /) -> None:
        """Fill in the game's state message from a setup."""

    def read_move(self, message: Any, path: str, faults: list[Fault], /) -> Any:
        """The game's move; None where the message names none."""

    def write_move(self, move: Any, out: Any, /) -> None:
        """Fill in the game's move message."""

    def write_event(self, event: Any, out: Any, /) -> None:
        """Fill in the game's event message."""

    def write_view(self, view: Any, out: Any, /) -> None:
        """Fill in the game's view message."""


def required(message: Message, field: str, path: str, faults: list[Fault]) -> Any:
    """The field's value; a fault, and the field's default, where it is absent."""
    if not message.HasField(field):
        faults.append(Fault(f"{path}.{field}", Reason.FIELD_MISSING, "required"))
    return getattr(message, field)


def choose(message: Message, oneof: str, path: str, faults: list[Fault]) -> str | None:
    """The name of the member of a oneof that is set; a fault, and None, where none is."""
    which: str | None = message.WhichOneof(oneof)
    if which is None:
        members = tuple(f.name for f in message.DESCRIPTOR.oneofs_by_name[oneof].fields)
        faults.append(
            Fault(path, Reason.FIELD_MISSING, "exactly one member must be set", allowed=members)
        )
    return which


def write_violation(violation: Violation, text: str) -> error_pb2.Violation:
    """A violation with its sentence."""
    return error_pb2.Violation(
        reason=_REASONS[violation.reason],
        clause=violation.clause,
        text=text,
        seat=violation.seat,
        marble=violation.marble,
        cell=violation.cell,
        card=violation.card or 0,  # type: ignore[arg-type] # the enum's number
    )


def write_fault(fault: Fault) -> error_pb2.Fault:
    """A fault; its path is that of the request."""
    return error_pb2.Fault(
        path=fault.path,
        reason=_REASONS[fault.reason],
        detail=fault.detail,
        clause=fault.clause,
        allowed=fault.allowed,
    )


def unknown_field_faults(message: Message, raw: bytes) -> tuple[Fault, ...]:
    """Every field of `message`, just parsed from `raw`, that the contract does not have.

    The usual answer, none, costs two sizes: what the parser keeps of unknown fields is part of a
    message's size until it is discarded. Leaves the message without them.
    """
    size = message.ByteSize()
    message.DiscardUnknownFields()
    if message.ByteSize() == size:
        return ()
    fresh = type(message).FromString(raw)
    return tuple(
        Fault(path, Reason.FIELD_UNKNOWN, "no such field") for path in _unknown_paths(fresh, "")
    )


def _unknown_paths(message: Message, prefix: str) -> Iterator[str]:
    for field in UnknownFieldSet(message):  # type: ignore[attr-defined] # it is a sequence
        yield f"{prefix}#{field.field_number}"
    for descriptor, value in message.ListFields():
        if descriptor.type != descriptor.TYPE_MESSAGE:
            continue
        if not descriptor.is_repeated:
            yield from _unknown_paths(value, f"{prefix}{descriptor.name}.")
            continue
        for i, item in enumerate(value):
            yield from _unknown_paths(item, f"{prefix}{descriptor.name}[{i}].")
