"""The log: structlog lines for people on a terminal, JSON for machines.

A fault is logged as the classes of its exceptions and the places in the code, innermost last. Its
messages and the values of variables are left out: either may hold a hand, a seed or a state.
"""

import sys
import traceback
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, TextIO

import structlog
from structlog.typing import EventDict, FilteringBoundLogger, Processor, WrappedLogger

__all__ = ["make_log"]

_LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}


def make_log(log_format: str, level: str, stream: TextIO | None = None) -> FilteringBoundLogger:
    """A logger of its own, with no process-wide configuration behind it; to stderr by default."""
    out = sys.stderr if stream is None else stream
    if log_format == "auto":
        log_format = "console" if out.isatty() else "json"
    last: Processor = structlog.processors.JSONRenderer()
    if log_format == "console":
        last = structlog.dev.ConsoleRenderer(colors=out.isatty())
    log: FilteringBoundLogger = structlog.wrap_logger(
        _Lines(out),
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _name_fault,
            last,
        ],
    )
    return log


class _Lines(structlog.WriteLogger):
    """Each line in one piece, because workers share the stream; a reader who left stops nobody."""

    def msg(self, message: str) -> None:
        """Write a line if that can be done."""
        with suppress(OSError):
            super().msg(message)

    debug = info = warning = error = msg


def _name_fault(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Put the classes and places of the exception at hand in the place of the exception."""
    if event.pop("exc_info", None):
        faults = list(_causes(sys.exception()))
        event["exceptions"] = [type(fault).__qualname__ for fault in faults]
        event["places"] = [place for fault in faults for place in _places(fault)]
    return event


def _causes(fault: BaseException | None) -> Iterator[BaseException]:
    """The exception after all that led to it."""
    if fault is not None:
        yield from _causes(fault.__cause__ or fault.__context__)
        yield fault


def _places(fault: BaseException) -> Iterator[str]:
    for frame, line in traceback.walk_tb(fault.__traceback__):
        yield f"{frame.f_globals.get('__name__')}:{line} {frame.f_code.co_name}"
