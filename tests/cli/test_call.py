"""`hakam call`: JSON in, JSON out."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hakam.v1 import game_service_pb2 as pb

RPCS = [method.name for method in pb.DESCRIPTOR.services_by_name["GameService"].methods]
SEED = "Xl5eXl5eXl5eXl5eXl5eXl5eXl5eXl5eXl5eXl5eXl4="
NEW_GAME = json.dumps({"rules": {"tjau": {}}, "seed": SEED})

Call = Callable[..., Any]


@pytest.fixture
def call(hakam: Call, address: str) -> Call:
    return lambda *args, typed="": hakam("call", *args, "--address", address, typed=typed)


@pytest.fixture
def new_game(call: Call, tmp_path: Path) -> Path:
    """A file with the first state of a game."""
    file = tmp_path / "new.json"
    file.write_text(call("NewGame", NEW_GAME).out, encoding="utf-8")
    return file


class TestAnswers:
    def test_a_request_that_is_left_out_is_empty(self, call: Call) -> None:
        ended = call("ListGames")
        assert (ended.code, ended.err) == (0, "")
        assert "tjau" in [game["id"] for game in json.loads(ended.out)["games"]]
        assert "تجاو" in ended.out

    def test_a_request_on_the_command_line_or_typed(self, call: Call) -> None:
        ended = call("NewGame", NEW_GAME)
        assert json.loads(ended.out)["turn"] == {"toAct": 0}
        assert call("NewGame", "-", typed=NEW_GAME) == ended

    def test_the_state_of_an_earlier_answer(self, call: Call, new_game: Path) -> None:
        move = '{"move": {"notation": "throw"}}'
        ended = call("ApplyMove", move, "--state", new_game)
        assert json.loads(ended.out)["turn"]["ply"] == 1
        assert call("ApplyMove", move, "--state", "-", typed=new_game.read_text()) == ended

    @pytest.mark.parametrize("rpc", RPCS)
    def test_every_method_can_be_called(self, call: Call, rpc: str) -> None:
        ended = call(rpc)
        if ended.code:
            assert (ended.code, ended.out) == (1, "")
            assert json.loads(ended.err)["code"] in ("INVALID_ARGUMENT", "UNIMPLEMENTED")
        else:
            assert json.loads(ended.out)


class TestErrors:
    def test_an_error_is_json_with_its_details(self, call: Call, new_game: Path) -> None:
        move = '{"move": {"notation": "enter"}, "language": "LANGUAGE_AR"}'
        ended = call("ApplyMove", move, "--state", new_game)
        assert (ended.code, ended.out) == (1, "")
        error = json.loads(ended.err)
        assert error["code"] == "FAILED_PRECONDITION"
        info, message = error["details"]
        assert info["reason"] == "WRONG_PHASE"
        assert info["domain"] == "hakam"
        assert info["metadata"]["clause"] == "W5.1"
        assert message["locale"] == "ar"
        assert message["message"] in ended.err

    def test_nobody_there_is_an_error_without_details(self, hakam: Call) -> None:
        ended = hakam("call", "ListGames", "--address", "127.0.0.1:1")
        assert (ended.code, ended.out) == (1, "")
        error = json.loads(ended.err)
        assert (error["code"], error["details"]) == ("UNAVAILABLE", [])

    def test_a_deadline_that_has_passed(self, hakam: Call, address: str) -> None:
        ended = hakam("call", "ListGames", "--address", address, "--timeout", "-1")
        assert ended.code == 1
        assert json.loads(ended.err)["code"] == "DEADLINE_EXCEEDED"


WRONG_CALLS = [
    (("ListGame",), "invalid choice: 'ListGame'"),
    (("NewGame", "{"), "the request is no JSON: "),
    (("NewGame", "[]"), "the request is no JSON object"),
    (("NewGame", '{"rule": {}}'), 'no field named "rule"'),
    (("NewGame", '{"seed": 1}'), "not a NewGameRequest: "),
    (("ListMoves", "--state", "/no/such/file"), "/no/such/file cannot be read: "),
    (("ListMoves", "--state", "-"), "- is no JSON: "),
    (("ListGames", "{}", "--timeout", "x"), "invalid float value: 'x'"),
]


class TestWrongCalls:
    @pytest.mark.parametrize(("args", "why"), WRONG_CALLS)
    def test_it_is_refused_and_the_fault_is_named(
        self, call: Call, args: tuple[str, ...], why: str
    ) -> None:
        ended = call(*args)
        assert (ended.code, ended.out) == (2, "")
        assert why in ended.err

    def test_an_answer_without_a_state(self, call: Call) -> None:
        ended = call("ListMoves", "--state", "-", typed='{"turn": {}}')
        assert (ended.code, ended.err) == (2, "hakam call: - has no state\n")

    def test_a_state_that_a_method_does_not_take(self, call: Call, new_game: Path) -> None:
        ended = call("ListGames", "--state", new_game)
        assert ended.code == 2
        assert 'no field named "state"' in ended.err
