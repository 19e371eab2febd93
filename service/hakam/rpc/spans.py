"""Spans of calls, exported over OTLP: needs the extra `hakam[otel]`.

Where they go, and which are kept, is said by OpenTelemetry's own variables, `OTEL_EXPORTER_OTLP_…`
and `OTEL_TRACES_SAMPLER…`; by default to 127.0.0.1:4317, and what the caller keeps.
"""

import logging
from typing import Final

import grpc
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.trace import (
    NonRecordingSpan,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    format_span_id,
    format_trace_id,
    set_span_in_context,
)
from opentelemetry.trace import Span as OpenTelemetrySpan
from opentelemetry.trace import Tracer as OpenTelemetryTracer
from structlog.typing import FilteringBoundLogger

from hakam import __version__
from hakam.rpc.call import Call
from hakam.rpc.incoming import Incoming
from hakam.rpc.tracing import parent_of
from hakam.v1 import game_service_pb2 as pb

__all__ = ["Exporting"]

# The one through which the SDK and its exporters speak.
_LOGGER: Final = logging.getLogger("opentelemetry")
_TRACED: Final = f"{pb.DESCRIPTOR.services_by_name['GameService'].full_name}/"
# The codes that say that a server failed, by OpenTelemetry's conventions for RPC.
_FAILURES: Final = {
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.UNIMPLEMENTED,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DATA_LOSS,
}


class _Span:
    def __init__(self, span: OpenTelemetrySpan) -> None:
        self._span: Final = span

    @property
    def trace_id(self) -> str:
        return format_trace_id(self._span.get_span_context().trace_id)

    @property
    def span_id(self) -> str:
        return format_span_id(self._span.get_span_context().span_id)

    def end(self, call: Call, code: grpc.StatusCode) -> None:
        span = self._span
        span.set_attribute("rpc.response.status_code", code.name)
        told = {"reason": call.reason, "game": call.game, "rule_set": call.rule_set}
        span.set_attributes({f"hakam.{name}": value for name, value in told.items() if value})
        if code in _FAILURES:
            span.set_attribute("error.type", code.name)
            span.set_status(Status(StatusCode.ERROR))
        span.end()


class _ToLog(logging.Handler):
    """What the exporter has to say, as lines of our log."""

    def __init__(self, log: FilteringBoundLogger) -> None:
        super().__init__(logging.WARNING)
        self._log: Final = log

    def emit(self, record: logging.LogRecord) -> None:
        self._log.warning("tracing", said=record.getMessage())


class Exporting:
    """Spans of the calls of the service, exported in batches by a thread of their own."""

    def __init__(self, log: FilteringBoundLogger, exporter: SpanExporter | None = None) -> None:
        """Exports over OTLP unless an exporter is given."""
        self._exporter: Final = exporter
        self._said: Final = _ToLog(log)
        self._provider: TracerProvider | None = None
        self._tracer: OpenTelemetryTracer | None = None

    def start(self) -> None:
        """Begin to export."""
        _LOGGER.addHandler(self._said)
        _LOGGER.propagate = False
        named = Resource({"service.name": "hakam", "service.version": __version__})
        resource = named.merge(OTELResourceDetector().detect())
        provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        provider.add_span_processor(BatchSpanProcessor(self._exporter or OTLPSpanExporter()))
        self._provider = provider
        self._tracer = provider.get_tracer("hakam", __version__)

    def stop(self) -> None:
        """Export what is left, as far as there is time for it."""
        if self._provider is not None:
            self._provider.shutdown()
        _LOGGER.removeHandler(self._said)

    def begin(self, incoming: Incoming) -> _Span | None:
        """The span of a call; None for methods that are not traced."""
        name = incoming.path.decode("ascii", "replace")[1:]
        if self._tracer is None or not name.startswith(_TRACED):
            return None
        parent = parent_of(incoming)
        around = None
        if parent is not None:
            caller = SpanContext(
                int(parent.trace_id, 16),
                int(parent.span_id, 16),
                is_remote=True,
                trace_flags=TraceFlags(parent.flags),
            )
            around = set_span_in_context(NonRecordingSpan(caller))
        attributes = {"rpc.system.name": "grpc", "rpc.method": name}
        span = self._tracer.start_span(name, around, SpanKind.SERVER, attributes)
        return _Span(span)
