"""That the data are what the service answers, and that they leave out nothing of the contract."""

import json
from base64 import b64decode
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from calls import METHODS, request_type, response_type
from google.protobuf import json_format
from google.rpc import status_pb2

from hakam import referee
from hakam.chance import commitment
from hakam.notation import read_move
from hakam.referee import Seeded
from hakam.rpc.codecs.rules import read_rules
from hakam.v1 import error_pb2, rules_pb2
from hakam.v1 import game_service_pb2 as pb
from tests.wire import games, record
from tests.wire.features import contract, shown
from tests.wire.services import SET_UPS
from tools.generate import differing

DATA = record.TOP / record.FOLDER
# What the contract could say and no service has a reason to, and why.
NEVER = {
    "hakam.v1.OptionInfo.high = 0": "no option's greatest number is 0",
    "hakam.v1.OptionInfo.max_items = 0": "no list has to be empty",
    "hakam.v1.TjauView.throw = 0": "a throw of 0 passes by itself (W2.2)",
}


@cache
def exchanges(rpc: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((DATA / f"wire/{rpc}.json").read_text("ascii"))
    return found


EXCHANGES = [(rpc, exchange) for rpc in METHODS for exchange in exchanges(rpc)]


def test_the_service_answers_as_it_was_recorded() -> None:
    have = {path.relative_to(record.TOP): path.read_bytes() for path in DATA.glob("*/*.json")}
    differ = differing(have, record.recorded())
    assert not differ, "see what differs, and if it is meant: make wire-data, and commit"


def test_the_data_show_all_of_the_contract() -> None:
    found: set[str] = set()
    for rpc, exchange in EXCHANGES:
        if "json" in exchange["request"]:
            found |= shown(request_type(rpc).FromString(binary(exchange["request"])))
        if "answer" in exchange:
            found |= shown(response_type(rpc).FromString(binary(exchange["answer"])))
        else:
            found.add(f"Reason.REASON_{exchange['error']['reason']}")
    assert contract(pb.DESCRIPTOR) - found == set(NEVER)


def binary(form: dict[str, Any]) -> bytes:
    return b64decode(form["binary"])


def test_a_feature_is_seen_and_one_that_is_missing_is_missed() -> None:
    state = pb.ListMovesRequest(expected_ply=0).SerializeToString()
    found = shown(pb.ListMovesRequest.FromString(state))
    assert found == {
        "hakam.v1.ListMovesRequest.expected_ply",
        "hakam.v1.ListMovesRequest.expected_ply = 0",
        "hakam.v1.ListMovesRequest.seat absent",
    }
    whole = contract(pb.DESCRIPTOR)
    assert found < whole
    assert {f"Reason.{name}" for name, n in error_pb2.Reason.items() if n} < whole
    assert "hakam.v1.JackarooSwapped.other_cell" in whole
    assert "Reason.REASON_UNSPECIFIED" not in whole


@pytest.mark.parametrize("rpc", METHODS)
def test_every_rpc_is_answered_and_refused_under_names_of_their_own(rpc: str) -> None:
    names = [exchange["name"] for exchange in exchanges(rpc)]
    assert len(set(names)) == len(names)
    assert {"answer", "error"} == {key for e in exchanges(rpc) for key in e.keys() - OTHER_KEYS}
    assert {e.get("service", "open") for e in exchanges(rpc)} <= set(SET_UPS)


OTHER_KEYS = {"name", "request", "service"}


def test_errors_speak_both_languages() -> None:
    texts = [
        detail
        for _, exchange in EXCHANGES
        if "error" in exchange
        for detail in exchange["error"]["json"]["details"]
        if detail["@type"].endswith("LocalizedMessage")
    ]
    assert {text["locale"] for text in texts} == {"en", "ar"}
    assert all(text["message"].isascii() == (text["locale"] == "en") for text in texts)


def test_both_forms_of_a_message_are_one() -> None:
    for rpc, exchange in EXCHANGES:
        for key, kind in (("request", request_type(rpc)), ("answer", response_type(rpc))):
            form = exchange.get(key, {})
            if "json" in form:
                assert json_format.ParseDict(form["json"], kind()) == kind.FromString(binary(form))
        if "error" in exchange:
            status = status_pb2.Status.FromString(b64decode(exchange["error"]["status"]))
            assert json_format.MessageToDict(status) == exchange["error"]["json"]


def test_a_request_has_a_json_form_or_a_mark() -> None:
    forms = [form for _, e in EXCHANGES for form in e["request"].keys() - {"binary"}]
    assert len(forms) == len(EXCHANGES)
    assert set(forms) == {"json", "malformed", "unknown_fields"}


def test_the_data_stay_small() -> None:
    assert sum(path.stat().st_size for path in DATA.rglob("*")) < 3_000_000


GAMES = sorted((DATA / "games").glob("*.json"))


@pytest.mark.parametrize("path", GAMES, ids=[path.stem for path in GAMES])
def test_a_game_can_be_played_to_its_digest(path: Path) -> None:
    given = json.loads(path.read_text("ascii"))
    rules = json_format.ParseDict(given["rules"], rules_pb2.Rules())
    read = read_rules(rules, "rules", [], complete=True)
    assert read is not None
    seed = bytes.fromhex(given["seed"])
    state, _ = referee.new_game(*read, Seeded(seed, (), 0, commitment(seed)))
    assert len(given["credentials"]) == read[0].seats(read[1])
    for text in given["moves"]:
        move = read_move(*read, text)
        assert referee.violation(state, move) is None
        state, _ = referee.apply(state, move)
    assert referee.outcome(state) is not None
    assert referee.view_digest(state).hex() == given["view_digest"]
    assert given["name"] == path.stem


def test_there_is_a_game_of_every_plan() -> None:
    assert [path.stem for path in GAMES] == [plan.name for plan in games.PLANS]
