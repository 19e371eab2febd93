from collections.abc import Iterator
from io import StringIO

import grpc
import pytest

from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.seal import KeyRing
from hakam.settings import Settings
from hakam.v1 import game_service_pb2_grpc as pb_grpc

KEYS = KeyRing([bytes(range(64))])
SETTINGS = Settings(port=0, metrics_port=0, grace_seconds=0, access_log="all")


@pytest.fixture(scope="session")
def log_lines() -> StringIO:
    return StringIO()


@pytest.fixture(scope="session")
def server(log_lines: StringIO) -> Iterator[Server]:
    running = Server(SETTINGS, make_log("json", "info", log_lines), KEYS)
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def channel(server: Server) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(f"127.0.0.1:{server.port}") as opened:
        yield opened


@pytest.fixture(scope="session")
def stub(channel: grpc.Channel) -> pb_grpc.GameServiceStub:
    return pb_grpc.GameServiceStub(channel)
