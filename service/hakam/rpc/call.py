"""What one call tells its observers, and when it has to stop."""

from contextvars import ContextVar
from typing import Final

import grpc

from hakam.games.reasons import Reason
from hakam.rpc.errors import Refusal

__all__ = ["CURRENT", "Call"]


class Call:
    """One call under way: filled in by its handler, read by the access log."""

    __slots__ = ("_context", "game", "reason", "rule_set")

    def __init__(self, context: grpc.ServicerContext) -> None:
        self._context: Final = context
        self.game = ""
        self.rule_set = ""
        self.reason = ""

    def check_deadline(self) -> None:
        """Refuse to work on for a caller that no longer waits."""
        left: float | None = self._context.time_remaining()
        if left is not None and left <= 0:
            raise Refusal(Reason.DEADLINE_EXCEEDED)


# The call that this thread works for.
CURRENT: Final[ContextVar[Call]] = ContextVar("call")
