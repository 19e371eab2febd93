"""`hakam play` over the real service, with what a player types."""

import json
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest

from hakam import referee
from hakam.cli import table
from hakam.client import Client, Game
from hakam.games.registry import GAMES
from hakam.rpc.server import Server
from hakam.v1.state_pb2 import State

SEED = "5e" * 32
RULE_SETS = [
    (name, rule_set) for name, game in GAMES.items() for rule_set in game.CATALOGUE.rule_sets
]

Hakam = Callable[..., Any]


class TestWholeGames:
    @pytest.mark.parametrize(("game", "rule_set"), RULE_SETS)
    def test_bots_play_to_the_end_and_the_record_verifies(
        self, hakam: Hakam, play: Hakam, tmp_path: Path, game: str, rule_set: str
    ) -> None:
        record = tmp_path / "game.json"
        bots = ("--seats", "none", "--bot-seed", "1", "--seed", SEED, "--record", record)
        ended = play(game, "--rule-set", rule_set, *bots)
        assert (ended.code, ended.err) == (0, "")
        assert "game over, won by " in ended.out
        assert f"record kept in {record}" in ended.out
        verified = hakam("verify", record)
        assert verified.code == 0
        assert "won by " in verified.out

    @pytest.mark.parametrize("game", GAMES)
    def test_the_same_seeds_play_the_same_game(self, play: Hakam, game: str) -> None:
        args = (game, "--seats", "none", "--bot-seed", "7", "--seed", SEED)
        assert play(*args).out == play(*args).out

    @pytest.mark.parametrize("game", GAMES)
    def test_a_player_plays_by_labels(self, play: Hakam, game: str) -> None:
        label = "a" if game == "tjau" else "1"
        args = (game, "--seats", "all", "--seed", SEED)
        ended = play(*args, typed=f"{label}\n" * 30)
        assert (ended.code, ended.err) == (0, "")
        assert ended.out.count(f"> {label}\n") == 30
        assert "left at ply " in ended.out

    @pytest.mark.parametrize("game", GAMES)
    def test_a_player_sees_what_his_seat_sees_and_no_more(self, play: Hakam, game: str) -> None:
        args = (game, "--seed", SEED, "--bot-seed", "1")
        typed = ("a\n" if game == "tjau" else "1\n") * 12
        shown = play(*args, typed=typed)
        drawn = _drawings(game, typed.count("\n"))
        assert _boards(shown.out) == drawn


def _boards(out: str) -> list[str]:
    """Every position that was drawn, by its line of the ply and what follows up to the menu."""
    lines = out.splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith("ply ")]
    return ["\n".join(lines[i : _menu(lines, i)]) for i in starts]


def _menu(lines: list[str], start: int) -> int:
    return next(i for i in range(start, len(lines)) if lines[i].startswith(("a) ", "1) ")))


def _drawings(name: str, asked: int) -> list[str]:
    """What seat 0 must be shown, from the referee itself."""
    game = GAMES[name]
    seed = bytes.fromhex(SEED)
    rules = next(iter(game.CATALOGUE.rule_sets.values()))
    source = referee.Seeded(seed, (), 0, b"")
    state, _ = referee.new_game(game, rules, source)
    bots = random.Random(1)
    drawn: list[str] = []
    while True:
        moves = referee.legal_moves(state)
        if referee.to_act(state) == 0:
            view = game.view(rules, state.position, 0)
            drawn.append(f"ply {state.ply}\n{game.draw(rules, view)}")
            if len(drawn) > asked:
                return drawn
        move = moves[0] if referee.to_act(state) == 0 else bots.choice(moves)
        state, _ = referee.apply(state, move)


