"""`hakam replay` and `hakam verify`: a record that is sound, and records that are not."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format

from hakam.games.registry import GAMES
from hakam.v1 import record_pb2

SEED = "5e" * 32

Hakam = Callable[..., Any]
Change = Callable[[record_pb2.Record], Any]


@pytest.fixture
def record(play: Hakam, tmp_path: Path) -> Path:
    """The record of a finished game of Tjau."""
    return _played(play, tmp_path, "tjau")


def _played(play: Hakam, folder: Path, game: str) -> Path:
    path = folder / f"{game}.json"
    bots = ("--seats", "none", "--bot-seed", "1", "--seed", SEED)
    assert play(game, *bots, "--record", path).code == 0
    return path


def _read(path: Path) -> record_pb2.Record:
    return json_format.Parse(path.read_text("utf-8"), record_pb2.Record())


def _changed(path: Path, change: Change) -> Path:
    message = _read(path)
    change(message)
    other = path.with_suffix(".changed.json")
    other.write_text(json_format.MessageToJson(message), encoding="utf-8")
    return other


def _flip(text: bytes) -> bytes:
    return bytes([text[0] ^ 1]) + text[1:]


class TestVerify:
    def test_a_sound_record(self, hakam: Hakam, record: Path) -> None:
        ended = hakam("verify", record)
        moves = len(_read(record).moves)
        assert (ended.code, ended.err) == (0, "")
        assert ended.out.startswith(f"verified: {moves} moves, every one legal\n")
        assert "chance: every outcome is the seed's\n" in ended.out
        assert "commitment: equals the published one\n" in ended.out
        assert "digest of the final view: equals the recorded one, " in ended.out

    def test_the_binary_form(self, hakam: Hakam, record: Path, tmp_path: Path) -> None:
        binary = tmp_path / "game.binpb"
        binary.write_bytes(_read(record).SerializeToString())
        assert hakam("verify", binary) == hakam("verify", record)

    def test_what_a_record_does_not_give_is_said_not_to_be_judged(
        self, hakam: Hakam, record: Path
    ) -> None:
        def forget(message: record_pb2.Record) -> None:
            message.commitment = message.view_digest = b""

        ended = hakam("verify", _changed(record, forget))
        assert ended.code == 0
        assert "commitment: was not given\n" in ended.out
        assert "digest of the final view: was not given, " in ended.out

    CHANGES: tuple[tuple[Change, str], ...] = (
        (lambda m: m.moves.pop(0), "move 0: "),
        (lambda m: m.moves.append(m.moves[0]), "move "),
        (lambda m: setattr(m, "commitment", _flip(m.commitment)), "commitment 0"),
        (lambda m: setattr(m, "view_digest", _flip(m.view_digest)), "digest "),
        (lambda m: m.moves.pop(), "digest "),
    )

    @pytest.mark.parametrize(("change", "why"), CHANGES)
    def test_a_changed_record_is_not_verified(
        self, hakam: Hakam, record: Path, change: Change, why: str
    ) -> None:
        ended = hakam("verify", _changed(record, change))
        assert (ended.code, ended.err) == (1, "")
        assert ended.out.startswith(f"NOT VERIFIED: {why}")

    def test_another_seed_is_not_verified(self, hakam: Hakam, record: Path) -> None:
        def other(message: record_pb2.Record) -> None:
            message.seed.seed = _flip(message.seed.seed)

        assert hakam("verify", _changed(record, other)).code == 1

    def test_supplied_outcomes(self, hakam: Hakam, tmp_path: Path) -> None:
        path = tmp_path / "supplied.json"
        path.write_text(_supplied([2, 0]), encoding="utf-8")
        ended = hakam("verify", path)
        assert ended.code == 0
        assert "chance: 2 outcomes, brought by the caller\n" in ended.out
        path.write_text(_supplied([2, 5]), encoding="utf-8")
        ended = hakam("verify", path)
        assert ended.code == 1
        assert ended.out == "NOT VERIFIED: outcome 1: throw throw must be 0 to 4\n"


def _supplied(throws: list[int]) -> str:
    """A record of Tjau in which seat 0 enters a piece after the first throw."""
    message = record_pb2.Record(chance_version=1)
    message.rules.revision = 1
    rules = message.rules.tjau
    rules.rule_set = 1  # type: ignore[assignment] # the number of the enum
    rules.board = 1  # type: ignore[assignment] # the number of the enum
    rules.pieces, rules.mark_protects, rules.first = 7, True, 0
    message.moves.add().tjau.move_piece.from_square = 0
    for throw in throws:
        message.outcomes.outcomes.add().throw = throw
    return json_format.MessageToJson(message)


class TestNoRecord:
    @pytest.mark.parametrize("command", ["verify", "replay"])
    @pytest.mark.parametrize(
        ("content", "why"),
        [
            (b"{", "not a record: "),
            (b"\xff\xfe", "not a record: "),
            (b'{"move": []}', "not a record: "),
            (b"{\xff}", "not a record: "),
            (b"{}", "record.rules: exactly one member must be set"),
            (b"", "record.rules: exactly one member must be set"),
        ],
    )
    def test_a_file_that_is_none(
        self, hakam: Hakam, tmp_path: Path, command: str, content: bytes, why: str
    ) -> None:
        path = tmp_path / "game.json"
        path.write_bytes(content)
        ended = hakam(command, path)
        assert (ended.code, ended.out) == (2, "")
        assert ended.err.startswith(f"hakam {command}: {why}")

    @pytest.mark.parametrize("command", ["verify", "replay"])
    def test_a_file_that_is_not_there(self, hakam: Hakam, tmp_path: Path, command: str) -> None:
        ended = hakam(command, tmp_path / "none.json")
        assert (ended.code, ended.out) == (2, "")
        assert ended.err == f"hakam {command}: No such file or directory\n"


class TestReplay:
    @pytest.mark.parametrize("game", GAMES)
    def test_every_move_is_shown(
        self, hakam: Hakam, play: Hakam, tmp_path: Path, game: str
    ) -> None:
        path = _played(play, tmp_path, game)
        ended = hakam("replay", path)
        assert (ended.code, ended.err) == (0, "")
        lines = ended.out.splitlines()
        assert sum(line.startswith("seat ") and ": " in line for line in lines) >= len(
            _read(path).moves
        )
        assert "game over, won by " in ended.out

    def test_it_starts_with_the_first_position(self, hakam: Hakam, record: Path) -> None:
        ended = hakam("replay", record)
        assert ended.out.startswith("ply 0\n")
        assert "\nseat 0: throw\n  thrown seat=0 value=" in ended.out

    def test_a_seat_sees_its_own_view(self, hakam: Hakam, play: Hakam, tmp_path: Path) -> None:
        for game in GAMES:
            path = _played(play, tmp_path, game)
            spectator, seat = hakam("replay", path), hakam("replay", path, "--seat", "1")
            assert seat.code == 0
            assert (seat.out == spectator.out) == (game == "tjau")

    def test_no_such_seat(self, hakam: Hakam, record: Path) -> None:
        ended = hakam("replay", record, "--seat", "2")
        assert (ended.code, ended.out) == (2, "")
        assert ended.err == "hakam replay: --seat must be 0 to 1\n"

    def test_a_record_that_fails_is_shown_up_to_there(self, hakam: Hakam, record: Path) -> None:
        def spoil(message: record_pb2.Record) -> None:
            message.moves[2].tjau.throw.SetInParent()
            message.moves[3].tjau.move_piece.from_square = 16

        ended = hakam("replay", _changed(record, spoil))
        assert ended.code == 1
        assert ended.out.splitlines()[-1].startswith("the record fails: move ")
