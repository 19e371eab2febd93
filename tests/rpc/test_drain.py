import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from typing import Any

import grpc
import pytest
from calls import refused
from grpc_health.v1 import health_pb2, health_pb2_grpc

from hakam.rpc import server as assembly
from hakam.rpc.logs import make_log
from hakam.rpc.server import SERVICE, Server
from hakam.settings import Settings
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


def health(channel: grpc.Channel) -> list[int]:
    """Overall, and of the service."""
    check = health_pb2_grpc.HealthStub(channel).Check  # type: ignore[attr-defined] # not in the stubs
    return [
        check(health_pb2.HealthCheckRequest(service=service)).status for service in ("", SERVICE)
    ]


def started(log: StringIO, **settings: Any) -> Server:
    chosen = Settings(port=0, metrics_port=0, access_log="all", **settings)
    running = Server(chosen, make_log("json", "info", log))
    running.start()
    return running


def test_health_says_no_while_the_service_still_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    log, slept = StringIO(), []
    running = started(log, grace_seconds=0, drain_seconds=7)
    with grpc.insecure_channel(f"127.0.0.1:{running.port}") as channel:
        stub = pb_grpc.GameServiceStub(channel)
        assert health(channel) == [SERVING, SERVING]

        def drain(seconds: float) -> None:
            slept.append(seconds)
            assert health(channel) == [NOT_SERVING, NOT_SERVING]
            assert stub.ListGames(pb.ListGamesRequest()).games

        class Clock:
            sleep = staticmethod(drain)

        monkeypatch.setattr(assembly, "time", Clock)
        running.stop()
    assert slept == [7]
    told = [json.loads(line)["event"] for line in log.getvalue().splitlines()]
    assert [event for event in told if event != "call"] == [
        "serving",
        "metrics",
        "draining",
        "stopped",
    ]
    assert told.count("call") == 5


def test_running_calls_finish_and_waiting_ones_are_told_to_go_elsewhere() -> None:
    entered, leave = threading.Event(), threading.Event()

    def draw(size: int) -> bytes:
        entered.set()
        assert leave.wait(30)
        return bytes(size)

    settings = Settings(port=0, metrics_port=0, grace_seconds=30)
    running = Server(settings, make_log("json", "info", StringIO()), draw=draw)
    running.start()
    request = pb.NewGameRequest()
    request.rules.tjau.SetInParent()
    with (
        grpc.insecure_channel(f"127.0.0.1:{running.port}") as channel,
        ThreadPoolExecutor(3) as clients,
    ):
        stub = pb_grpc.GameServiceStub(channel)
        first = clients.submit(stub.NewGame, request)
        assert entered.wait(30)
        second = clients.submit(stub.ListGames, pb.ListGamesRequest())
        time.sleep(0.5)  # for it to arrive
        stopping = clients.submit(running.stop)
        wait_until(lambda: running._door.draining)
        leave.set()
        assert len(first.result().commitment) == 32
        error = refused(second.result)
        stopping.result()
    assert (error.code, error.reason) == (grpc.StatusCode.UNAVAILABLE, "DRAINING")


def wait_until(condition: Any) -> None:
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it never came")


def test_nothing_answers_after_the_end() -> None:
    running = started(StringIO(), grace_seconds=0)
    with grpc.insecure_channel(f"127.0.0.1:{running.port}") as channel:
        stub = pb_grpc.GameServiceStub(channel)
        stub.ListGames(pb.ListGamesRequest())
        running.stop()
        with pytest.raises(grpc.RpcError) as failed:
            stub.ListGames(pb.ListGamesRequest())
        assert failed.value.code() is grpc.StatusCode.UNAVAILABLE
    with pytest.raises(ConnectionRefusedError):
        connect(running.metrics_port)


def connect(port: int) -> None:
    socket.create_connection(("127.0.0.1", port), timeout=5).close()


def test_two_servers_stand_side_by_side_and_do_not_share_a_port() -> None:
    first = started(StringIO(), grace_seconds=0)
    second = started(StringIO(), grace_seconds=0)
    assert first.port != second.port
    taken = Settings(port=first.port, metrics_port=0, grace_seconds=0)
    with pytest.raises((OSError, RuntimeError)):
        Server(taken, make_log("json", "info", StringIO())).start()
    first.stop()
    with grpc.insecure_channel(f"127.0.0.1:{second.port}") as channel:
        assert health(channel) == [SERVING, SERVING]
    second.stop()
