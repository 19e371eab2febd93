"""Whose trace a call belongs to: W3C `traceparent`, read strictly, and the spans of our own.

Laws:
- What is no `traceparent` by the letter of the recommendation is as if it had not come: the call is
  served all the same. Of several gRPC's core keeps the last.
- A span holds what the access log holds, and nothing else of the call.
- Where nothing is exported nothing is done for it.
"""

import re
from dataclasses import dataclass
from typing import Final, Protocol

from structlog.typing import FilteringBoundLogger

from hakam.rpc.call import Span
from hakam.rpc.incoming import Incoming
from hakam.settings import Settings, SettingsError

__all__ = ["Parent", "Tracer", "ids", "make_tracer", "parent_of", "read"]

# Versions to come may say more behind these four.
_TRACEPARENT: Final = re.compile(
    r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?", re.ASCII
)
_NO_VERSION: Final = "ff"
_LONGEST: Final = 512


@dataclass(frozen=True)
class Parent:
    """The caller's span: ids in lower-case hex, and the flags of the trace (1: it is sampled)."""

    trace_id: str
    span_id: str
    flags: int


class Tracer(Protocol):
    """Makes spans and exports them, from `start` to `stop`."""

    def start(self) -> None:
        """Begin to export."""

    def stop(self) -> None:
        """Export what is left, as far as there is time for it."""

    def begin(self, incoming: Incoming) -> Span | None:
        """The span of a call; None for methods that are not traced."""


def read(text: str) -> Parent | None:
    """The parent that a `traceparent` names, or None."""
    match = _TRACEPARENT.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        return None
    version, trace_id, span_id, flags, more = match.groups()
    if version == _NO_VERSION or (version == "00" and more is not None):
        return None
    if not (int(trace_id, 16) and int(span_id, 16)):
        return None
    return Parent(trace_id, span_id, int(flags, 16))


def parent_of(incoming: Incoming) -> Parent | None:
    """The parent that the caller's metadata names."""
    for key, value in incoming.metadata:
        if key == "traceparent" and isinstance(value, str):
            return read(value)
    return None


def ids(span: Span | None, incoming: Incoming) -> tuple[str, str]:
    """Trace and span for the log: ours, else the caller's, else empty."""
    known = span or parent_of(incoming)
    return ("", "") if known is None else (known.trace_id, known.span_id)


def make_tracer(settings: Settings, log: FilteringBoundLogger) -> Tracer | None:
    """What exports spans, or None where the settings ask for none; raises SettingsError."""
    if settings.tracing == "off":
        return None
    try:
        from hakam.rpc.spans import Exporting  # noqa: PLC0415 - an extra, and slow to load
    except ImportError:
        raise SettingsError("--tracing otlp needs the extra: pip install 'hakam[otel]'") from None
    return Exporting(log)
