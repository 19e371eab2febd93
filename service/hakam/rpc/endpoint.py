"""From bytes to bytes: what every method of the service does around its handler.

A request is taken as raw bytes and parsed here, because gRPC answers undecodable bytes without any
detail. The order of checks: load, size, deadline, bytes, unknown fields; then the handler.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from google.protobuf.message import DecodeError, Message

from hakam.games.game import Fault
from hakam.games.reasons import Reason
from hakam.rpc.call import Call
from hakam.rpc.codecs.common import unknown_field_faults
from hakam.rpc.errors import Refusal, invalid
from hakam.rpc.incoming import Ending
from hakam.texts import Language

__all__ = ["Behavior", "Door", "Handler", "LongHandler", "endpoint", "language_of", "long_endpoint"]

# A handler takes the parsed request and the call.
Handler: TypeAlias = Callable[..., Message]
# One whose work takes long stops between its pieces. It takes a third argument: the unknown fields
# of the whole request, which of a batch spoil only the items that they are in.
LongHandler: TypeAlias = Callable[..., Generator[None, None, Message]]
# What a method makes of a request; it may also refuse by raising `Refusal`.
Behavior: TypeAlias = Callable[[bytes, Call], "bytes | Ending | Generator[None, None, bytes]"]


@dataclass
class Door:
    """What a server lets in: sizes in bytes, calls waiting or running, and whether it is open.

    `make_room` is called where there is no place for one call more, and may free one soon.
    """

    max_request_bytes: int
    max_answer_bytes: int
    max_pending_calls: int
    make_room: Callable[[], None] = lambda: None
    pending: int = field(default=0)
    draining: bool = field(default=False)

    def check_load(self) -> None:
        """Refuse a call for which there is no time, whatever it asks."""
        self.check_open()
        if self.pending >= self.max_pending_calls:
            self.make_room()
            raise Refusal(Reason.OVERLOADED, metadata={"limit": str(self.max_pending_calls)})

    def check_open(self) -> None:
        """Refuse a call that another replica has to answer."""
        if self.draining:
            raise Refusal(Reason.DRAINING)

    def check(self, size: int) -> None:
        """Refuse a request that may not be worked on."""
        self.check_open()
        if size > self.max_request_bytes:
            sizes = {"size": str(size), "limit": str(self.max_request_bytes)}
            raise Refusal(Reason.REQUEST_TOO_LARGE, metadata=sizes)

    def check_answer(self, size: int) -> None:
        """Refuse to send more than clients take."""
        if size > self.max_answer_bytes:
            limit = {"limit": str(self.max_answer_bytes)}
            raise Refusal(Reason.ANSWER_TOO_LARGE, metadata=limit)


def endpoint(door: Door, request_type: type[Message], handler: Handler) -> Behavior:
    """What a method does, raw bytes in and out."""

    def answer(raw: bytes, call: Call) -> bytes:
        request, unknown = _read(door, request_type, raw, call)
        if unknown:
            raise invalid(unknown)
        return _write(door, handler(request, call))

    return answer


def long_endpoint(door: Door, request_type: type[Message], handler: LongHandler) -> Behavior:
    """What a method does whose work takes long: it stops between its pieces."""

    def answer(raw: bytes, call: Call) -> Generator[None, None, bytes]:
        request, unknown = _read(door, request_type, raw, call)
        response = yield from handler(request, call, unknown)
        return _write(door, response)

    return answer


def _read(
    door: Door, request_type: type[Message], raw: bytes, call: Call
) -> tuple[Message, tuple[Fault, ...]]:
    door.check(len(raw))
    call.check_deadline()
    try:
        request = request_type.FromString(raw)
    except DecodeError:
        detail = "the bytes are no message of this type"
        raise invalid([Fault("", Reason.REQUEST_MALFORMED, detail)]) from None
    call.language = language_of(request)
    return request, unknown_field_faults(request, raw)


def _write(door: Door, response: Message) -> bytes:
    answer = response.SerializeToString()
    door.check_answer(len(answer))
    return answer


_LANGUAGES: Final = (Language.EN, Language.EN, Language.AR)


def language_of(request: Any) -> Language:
    """The language that a request asks for; English where it asks for none or for another."""
    number: int = getattr(request, "language", 0)
    return _LANGUAGES[number] if 0 <= number < len(_LANGUAGES) else Language.EN
