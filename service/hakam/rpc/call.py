"""What one call tells its observers, and when it has to stop."""

import math
import time
from typing import Final, Protocol

import grpc

from hakam.games.reasons import Reason
from hakam.rpc.errors import Refusal
from hakam.rpc.incoming import Incoming
from hakam.texts import Language

__all__ = ["Call", "Span"]


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

    __slots__ = ("_ends", "game", "incoming", "language", "reason", "rule_set", "span")

    def __init__(self, incoming: Incoming, max_seconds: float = math.inf) -> None:
        self._ends: Final = time.monotonic() + max_seconds
        self.incoming: Final = incoming
        self.language = Language.EN
        self.game = ""
        self.rule_set = ""
        self.reason = ""
        self.span: Span | None = None

    def check_deadline(self) -> None:
        """Refuse to work on for longer, or for a caller that no longer waits."""
        incoming = self.incoming
        late = time.monotonic() >= self._ends or incoming.time_remaining() <= 0
        if late or incoming.closed:
            raise Refusal(Reason.DEADLINE_EXCEEDED)
