"""What of the contract a message shows, and all that the contract has to show.

A feature is the full name of a field or of an enum value, with "= 0" behind an optional field that
is there and 0, and "absent" behind one that is not there.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

__all__ = ["contract", "optional_fields", "shown"]


def shown(message: Message) -> set[str]:
    """The features of a message and of all that is in it."""
    found: set[str] = set()
    _walk(message, found)
    return found


def _walk(message: Message, found: set[str]) -> None:
    present = set()
    for field, value in message.ListFields():
        present.add(field.full_name)
        for item in value if field.is_repeated else (value,):
            if field.message_type is not None:
                _walk(item, found)
            elif field.enum_type is not None:
                found.add(_value_name(field.enum_type, item))
            elif item == 0 and _is_optional(field):
                found.add(f"{field.full_name} = 0")
    found |= present
    found.update(f"{name} absent" for name in _optional(message.DESCRIPTOR) - present)


def _value_name(enum: EnumDescriptor, number: int) -> str:
    value = enum.values_by_number.get(number)
    return f"{enum.name}.{value.name if value else 'unknown'}"


@cache
def _optional(kind: Descriptor) -> frozenset[str]:
    return frozenset(field.full_name for field in kind.fields if _is_optional(field))


def _is_optional(field: Any) -> bool:
    """Whether the proto says `optional`."""
    oneof = field.containing_oneof
    return oneof is not None and len(oneof.fields) == 1


def contract(file: Any) -> set[str]:
    """Every feature of the messages that a service of this file takes and gives.

    No member of an enum that stands for "not said" is one.
    """
    kinds: set[Descriptor] = set()
    for service in file.services_by_name.values():
        for method in service.methods:
            _reach(method.input_type, kinds)
            _reach(method.output_type, kinds)
    return {feature for kind in kinds for field in kind.fields for feature in _of_field(field)}


def _reach(kind: Descriptor, kinds: set[Descriptor]) -> None:
    if kind not in kinds:
        kinds.add(kind)
        for field in kind.fields:
            if field.message_type is not None:
                _reach(field.message_type, kinds)


def _of_field(field: FieldDescriptor) -> Iterator[str]:
    yield field.full_name
    if field.enum_type is not None:
        yield from (f"{field.enum_type.name}.{v.name}" for v in field.enum_type.values if v.number)
    if _is_optional(field):
        yield f"{field.full_name} absent"
        if field.message_type is None and field.enum_type is None:
            yield f"{field.full_name} = 0"


def optional_fields(message: Message) -> Iterator[tuple[Message, str]]:
    """Every number that is `optional`, set or not, with the message that it is in."""
    for field in message.DESCRIPTOR.fields:
        if field.message_type is None:
            if _is_optional(field):
                yield message, field.name
        elif field.is_repeated:
            for item in getattr(message, field.name):
                yield from optional_fields(item)
        elif message.HasField(field.name):
            yield from optional_fields(getattr(message, field.name))
