"""The positions of tests/conformance/jackaroo.json, made independently of this engine."""

import json
from pathlib import Path
from typing import Any

import pytest

from hakam.games import jackaroo
from hakam.games.cards import DECK, JOKER, NAMES, read_card
from hakam.games.game import GameOver
from hakam.games.jackaroo.events import (
    Burnt,
    Captured,
    CardLost,
    Dealt,
    Event,
    Passed,
    SeatHome,
    Shuffled,
    Skipped,
)
from hakam.games.jackaroo.moves import BringOut, Burn, Hit, Move, Split, Step, Swap, Take
from hakam.games.jackaroo.rules import Burn as BurnOption
from hakam.games.jackaroo.rules import Jack, Joker, Queen, Rules, Ten
from hakam.games.jackaroo.state import Phase, Setup, Side, State

FILE = Path(__file__).parents[2] / "conformance" / "jackaroo.json"
POSITIONS: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))["positions"]


def rules_of(options: dict[str, Any]) -> Rules:
    return Rules(
        rule_set=options["rule_set"],
        seats=options["seats"],
        deal=tuple(options["deal"]),
        cells_per_seat=options["cells_per_seat"],
        entrance_distance=options["entrance_distance"],
        exit_with_jack=options["exit_with_jack"],
        burn=BurnOption[options["burn"].upper()],
        ten=Ten[options["ten"].upper()],
        jack=Jack[options["jack"].upper()],
        queen=Queen[options["queen"].upper()],
        joker=Joker[options["joker"].upper()],
    )


def cell_of(rules: Rules, seat: int, number: int, place: list[Any]) -> int:
    length = rules.cells_per_seat * rules.seats
    if place[0] == "track":
        return int(place[1])
    if place[0] == "goal":
        return int(length + 4 * seat + place[1])
    return length + 4 * rules.seats + 4 * seat + number


def cards_of(names: list[str]) -> tuple[int, ...]:
    return tuple(read_card(name) for name in names)


def setup_of(rules: Rules, given: dict[str, Any]) -> Setup:
    sides = tuple(
        Side(tuple(cell_of(rules, s, m, place) for m, place in enumerate(places)), cards_of(hand))
        for s, (places, hand) in enumerate(zip(given["marbles"], given["hands"], strict=True))
    )
    return Setup(
        phase=Phase[given["phase"].upper()],
        dealer=given["dealer"],
        to_act=given["to_act"],
        sides=sides,
        deck=cards_of(given["deck"]),
        discard=cards_of(given["discard"]),
    )


def state_of(rules: Rules, given: dict[str, Any]) -> State:
    found = jackaroo.validate(rules, setup_of(rules, given))
    assert isinstance(found, State), found
    return found


def move_of(given: dict[str, Any]) -> Move:
    card = read_card(given["card"])
    face = read_card(given["as"]) if "as" in given else 0
    match given["action"]:
        case "bring_out":
            return BringOut(card, face)
        case "burn":
            return Burn(card, face)
        case "hit":
            return Hit(card, given.get("position"), face)
        case "take":
            return Take(card, given["position"], face)
        case "step":
            return Step(card, given["seat"], given["marble"], given["steps"], face)
        case "swap":
            first = (given["seat"], given["marble"])
            return Swap(card, *first, given["other_seat"], given["other_marble"], face)
    second = (given["seat2"], given["marble2"], given["steps2"])
    return Split(card, given["seat"], given["marble"], given["steps"], *second, face)


def event_of(event: Event) -> dict[str, Any] | None:
    """One of our events as the file words it; None for what it does not tell."""
    match event:
        case Captured(seat, marble):
            return {"event": "capture", "seat": seat, "marble": marble}
        case SeatHome(seat):
            return {"event": "home", "seat": seat}
        case CardLost(seat, position, card):
            assert card is not None
            return {"event": "lose_card", "seat": seat, "position": position, "card": NAMES[card]}
        case Passed(seat):
            return {"event": "pass", "seat": seat}
        case Skipped(seat):
            return {"event": "skip", "seat": seat}
        case Shuffled():
            return {"event": "shuffle"}
        case Dealt(dealer, index, cards):
            return {"event": "deal", "dealer": dealer, "hand_index": index, "cards": cards}
        case GameOver(result):
            return {"event": "win", "seats": list(result.winners)}
    return None


@pytest.mark.parametrize("position", POSITIONS, ids=[p["name"] for p in POSITIONS])
def test_the_legal_moves_are_those_of_the_position(position: dict[str, Any]) -> None:
    rules = rules_of(position["state"]["options"])
    assert jackaroo.rules_faults(rules) == ()
    state = state_of(rules, position["state"])
    moves = jackaroo.legal_moves(rules, state)
    expected = {move_of(move) for move in position["legal"]}
    assert set(moves) == expected
    assert len(moves) == len(expected) == len(position["legal"])
    assert all(jackaroo.violation(rules, state, move) is None for move in moves)


@pytest.mark.parametrize(
    ("position", "result"),
    [
        pytest.param(p, r, id=f"{p['name']}-{n}")
        for p in POSITIONS
        for n, r in enumerate(p["results"])
    ],
)
def test_a_move_leads_where_the_position_says(
    position: dict[str, Any], result: dict[str, Any]
) -> None:
    rules = rules_of(position["state"]["options"])
    state, events = jackaroo.apply(
        rules, state_of(rules, position["state"]), move_of(result["move"])
    )
    if "shuffled" in result:
        state, more = jackaroo.resolve(rules, state, cards_of(result["shuffled"]))
        events = (*events, *more)
    assert jackaroo.setup(rules, state) == setup_of(rules, result["state"])
    told = [told for event in events if (told := event_of(event)) is not None]
    play, *others = result["events"]
    assert play["event"] == "play"
    assert sorted(map(str, told)) == sorted(map(str, others))
    is_burn = isinstance(events[0], Burnt)
    assert is_burn == (result["move"]["action"] == "burn")


def test_the_positions_know_every_card() -> None:
    cards = {move_of(move).card for p in POSITIONS for move in p["legal"]}
    assert {NAMES[c][0] for c in cards} == {NAMES[c][0] for c in (*DECK, JOKER)}
