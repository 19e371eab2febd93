"""`hakam serve` as operators meet it: ready, healthy, measured, drained, and refused."""

import ctypes
import json
import signal
import socket
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from hakam.games.registry import GAMES
from hakam.rpc.server import SERVICE
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from hakam.v1 import rules_pb2, tjau_pb2
from tests.e2e.processes import PATIENCE, Serving, run

Serve = Callable[..., Serving]

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
TJAU = rules_pb2.Rules(tjau=tjau_pb2.TjauRules())


def scraped(serving: Serving) -> str:
    """The metrics page."""
    url = f"http://{serving.addresses['metrics']}/metrics"
    with urllib.request.urlopen(url, timeout=PATIENCE) as page:
        text: str = page.read().decode()
    return text


class TestReady:
    def test_it_says_where_it_serves(self, serving: Serving) -> None:
        events = [line["event"] for line in serving.log]
        assert events.index("metrics") == events.index("serving") + 1
        for address in serving.addresses.values():
            host, _, port = address.rpartition(":")
            assert (host, int(port) > 0) == ("127.0.0.1", True)

    def test_health_is_serving_overall_and_for_the_service(self, serving: Serving) -> None:
        with grpc.insecure_channel(serving.address) as channel:
            health: Any = health_pb2_grpc.HealthStub(channel)
            for name in ("", SERVICE):
                request = health_pb2.HealthCheckRequest(service=name)
                assert health.Check(request, timeout=PATIENCE).status == SERVING

    def test_it_plays(self, serving: Serving) -> None:
        with grpc.insecure_channel(serving.address) as channel:
            stub = pb_grpc.GameServiceStub(channel)
            game = stub.NewGame(pb.NewGameRequest(rules=TJAU), timeout=PATIENCE)
            request = pb.ApplyMoveRequest(state=game.state)
            request.move.notation = "throw"
            assert stub.ApplyMove(request, timeout=PATIENCE).turn.ply == 1

    def test_ipv6(self, serve: Serve) -> None:
        if not _has_ipv6():
            pytest.skip("this machine has no IPv6 loopback")
        serving = serve("--host", "::1", "--metrics-host", "::1")
        assert serving.address.startswith("[::1]:")
        with grpc.insecure_channel(serving.address) as channel:
            stub = pb_grpc.GameServiceStub(channel)
            assert stub.ListGames(pb.ListGamesRequest(), timeout=PATIENCE).games
        assert "hakam_build_info" in scraped(serving)


def _has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


class TestMetrics:
    def test_a_fresh_process_has_every_series_that_a_dashboard_asks_for(self, serve: Serve) -> None:
        page = scraped(serve())
        assert 'hakam_build_info{version="' in page
        for method in pb.DESCRIPTOR.services_by_name["GameService"].methods:
            assert (
                f'grpc_server_started_total{{grpc_method="{method.name}",'
                f'grpc_service="{SERVICE}",grpc_type="unary"}} 0.0\n' in page
            )
        for name, game in GAMES.items():
            for rule_set in game.CATALOGUE.rule_sets:
                labels = f'game="{name}",reason="",rule_set="{rule_set}",verdict="legal"'
                assert f"hakam_moves_total{{{labels}}} 0.0\n" in page
        assert "_created" not in page

    def test_calls_are_counted(self, serve: Serve) -> None:
        serving = serve()
        with grpc.insecure_channel(serving.address) as channel:
            stub = pb_grpc.GameServiceStub(channel)
            stub.ListGames(pb.ListGamesRequest(), timeout=PATIENCE)
            with pytest.raises(grpc.RpcError):
                stub.NewGame(pb.NewGameRequest(), timeout=PATIENCE)
        page = scraped(serving)
        handled = 'grpc_server_handled_total{grpc_code="%s",grpc_method="%s",'
        for code, method in (("OK", "ListGames"), ("InvalidArgument", "NewGame")):
            line = next(x for x in page.splitlines() if x.startswith(handled % (code, method)))
            assert line.endswith(" 1.0")


