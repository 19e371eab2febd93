import http.client
from collections import Counter
from collections.abc import Iterator
from functools import partial
from io import StringIO

import grpc
import pytest
from calls import METHODS, raw_call, refused
from grpc_health.v1 import health_pb2, health_pb2_grpc
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

from hakam import __version__
from hakam.games.registry import GAMES
from hakam.rpc.logs import make_log
from hakam.rpc.metrics import CODE_NAMES
from hakam.rpc.server import SERVICE, Server
from hakam.settings import Settings
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from hakam.v1.move_pb2 import Move
from hakam.v1.viewer_pb2 import Spectator, Viewer

Sample = tuple[str, frozenset[tuple[str, str]]]

# What a dashboard or an alert may name: the family, its labels, its kind.
FAMILIES = {
    "grpc_server_started": ({"grpc_type", "grpc_service", "grpc_method"}, "counter"),
    "grpc_server_handled": ({"grpc_type", "grpc_service", "grpc_method", "grpc_code"}, "counter"),
    "grpc_server_msg_received": ({"grpc_type", "grpc_service", "grpc_method"}, "counter"),
    "grpc_server_msg_sent": ({"grpc_type", "grpc_service", "grpc_method"}, "counter"),
    "grpc_server_handling_seconds": ({"grpc_type", "grpc_service", "grpc_method"}, "histogram"),
    "hakam_moves": ({"game", "rule_set", "verdict", "reason"}, "counter"),
    "hakam_engine_seconds": ({"game", "operation"}, "histogram"),
    "hakam_refused": ({"reason"}, "counter"),
    "hakam_build_info": ({"version"}, "gauge"),
}
# What says something of the service or of its callers.
LIMITS = {
    "ADMISSION_REFUSED",
    "REQUEST_TOO_LARGE",
    "ANSWER_TOO_LARGE",
    "TOO_MANY_ITEMS",
    "RECORD_TOO_LONG",
    "OVERLOADED",
    "DRAINING",
    "DEADLINE_EXCEEDED",
    "SEAL_MALFORMED",
    "SEAL_VERSION_UNSUPPORTED",
    "SEAL_KEY_UNKNOWN",
    "SEAL_REFUSED",
}
OPERATIONS = {"apply", "legal_moves", "new_game", "replay", "view", "violation"}
HEALTH = "grpc.health.v1.Health"


def broken(_size: int) -> bytes:
    raise RuntimeError("no seed today")


@pytest.fixture
def fresh() -> Iterator[Server]:
    """A server whose counters nobody else moves, and which cannot draw."""
    settings = Settings(port=0, metrics_port=0, grace_seconds=0)
    running = Server(settings, make_log("json", "info", StringIO()), draw=broken)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def fresh_channel(fresh: Server) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(f"127.0.0.1:{fresh.port}") as opened:
        yield opened


def scrape(server: Server) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", server.metrics_port)
    connection.request("GET", "/metrics")
    answer = connection.getresponse()
    assert answer.status == 200
    assert (answer.getheader("Content-Type") or "").startswith("text/plain")
    text = answer.read().decode()
    connection.close()
    return text


def families(server: Server) -> dict[str, Metric]:
    found = text_string_to_metric_families(scrape(server))
    return {family.name: family for family in found}


def values(server: Server, name: str) -> Counter[frozenset[tuple[str, str]]]:
    """Every series of one name that is not at zero."""
    return Counter(
        {
            frozenset(sample.labels.items()): int(sample.value)
            for family in families(server).values()
            for sample in family.samples
            if sample.name == name and sample.value
        }
    )


def method(name: str, service: str = SERVICE, **more: str) -> frozenset[tuple[str, str]]:
    labels = {"grpc_type": "unary", "grpc_service": service, "grpc_method": name, **more}
    return frozenset(labels.items())


def judged(verdict: str, reason: str, rule_set: str = "egyptian") -> frozenset[tuple[str, str]]:
    labels = {"game": "tjau", "rule_set": rule_set, "verdict": verdict, "reason": reason}
    return frozenset(labels.items())


def a_game(stub: pb_grpc.GameServiceStub) -> pb.NewGameResponse:
    request = pb.NewGameRequest(seed=bytes(32))
    request.rules.tjau.SetInParent()
    return stub.NewGame(request)


