"""From bytes to bytes: what every method of the service does around its handler.

A request is taken as raw bytes and parsed here, because gRPC answers undecodable bytes without any
detail. The order of checks: load, size, deadline, bytes, unknown fields; then the handler.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError, Message

from hakam.games.game import Fault
from hakam.games.reasons import Reason
from hakam.rpc.call import CURRENT, Call, refuse
from hakam.rpc.codecs.common import unknown_field_faults
from hakam.rpc.errors import Refusal, invalid
from hakam.rpc.pool import CountingPool
from hakam.texts import Language

__all__ = ["Door", "Handler", "endpoint", "language_of"]

# A handler takes the parsed request and the call. A batch handler takes a third argument: the
# unknown fields of the whole request, which spoil only the items that they are in.
Handler = Callable[..., Message]


@dataclass
class Door:
    """What a server lets in: sizes in bytes, calls waiting or running, and whether it is open."""

    max_request_bytes: int
    max_answer_bytes: int
    max_pending_calls: int
    pool: CountingPool
    draining: bool = field(default=False)

    def check_load(self) -> None:
        """Refuse a call for which there is no time, whatever it asks."""
        if self.draining:
            raise Refusal(Reason.DRAINING)
        if self.pool.pending > self.max_pending_calls:
            raise Refusal(Reason.OVERLOADED, metadata={"limit": str(self.max_pending_calls)})

    def check(self, size: int) -> None:
        """Refuse a request that may not be worked on."""
        self.check_load()
        if size > self.max_request_bytes:
            sizes = {"size": str(size), "limit": str(self.max_request_bytes)}
            raise Refusal(Reason.REQUEST_TOO_LARGE, metadata=sizes)

    def check_answer(self, size: int) -> None:
        """Refuse to send more than clients take."""
        if size > self.max_answer_bytes:
            limit = {"limit": str(self.max_answer_bytes)}
            raise Refusal(Reason.ANSWER_TOO_LARGE, metadata=limit)


def endpoint(
    door: Door, request_type: type[Message], handler: Handler, *, batch: bool = False
) -> "grpc.RpcMethodHandler[bytes, bytes]":
    """The gRPC handler of one method, raw bytes in and out."""

    def answer(raw: bytes, context: grpc.ServicerContext) -> bytes:
        call = CURRENT.get()
        language = Language.EN
        try:
            door.check(len(raw))
            call.check_deadline()
            request, unknown = _parse(request_type, raw)
            language = language_of(request)
            response = _handle(handler, request, call, unknown, batch=batch)
            door.check_answer(response.ByteSize())
            return response.SerializeToString()
        except Refusal as refusal:
            refuse(context, refusal, language)

    return grpc.unary_unary_rpc_method_handler(answer)


def _parse(request_type: type[Message], raw: bytes) -> tuple[Message, tuple[Fault, ...]]:
    try:
        request = request_type.FromString(raw)
    except DecodeError:
        detail = "the bytes are no message of this type"
        raise invalid([Fault("", Reason.REQUEST_MALFORMED, detail)]) from None
    return request, unknown_field_faults(request, raw)


def _handle(
    handler: Handler, request: Message, call: Call, unknown: tuple[Fault, ...], *, batch: bool
) -> Message:
    if batch:
        return handler(request, call, unknown)
    if unknown:
        raise invalid(unknown)
    return handler(request, call)


_LANGUAGES: Final = (Language.EN, Language.EN, Language.AR)


def language_of(request: Any) -> Language:
    """The language that a request asks for; English where it asks for none or for another."""
    number: int = getattr(request, "language", 0)
    return _LANGUAGES[number] if 0 <= number < len(_LANGUAGES) else Language.EN
