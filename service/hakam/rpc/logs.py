"""The log: structlog lines for people on a terminal, JSON for machines."""

import sys
from typing import Final, TextIO

import structlog
from structlog.typing import FilteringBoundLogger, Processor

__all__ = ["make_log"]

_LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}


def make_log(log_format: str, level: str, stream: TextIO = sys.stderr) -> FilteringBoundLogger:
    """A logger of its own, with no process-wide configuration behind it."""
    if log_format == "auto":
        log_format = "console" if stream.isatty() else "json"
    last: tuple[Processor, ...] = (structlog.dev.ConsoleRenderer(colors=stream.isatty()),)
    if log_format == "json":
        last = (structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer())
    log: FilteringBoundLogger = structlog.wrap_logger(
        structlog.PrintLogger(stream),
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *last,
        ],
    )
    return log
