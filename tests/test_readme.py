"""The README does what it says: its blocks are run as somebody would paste them."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hakam.games.registry import GAMES
from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.settings import Settings
from hakam.v1 import game_service_pb2 as pb

TOP = Path(__file__).resolve().parent.parent
README = (TOP / "README.md").read_text("utf-8")
QUICKSTART = (TOP / "docs/quickstart.md").read_text("utf-8")
ADDRESS = "127.0.0.1:50051"

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


COMMANDS = [text for name, text in FENCE.findall(README + QUICKSTART) if name == "sh"]


def blocks(page: str, language: str) -> list[str]:
    return [text for name, text in FENCE.findall(page) if name == language]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = Server(Settings(port=0, metrics_port=0, grace_seconds=0), make_log("json", "error"))
    server.start()
    yield f"127.0.0.1:{server.port}"
    server.stop()


def pasted(text: str, address: str, folder: Path, *command: str) -> str:
    """What a text prints when it is fed to a command; it must not fail and say nothing wrong."""
    ended = subprocess.run(  # noqa: S603
        command,
        input=text.replace(ADDRESS, address),
        env={**os.environ, "PYTHONPATH": str(TOP / "service")},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ended.returncode, ended.stderr.strip()) == (0, "")
    return ended.stdout


def typed(text: str, address: str, folder: Path) -> str:
    """What lines for the shell print, with the tools of this environment."""
    hakam = f"{sys.executable} -m hakam"
    tools = {".venv/bin/hakam call": f"{hakam} call --address {ADDRESS}", ".venv/bin/hakam": hakam}
    tools[".venv/bin/buf"] = str(Path(sys.executable).with_name("buf"))
    text = re.sub("|".join(map(re.escape, tools)), lambda found: tools[found[0]], text)
    return pasted("", address, folder, "/bin/sh", "-euc", text.replace(ADDRESS, address))


def interpreted(text: str, address: str, folder: Path) -> str:
    """What the interpreter prints, line by line, which is stricter than a file."""
    quiet = "import sys; sys.ps1 = sys.ps2 = ''"
    return pasted(text, address, folder, sys.executable, "-i", "-c", quiet)


class TestPython:
    def test_the_first_call(self, address: str, tmp_path: Path) -> None:
        (text,) = blocks(README, "python")
        first, second, *_, last = interpreted(text, address, tmp_path).splitlines()
        assert first == "seat 0 may ['throw']"
        assert second.startswith("ply 1 after throw [")
        assert last.startswith("False W")
        assert len(text.splitlines()) <= 12

    def test_the_quick_start_is_one_program(self, address: str, tmp_path: Path) -> None:
        text = "".join(blocks(QUICKSTART, "python"))
        for printed in (
            interpreted(text, address, tmp_path),
            pasted(text, address, tmp_path, sys.executable),
        ):
            assert "StatusCode.FAILED_PRECONDITION" in printed
            assert "\nverified\n" in printed
            assert re.search(r"^won by \[.*\] ReplayedGame$", printed, re.MULTILINE)
            assert printed.endswith("seat 0 may ['enter']\n")


# What the answer to some of the commands must have in it.
SAID = {
    "hakam verify": "\nverified: ",
    "buf curl": '"commitment": "',
    "ApplyMove": '"notation": "',
    "hakam play": "left at ply ",
}


class TestShell:
    @pytest.mark.parametrize("text", [*COMMANDS, *re.findall("`(.venv/bin/[^`]+ [^`]+)`", README)])
    def test_every_command(self, address: str, tmp_path: Path, text: str) -> None:
        if text.startswith("make "):
            targets = re.findall(
                r"^([a-z-]+):", (TOP / "Makefile").read_text("utf-8"), re.MULTILINE
            )
            assert text.split()[1] in targets
        else:
            said = next((said for part, said in SAID.items() if part in text), "")
            assert said in typed(text, address, tmp_path)


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading, without its head."""
    section = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


class TestTables:
    def test_the_games_are_those_that_are_refereed(self) -> None:
        names = {row[1].strip("`"): re.findall(r"`(\w+)`", row[2]) for row in rows("Games")}
        served = {name: list(game.CATALOGUE.rule_sets) for name, game in GAMES.items()}
        assert names == served

    def test_the_games_have_their_names_in_arabic(self) -> None:
        for row in rows("Games"):
            assert row[0].split()[-1] in GAMES[row[1].strip("`")].CATALOGUE.name.ar

    def test_the_calls_are_those_of_the_service(self) -> None:
        service = pb.DESCRIPTOR.services_by_name["GameService"]
        assert [row[0].strip("`") for row in rows("Calls")] == [m.name for m in service.methods]