class TestEnd:
    @pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
    def test_a_signal_ends_it_well(self, serve: Serve, signum: signal.Signals) -> None:
        serving = serve()
        serving.process.send_signal(signum)
        assert serving.ended() == 0

    def test_a_signal_that_another_thread_gets_ends_it_too(self, serve: Serve) -> None:
        """As it happens to one that comes right behind SIGCONT."""
        serving = serve()
        pid = serving.process.pid
        other = next(
            int(task.name)
            for task in Path(f"/proc/{pid}/task").iterdir()
            if int(task.name) != pid and (task / "comm").read_text().startswith("python")
        )
        assert ctypes.CDLL(None).tgkill(pid, other, signal.SIGTERM) == 0
        assert serving.ended() == 0

    def test_health_says_no_first_and_calls_are_served_meanwhile(self, serve: Serve) -> None:
        serving = serve(HAKAM_DRAIN_SECONDS="1", HAKAM_GRACE_SECONDS="0")
        with grpc.insecure_channel(serving.address) as channel:
            health: Any = health_pb2_grpc.HealthStub(channel)
            stub = pb_grpc.GameServiceStub(channel)
            request = health_pb2.HealthCheckRequest(service=SERVICE)
            watched = health.Watch(request, timeout=PATIENCE)
            assert next(watched).status == SERVING
            serving.process.terminate()
            assert next(watched).status == NOT_SERVING
            assert stub.ListGames(pb.ListGamesRequest(), timeout=PATIENCE).games
            watched.cancel()
        assert serving.ended() == 0

    def test_the_log_tells_the_end_in_order(self, serve: Serve) -> None:
        serving = serve()
        serving.process.terminate()
        serving.ended()
        assert [line["event"] for line in serving.log[2:]] == ["draining", "stopped"]


class TestRefusals:
    def test_a_port_that_is_taken(self, serving: Serving) -> None:
        port = serving.address.rpartition(":")[2]
        ended = run("serve", "--port", port, "--metrics-port", "0")
        assert (ended.returncode, ended.stdout) == (1, "")
        assert ended.stderr.endswith(f"hakam serve: cannot serve on 127.0.0.1, port {port}\n")
        assert "Traceback" not in ended.stderr

    def test_a_metrics_port_that_is_taken(self, serving: Serving) -> None:
        port = serving.addresses["metrics"].rpartition(":")[2]
        ended = run("serve", "--port", "0", "--metrics-port", port)
        assert (ended.returncode, ended.stdout) == (1, "")
        why = "Address already in use"
        assert ended.stderr == f"hakam serve: no metrics on 127.0.0.1, port {port}: {why}\n"

    def test_an_address_that_is_none(self) -> None:
        ended = run("serve", "--host", "no/host", "--port", "0", "--metrics-port", "0")
        assert (ended.returncode, ended.stdout) == (1, "")
        assert ended.stderr.endswith("hakam serve: cannot serve on no/host, port 0\n")

    @pytest.mark.parametrize(
        ("variable", "value"),
        [("HAKAM_PORT", "x"), ("HAKAM_MAX_PENDING_CALLS", "0"), ("HAKAM_LOG_LEVEL", "loud")],
    )
    def test_a_wrong_variable_is_named(self, variable: str, value: str) -> None:
        ended = run("serve", **{variable: value})
        assert (ended.returncode, ended.stdout) == (2, "")
        assert ended.stderr.startswith(f"hakam serve: {variable} must be ")
        assert ended.stderr.count("\n") == 1

    def test_a_variable_that_is_no_setting_is_named(self) -> None:
        ended = run("serve", HAKAM_PROT="50051")
        assert (ended.returncode, ended.stdout) == (2, "")
        assert ended.stderr == "hakam serve: HAKAM_PROT is no setting\n"

    def test_a_wrong_flag_is_named(self) -> None:
        ended = run("serve", "--port", "x")
        assert (ended.returncode, ended.stdout) == (2, "")
        assert ended.stderr == "hakam serve: --port must be a number from 0 to 65535\n"


class TestLog:
    def test_a_line_a_call_without_anything_of_the_game(self, serve: Serve) -> None:
        serving = serve("--log-format", "json")
        seed = bytes(range(100, 132))
        with grpc.insecure_channel(serving.address) as channel:
            stub = pb_grpc.GameServiceStub(channel)
            request = pb.NewGameRequest(rules=TJAU, seed=seed)
            stub.NewGame(request, timeout=PATIENCE, metadata=(("x-request-id", "call-7"),))
        serving.process.terminate()
        serving.ended()
        line = next(line for line in serving.log if line["event"] == "call")
        fields = (
            "code event game level method milliseconds peer reason request_id rule_set span_id "
            "timestamp trace_id"
        )
        assert " ".join(sorted(line)) == fields
        assert line["request_id"] == "call-7"
        assert (line["game"], line["rule_set"], line["code"]) == ("tjau", "egyptian", "OK")
        text = json.dumps(serving.log)
        assert seed.hex() not in text
        assert seed.decode("latin-1") not in text


class TestVerify:
    def test_its_exit_codes(self, tmp_path: Any) -> None:
        record = tmp_path / "game.json"
        played = run("play", "tjau", "--seats", "none", "--record", record)
        assert (played.returncode, played.stderr) == (0, "")
        assert run("verify", record).returncode == 0
        kept = json.loads(record.read_text())
        kept["commitment"] = kept["viewDigest"]
        record.write_text(json.dumps(kept))
        assert run("verify", record).returncode == 1
        record.write_text("{}")
        assert run("verify", record).returncode == 2
