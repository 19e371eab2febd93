"""Every field of every request, bent in every way that its type allows.

The walk goes by descriptors, so a field that is added to the contract is bent without anybody
asking for it, and a test fails for a field that no sample reaches.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import grpc
import pytest
from calls import METHODS, Error, error_of, raw_call, request_type, response_type
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from samples import every_request

from hakam.games.registry import GAMES
from hakam.v1 import error_pb2

INT_MIN, INT_MAX = -(2**31), 2**31 - 1
UNKNOWN_FIELD: Final = b"\xf8\x3f\x01"  # field 1023, varint 1
MANY: Final = 1_500

# Fields that may be absent: what their absence means stands in the contract.
OPTIONAL: Final = {
    "ApplyMoveRequest.expected_ply",
    "ApplyMoveRequest.list_moves",
    "ApplyMoveRequest.seat",
    "ApplyMoveRequest.viewers",
    "ListMovesRequest.list_effects",
    "NewGameRequest.entropy",
    "NewGameRequest.list_moves",
    "NewGameRequest.seed",  # then the service draws one
    "NewGameRequest.supplied",
    "NewGameRequest.viewers",
    "Record.commitment",
    "Record.moves",  # a record may end before its game does
    "RecordedOutcomes.outcomes",
    "RecordedSeed.entropy",
    "SeededChance.entropy",
    "ValidateMoveRequest.expected_ply",
    "ValidateMoveRequest.seat",
    "TjauSide.squares",
    "TrixCards.cards",
    "TrixDouble.cards",
    "TrixSheetDeal.doubled",
    "TrixState.doubled",
    "TrixState.layout",
    "TrixState.out",
    "TrixState.sheet",
    "TrixState.trick",
}
# The rpcs whose rules need not be complete: an absent option has its default.
STARTS: Final = ("GetBoard", "NewGame", "PrepareGame")
# Where a message stands in a request: names of fields, and indices of repeated ones.
Place = tuple[str | int, ...]


@dataclass(frozen=True)
class Bend:
    """One thing that can be wrong: what is bent, where it stands, and what bends it."""

    field: str
    path: str
    how: str
    place: Place
    bend: Callable[[Any], object]


@dataclass(frozen=True)
class Bent:
    """A request of an rpc with one thing wrong."""

    rpc: str
    what: Bend
    raw: bytes

    def __str__(self) -> str:
        return f"{self.rpc} {self.what.path} {self.what.how}"


def name_of(field: Any) -> str:
    return f"{field.containing_type.name}.{field.name}"


def is_set(message: Message, field: Any) -> bool:
    return any(present.name == field.name for present, _ in message.ListFields())


def wrong_values(field: Any) -> Iterator[tuple[str, Any]]:
    """Values that no field of this type may have."""
    kinds = FieldDescriptor
    if field.type == kinds.TYPE_INT32:
        yield from (("least", INT_MIN), ("greatest", INT_MAX))
    elif field.type == kinds.TYPE_ENUM:
        yield from (("unknown", 7777), ("negative", -7))
    elif field.type == kinds.TYPE_BYTES:
        yield from (("long", b"x" * 20_000), ("odd", b"x" * 70))
    elif field.type == kinds.TYPE_STRING:
        yield from (("long", "x" * 20_000), ("strange", "\x00\u202e7"), ("empty", ""))


def bends(message: Message, prefix: str, place: Place) -> Iterator[Bend]:
    """Everything that can be wrong in a message and below it."""
    for field in message.DESCRIPTOR.fields:
        path = f"{prefix}{field.name}"
        yield from field_bends(message, field, path, place)
        if field.message_type is None or not is_set(message, field):
            continue
        value, below = getattr(message, field.name), (*place, field.name)
        inner, path, below = (
            (value[0], f"{path}[0]", (*below, 0)) if field.is_repeated else (value, path, below)
        )
        yield Bend(name_of(field), path, "unknown field", below, add_unknown)
        yield from bends(inner, f"{path}.", below)


def field_bends(message: Message, field: Any, path: str, place: Place) -> Iterator[Bend]:
    name = name_of(field)
    if is_set(message, field):
        yield Bend(name, path, "absent", place, partial(clear, field))
    if field.is_repeated:
        yield Bend(name, path, "many", place, partial(extend, field))
    if field.message_type is not None:
        return
    for how, value in wrong_values(field):
        if not field.is_repeated:
            yield Bend(name, path, how, place, partial(assign, field, value))
        elif is_set(message, field):
            yield Bend(name, f"{path}[0]", how, place, partial(assign_first, field, value))


def add_unknown(message: Any) -> None:
    message.MergeFromString(UNKNOWN_FIELD)


def clear(field: Any, message: Any) -> None:
    message.ClearField(field.name)


def assign(field: Any, value: Any, message: Any) -> None:
    setattr(message, field.name, value)


def assign_first(field: Any, value: Any, message: Any) -> None:
    getattr(message, field.name)[0] = value


def extend(field: Any, message: Any) -> None:
    many = getattr(message, field.name)
    if field.message_type is not None:
        for _ in range(MANY):
            many.add()
    else:
        many.extend([b"x" if field.type == FieldDescriptor.TYPE_BYTES else 1] * MANY)


def at(message: Any, place: Place) -> Any:
    for step in place:
        message = message[step] if isinstance(step, int) else getattr(message, step)
    return message


def bent(rpc: str, request: Message, what: Bend) -> Bent:
    copy = type(request)()
    copy.CopyFrom(request)
    what.bend(at(copy, what.place))
    return Bent(rpc, what, copy.SerializeToString())


def every_bend() -> Iterator[tuple[str, Message, Bend]]:
    """Each field of each request, bent in each way, in at most two samples."""
    seen: Counter[tuple[str, str, str, Place]] = Counter()
    for rpc, request in every_request(45):
        for what in bends(request, "", ()):
            key = (rpc, what.field, what.how, tuple(s for s in what.place if isinstance(s, str)))
            seen[key] += 1
            if seen[key] <= 2:
                yield rpc, request, what


def faults_of(rpc: str, answer: Any) -> dict[str, str] | None:
    """What an answer says is wrong, by path; None where it says that all is well."""
    if rpc == "ValidateState":
        return {f.path: error_pb2.Reason.Name(f.reason) for f in answer.faults} or None
    if rpc == "ValidateMove":
        return None if answer.legal else {"move": error_pb2.Reason.Name(answer.violation.reason)}
    if rpc == "ReplayGame":
        return {"record": "failure"} if answer.HasField("failure") else None
    if rpc in ("BatchApplyMoves", "BatchValidateMoves"):
        return faults_of_item(rpc, answer.results[0])
    return None


def faults_of_item(rpc: str, result: Any) -> dict[str, str] | None:
    if result.WhichOneof("result") != "error":
        return faults_of("ValidateMove", result.verdict) if rpc == "BatchValidateMoves" else None
    error = result.error
    assert error.reason
    assert error.message
    reason = error_pb2.Reason.Name(error.reason).removeprefix("REASON_")
    found = {f.path: error_pb2.Reason.Name(f.reason) for f in error.faults}
    return found or {IN_METADATA.get(reason, "move"): reason}


# Where an error without field violations points: the reason says which field it is about.
IN_METADATA: Final = {
    "PLY_MISMATCH": "expected_ply",
    "NOT_YOUR_TURN": "seat",
    "RECORD_TOO_LONG": "record",
    "TOO_MANY_ITEMS": "items",
    "REQUEST_TOO_LARGE": "",
}


def pointed_at(error: Error) -> set[str]:
    """The paths that an error names."""
    return set(error.fields) or {IN_METADATA.get(error.reason, "move")}


def is_near(named: str, path: str) -> bool:
    """Whether a named field is the bent one, holds it, or is held by it or beside it."""
    beside = path.rpartition(".")[0] or path
    return named.startswith((path, beside)) or path.startswith(named)


def judge(channel: grpc.Channel, one: Bent) -> set[str] | None:
    """The paths that the service finds at fault; None where it finds nothing."""
    try:
        raw = raw_call(channel, one.rpc)(one.raw)
    except grpc.RpcError as failed:
        error = error_of(failed)
        assert error.reason != "INTERNAL", str(one)
        return pointed_at(error)
    found = faults_of(one.rpc, response_type(one.rpc).FromString(raw))
    return None if found is None else set(found)


def may_be_absent(rpc: str, what: Bend) -> bool:
    """Whether the bend takes away what may be absent, and so may change what is asked."""
    if what.how != "absent":
        return False
    option = "Rules." in what.field and what.field.partition(".")[2] not in GAMES
    return what.field in OPTIONAL or (option and rpc in STARTS)


def within_item(path: str) -> str:
    return path.removeprefix("items[0]").removeprefix(".")


def test_every_field_bent_in_every_way_is_refused_by_its_path(channel: grpc.Channel) -> None:
    wrong: list[str] = []
    for rpc, request, what in every_bend():
        one = bent(rpc, request, what)
        named = judge(channel, one)
        if may_be_absent(rpc, what):
            continue
        if named is None:
            wrong.append(f"{one}: was taken")
        elif not any(is_near(path, within_item(what.path)) for path in named):
            wrong.append(f"{one}: refused at {sorted(named)}")
    assert wrong == []
    assert raw_call(channel, "ListGames")(b"")


def reachable(descriptor: Any, into: set[str]) -> set[str]:
    """The fields of a message and of all messages below it."""
    for field in descriptor.fields:
        if (name := name_of(field)) not in into:
            into.add(name)
            if field.message_type is not None:
                reachable(field.message_type, into)
    return into


def test_every_field_of_every_request_is_bent() -> None:
    expected: set[str] = set()
    for rpc in METHODS:
        reachable(request_type(rpc).DESCRIPTOR, expected)
    booleans = {
        "ApplyMoveRequest.list_effects",
        "NewGameRequest.list_effects",
        "NewGameRequest.make_credentials",
        "NewGameRequest.seal",
    }
    reached = {what.field for _, _, what in every_bend()}
    assert expected - reached == booleans


def test_what_the_tables_above_name_exists() -> None:
    known: set[str] = set()
    for rpc in METHODS:
        reachable(request_type(rpc).DESCRIPTOR, known)
    assert known >= OPTIONAL


def test_bytes_cut_short_end_in_a_typed_answer(channel: grpc.Channel) -> None:
    seen: Counter[str] = Counter()
    for rpc, request in every_request(20, 7):
        seen[rpc] += 1
        if seen[rpc] > 4:
            continue
        raw = request.SerializeToString()
        for length in range(0, len(raw), max(1, len(raw) // 60)):
            typed(channel, rpc, raw[:length])


def test_random_bytes_end_in_a_typed_answer(channel: grpc.Channel) -> None:
    rng = random.Random(5)
    for rpc in METHODS:
        for _ in range(60):
            typed(channel, rpc, rng.randbytes(rng.randrange(200)))


def test_flipped_bytes_end_in_a_typed_answer(channel: grpc.Channel) -> None:
    rng = random.Random(6)
    for rpc, request in every_request(20, 7):
        raw = bytearray(request.SerializeToString())
        if not raw:
            continue
        for _ in range(8):
            copy = bytearray(raw)
            copy[rng.randrange(len(copy))] ^= 1 << rng.randrange(8)
            typed(channel, rpc, bytes(copy))


def typed(channel: grpc.Channel, rpc: str, raw: bytes) -> None:
    """The call is answered, or refused with a reason that is not ours."""
    try:
        response_type(rpc).FromString(raw_call(channel, rpc)(raw))
    except grpc.RpcError as failed:
        if error_of(failed).reason == "INTERNAL":
            raise AssertionError(f"{rpc} {raw.hex()}") from failed


@pytest.mark.parametrize("rpc", sorted(METHODS))
def test_a_field_that_nobody_knows_is_named_by_its_number(channel: grpc.Channel, rpc: str) -> None:
    with pytest.raises(grpc.RpcError) as failed:
        raw_call(channel, rpc)(UNKNOWN_FIELD)
    assert error_of(failed.value).fields == {"#1023": "FIELD_UNKNOWN"}
