"""Raw calls, and what an answer or an error says about fields."""

from collections.abc import Callable
from dataclasses import dataclass

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from hakam.rpc.server import SERVICE
from hakam.v1 import game_service_pb2 as pb

METHODS = pb.DESCRIPTOR.services_by_name["GameService"].methods_by_name


@dataclass(frozen=True)
class Error:
    """An error as a client reads it."""

    code: grpc.StatusCode
    reason: str
    metadata: dict[str, str]
    fields: dict[str, str]  # path to reason
    message: str
    localized: str
    size: int


def request_type(rpc: str) -> type[Message]:
    found: type[Message] = getattr(pb, METHODS[rpc].input_type.name)
    return found


def response_type(rpc: str) -> type[Message]:
    found: type[Message] = getattr(pb, METHODS[rpc].output_type.name)
    return found


def raw_call(channel: grpc.Channel, rpc: str) -> Callable[[bytes], bytes]:
    """A call of bytes to bytes: what is sent need not be a message."""
    call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(f"/{SERVICE}/{rpc}")
    return call


def error_of(failed: grpc.RpcError) -> Error:
    """The error with its details; fails where they are not what every error must have."""
    assert isinstance(failed, grpc.Call)
    status = rpc_status.from_call(failed)
    assert status is not None, failed
    info = error_details_pb2.ErrorInfo()
    request = error_details_pb2.BadRequest()
    localized = error_details_pb2.LocalizedMessage()
    seen = []
    for detail in status.details:
        for kind in (info, request, localized):
            if detail.Is(kind.DESCRIPTOR):
                detail.Unpack(kind)
                seen.append(kind.DESCRIPTOR.name)
    assert len(seen) == len(set(seen)) == len(status.details)
    assert {"ErrorInfo", "LocalizedMessage"} <= set(seen)
    assert info.domain == "hakam"
    assert status.ByteSize() < 4096
    return Error(
        code=failed.code(),
        reason=info.reason,
        metadata=dict(info.metadata),
        fields={v.field: v.reason for v in request.field_violations},
        message=failed.details() or "",
        localized=localized.message,
        size=status.ByteSize(),
    )


def refused(call: Callable[[], object]) -> Error:
    """The error that a call must end in."""
    try:
        answer = call()
    except grpc.RpcError as failed:
        return error_of(failed)
    raise AssertionError(f"the call was answered: {answer!r:.300}")