def test_there_are_these_families_and_no_others(fresh: Server) -> None:
    found = {n: f for n, f in families(fresh).items() if not n.endswith("_created")}
    assert {name: family.type for name, family in found.items()} == {
        name: kind for name, (_, kind) in FAMILIES.items()
    }
    for name, family in found.items():
        labels, _ = FAMILIES[name]
        assert family.documentation
        for sample in family.samples:
            assert set(sample.labels) - {"le"} == labels, sample.name


def test_every_series_that_may_be_asked_for_is_there_at_zero(fresh: Server) -> None:
    found = families(fresh)
    methods = {(SERVICE, name) for name in METHODS} | {(HEALTH, "Check")}
    handled = {
        (s.labels["grpc_service"], s.labels["grpc_method"], s.labels["grpc_code"])
        for s in found["grpc_server_handled"].samples
        if s.name.endswith("_total")
    }
    assert handled == {(*one, code) for one in methods for code in CODE_NAMES.values()}
    for name in ("started", "msg_received", "msg_sent", "handling_seconds"):
        samples = found[f"grpc_server_{name}"].samples
        assert {(s.labels["grpc_service"], s.labels["grpc_method"]) for s in samples} == methods
    assert {
        (s.labels["game"], s.labels["operation"]) for s in found["hakam_engine_seconds"].samples
    } == {(game, operation) for game in GAMES for operation in OPERATIONS}
    assert {
        (s.labels["game"], s.labels["rule_set"])
        for s in found["hakam_moves"].samples
        if s.labels["verdict"] == "legal"
    } == {(game, name) for game in GAMES for name in GAMES[game].CATALOGUE.rule_sets}
    refusals = [s for s in found["hakam_refused"].samples if s.name == "hakam_refused_total"]
    assert {sample.labels["reason"] for sample in refusals} == LIMITS
    moving = [
        sample
        for family in found.values()
        for sample in family.samples
        if sample.value and not sample.name.endswith("_created")
    ]
    assert [(s.name, s.labels) for s in moving] == [("hakam_build_info", {"version": __version__})]


def test_codes_are_spelled_as_grpc_spells_them_in_metrics() -> None:
    assert CODE_NAMES[grpc.StatusCode.OK] == "OK"
    assert CODE_NAMES[grpc.StatusCode.INVALID_ARGUMENT] == "InvalidArgument"
    assert CODE_NAMES[grpc.StatusCode.FAILED_PRECONDITION] == "FailedPrecondition"
    assert len(set(CODE_NAMES.values())) == len(grpc.StatusCode) == 17


def test_every_call_is_counted_by_how_it_ended(fresh: Server, fresh_channel: grpc.Channel) -> None:
    stub = pb_grpc.GameServiceStub(fresh_channel)
    started = a_game(stub)
    stub.GetView(pb.GetViewRequest(state=started.state, viewer=Viewer(seat=0)))
    refused(partial(raw_call(fresh_channel, "GetView"), b"\xff"))
    wrong = pb.ApplyMoveRequest(state=started.state, move=Move(notation="enter"), expected_ply=7)
    refused(partial(stub.ApplyMove, wrong))
    drawing = pb.NewGameRequest()
    drawing.rules.tjau.SetInParent()
    refused(partial(stub.NewGame, drawing))
    refused(partial(stub.PrepareGame, pb.PrepareGameRequest(rules=drawing.rules)))
    assert values(fresh, "grpc_server_handled_total") == {
        method("NewGame", grpc_code="OK"): 1,
        method("NewGame", grpc_code="Internal"): 1,
        method("GetView", grpc_code="OK"): 1,
        method("GetView", grpc_code="InvalidArgument"): 1,
        method("ApplyMove", grpc_code="FailedPrecondition"): 1,
        **prepared(fresh),
    }
    calls = {
        method("NewGame"): 2,
        method("GetView"): 2,
        method("ApplyMove"): 1,
        method("PrepareGame"): 1,
    }
    assert values(fresh, "grpc_server_started_total") == calls
    assert values(fresh, "grpc_server_msg_received_total") == calls
    assert values(fresh, "grpc_server_handling_seconds_count") == calls
    assert values(fresh, "grpc_server_msg_sent_total") == {
        method("NewGame"): 1,
        method("GetView"): 1,
    }


def prepared(server: Server) -> dict[frozenset[tuple[str, str]], int]:
    """How the one call of PrepareGame was counted; it ends in an error here, built or not."""
    handled = values(server, "grpc_server_handled_total")
    found = {key: n for key, n in handled.items() if ("grpc_method", "PrepareGame") in key}
    assert sum(found.values()) == 1
    return found


