from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from hashlib import sha256
from io import StringIO
from typing import Any

import grpc
import pytest

from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.seal import KeyRing
from hakam.settings import Settings
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from tests.trust.support import KEEPER, RING

SETTINGS = Settings(
    port=0,
    metrics_port=0,
    grace_seconds=0,
    access_log="all",
    keeper_sha256=sha256(KEEPER).hexdigest(),
)


@pytest.fixture(scope="session")
def log_lines() -> StringIO:
    return StringIO()


@pytest.fixture(scope="session")
def start(log_lines: StringIO) -> Iterator[Callable[..., Server]]:
    """Starts servers that share keys and a keeper, and are otherwise set as is said."""
    with ExitStack() as stack:

        def started(keys: KeyRing = RING, **settings: Any) -> Server:
            log = make_log("json", "debug", log_lines)
            server = Server(replace(SETTINGS, **settings), log, keys)
            server.start()
            stack.callback(server.stop)
            return server

        yield started


def channel_to(server: Server) -> grpc.Channel:
    return grpc.insecure_channel(f"127.0.0.1:{server.port}")


@pytest.fixture(scope="session")
def server(start: Callable[..., Server]) -> Server:
    """Takes plain states from anyone."""
    return start()


@pytest.fixture(scope="session")
def strict_server(start: Callable[..., Server]) -> Server:
    """Takes plain states from its keeper only."""
    return start(plain_states="keeper")


@pytest.fixture(scope="session")
def channel(server: Server) -> Iterator[grpc.Channel]:
    with channel_to(server) as opened:
        yield opened


@pytest.fixture(scope="session")
def strict_channel(strict_server: Server) -> Iterator[grpc.Channel]:
    with channel_to(strict_server) as opened:
        yield opened


@pytest.fixture(scope="session")
def stub(channel: grpc.Channel) -> pb_grpc.GameServiceStub:
    return pb_grpc.GameServiceStub(channel)


@pytest.fixture(scope="session")
def strict(strict_channel: grpc.Channel) -> pb_grpc.GameServiceStub:
    """A service that strangers can reach."""
    return pb_grpc.GameServiceStub(strict_channel)


@pytest.fixture(scope="session")
def keyless(start: Callable[..., Server]) -> Iterator[pb_grpc.GameServiceStub]:
    """A service without keys."""
    with channel_to(start(KeyRing())) as opened:
        yield pb_grpc.GameServiceStub(opened)
