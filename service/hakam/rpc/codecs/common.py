"""What all codecs share: required fields, faults and violations, and the fields nobody knows."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, Protocol

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from hakam.games.game import Fault, Violation
from hakam.games.reasons import Reason
from hakam.v1 import error_pb2

__all__ = [
    "Codec",
    "check_enum",
    "choose",
    "fill",
    "refill",
    "required",
    "required_enum",
    "unknown_field_faults",
    "write_event",
    "write_fault",
    "write_violation",
]

_REASONS: Final = {reason: error_pb2.Reason.Value(f"REASON_{reason}") for reason in Reason}
# Unknown fields are named as long as they take no more bytes; a request has room for a million.
_MAX_UNKNOWN_BYTES: Final = 65_536


class Codec(Protocol):
    """What a game's codec offers. Readers add faults with wire paths and return a placeholder."""

    def read_state(self, message: Any, path: str, faults: list[Fault], /) -> Any:
        """The game's setup."""

    def write_state(self, setup: Any, out: Any, /) -> None:
        """Fill in the game's state message from a setup."""

    def write_next(self, before: Any, after: Any, out: Any, /) -> None:
        """Make of the state message of one setup that of another."""

    def read_move(self, message: Any, path: str, faults: list[Fault], /) -> Any:
        """The game's move; None where the message names none."""

    def write_move(self, move: Any, out: Any, /) -> None:
        """Fill in the game's move message."""

    def write_view(self, view: Any, out: Any, /) -> None:
        """Fill in the game's view message."""


def required(message: Message, field: str, path: str, faults: list[Fault]) -> Any:
    """The field's value; a fault, and the field's default, where it is absent."""
    if not message.HasField(field):
        faults.append(Fault(f"{path}.{field}", Reason.FIELD_MISSING, "required"))
    return getattr(message, field)


def required_enum(message: Message, field: str, path: str, faults: list[Fault]) -> int:
    """The number of an enum field; a fault where it is absent (zero) or not in the contract."""
    number: int = getattr(message, field)
    if number == 0:
        faults.append(Fault(f"{path}.{field}", Reason.FIELD_MISSING, "required"))
    else:
        descriptor = message.DESCRIPTOR.fields_by_name[field]
        check_enum(number, descriptor.enum_type, f"{path}.{field}", faults)
    return number


def check_enum(number: int, enum: Any, path: str, faults: list[Fault]) -> None:
    """A fault where a number is no value of the enum (a descriptor)."""
    if number not in enum.values_by_number or number == 0:
        faults.append(Fault(path, Reason.VALUE_UNKNOWN, "unknown value"))


def choose(message: Message, oneof: str, path: str, faults: list[Fault]) -> str | None:
    """The name of the member of a oneof that is set; a fault, and None, where none is."""
    which: str | None = message.WhichOneof(oneof)
    if which is None:
        members = tuple(f.name for f in message.DESCRIPTOR.oneofs_by_name[oneof].fields)
        faults.append(
            Fault(path, Reason.FIELD_MISSING, "exactly one member must be set", allowed=members)
        )
    return which


def fill(out: Any, value: Any) -> None:
    """Fill in a message from an object whose attributes have the names of its fields.

    None is left absent; a tuple fills a repeated field; objects fill messages below, and a tuple
    fills the only field of one.
    """
    if isinstance(value, tuple):
        ((name, _, _),) = _plan(out.DESCRIPTOR)
        getattr(out, name).extend(value)
        return
    for name, is_message, is_repeated in _plan(out.DESCRIPTOR):
        item = getattr(value, name)
        if item is not None:
            _fill_field(out, name, item, is_message=is_message, is_repeated=is_repeated)
    out.SetInParent()


def _fill_field(out: Any, name: str, item: Any, *, is_message: bool, is_repeated: bool) -> None:
    if not is_repeated:
        if is_message:
            fill(getattr(out, name), item)
        else:
            setattr(out, name, item)
    elif is_message:
        items = getattr(out, name)
        for one in item:
            fill(items.add(), one)
    elif item:
        getattr(out, name).extend(item)


def refill(out: Any, before: Any, after: Any) -> None:
    """Make of a message that was filled in from `before` the one that `after` would fill in."""
    for name, is_message, is_repeated in _plan(out.DESCRIPTOR):
        old, new = getattr(before, name), getattr(after, name)
        if old == new:
            continue
        if is_message and is_repeated and len(old) == len(new):
            items = getattr(out, name)
            for i, item in enumerate(new):
                if item != old[i]:
                    items[i].Clear()
                    fill(items[i], item)
            continue
        out.ClearField(name)
        if new is not None:
            _fill_field(out, name, new, is_message=is_message, is_repeated=is_repeated)


@cache
def _plan(kind: Descriptor) -> tuple[tuple[str, bool, bool], ...]:
    """Name, whether it is a message, and whether it is repeated, of every field of a message."""
    return tuple((f.name, f.message_type is not None, f.is_repeated) for f in kind.fields)


def write_event(event: Any, out: Any) -> None:
    """An event of a game: its class `CardPlayed` is the member `card_played` of the message."""
    fill(getattr(out, _member(type(event).__name__)), event)


@cache
def _member(kind: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind).lower()


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
    unknown = size - message.ByteSize()
    if not unknown:
        return ()
    if unknown > _MAX_UNKNOWN_BYTES:
        return (Fault("", Reason.FIELD_UNKNOWN, "too many unknown fields to name"),)
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
