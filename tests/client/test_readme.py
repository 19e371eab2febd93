"""The client's page and its examples do what they say."""

import re
import sys
from pathlib import Path

import hakam.client
from hakam.client import AsyncClient, AsyncGame, Client, Game
from tests.test_docs import names, rows
from tests.test_readme import blocks, pasted

FOLDER = Path(__file__).resolve().parents[2] / "clients/python"
README = (FOLDER / "README.md").read_text("utf-8")
FIRST, *OTHERS = blocks(README, "python")


def test_the_first_call_is_the_example(address: str, tmp_path: Path) -> None:
    assert (FOLDER / "examples/first_call.py").read_text("utf-8") == FIRST
    said = pasted(FIRST, address, tmp_path, sys.executable)
    assert "events; won by seats [" in said


def test_the_other_blocks_are_one_program(address: str, tmp_path: Path) -> None:
    printed = pasted("".join(OTHERS), address, tmp_path, sys.executable)
    first, _, check, *others = printed.splitlines()
    assert re.search(r" made \d events; next is seat \d$", first)
    assert check.startswith("False ")
    assert others[0].startswith("already at ply ")
    assert others[1].startswith(("CARD_NOT_IN_HAND J", "STEPS_NOT_ON_CARD J"))
    assert others[2:5] == ["plies {1}", "taken", "verified"]
    assert others[5].startswith("digest ")


def test_whole_games_are_drawn(address: str, tmp_path: Path) -> None:
    text = (FOLDER / "examples/whole_games.py").read_text("utf-8")
    said = pasted(text, address, tmp_path, sys.executable)
    assert said.count("won by seats") == 3
    assert "\n* . . ." in said
    assert "game=trix " in said


def test_the_table_has_every_error() -> None:
    told = {name for row in rows(README, "Errors") for name in names(row[0])}
    public = {name for name in hakam.client.__all__ if name.endswith("Error")}
    assert told == public - {"HakamError"}


def test_the_table_has_all_of_a_handle() -> None:
    cells = [row[0] for row in rows(README, "A game")]
    told = {word.split("(")[0].strip("` ") for cell in cells for word in cell.split(", ")}
    assert told == {name for name in dir(Game) if not name.startswith("_")}


def test_both_kinds_have_the_same_methods() -> None:
    for kind, other in ((Client, AsyncClient), (Game, AsyncGame)):
        public = {name for name in dir(kind) if not name.startswith("_")}
        assert public == {name for name in dir(other) if not name.startswith("_")}
