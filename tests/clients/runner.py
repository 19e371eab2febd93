"""A client's program `games`: started, listened to, and judged by what it says.

    games ADDRESSES FOLDER plain|sealed

plays every game of the folder, in order of name, through the services at the addresses (commas
between them), and says so line by line: `start NAME`, `at NAME PLY` every 25 moves, `end NAME
DIGEST` with the digest of the spectator's last view. It ends with 0, or with a message and 1.
"""

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer

__all__ = ["EVERY", "GAMES", "KEYS", "TOP", "Playing", "assert_played", "playing"]

TOP = Path(__file__).resolve().parents[2]
GAMES = TOP / "proto/testdata/games"
# One key for all services: what one has sealed, every other opens.
KEYS = bytes(range(64)).hex()
# After so many moves a program says where it is.
EVERY = 25
# What a program gets for all games, on a machine that has other things to do.
_PATIENCE = 180


@dataclass
class Playing:
    """A program under way, and the lines that it has said."""

    process: "subprocess.Popen[str]"
    said: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """The lines to come, as they are said."""
        for line in self.process.stdout or ():
            self.said.append(line.rstrip("\n"))
            yield self.said[-1]

    def ended(self) -> tuple[int, str]:
        """The exit code and the message, once the program has ended."""
        for _ in self.lines():
            pass
        message = self.process.stderr.read() if self.process.stderr else ""
        return self.process.wait(), message


@contextmanager
def playing(
    command: Sequence[str], addresses: Sequence[str], folder: Path, form: str
) -> Iterator[Playing]:
    """The program of a language, which is stopped where it takes too long."""
    arguments = [*command, ",".join(addresses), str(folder), form]
    with subprocess.Popen(  # noqa: S603
        arguments, cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        watch = Timer(_PATIENCE, process.kill)
        watch.start()
        try:
            yield Playing(process)
        finally:
            watch.cancel()
            process.kill()


def assert_played(program: Playing, folder: Path) -> None:
    """The program has said all that it had to, and every game has ended as it must."""
    code, message = program.ended()
    assert (code, message) == (0, "")
    want = []
    for path in sorted(folder.glob("*.json")):
        game = json.loads(path.read_text("ascii"))
        counts = [n for n in range(1, len(game["moves"]) + 1) if n % EVERY == 0]
        want += [f"start {game['name']}", *(f"at {game['name']}" for _ in counts)]
        want += [f"end {game['name']} {game['view_digest']}"]
    said = [line.rpartition(" ")[0] if line.startswith("at ") else line for line in program.said]
    assert said == want
