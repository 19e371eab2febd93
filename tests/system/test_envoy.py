"""Envoy with our configuration: it is one, and calls through it outlive their replica."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path

import grpc
import pytest

from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from tests.e2e.processes import PATIENCE, Serving, servers
from tests.system.conftest import envoy, envoy_program

pytestmark = pytest.mark.system

SHIPPED = Path(__file__).resolve().parents[2] / "deploy/envoy/envoy.yaml"
CALLS = 100


@pytest.fixture
def replicas() -> Iterator[list[Serving]]:
    with servers() as start:
        yield [start(), start()]


def test_the_shipped_configuration_is_valid() -> None:
    command = [envoy_program(), "--mode", "validate", "-c", str(SHIPPED)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP])
def test_calls_go_on_when_a_replica_does_not(
    replicas: list[Serving], number: signal.Signals
) -> None:
    with ExitStack() as stack:
        web = stack.enter_context(envoy([replica.address for replica in replicas]))
        channel = stack.enter_context(grpc.insecure_channel(f"127.0.0.1:{web}"))
        stub = pb_grpc.GameServiceStub(channel)
        call_often(stub)
        served_by = [sum(line["event"] == "call" for line in one.log) for one in replicas]
        assert all(served_by)
        replicas[0].process.send_signal(number)
        call_often(stub)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/hakam.v1.GameService/ListGames"),
        ("OPTIONS", "/hakam.v1.GameService/ListGames"),
        ("POST", "/grpc.health.v1.Health/Check"),
    ],
)
def test_nothing_but_the_game_reaches_a_replica(
    replicas: list[Serving], method: str, path: str
) -> None:
    with envoy([replica.address for replica in replicas]) as web:
        asked = HTTPConnection("127.0.0.1", web, timeout=PATIENCE)
        asked.request(method, path, b"")
        assert asked.getresponse().status == HTTPStatus.NOT_FOUND
        asked.close()


def call_often(stub: pb_grpc.GameServiceStub) -> None:
    for _ in range(CALLS):
        stub.ListGames(pb.ListGamesRequest(), timeout=PATIENCE)