class TestAnswers:
    def test_a_move_by_its_text(self, play: Hakam) -> None:
        ended = play("tjau", "--seed", SEED, typed="throw\n")
        assert "thrown seat=0" in ended.out

    def test_an_empty_line_shows_the_position_again(self, play: Hakam) -> None:
        ended = play("tjau", typed="\n\n")
        assert ended.out.count("seat 0 to throw\n") == 3

    def test_a_question_mark_tells_what_every_move_would_do(self, play: Hakam) -> None:
        ended = play("tjau", "--seed", SEED, typed="throw\n?\n")
        assert "Type a move" in ended.out
        assert "a) enter: moved seat=0 from_square=0 to_square=" in ended.out

    def test_what_is_no_move_is_said_to_be_none(self, play: Hakam) -> None:
        ended = play("tjau", typed="thrwo\n\udce9\n" + "x" * 300 + "\n")
        assert (ended.code, ended.err) == (0, "")
        assert "The text is not a move." in ended.out
        assert "too short or too long" in ended.out

    def test_an_illegal_move_is_refused_with_its_clause(self, play: Hakam) -> None:
        ended = play("tjau", "--seed", SEED, typed="enter\nthrow\n9\n")
        assert "W5.1" in ended.out
        assert "You have no piece on square 9. W3.1" in ended.out

    def test_refusals_in_arabic(self, play: Hakam) -> None:
        ended = play("tjau", "--seed", SEED, "--language", "ar", typed="throw\n9\nthrwo\n")
        assert "\u2067ليست لك قطعة على الخانة \u20669\u2069. \u2066W3.1\u2069\u2069\n" in ended.out
        assert "\u2067النص لا يمثّل حركة.\u2069\n" in ended.out

    def test_a_number_is_a_square_where_moves_are_numbers(self, play: Hakam) -> None:
        ended = play("tjau", "--seed", SEED, typed="1\n")
        assert "a) throw" in ended.out
        assert "thrown seat=0" not in ended.out

    @pytest.mark.skipif("trix" not in GAMES, reason="Trix has long lists")
    def test_of_many_moves_some_are_listed_and_the_others_on_demand(
        self, play: Hakam, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(table, "_LISTED", 3)
        ended = play("trix", "--seed", SEED, typed="choose slaps\nplay J\nplay A\n")
        assert "3) play TD\nand 10 more: ? lists all, the start of a move" in ended.out
        assert "> play J\n12) play JH  13) play JC\n" in ended.out
        assert "> play A\nThe text is not a move.\n" in ended.out


class TestLeaving:
    @pytest.mark.parametrize("typed", ["q\n", "", "a\n", "a\nq\n"])
    def test_leaving_is_no_failure(self, play: Hakam, typed: str) -> None:
        ended = play("tjau", typed=typed)
        assert (ended.code, ended.err) == (0, "")
        assert "left at ply " in ended.out

    def test_the_record_of_a_game_that_was_left_is_kept(
        self, hakam: Hakam, play: Hakam, tmp_path: Path
    ) -> None:
        record = tmp_path / "game.json"
        play("tjau", "--record", record, typed="a\nq\n")
        verified = hakam("verify", record)
        assert verified.code == 0
        assert "the game is not finished" in verified.out

    def test_an_interrupt_at_the_prompt_leaves(
        self, play: Hakam, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupted(_: str) -> str:
            raise KeyboardInterrupt

        monkeypatch.setattr("builtins.input", interrupted)
        ended = play("tjau")
        assert (ended.code, ended.err) == (0, "")
        assert "left at ply 0" in ended.out


class TestRecordFile:
    def test_a_file_that_exists_is_refused_before_the_game(
        self, play: Hakam, tmp_path: Path
    ) -> None:
        record = tmp_path / "game.json"
        record.write_text("precious")
        ended = play("tjau", "--seats", "none", "--record", record)
        assert (ended.code, ended.out) == (2, "")
        assert ended.err == f"hakam play: --record: {record} exists already\n"
        assert record.read_text() == "precious"

    def test_a_file_in_no_folder_is_refused_before_the_game(
        self, play: Hakam, tmp_path: Path
    ) -> None:
        ended = play("tjau", "--record", tmp_path / "none" / "game.json")
        assert ended.code == 2
        assert "there is no folder" in ended.err

    def test_a_file_that_cannot_be_written_is_said(
        self, play: Hakam, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_: object, **__: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "open", full)
        ended = play("tjau", "--record", tmp_path / "game.json")
        assert ended.code == 1
        assert ended.err == "hakam play: [Errno 28] No space left on device\n"

    def test_it_is_protojson_with_the_seed_and_the_digest(
        self, play: Hakam, tmp_path: Path
    ) -> None:
        record = tmp_path / "game.json"
        play("tjau", "--record", record, "--seed", SEED, typed="a\n")
        kept = json.loads(record.read_text("utf-8"))
        assert {"rules", "chanceVersion", "seed", "moves", "commitment", "viewDigest"} == set(kept)


class TestAddress:
    @pytest.mark.parametrize("game", GAMES)
    def test_a_service_that_runs_already(self, hakam: Hakam, address: str, game: str) -> None:
        args = ("play", game, "--seats", "none", "--bot-seed", "3", "--seed", SEED)
        assert hakam(*args, "--address", address) == hakam(*args)

    def test_nobody_there_is_said_in_a_line(self, hakam: Hakam) -> None:
        ended = hakam("play", "tjau", "--address", "127.0.0.1:1")
        assert (ended.code, ended.out) == (1, "")
        assert ended.err == "hakam play: no service answers at 127.0.0.1:1\n"

    def test_a_service_of_another_kind_is_said_in_a_line(self, hakam: Hakam) -> None:
        server = grpc.server(ThreadPoolExecutor(1), options=[("grpc.so_reuseport", 0)])
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        ended = hakam("play", "tjau", "--address", f"127.0.0.1:{port}")
        server.stop(None).wait()
        assert ended.code == 1
        assert ended.err == "hakam play: UNIMPLEMENTED: Method not found!\n"

    def test_a_state_of_another_release_is_said_in_a_line(
        self, hakam: Hakam, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        new_game = Client.new_game

        def later(self: Client, *args: Any, **options: Any) -> Game:
            game = new_game(self, *args, **options)
            assert isinstance(game.state, State)
            game.state.rules.revision = 99
            monkeypatch.setattr(game, "moves", list)
            return game

        monkeypatch.setattr(Client, "new_game", later)
        ended = hakam("play", "tjau")
        assert ended.code == 1
        assert ended.err == "hakam play: the service sent a strange state: state.rules.revision\n"


WRONG_CALLS = [
    (("chess",), "invalid choice: 'chess'"),
    (("tjau", "--rule-set", "ludo"), "no rule set 'ludo'; there are egyptian, "),
    (("tjau", "--option", "piece=3"), "no option 'piece'; there are board, pieces, "),
    (("tjau", "--option", "pieces"), "pieces must be 1 to 7, not ''"),
    (("tjau", "--option", "pieces=x"), "pieces must be 1 to 7, not 'x'"),
    (("tjau", "--option", "pieces=8"), "pieces must be 1 to 7"),
    (("tjau", "--option", "board=go"), "board must be egyptian or ur, not 'go'"),
    (("tjau", "--option", "mark_protects=1"), "mark_protects must be true or false, not '1'"),
    (("tjau", "--option", "first=me"), "first must be chance or 0 to 1, not 'me'"),
    (("tjau", "--seats", "2"), "--seats must be 0 to 1"),
    (("tjau", "--seats", "-1"), "--seats"),
    (("tjau", "--seats", "one"), "--seats is a list of numbers, all or none"),
    (("tjau", "--seats", ""), "--seats is a list of numbers, all or none"),
    (("tjau", "--seed", "5e"), "--seed must be 64 hex digits"),
    (("tjau", "--seed", ""), "--seed must be 64 hex digits"),
    (("tjau", "--seed", "x" * 64), "--seed must be 64 hex digits"),
    (("tjau", "--bot-seed", "x"), "invalid int value: 'x'"),
    (("tjau", "--language", "fr"), "invalid choice: 'fr'"),
]


class TestWrongCalls:
    @pytest.mark.parametrize(("args", "why"), WRONG_CALLS)
    def test_it_is_refused_and_the_fault_is_named(
        self, hakam: Hakam, args: tuple[str, ...], why: str
    ) -> None:
        ended = hakam("play", *args)
        assert (ended.code, ended.out) == (2, "")
        assert why in ended.err

    def test_the_server_of_its_own_ends_with_it(
        self, hakam: Hakam, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stopped: list[Server] = []
        stop = Server.stop

        def stop_and_tell(self: Server) -> None:
            stop(self)
            stopped.append(self)

        monkeypatch.setattr(Server, "stop", stop_and_tell)
        hakam("play", "tjau")
        assert len(stopped) == 1
