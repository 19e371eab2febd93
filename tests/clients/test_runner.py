"""That a program which says anything else than it must is found out."""

import json
import shlex
from pathlib import Path

import pytest

from tests.clients.runner import GAMES, assert_played, playing

NAME = "tjau-ur"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / f"{NAME}.json").write_bytes((GAMES / f"{NAME}.json").read_bytes())
    return tmp_path


def script(folder: Path) -> list[str]:
    """What has to be said of the game of the folder."""
    game = json.loads((folder / f"{NAME}.json").read_text("ascii"))
    at = [f"at {NAME} {n}" for n in range(25, len(game["moves"]) + 1, 25)]
    return [f"start {NAME}", *at, f"end {NAME} {game['view_digest']}"]


def judged(folder: Path, said: list[str], then: str) -> None:
    echo = f"printf '%s\\n' {shlex.join(said)}; {then}"
    with playing(["sh", "-c", echo, "games"], ["127.0.0.1:1"], folder, "plain") as program:
        assert_played(program, folder)


def test_a_program_that_says_all_of_it_has_played(folder: Path) -> None:
    judged(folder, script(folder), "exit 0")


@pytest.mark.parametrize("then", ["exit 1", "echo beware >&2"])
def test_how_it_ends_counts(folder: Path, then: str) -> None:
    with pytest.raises(AssertionError):
        judged(folder, script(folder), then)


def test_every_line_counts(folder: Path) -> None:
    said = script(folder)
    digest = said[-1][:-1] + ("0" if said[-1][-1] != "0" else "1")
    for wrong in ([*said[:-1], digest], said[:-1], said[1:], [*said[:3], *said[4:]], said * 2):
        with pytest.raises(AssertionError):
            judged(folder, wrong, "exit 0")
