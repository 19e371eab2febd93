"""What stands around every unary method: doors, metrics, the access log, and faults of our own.

What a method raises that is no refusal is ours: the log gets it with an id, the caller gets the id.
A line of the log never holds a state, a seed, a hand, a move or a position.
"""

import re
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from itertools import count
from typing import Any, Final, TypeVar
from uuid import uuid4

import grpc
from structlog.typing import FilteringBoundLogger

from hakam.games.game import Fault
from hakam.games.reasons import Reason
from hakam.rpc.call import Call
from hakam.rpc.endpoint import Behavior, Door
from hakam.rpc.errors import Refusal, invalid, to_status
from hakam.rpc.incoming import Begin, BeginStream, Ending, Incoming, Open, Stream, Task
from hakam.rpc.metrics import CODE_NAMES, MethodMetrics
from hakam.rpc.tally import Count
from hakam.rpc.tracing import Tracer, ids
from hakam.settings import Settings

__all__ = ["Check", "Observer"]

T = TypeVar("T")

# Refuses a call before its request is received, by raising `Refusal`.
Check = Callable[[Incoming], None]

# One call of so many is logged, the first of all first.
_ONE_IN: Final = 100
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
_MISSING: Final = invalid([Fault("", Reason.REQUEST_MALFORMED, "there is no message")])
_LATE: Final = Refusal(Reason.DEADLINE_EXCEEDED)


class Observer:
    """Observes methods, and guards them.

    `refused` counts by reason; the settings say how long a call is worked on, and what is logged.
    """

    def __init__(
        self,
        refused: Mapping[str, Count],
        log: FilteringBoundLogger,
        settings: Settings,
        tracer: Tracer | None = None,
    ) -> None:
        self._refused: Final = refused
        self._log: Final = log
        self._max_seconds: Final = settings.max_deadline_seconds
        self._slow_seconds: Final = settings.slow_milliseconds / 1000
        self._tracer: Final = tracer
        self._calls: Final = count()
        self._every: Final = 1 if settings.access_log == "all" else _ONE_IN

    def observed(
        self, metrics: MethodMetrics, behavior: Behavior, door: Door, checks: Sequence[Check]
    ) -> Begin:
        """The method, observed; its calls pass the checks and are counted at the door."""

        def begin(incoming: Incoming) -> "_Observed | Ending":
            metrics.started.inc()
            call = Call(incoming, self._max_seconds)
            if self._tracer is not None:
                call.span = self._tracer.begin(incoming)
            refusal = self.guard(call, _all, checks, incoming)
            if refusal is not None:
                return self.ended(call, metrics, refusal)
            door.pending += 1
            return _Observed(self, metrics, behavior, door, call)

        return begin

    def guarded(self, opened: BeginStream, checks: Sequence[Check]) -> BeginStream:
        """A method with any number of messages, whose calls pass the checks."""

        def begin(call: Open) -> Stream | Ending:
            observed = Call(call.incoming)
            refusal = self.guard(observed, _all, checks, call.incoming)
            return opened(call) if refusal is None else refusal

        return begin

    def guard(self, call: Call, function: Callable[..., T], *args: Any) -> T | Ending:
        """What the function gives, or how the call ends where it raises."""
        try:
            return function(*args)
        except Refusal as refusal:
            return _ending(call, refusal)
        except Exception:
            fault = uuid4().hex
            path = call.incoming.path.decode("ascii", "replace")
            trace_id, span_id = ids(call.span, call.incoming)
            self._log.exception("fault", method=path, id=fault, trace_id=trace_id, span_id=span_id)
            return _ending(call, Refusal(Reason.INTERNAL, metadata={"id": fault}))

    def ended(self, call: Call, metrics: MethodMetrics, answer: T) -> T:
        """Count and log the call by its answer."""
        if isinstance(answer, Ending):
            code = answer.code
        else:
            code = grpc.StatusCode.OK
            metrics.sent.inc()
        seconds = time.perf_counter() - call.incoming.arrived
        metrics.handled[code].inc()
        metrics.handling.observe(seconds)
        if call.reason in self._refused:
            self._refused[call.reason].inc()
        if self._is_told(code, seconds):
            self._write(call, code, seconds)
        if call.span is not None:
            call.span.end(call, code)
        return answer

    def _is_told(self, code: grpc.StatusCode, seconds: float) -> bool:
        """Whether the access log gets the call: an error, a slow one, or its turn in the sample."""
        turn = next(self._calls) % self._every == 0
        return turn or code is not grpc.StatusCode.OK or seconds > self._slow_seconds

    def _write(self, call: Call, code: grpc.StatusCode, seconds: float) -> None:
        trace_id, span_id = ids(call.span, call.incoming)
        self._log.info(
            "call",
            method=call.incoming.path.rpartition(b"/")[2].decode("ascii", "replace"),
            code=CODE_NAMES[code],
            reason=call.reason,
            game=call.game,
            rule_set=call.rule_set,
            milliseconds=round(seconds * 1000, 3),
            request_id=_request_id(call.incoming),
            trace_id=trace_id,
            span_id=span_id,
            peer=call.incoming.peer(),
        )


class _Observed:
    """A call under way."""

    __slots__ = ("_behavior", "_call", "_door", "_late", "_metrics", "_missing", "_observer")

    def __init__(
        self, observer: Observer, metrics: MethodMetrics, behavior: Behavior, door: Door, call: Call
    ) -> None:
        self._observer: Final = observer
        self._metrics: Final = metrics
        self._behavior: Final = behavior
        self._door: Final = door
        self._call: Final = call
        self._missing: Ending | None = None
        self._late = False

    def work(self, raw: bytes) -> bytes | Ending | Task:
        self._metrics.received.inc()
        answer = self._observer.guard(self._call, self._behavior, raw, self._call)
        if isinstance(answer, (bytes, Ending)):
            return self._observer.ended(self._call, self._metrics, answer)
        return self._task(answer)

    def _task(self, task: Generator[None, None, bytes]) -> Task:
        while True:
            done = self._observer.guard(self._call, _advance, task)
            if done is not None:
                return self._observer.ended(self._call, self._metrics, done)
            yield

    def nothing(self, *, late: bool) -> Ending:
        self._late = late
        self._missing = _ending(self._call, _LATE if late else _MISSING)
        return self._missing

    def gone(self, *, cancelled: bool) -> None:
        self._door.pending -= 1
        ending = self._missing
        if ending is None:
            return
        # Whether a request is missing or its caller has gone is known at the end only.
        if cancelled and not self._late:
            self._call.reason = ""
            ending = Ending(grpc.StatusCode.CANCELLED)
        self._observer.ended(self._call, self._metrics, ending)


def _all(checks: Sequence[Check], incoming: Incoming) -> None:
    for check in checks:
        check(incoming)


def _advance(task: Generator[None, None, bytes]) -> bytes | None:
    """One piece of the work; the answer after the last."""
    try:
        next(task)
    except StopIteration as end:
        answer: bytes = end.value
        return answer
    return None


def _ending(call: Call, refusal: Refusal) -> Ending:
    call.reason = refusal.reason
    status = to_status(refusal, call.language)
    return Ending(status.code, status.details, status.trailing_metadata)


def _request_id(incoming: Incoming) -> str:
    """The caller's `x-request-id`, if it is a plain word, else one of our own."""
    for key, value in incoming.metadata:
        if key == "x-request-id" and isinstance(value, str) and _REQUEST_ID.fullmatch(value):
            return value
    return uuid4().hex
