"""What one call tells its observers, when it has to stop, and how it is refused."""

import math
import time
from contextvars import ContextVar
from typing import Final, NoReturn, Protocol

import grpc

from hakam.games.reasons import Reason
from hakam.rpc.errors import Refusal, to_status
from hakam.texts import Language

__all__ = ["CURRENT", "Call", "Span", "refuse"]


class Span(Protocol):
    """A span of our own, under way."""

    @property
    def trace_id(self) -> str:
        """32 hex digits."""

    @property
    def span_id(self) -> str:
        """16 hex digits."""

    def end(self, call: "Call", code: grpc.StatusCode) -> None:
        """Note how the call ended, and hand the span on."""


class Call:
    """One call under way: filled in by its handler, read by the access log.

    It is worked on for `max_seconds` from now, or for as long as its caller waits if that is less.
    """

    __slots__ = ("_context", "_ends", "game", "reason", "rule_set", "span")

    def __init__(self, context: grpc.ServicerContext, max_seconds: float = math.inf) -> None:
        self._context: Final = context
        self._ends: Final = time.monotonic() + max_seconds
        self.game = ""
        self.rule_set = ""
        self.reason = ""
        self.span: Span | None = None

    def check_deadline(self) -> None:
        """Refuse to work on for longer, or for a caller that no longer waits."""
        left: float | None = self._context.time_remaining()
        late = time.monotonic() >= self._ends or (left is not None and left <= 0)
        if late or not self._context.is_active():
            raise Refusal(Reason.DEADLINE_EXCEEDED)


# The call that this thread works for.
CURRENT: Final[ContextVar[Call]] = ContextVar("call")


def refuse(context: grpc.ServicerContext, refusal: Refusal, language: Language) -> NoReturn:
    """End the call at hand with an error, and tell its observers why."""
    call = CURRENT.get(None)
    if call is not None:
        call.reason = refusal.reason
    context.abort_with_status(to_status(refusal, language))
