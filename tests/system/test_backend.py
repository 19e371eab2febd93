"""The example of a game backend: its own tests, against real servers.

They are a Go program that is given PostgreSQL and two replicas of Hakam, starts backends, kills
one, and plays whole games through them as the players.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.e2e.processes import servers

pytestmark = pytest.mark.system

BACKEND = Path(__file__).resolve().parents[2] / "clients/examples/backend"
PATIENCE = 120
TESTS = (
    "TestTjauThroughTwoBackends",
    "TestKarotiWithBotsAndABackendThatDies",
    "TestComplexTrixWithBots",
    "TestTheSecondOfTwoTapsIsRefused",
    "TestOfTwoMovesAtOnceOneIsKept",
    "TestTheSafeMoveIsPlayedForAPlayerWhoIsAway",
    "TestNobodyIsPlayedForBeforeAllHaveJoined",
    "TestAnIllegalMoveIsRefusedWithItsClause",
    "TestWhoHasNoSeatGetsNothing",
)


def run(command: Sequence[str], **variables: str) -> str:
    """What a command prints; it must not fail."""
    ended = subprocess.run(  # noqa: S603
        command,
        cwd=BACKEND,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout
    return ended.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the backend and its tests."""
    go = shutil.which("go")
    assert go, "Go is not installed: https://go.dev/doc/install"
    folder = tmp_path_factory.mktemp("backend")
    run([go, "build", "-o", str(folder / "backend"), "."])
    run([go, "test", "-c", "-tags", "system", "-o", str(folder / "tests"), "."])
    return folder


@pytest.fixture(scope="module")
def hakam() -> Iterator[str]:
    """The addresses of two replicas."""
    with servers() as start:
        yield ",".join(start(HAKAM_ACCESS_LOG="sample").address for _ in range(2))


def test_the_example_is_vetted_and_tidy() -> None:
    run(["go", "vet", "-tags", "system", "."])
    run(["go", "mod", "tidy", "-diff"])
    assert run(["gofmt", "-l", "."]) == ""


def test_no_test_is_left_out(built: Path) -> None:
    assert tuple(run([str(built / "tests"), "-test.list", "."]).split()) == TESTS


@pytest.mark.parametrize("name", TESTS)
def test_the_backend(name: str, built: Path, hakam: str, postgresql_address: str) -> None:
    run(
        [str(built / "tests"), "-test.run", f"^{name}$"],
        BACKEND_PROGRAM=str(built / "backend"),
        BACKEND_DATABASE=postgresql_address,
        BACKEND_HAKAM=hakam,
    )
