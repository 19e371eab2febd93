"""Traces: what is a `traceparent`, what the log says of it, and the spans that are exported."""

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from queue import Queue
from typing import Any
from uuid import uuid4

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as collector
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as collector_grpc
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from hakam.rpc import tracing
from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.rpc.tracing import Parent, read
from hakam.settings import Settings, SettingsError
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SAMPLED = f"00-{TRACE}-{PARENT}-01"
SETTINGS = Settings(port=0, metrics_port=0, grace_seconds=0, access_log="all", tracing="otlp")
SECRET = "a hand: 2C 7H QS"  # noqa: S105 - what no span may show


class TestRead:
    @pytest.mark.parametrize(
        ("text", "flags"),
        [
            (SAMPLED, 1),
            (f"00-{TRACE}-{PARENT}-00", 0),
            (f"00-{TRACE}-{PARENT}-ff", 255),
            (f"01-{TRACE}-{PARENT}-01", 1),
            (f"cc-{TRACE}-{PARENT}-01-what-the-future-will-bring", 1),
        ],
    )
    def test_what_the_recommendation_allows_is_read(self, text: str, flags: int) -> None:
        assert read(text) == Parent(TRACE, PARENT, flags)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "x",
            SAMPLED[:-1],
            SAMPLED + "0",
            SAMPLED + "\n",
            f" {SAMPLED}",
            SAMPLED.upper(),
            f"{SAMPLED}-more",  # version 00 has four parts
            f"ff-{TRACE}-{PARENT}-01",
            f"0-{TRACE}-{PARENT}-01",
            f"01-{TRACE}-{PARENT}-01.more",
            f"00-{'0' * 32}-{PARENT}-01",
            f"00-{TRACE}-{'0' * 16}-01",
            f"00-{TRACE[:-1]}g-{PARENT}-01",
            f"00-{TRACE}-{PARENT}-0x",
            f"00_{TRACE}_{PARENT}_01",
            f"00-{TRACE[:-1]}\u0663-{PARENT}-01",  # a digit, but not of ASCII
            f"01-{TRACE}-{PARENT}-01-{'x' * 512}",
        ],
    )
    def test_all_else_is_none(self, text: str) -> None:
        assert read(text) is None


def calls(log: StringIO) -> list[dict[str, Any]]:
    entries = [json.loads(line) for line in log.getvalue().splitlines()]
    return [entry for entry in entries if entry["event"] in ("call", "fault")]


def broken(_size: int) -> bytes:
    raise LookupError(SECRET)


def draw() -> pb.NewGameRequest:
    """A request that a server which cannot draw fails to answer."""
    request = pb.NewGameRequest()
    request.rules.tjau.SetInParent()
    return request


class TestLog:
    """Without any export: the observer of the server that all tests share."""

    @pytest.mark.parametrize(
        ("metadata", "told"),
        [
            ([("traceparent", SAMPLED)], (TRACE, PARENT)),
            ([], ("", "")),
            ([("traceparent", "00-0-0-00")], ("", "")),
            ([("traceparent", "00-0-0-00"), ("traceparent", SAMPLED)], (TRACE, PARENT)),
            ([("traceparent", SAMPLED), ("traceparent", "00-0-0-00")], ("", "")),
            ([("tracestate", "a=b")], ("", "")),
        ],
    )
    def test_the_line_of_a_call_names_the_callers_span(
        self,
        server: Server,
        stub: pb_grpc.GameServiceStub,
        log_lines: StringIO,
        metadata: list[tuple[str, str]],
        told: tuple[str, str],
    ) -> None:
        mark = uuid4().hex
        stub.ListGames(pb.ListGamesRequest(), metadata=(*metadata, ("x-request-id", mark)))
        (line,) = (e for e in calls(log_lines) if e.get("request_id") == mark)
        assert (line["trace_id"], line["span_id"]) == told
        assert server.port

    def test_nothing_of_the_sdk_is_loaded_when_off(self) -> None:
        program = (
            "import sys, hakam.cli; "
            "sys.exit(any(name.startswith('opentelemetry') for name in sys.modules))"
        )
        subprocess.run([sys.executable, "-c", program], check=True)  # noqa: S603


class Collector(collector_grpc.TraceServiceServicer):
    """Takes spans over OTLP, as a collector does."""

    def __init__(self) -> None:
        self.requests: Queue[collector.ExportTraceServiceRequest] = Queue()

    def Export(  # noqa: N802 - the name of the method on the wire
        self, request: collector.ExportTraceServiceRequest, _context: object
    ) -> collector.ExportTraceServiceResponse:
        self.requests.put(request)
        return collector.ExportTraceServiceResponse()