def test_moves_are_counted_by_verdict_and_reason(
    fresh: Server, fresh_channel: grpc.Channel
) -> None:
    stub = pb_grpc.GameServiceStub(fresh_channel)
    state = a_game(stub).state
    good = pb.ValidateMoveRequest(state=state, move=Move(notation="throw"))
    wrong = pb.ValidateMoveRequest(state=state, move=Move(notation="enter"))
    other = pb.ValidateMoveRequest(state=state, move=Move(notation="throw"), seat=1)
    assert stub.ValidateMove(good).legal
    assert not stub.ValidateMove(wrong).legal
    stub.ApplyMove(pb.ApplyMoveRequest(state=state, move=Move(notation="throw")))
    stub.BatchValidateMoves(pb.BatchValidateMovesRequest(items=[good, wrong, other]))
    assert values(fresh, "hakam_moves_total") == {
        judged("legal", ""): 3,
        judged("illegal", "WRONG_PHASE"): 2,
        judged("illegal", "NOT_YOUR_TURN"): 1,
    }


def test_work_in_the_rules_is_timed_by_game_and_operation(
    fresh: Server, fresh_channel: grpc.Channel
) -> None:
    stub = pb_grpc.GameServiceStub(fresh_channel)
    state = a_game(stub).state
    stub.ListMoves(pb.ListMovesRequest(state=state))
    stub.GetView(pb.GetViewRequest(state=state, viewer=Viewer(spectator=Spectator())))
    stub.ApplyMove(pb.ApplyMoveRequest(state=state, move=Move(notation="throw")))
    assert values(fresh, "hakam_engine_seconds_count") == {
        frozenset({"game": "tjau", "operation": operation}.items()): 1
        for operation in OPERATIONS - {"replay"}
    }


def test_calls_refused_by_a_limit_are_counted_by_reason_and_no_others(
    fresh: Server, fresh_channel: grpc.Channel
) -> None:
    for raw in (b"\x0a\x00" * 1001, b"", b"\xff"):
        refused(partial(raw_call(fresh_channel, "BatchApplyMoves"), raw))
    assert values(fresh, "hakam_refused_total") == {
        frozenset({("reason", "TOO_MANY_ITEMS")}): 1,
    }


def test_seals_that_are_refused_are_counted_by_reason(
    fresh: Server, fresh_channel: grpc.Channel
) -> None:
    stub = pb_grpc.GameServiceStub(fresh_channel)
    viewer = Viewer(spectator=Spectator())
    broken = pb.GetViewRequest(sealed_state=bytes(100), viewer=viewer)
    reason = refused(partial(stub.GetView, broken)).reason
    assert reason.startswith("SEAL_")
    assert values(fresh, "hakam_refused_total") == {frozenset({("reason", reason)}): 1}


def test_health_checks_are_counted_and_unknown_methods_are_not(
    fresh: Server, fresh_channel: grpc.Channel
) -> None:
    check = health_pb2_grpc.HealthStub(fresh_channel).Check  # type: ignore[attr-defined] # not in the stubs
    assert check(health_pb2.HealthCheckRequest()).status == health_pb2.HealthCheckResponse.SERVING
    with pytest.raises(grpc.RpcError) as failed:
        raw_call(fresh_channel, "DropAllTables")(b"")
    assert failed.value.code() is grpc.StatusCode.UNIMPLEMENTED
    assert values(fresh, "grpc_server_handled_total") == {
        method("Check", HEALTH, grpc_code="OK"): 1
    }
    assert "DropAllTables" not in scrape(fresh)


def test_no_label_comes_from_a_caller(fresh: Server, fresh_channel: grpc.Channel) -> None:
    stub = pb_grpc.GameServiceStub(fresh_channel)
    before = {series for family in families(fresh).values() for series in map(key, family.samples)}
    request = pb.ValidateMoveRequest(state=a_game(stub).state, move=Move(notation="strange"))
    refused(partial(stub.ValidateMove, request))
    request.state.rules.tjau.pieces = 3
    request.move.notation = "throw"
    stub.ValidateMove(request)
    after = {series for family in families(fresh).values() for series in map(key, family.samples)}
    assert after == before


def key(sample: object) -> Sample:
    name: str = sample.name  # type: ignore[attr-defined] # a sample
    labels: dict[str, str] = sample.labels  # type: ignore[attr-defined] # a sample
    return name, frozenset(labels.items())
