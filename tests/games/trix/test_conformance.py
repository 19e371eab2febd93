"""The conformance positions of tests/conformance/trix.json, made independently of this engine.

Our states leave out what follows from the rest, and the piles of constructed positions are filled
in deck order, so three things are mended on the way in: points and a first owner that contradict
the piles, and lines of the score sheet that no deal could have scored.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from itertools import permutations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hakam.games import trix
from hakam.games.cards import DECK, order_of_deal, read_card
from hakam.games.game import Drawn, GameOver
from hakam.games.trix.contracts import CARD_POINTS, DOUBLABLE, TOTAL, Contract
from hakam.games.trix.events import (
    CardPlayed,
    ContractChosen,
    DealOver,
    Dealt,
    DoublingAnswered,
    Event,
    KingdomOver,
    Passed,
    TrickTaken,
    WentOut,
)
from hakam.games.trix.moves import Choose, Double, Move, Play
from hakam.games.trix.rules import Doubling, Rules
from hakam.games.trix.sheet import sheet_faults
from hakam.games.trix.state import Phase, SeatCard, Setup, SheetDeal, State
from hakam.games.trix.tricks import deal_points

FILE = Path(__file__).parents[2] / "conformance" / "trix.json"
POSITIONS: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))["positions"]
NAMES = [position["name"] for position in POSITIONS]
Piles = tuple[tuple[int, ...], ...]


def rules_of(position: dict[str, Any]) -> Rules:
    options = position["state"]["options"]
    first_owner = options["first_owner"]
    if first_owner == "seven_of_hearts":
        first_owner = Drawn.SEVEN_OF_HEARTS
        if any(position["state"]["taken"]) and position["state"]["deal"] == 1:
            first_owner = position["state"]["owner"]
    return Rules(
        options["rule_set"],
        Doubling[options["doubling"].upper()],
        play_out=options["play_out"],
        first_owner=first_owner,
    )


def cards_of(names: list[str]) -> tuple[int, ...]:
    return tuple(read_card(name) for name in names)


def piles_of(given: dict[str, Any], contract: int, doubled: tuple[SeatCard, ...]) -> Piles:
    """The piles, with a scoring card changing places where the points say so."""
    piles = [list(cards_of(pile)) for pile in given["taken"]]
    have = deal_points(contract, piles, doubled)
    wanted = given["points"]
    for poor, rich in product(range(4), repeat=2):
        if have[poor] < wanted[poor] and have[rich] > wanted[rich]:
            values = CARD_POINTS[contract]
            here = [bool(values[c]) for c in piles[poor]].index(True)
            there = [bool(values[c]) for c in piles[rich]].index(False)
            piles[poor][here], piles[rich][there] = piles[rich][there], piles[poor][here]
    assert list(deal_points(contract, piles, doubled)) == wanted
    return tuple(tuple(pile) for pile in piles)


def sheet_of(given: dict[str, Any]) -> tuple[SheetDeal, ...]:
    lines = [line_of(Contract[d["contract"].upper()], d["points"]) for d in given["scores"]]
    if any(sheet_faults(Rules("standard"), lines)):
        return balanced([line.contract for line in lines], given["totals"])
    return tuple(lines)


def line_of(contract: Contract, points: list[int]) -> SheetDeal:
    """A line with what must have been doubled for these points, which the positions leave out."""
    bonus = TOTAL[contract] // len(DOUBLABLE[contract] or (1,))
    seats = [s for s in range(4) for _ in range(0, points[s] if DOUBLABLE[contract] else 0, -bonus)]
    doubled = zip(DOUBLABLE[contract], seats, strict=False)
    return SheetDeal(contract, tuple(SeatCard(c, s) for c, s in doubled), tuple(points))


ORDERS = list(permutations((200, 150, 100, 50)))
SPLITS = [split for split in product(range(14), repeat=4) if sum(split) == 13]


def split_points(unit: int, places: Sequence[int]) -> tuple[int, ...]:
    return tuple(unit * places.count(s) for s in range(4))


def balanced(contracts: Sequence[int], totals: list[int]) -> tuple[SheetDeal, ...]:
    """Any lines for these contracts that can be scored and sum to these totals."""
    rng = Random(1)
    slaps = max(n for n, c in enumerate(contracts) if c == Contract.SLAPS)
    diamonds = max(n for n, c in enumerate(contracts) if c == Contract.DIAMONDS)
    draw: dict[int, Callable[[], tuple[int, ...]]] = {
        Contract.KING_OF_HEARTS: lambda: split_points(-75, rng.choices(range(4))),
        Contract.SLAPS: lambda: split_points(-15, rng.choices(range(4), k=13)),
        Contract.QUEENS: lambda: split_points(-25, rng.choices(range(4), k=4)),
        Contract.DIAMONDS: lambda: split_points(-10, rng.choices(range(4), k=13)),
        Contract.TRIX: lambda: rng.choice(ORDERS),
    }
    for _ in range(10_000):
        lines = [draw[c]() for c in contracts]
        lines[slaps] = lines[diamonds] = (0, 0, 0, 0)
        rest = [totals[s] - sum(line[s] for line in lines) for s in range(4)]
        for split in SPLITS if max(rest) <= 0 else ():
            lines[diamonds] = tuple(-10 * n for n in split)
            lines[slaps] = tuple(p + 10 * n for p, n in zip(rest, split, strict=True))
            if all(p <= 0 and p % 15 == 0 for p in lines[slaps]):
                return tuple(SheetDeal(c, (), p) for c, p in zip(contracts, lines, strict=True))
    raise AssertionError(totals)


def setup_of(given: dict[str, Any]) -> Setup:
    phase = Phase[given["phase"].upper()]
    contract = Contract[given["contract"].upper()] if given["contract"] else 0
    doubled = tuple(SeatCard(read_card(c), s) for c, s in given["doubled"].items())
    layout = given["layout"].values()
    # Between deals and after the last our states keep the sheet alone.
    over = phase in (Phase.DEAL, Phase.OVER)
    return Setup(
        phase=phase,
        sheet=sheet_of(given),
        owner=given["owner"],
        contract=0 if over else contract,
        to_act=given["turn"],
        hands=((),) * 4 if over else tuple(cards_of(hand) for hand in given["hands"]),
        doubled=() if over else tuple(sorted(doubled, key=lambda d: d.card)),
        trick=cards_of(given["trick"]["cards"]),
        taken=((),) * 4 if over or contract == 5 else piles_of(given, contract, doubled),
        layout=() if over else tuple(sorted(c for run in layout for c in cards_of(run))),
        out=() if over else tuple(given["finished"]),
    )


def state_of(rules: Rules, given: dict[str, Any]) -> State:
    found = trix.validate(rules, setup_of(given))
    assert isinstance(found, State), found
    return found


def move_of(given: dict[str, Any]) -> Move:
    if given["type"] == "contract":
        return Choose(Contract[given["contract"].upper()])
    if given["type"] == "double":
        return Double(tuple(sorted(cards_of(given["cards"]))))
    return Play(read_card(given["card"]))


def facts_of(event: dict[str, Any]) -> tuple[Any, ...] | None:
    """One of their events as a plain tuple; None for what our sheets tell otherwise."""
    kind = event["type"]
    if kind == "contract":
        return (kind, event["seat"], Contract[event["contract"].upper()])
    if kind == "double":
        return (kind, event["seat"], tuple(sorted(cards_of(event["cards"]))))
    if kind == "play":
        return (kind, event["seat"], read_card(event["card"]))
    if kind == "trick":
        cards = cards_of(event["cards"])
        return (kind, event["leader"], cards, event["taker"], tuple(event["points"]))
    if kind == "deal_over":
        contract = Contract[event["contract"].upper()]
        return (kind, event["deal"], contract, tuple(event["points"]), tuple(event["totals"]))
    if kind == "game_over":
        return (kind, tuple(event["winners"]), tuple(event["totals"]))
    return (kind, *(v for k, v in event.items() if k not in ("type", "kingdom", "owner")))


def facts(event: Event) -> tuple[Any, ...]:
    if isinstance(event, GameOver):
        return ("game_over", event.outcome.winners, event.outcome.scores)
    if isinstance(event, Dealt):
        return ("deal", event.deal)
    if isinstance(event, KingdomOver):
        return ("kingdom_over",)
    names = {
        ContractChosen: "contract",
        DoublingAnswered: "double",
        CardPlayed: "play",
        TrickTaken: "trick",
        Passed: "pass",
        WentOut: "out",
        DealOver: "deal_over",
    }
    return (names[type(event)], *(getattr(event, f.name) for f in fields(event)))


def step(
    rules: Rules, state: State, move: Move, deals: list[Any]
) -> tuple[State, list[tuple[Any, ...]]]:
    """The state after a move and after the deal that a position supplies for then."""
    state, events = trix.apply(rules, state, move)
    due = trix.chance_due(rules, state)
    if due is None or not deals:
        return state, [facts(e) for e in events]
    order = order_of_deal([cards_of(hand) for hand in deals[0]], (), due.first)
    assert sorted(order) == list(DECK)
    state, dealt = trix.resolve(rules, state, order)
    return state, [facts(e) for e in (*events, *dealt)]


def assert_same(rules: Rules, before: State, state: State, given: dict[str, Any]) -> None:
    """The state is the one given, but for sheets that were mended."""
    have, wanted = trix.setup(rules, state), setup_of(given)
    new = len(have.sheet) - len(before.sheet)
    assert len(have.sheet) == len(wanted.sheet)
    for mine, theirs in list(zip(have.sheet, given["scores"], strict=True))[-new:] if new else ():
        assert mine.contract == Contract[theirs["contract"].upper()]
        assert list(mine.points) == theirs["points"]
    assert replace(have, sheet=()) == replace(wanted, sheet=())
    assert list(trix.view(rules, state, None).totals) == given["totals"]


@pytest.mark.parametrize("position", POSITIONS, ids=NAMES)
def test_the_legal_moves_are_those_listed(position: dict[str, Any]) -> None:
    rules = rules_of(position)
    found = trix.legal_moves(rules, state_of(rules, position["state"]))
    wanted = [move_of(move) for move in position["legal_moves"]]
    assert len(set(found)) == len(found)
    assert set(found) == set(wanted)


@pytest.mark.parametrize("position", POSITIONS, ids=NAMES)
def test_each_move_leads_where_it_should(position: dict[str, Any]) -> None:
    rules = rules_of(position)
    before = state_of(rules, position["state"])
    for then in position["then"]:
        after, events = step(rules, before, move_of(then["move"]), position["state"]["deals"])
        assert events == [facts_of(event) for event in then["events"]]
        assert_same(rules, before, after, then["state"])


LINES = [position for position in POSITIONS if "line" in position]


@pytest.mark.parametrize("position", LINES, ids=[position["name"] for position in LINES])
def test_each_line_of_moves_ends_where_it_should(position: dict[str, Any]) -> None:
    rules = rules_of(position)
    before = state = state_of(rules, position["state"])
    line = position["line"]
    events: list[tuple[Any, ...]] = []
    for move in line["moves"]:
        assert trix.violation(rules, state, move_of(move)) is None
        state, new = step(rules, state, move_of(move), position["state"]["deals"])
        events.extend(new)
    assert events == [facts_of(event) for event in line["events"]]
    assert_same(rules, before, state, line["state"])
    if "points" in line:
        assert list(state.sheet[-1].points) == line["points"]
