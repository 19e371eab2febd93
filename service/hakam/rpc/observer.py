"""The interceptor around every unary call: metrics, the access log, and faults of our own.

What the handler raises by itself is ours: the log gets it with an id, the caller gets the id.
A line of the log never holds a state, a seed, a hand, a move or a position.
"""

import re
import time
from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import uuid4

import grpc
from structlog.typing import FilteringBoundLogger

from hakam.games.reasons import Reason
from hakam.rpc.call import CURRENT, Call
from hakam.rpc.errors import Refusal, to_status
from hakam.rpc.metrics import CODE_NAMES, MethodMetrics
from hakam.texts import Language

__all__ = ["Observer"]

_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)

_Behavior = Callable[[bytes, grpc.ServicerContext], bytes]


class Observer(grpc.ServerInterceptor):
    """Observes the methods that it has metrics for; lets all others pass."""

    def __init__(self, methods: Mapping[str, MethodMetrics], log: FilteringBoundLogger) -> None:
        self._methods: Final = methods
        self._log: Final = log

    def intercept_service(
        self,
        continuation: "Callable[[grpc.HandlerCallDetails], grpc.RpcMethodHandler[Any, Any] | None]",
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "grpc.RpcMethodHandler[Any, Any] | None":
        """The method's handler, observed."""
        handler = continuation(handler_call_details)
        path = handler_call_details.method
        metrics = self._methods.get(path)
        if handler is None or metrics is None or handler.unary_unary is None:
            return handler
        behavior = handler.unary_unary

        def observed(request: bytes, context: grpc.ServicerContext) -> bytes:
            return self._observe(path, metrics, behavior, request, context)

        return grpc.unary_unary_rpc_method_handler(
            observed, handler.request_deserializer, handler.response_serializer
        )

    def _observe(
        self,
        path: str,
        metrics: MethodMetrics,
        behavior: _Behavior,
        request: bytes,
        context: grpc.ServicerContext,
    ) -> bytes:
        started = time.perf_counter()
        metrics.started.inc()
        metrics.received.inc()
        call = Call(context)
        CURRENT.set(call)
        try:
            answer = self._guard(path, behavior, request, context)
            metrics.sent.inc()
            return answer
        finally:
            code = _code(context)
            seconds = time.perf_counter() - started
            metrics.handled[code].inc()
            metrics.handling.observe(seconds)
            self._write(path, call, code, seconds, context)

    def _guard(
        self, path: str, behavior: _Behavior, request: bytes, context: grpc.ServicerContext
    ) -> bytes:
        try:
            return behavior(request, context)
        except Exception:
            if _code(context) is not grpc.StatusCode.OK:
                raise  # our own abort, already answered
            fault = uuid4().hex
            self._log.exception("fault", method=path, id=fault)
            refusal = Refusal(Reason.INTERNAL, metadata={"id": fault})
            context.abort_with_status(to_status(refusal, Language.EN))

    def _write(
        self,
        path: str,
        call: Call,
        code: grpc.StatusCode,
        seconds: float,
        context: grpc.ServicerContext,
    ) -> None:
        self._log.info(
            "call",
            method=path.rpartition("/")[2],
            code=CODE_NAMES[code],
            reason=call.reason,
            game=call.game,
            rule_set=call.rule_set,
            milliseconds=round(seconds * 1000, 3),
            request_id=_request_id(context),
            peer=context.peer(),
        )


def _code(context: grpc.ServicerContext) -> grpc.StatusCode:
    code: grpc.StatusCode | None = context.code()  # type: ignore[attr-defined] # not in the stubs
    return grpc.StatusCode.OK if code is None else code


def _request_id(context: grpc.ServicerContext) -> str:
    """The caller's `x-request-id`, if it is a plain word, else one of our own."""
    for key, value in context.invocation_metadata() or ():
        if key == "x-request-id" and isinstance(value, str) and _REQUEST_ID.fullmatch(value):
            return value
    return uuid4().hex
