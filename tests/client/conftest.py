"""Both kinds of client, so that a test of what they have in common is written once."""

import asyncio
import inspect
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from hashlib import sha256
from typing import Any

import pytest

from hakam.client import AsyncClient, AsyncGame, Client
from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.seal import KeyRing
from hakam.settings import Settings

KEEPER = b"k" * 32
KEYS = KeyRing([bytes(range(64))])

# What makes a client of an address: `Any` is either kind, each call of which returns its answer.
Connect = Callable[..., Any]
Start = Callable[..., str]


class Awaited:
    """An object for asyncio, each call of which is awaited in a loop of its own."""

    def __init__(self, runner: asyncio.Runner, inner: AsyncClient | AsyncGame) -> None:
        self._runner = runner
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.inner, name)
        if not inspect.iscoroutinefunction(value):
            return value
        return lambda *args, **options: self._done(value(*args, **options))

    def _done(self, promise: Any) -> Any:
        result = self._runner.run(promise)
        return Awaited(self._runner, result) if isinstance(result, AsyncGame) else result


@pytest.fixture(scope="session")
def start() -> Iterator[Start]:
    """Starts services that share keys and a keeper, and gives their addresses."""
    with ExitStack() as stack:

        def started(keys: KeyRing = KEYS, **changes: Any) -> str:
            fixed: dict[str, Any] = {"port": 0, "metrics_port": 0, "grace_seconds": 0}
            keeper = sha256(KEEPER).hexdigest()
            settings = Settings(**fixed, keeper_sha256=keeper, **changes)
            server = Server(settings, make_log("json", "error"), keys)
            server.start()
            stack.callback(server.stop)
            return f"127.0.0.1:{server.port}"

        yield started


@pytest.fixture(scope="session")
def address(start: Start) -> str:
    """A service that takes plain states from anyone."""
    return start()


@pytest.fixture(params=["blocking", "asyncio"])
def connect(request: pytest.FixtureRequest) -> Iterator[Connect]:
    """Makes clients of either kind, and closes them."""
    with ExitStack() as stack:
        if request.param == "blocking":
            yield lambda *args, **options: stack.enter_context(Client(*args, **options))
            return
        runner = stack.enter_context(asyncio.Runner())

        async def made(*args: Any, **options: Any) -> AsyncClient:
            return AsyncClient(*args, **options)

        def connected(*args: Any, **options: Any) -> Awaited:
            client = Awaited(runner, runner.run(made(*args, **options)))
            stack.callback(client.close)
            return client

        yield connected


@pytest.fixture
def hakam(connect: Connect, address: str) -> Any:
    """A client of either kind."""
    return connect(address)
