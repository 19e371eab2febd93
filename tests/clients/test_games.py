"""Whole games by every client, through real services: alone, killed and drained."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from signal import SIGKILL, SIGTERM, Signals

import pytest

from tests.clients.languages import GAMES as PROGRAMS
from tests.clients.runner import EVERY, GAMES, KEYS, Playing, assert_played, playing
from tests.e2e.processes import Serving, servers

pytestmark = pytest.mark.clients

# Games that go on for long enough to be disturbed.
LONG = ("jackaroo-bordaga-6", "trix-standard")
LANGUAGE = pytest.mark.parametrize("command", PROGRAMS.values(), ids=PROGRAMS)

Start = Callable[..., Serving]


@pytest.fixture(scope="module")
def service() -> Iterator[Serving]:
    with servers() as start:
        yield start(HAKAM_KEYS=KEYS)


@pytest.fixture
def start() -> Iterator[Start]:
    with servers() as started:
        yield started


@pytest.fixture
def long_games(tmp_path: Path) -> Path:
    """A folder with them alone."""
    for name in LONG:
        shutil.copy(GAMES / f"{name}.json", tmp_path)
    return tmp_path


@LANGUAGE
@pytest.mark.parametrize("form", ["plain", "sealed"])
def test_every_game_ends_as_it_must(command: Sequence[str], service: Serving, form: str) -> None:
    with playing(command, [service.address], GAMES, form) as program:
        assert_played(program, GAMES)


def calls(serving: Serving) -> int:
    """How many calls a service has answered, by its log."""
    return sum(entry["event"] == "call" and entry["code"] == "OK" for entry in serving.log)


def until_served(program: Playing, replicas: Sequence[Serving]) -> list[Serving]:
    """The replicas, the busiest first, once it has answered calls of the game under way."""
    for line in program.lines():
        busiest, *others = sorted(replicas, key=calls, reverse=True)
        if line.startswith("at ") and calls(busiest) > EVERY:
            return [busiest, *others]
    raise AssertionError(f"over before it had calls: {program.ended()}")


@LANGUAGE
@pytest.mark.parametrize(
    ("number", "form"),
    [(SIGKILL, "sealed"), (SIGTERM, "plain")],
    ids=["killed", "drained"],
)
def test_a_replica_that_goes_is_not_noticed(
    command: Sequence[str], start: Start, long_games: Path, number: Signals, form: str
) -> None:
    replicas = [start(HAKAM_KEYS=KEYS), start(HAKAM_KEYS=KEYS)]
    with playing(command, [one.address for one in replicas], long_games, form) as program:
        gone, left = until_served(program, replicas)
        gone.process.send_signal(number)
        assert gone.ended() == (-SIGKILL if number is SIGKILL else 0)
        before = calls(left)
        assert any(calls(left) > before + EVERY for _ in program.lines())
        start(HAKAM_KEYS=KEYS, HAKAM_PORT=gone.address.rpartition(":")[2])
        assert_played(program, long_games)