@pytest.fixture
def exported(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    """A collector on a port of its own, to which the variables of OpenTelemetry point."""
    taking = Collector()
    server = grpc.server(ThreadPoolExecutor(1))
    collector_grpc.add_TraceServiceServicer_to_server(taking, server)  # type: ignore[no-untyped-call]
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{port}")
    yield taking
    server.stop(None).wait()


def run(log: StringIO, *metadata: tuple[str, str]) -> None:
    """A server that lists its games, and fails to draw, and is asked for its health; to its end."""
    server = Server(SETTINGS, make_log("json", "info", log), draw=broken)
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        stub = pb_grpc.GameServiceStub(channel)
        stub.ListGames(pb.ListGamesRequest(), metadata=metadata)
        with pytest.raises(grpc.RpcError):
            stub.NewGame(draw(), metadata=metadata)
        health: Any = health_pb2_grpc.HealthStub(channel)
        health.Check(health_pb2.HealthCheckRequest())
    server.stop()


def spans(taking: Collector) -> dict[str, Span]:
    """What has arrived, by the name of the method."""
    found: dict[str, Span] = {}
    while not taking.requests.empty():
        for resource in taking.requests.get().resource_spans:
            assert ("service.name", "hakam") in attributes(resource.resource)
            for scope in resource.scope_spans:
                found |= {span.name.rpartition("/")[2]: span for span in scope.spans}
    return found


def attributes(holder: Any) -> set[tuple[str, str]]:
    return {(a.key, a.value.string_value) for a in holder.attributes}


class TestExport:
    def test_a_call_is_a_span_below_that_of_its_caller(self, exported: Collector) -> None:
        log = StringIO()
        run(log, ("traceparent", SAMPLED))
        arrived = spans(exported)
        assert sorted(arrived) == ["ListGames", "NewGame"]
        for span in arrived.values():
            assert span.trace_id.hex() == TRACE
            assert span.parent_span_id.hex() == PARENT
            assert span.kind == Span.SPAN_KIND_SERVER
        told = {(e["trace_id"], e["span_id"]) for e in calls(log) if e.get("method") != "Check"}
        assert told == {(TRACE, span.span_id.hex()) for span in arrived.values()}

    def test_a_span_says_what_became_of_the_call_and_no_more(self, exported: Collector) -> None:
        run(StringIO(), ("traceparent", SAMPLED))
        arrived = spans(exported)
        assert attributes(arrived["ListGames"]) == {
            ("rpc.system.name", "grpc"),
            ("rpc.method", "hakam.v1.GameService/ListGames"),
            ("rpc.response.status_code", "OK"),
        }
        assert arrived["ListGames"].status.code == Status.STATUS_CODE_UNSET
        assert attributes(arrived["NewGame"]) >= {
            ("rpc.response.status_code", "INTERNAL"),
            ("error.type", "INTERNAL"),
            ("hakam.reason", "INTERNAL"),
        }
        assert arrived["NewGame"].status.code == Status.STATUS_CODE_ERROR
        assert SECRET not in str(arrived)
        assert not any(span.events for span in arrived.values())

    def test_a_call_without_a_trace_begins_one(self, exported: Collector) -> None:
        run(StringIO())
        arrived = spans(exported)
        assert sorted(arrived) == ["ListGames", "NewGame"]
        assert len({span.trace_id for span in arrived.values()}) == 2
        assert {span.parent_span_id for span in arrived.values()} == {b""}

    def test_what_the_caller_does_not_sample_is_not_exported(self, exported: Collector) -> None:
        log = StringIO()
        run(log, ("traceparent", f"00-{TRACE}-{PARENT}-00"))
        assert spans(exported) == {}
        assert {e["trace_id"] for e in calls(log) if e.get("method") != "Check"} == {TRACE}

    def test_a_collector_that_is_not_there_costs_a_line_and_no_call(
        self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
        log = StringIO()
        run(log)
        said = [json.loads(line) for line in log.getvalue().splitlines()]
        assert [e["level"] for e in said if e["event"] == "tracing"][:1] == ["warning"]
        assert [e["code"] for e in said if e["event"] == "call"] == ["OK", "Internal", "OK"]
        assert capfd.readouterr().err == ""


class TestExtra:
    def test_off_exports_nothing(self) -> None:
        assert tracing.make_tracer(Settings(), make_log("json", "error")) is None

    def test_what_is_missing_is_said_at_the_start(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "hakam.rpc.spans", None)
        with pytest.raises(SettingsError, match=r"pip install 'hakam\[otel\]'"):
            Server(SETTINGS, make_log("json", "error"))
