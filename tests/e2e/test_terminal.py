"""The command in a real terminal."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from select import select

import pytest

from tests.e2e.processes import PATIENCE, environment


class Terminal:
    """A command whose input and output are a terminal of its own."""

    def __init__(self, *args: str) -> None:
        self.keys, screen = pty.openpty()
        command = [sys.executable, "-m", "hakam", *args]
        # A session of its own makes the terminal the one that Ctrl-C reaches.
        attach = [sys.executable, "-c", _ATTACH, *command]
        self.process = subprocess.Popen(  # noqa: S603
            attach,
            stdin=screen,
            stdout=screen,
            stderr=screen,
            env=environment(TERM="xterm", COLUMNS="80", LINES="24", LANG="C.UTF-8"),
            start_new_session=True,
        )
        os.close(screen)
        self.shown = ""

    def _read(self, patience: float) -> bool:
        """Read on; False once the terminal is gone with its command."""
        if not select([self.keys], [], [], patience)[0]:
            raise TimeoutError(f"nothing more after {self.shown!r}")
        try:
            more = os.read(self.keys, 4096)
        except OSError:
            return False
        self.shown += more.decode("utf-8", "replace")
        return bool(more)

    def wait_for(self, text: str) -> str:
        """What is shown up to a text, from what was waited for last."""
        while text not in self.shown:
            assert self._read(PATIENCE), f"ended before {text!r}: {self.shown!r}"
        before, _, self.shown = self.shown.partition(text)
        return before

    def type(self, keys: str) -> None:
        os.write(self.keys, keys.encode())

    def press(self, keys: str) -> None:
        """Type until there is an answer, as somebody would: a signal just before a wait is lost."""
        for _ in range(PATIENCE):
            self.type(keys)
            with suppress(TimeoutError):
                self._read(1)
                return

    def end(self) -> tuple[int, str]:
        """The exit code, and what is shown last."""
        while self._read(PATIENCE):
            pass
        return self.process.wait(PATIENCE), self.shown


# A shell's job in the background ignores SIGINT, and so would what it starts.
_ATTACH = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.SIG_DFL)
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.fixture
def terminal() -> Iterator[type[Terminal]]:
    opened: list[Terminal] = []

    class Opened(Terminal):
        def __init__(self, *args: str) -> None:
            super().__init__(*args)
            opened.append(self)

    yield Opened
    for each in opened:
        each.process.kill()
        each.process.wait(PATIENCE)
        os.close(each.keys)


class TestPlay:
    def test_a_move_is_typed_and_played(self, terminal: type[Terminal]) -> None:
        game = terminal("play", "tjau")
        assert "seat 0 to throw" in game.wait_for("seat 0> ")
        game.type("throw\r")
        assert "thrown seat=0" in game.wait_for("ply ")

    @pytest.mark.parametrize("keys", ["\x03", "\x04", "q\r"], ids=["Ctrl-C", "Ctrl-D", "q"])
    def test_leaving_is_clean(self, terminal: type[Terminal], keys: str) -> None:
        game = terminal("play", "tjau")
        game.wait_for("seat 0> ")
        game.press(keys)
        code, shown = game.end()
        assert code == 0
        assert shown.split() in (["left", "at", "ply", "0"], ["q", "left", "at", "ply", "0"])

    def test_no_service_is_said_in_a_line(self, terminal: type[Terminal]) -> None:
        code, shown = terminal("play", "tjau", "--address", "127.0.0.1:1").end()
        assert code == 1
        assert shown == "hakam play: no service answers at 127.0.0.1:1\r\n"


class TestServe:
    def test_the_log_is_for_people_and_an_interrupt_ends_it_well(
        self, terminal: type[Terminal]
    ) -> None:
        server = terminal("serve", "--port", "0", "--metrics-port", "0")
        assert "{" not in server.wait_for("metrics")
        server.press("\x03")
        code, shown = server.end()
        assert code == 0
        assert "stopped" in shown
        assert "Traceback" not in shown


def shell(script: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603
        ["/bin/sh", "-c", script],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


class TestPipe:
    def test_a_player_whose_screen_goes_is_no_fault(self) -> None:
        bots = "--seats none | head -n 1"
        ended = shell(f'"{sys.executable}" -m hakam play tjau {bots}')
        assert ended.stdout.startswith("game=tjau ")
        assert ended.stderr == ""

    def test_a_reader_that_has_seen_enough_is_no_fault(self, tmp_path: Path) -> None:
        record = tmp_path / "game.json"
        command = f'"{sys.executable}" -m hakam'
        script = (
            f"{command} play tjau --seats none --record '{record}' > /dev/null"
            f" && {command} replay '{record}' | head -n 1"
        )
        ended = shell(script)
        assert (ended.stdout, ended.stderr) == ("ply 0\n", "")
