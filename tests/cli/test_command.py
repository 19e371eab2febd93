"""The command as a whole: its help, its exit codes, and how it is interrupted."""

from collections.abc import Callable
from typing import Any

import pytest

import hakam as package
from hakam.cli import main, replay

COMMANDS = ["serve", "doctor", "health", "call", "play", "replay", "verify", "keygen", "version"]


class TestHelp:
    def test_the_command_names_every_command(self, hakam: Callable[..., Any]) -> None:
        ended = hakam("--help")
        assert ended.code == 0
        assert all(f"    {name} " in ended.out for name in COMMANDS)

    @pytest.mark.parametrize("command", COMMANDS)
    def test_every_command_describes_itself(
        self, hakam: Callable[..., Any], command: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "100")
        ended = hakam(command, "--help")
        assert ended.code == 0
        assert ended.out.startswith(f"usage: hakam {command} ")
        assert ended.out.split("\n\n")[1].strip()
        assert max(map(len, ended.out.splitlines())) <= 100

    def test_no_command_is_a_wrong_call(self, hakam: Callable[..., Any]) -> None:
        assert hakam().code == 2
        assert hakam("sreve").code == 2

    def test_a_flag_must_be_written_out(self, hakam: Callable[..., Any]) -> None:
        assert hakam("serve", "--max-b", "3").code == 2


class TestEnds:
    def test_the_version(self, hakam: Callable[..., Any]) -> None:
        ended = hakam("version")
        assert (ended.code, ended.out) == (0, f"{package.__version__}\n")

    def test_an_interrupt_ends_without_a_word(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def interrupted(_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(replay, "replay", interrupted)
        monkeypatch.setattr(replay, "_load", lambda _: None)
        assert main(["verify", "game.json"]) == 130
        captured = capsys.readouterr()
        assert (captured.out, captured.err) == ("", "\n")
