from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import StringIO

import pytest

from hakam.cli import main
from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.settings import Settings


@dataclass(frozen=True)
class Ended:
    """What became of a command."""

    code: int
    out: str
    err: str


Command = Callable[..., Ended]


@pytest.fixture
def hakam(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs the command with its arguments and with what is typed."""

    def run(*args: object, typed: str = "") -> Ended:
        monkeypatch.setattr("sys.stdin", StringIO(typed))
        capsys.readouterr()
        try:
            code = main([str(arg) for arg in args])
        except SystemExit as ended:
            code = int(ended.code or 0)
        captured = capsys.readouterr()
        return Ended(code, captured.out, captured.err)

    return run


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of a service that runs already."""
    server = Server(Settings(port=0, metrics_port=0, grace_seconds=0), make_log("json", "error"))
    server.start()
    yield f"127.0.0.1:{server.port}"
    server.stop()


@pytest.fixture
def play(hakam: Command, address: str) -> Command:
    """Runs `hakam play` at the service that runs already."""
    return lambda *args, typed="": hakam("play", *args, "--address", address, typed=typed)
