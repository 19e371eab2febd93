"""The interceptor around every unary call: metrics, the access log, and faults of our own.

What the handler raises by itself is ours: the log gets it with an id, the caller gets the id.
A line of the log never holds a state, a seed, a hand, a move or a position.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any, Final
from uuid import uuid4

import grpc
from prometheus_client import Counter
from structlog.typing import FilteringBoundLogger

from hakam.games.reasons import Reason
from hakam.rpc.call import CURRENT, Call, refuse
from hakam.rpc.errors import Refusal
from hakam.rpc.metrics import CODE_NAMES, MethodMetrics
from hakam.rpc.tracing import Tracer, ids
from hakam.settings import Settings
from hakam.texts import Language

__all__ = ["Observer"]

# One call of so many is logged, the first of all first.
_ONE_IN: Final = 100
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)

_Behavior = Callable[[Iterator[bytes], grpc.ServicerContext], bytes]


class Observer(grpc.ServerInterceptor):
    """Observes the methods that it has metrics for; lets all others pass.

    `refused` counts by reason; the settings say how long a call is worked on, and what is logged.
    """

    def __init__(
        self,
        methods: Mapping[str, MethodMetrics],
        refused: Mapping[str, Counter],
        log: FilteringBoundLogger,
        settings: Settings,
        tracer: Tracer | None = None,
    ) -> None:
        self._methods: Final = methods
        self._refused: Final = refused
        self._log: Final = log
        self._max_seconds: Final = settings.max_deadline_seconds
        self._slow_seconds: Final = settings.slow_milliseconds / 1000
        self._tracer: Final = tracer
        self._calls: Final = count()
        self._every: Final = 1 if settings.access_log == "all" else _ONE_IN

    def intercept_service(
        self,
        continuation: "Callable[[grpc.HandlerCallDetails], grpc.RpcMethodHandler[Any, Any] | None]",
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "grpc.RpcMethodHandler[Any, Any] | None":
        """The method's handler, observed."""
        handler = continuation(handler_call_details)
        path = handler_call_details.method
        metrics = self._methods.get(path)
        if handler is None or metrics is None or handler.stream_unary is None:
            return handler
        behavior = handler.stream_unary

        def observed(requests: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
            return self._observe(path, metrics, behavior, requests, context)

        return grpc.stream_unary_rpc_method_handler(
            observed, handler.request_deserializer, handler.response_serializer
        )

    def _observe(
        self,
        path: str,
        metrics: MethodMetrics,
        behavior: _Behavior,
        requests: Iterator[bytes],
        context: grpc.ServicerContext,
    ) -> bytes:
        started = time.perf_counter()
        metrics.started.inc()
        call = Call(context, self._max_seconds)
        CURRENT.set(call)
        if self._tracer is not None:
            call.span = self._tracer.begin(path, context)
        try:
            answer = self._guard(path, behavior, _counted(requests, metrics.received), context)
            metrics.sent.inc()
            return answer
        finally:
            code = _code(context)
            seconds = time.perf_counter() - started
            metrics.handled[code].inc()
            metrics.handling.observe(seconds)
            if call.reason in self._refused:
                self._refused[call.reason].inc()
            if self._is_told(code, seconds):
                self._write(path, call, code, seconds, context)
            if call.span is not None:
                call.span.end(call, code)

    def _is_told(self, code: grpc.StatusCode, seconds: float) -> bool:
        """Whether the access log gets the call: an error, a slow one, or its turn in the sample."""
        turn = next(self._calls) % self._every == 0
        return turn or code is not grpc.StatusCode.OK or seconds > self._slow_seconds

    def _guard(
        self,
        path: str,
        behavior: _Behavior,
        requests: Iterator[bytes],
        context: grpc.ServicerContext,
    ) -> bytes:
        try:
            return behavior(requests, context)
        except grpc.RpcError:  # gRPC's own: the request never came
            context.set_code(grpc.StatusCode.CANCELLED)
            raise
        except Exception:
            if _code(context) is not grpc.StatusCode.OK:
                raise  # our own abort, already answered
            fault = uuid4().hex
            trace_id, span_id = ids(CURRENT.get().span, context)
            self._log.exception("fault", method=path, id=fault, trace_id=trace_id, span_id=span_id)
            refuse(context, Refusal(Reason.INTERNAL, metadata={"id": fault}), Language.EN)

    def _write(
        self,
        path: str,
        call: Call,
        code: grpc.StatusCode,
        seconds: float,
        context: grpc.ServicerContext,
    ) -> None:
        trace_id, span_id = ids(call.span, context)
        self._log.info(
            "call",
            method=path.rpartition("/")[2],
            code=CODE_NAMES[code],
            reason=call.reason,
            game=call.game,
            rule_set=call.rule_set,
            milliseconds=round(seconds * 1000, 3),
            request_id=_request_id(context),
            trace_id=trace_id,
            span_id=span_id,
            peer=context.peer(),
        )


def _counted(requests: Iterator[bytes], received: Counter) -> Iterator[bytes]:
    for request in requests:
        received.inc()
        yield request


def _code(context: grpc.ServicerContext) -> grpc.StatusCode:
    code: grpc.StatusCode | None = context.code()  # type: ignore[attr-defined] # not in the stubs
    return grpc.StatusCode.OK if code is None else code


def _request_id(context: grpc.ServicerContext) -> str:
    """The caller's `x-request-id`, if it is a plain word, else one of our own."""
    for key, value in context.invocation_metadata() or ():
        if key == "x-request-id" and isinstance(value, str) and _REQUEST_ID.fullmatch(value):
            return value
    return uuid4().hex
