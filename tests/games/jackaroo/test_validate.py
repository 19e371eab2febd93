"""Every fault of a decoded state, with its path; and that no setup makes `validate` raise."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hakam.games import jackaroo
from hakam.games.cards import DECK, read_cards
from hakam.games.game import Drawn
from hakam.games.jackaroo.rules import Joker, Rules, with_options
from hakam.games.jackaroo.state import Phase, Setup, Side, State
from hakam.games.reasons import Reason

LaySetup = Callable[..., Setup]
KAROTI = with_options("karoti", {})
BORDAGA = with_options("bordaga", {})
SIX = with_options("bordaga", {"seats": 6})
HOME = {(s, m): 76 + 4 * s + m for s in (0, 2) for m in range(4)}


def faults(rules: Rules, setup: Setup) -> list[tuple[str, Reason, str]]:
    found = jackaroo.validate(rules, setup)
    assert not isinstance(found, State)
    return [(f.path, f.reason, f.clause) for f in found]


def with_marble(setup: Setup, seat: int, number: int, cell: int) -> Setup:
    side = setup.sides[seat]
    marbles = (*side.marbles[:number], cell, *side.marbles[number + 1 :])
    sides = (*setup.sides[:seat], Side(marbles, side.hand), *setup.sides[seat + 1 :])
    return replace(setup, sides=sides)


def with_hand(setup: Setup, seat: int, hand: tuple[int, ...]) -> Setup:
    side = Side(setup.sides[seat].marbles, hand)
    return replace(setup, sides=(*setup.sides[:seat], side, *setup.sides[seat + 1 :]))


@pytest.fixture
def good(lay_setup: LaySetup) -> Setup:
    return lay_setup(KAROTI, {(0, 0): 20, (1, 1): 81}, ["KSQS", "2H", "3H", "4H"])


def test_a_good_setup_is_a_state_and_comes_back(good: Setup) -> None:
    state = jackaroo.validate(KAROTI, good)
    assert isinstance(state, State)
    assert jackaroo.setup(KAROTI, state) == good


@pytest.mark.clause("J1.3", "J1.4")
@pytest.mark.parametrize(
    ("cell", "reason", "clause"),
    [
        (108, Reason.VALUE_OUT_OF_RANGE, "J1.4"),
        (-1, Reason.VALUE_OUT_OF_RANGE, "J1.4"),
        (84, Reason.VALUE_OUT_OF_RANGE, "J1.4"),  # in the partner's goal
        (80, Reason.VALUE_OUT_OF_RANGE, "J1.4"),  # in an opponent's
        (107, Reason.VALUE_OUT_OF_RANGE, "J1.3"),
    ],
)
def test_a_marble_where_it_cannot_be(good: Setup, cell: int, reason: Reason, clause: str) -> None:
    found = faults(KAROTI, with_marble(good, 0, 2, cell))
    assert found[0] == ("sides[0].marbles[2]", reason, clause)


@pytest.mark.clause("J1.3", "J3.4")
def test_two_marbles_on_one_cell(good: Setup) -> None:
    for cell in (20, 81):
        setup = with_marble(with_marble(good, 1, 1, 81), 1, 3, cell)
        assert faults(KAROTI, setup) == [("sides[1].marbles[3]", Reason.DUPLICATE, "J3.6")]
    setup = with_marble(good, 0, 1, 95)
    assert [f[1] for f in faults(KAROTI, setup)] == [Reason.VALUE_OUT_OF_RANGE, Reason.DUPLICATE]


@pytest.mark.clause("J2.1", "J5.X")
def test_cards_unknown_doubled_missing(good: Setup) -> None:
    found = faults(KAROTI, with_hand(good, 0, (99, read_cards("2H")[0])))
    assert found == [
        ("sides[0].hand[0]", Reason.VALUE_UNKNOWN, "J2.1"),
        ("sides[1].hand[0]", Reason.DUPLICATE, "J2.1"),
        ("sides", Reason.CARD_MISSING, "J2.1"),
    ]
    missing = jackaroo.validate(KAROTI, with_hand(good, 0, ()))
    assert not isinstance(missing, State)
    assert missing[0].detail.endswith(": QS KS")
    wild = replace(KAROTI, joker=Joker.WILD)
    paths = [path for path, _, _ in faults(wild, good)]
    assert paths == ["discard[0]", "sides"]


@pytest.mark.clause("J2.2", "J2.3")
def test_card_counts_follow_the_schedule(good: Setup) -> None:
    moved = replace(good, deck=good.discard[:3], discard=good.discard[3:])
    assert faults(KAROTI, moved) == [("deck", Reason.COUNT_WRONG, "J2.2")]
    hand = good.discard[:4]
    setup = with_hand(replace(good, discard=good.discard[4:]), 1, (*good.sides[1].hand, *hand))
    assert isinstance(jackaroo.validate(KAROTI, setup), State)
    setup = with_hand(
        replace(good, discard=good.discard[5:]), 1, (*setup.sides[1].hand, good.discard[4])
    )
    assert faults(KAROTI, setup) == [("sides[1].hand", Reason.COUNT_WRONG, "J2.2")]


@pytest.mark.clause("J2.4")
def test_a_full_hand_is_begun_by_the_seat_after_the_dealer(lay_setup: LaySetup) -> None:
    rules = replace(KAROTI, deal=(1,))
    assert isinstance(jackaroo.validate(rules, lay_setup(rules, {}, ["2C"], dealer=3)), State)
    late = lay_setup(rules, {}, ["2C"], dealer=2)
    assert faults(rules, late) == [("to_act", Reason.PHASE_INCONSISTENT, "J2.4")]


@pytest.mark.clause("J2.6", "J5.10")
def test_whoever_is_to_act_must_be_able_to(good: Setup, lay_setup: LaySetup) -> None:
    empty = with_hand(replace(good, discard=(*good.discard, *good.sides[2].hand)), 2, ())
    stuck = replace(empty, to_act=2)
    assert faults(KAROTI, stuck) == [("to_act", Reason.PHASE_INCONSISTENT, "J2.6")]
    for seat in (-1, 4):
        found = faults(KAROTI, replace(good, to_act=seat, dealer=seat))
        assert [f[0] for f in found] == ["dealer", "to_act"]
    absent = faults(KAROTI, replace(good, to_act=None, dealer=None))
    assert [f[:2] for f in absent] == [
        ("dealer", Reason.FIELD_MISSING),
        ("to_act", Reason.FIELD_MISSING),
    ]
    answer = lay_setup(BORDAGA, {}, ["2C"], phase=Phase.ANSWER, last="2D")
    assert faults(BORDAGA, answer) == [("discard", Reason.PHASE_INCONSISTENT, "J5.10")]
    answer = lay_setup(KAROTI, {}, ["2C"], phase=Phase.ANSWER, last="TD")
    assert faults(KAROTI, answer) == [("phase", Reason.PHASE_INCONSISTENT, "J5.10")]


@pytest.mark.clause("J1.9")
def test_over_exactly_when_a_team_is_home(good: Setup, lay_setup: LaySetup) -> None:
    over = lay_setup(KAROTI, HOME, ["2C"], phase=Phase.OVER, to_act=None)
    assert isinstance(jackaroo.validate(KAROTI, over), State)
    assert faults(KAROTI, replace(over, phase=Phase.PLAY, to_act=0)) == [
        ("phase", Reason.PHASE_INCONSISTENT, "J1.9")
    ]
    assert faults(KAROTI, replace(good, phase=Phase.OVER, to_act=None)) == [
        ("phase", Reason.PHASE_INCONSISTENT, "J1.9")
    ]
    acting = faults(KAROTI, replace(over, to_act=1))
    assert acting == [("to_act", Reason.FIELD_NOT_ALLOWED, "")]


@pytest.mark.clause("J2.2", "J2.9")
def test_waiting_for_chance() -> None:
    named = replace(KAROTI, dealer=1)
    first = jackaroo.setup(KAROTI, jackaroo.initial(KAROTI))
    assert isinstance(jackaroo.validate(KAROTI, first), State)
    assert faults(named, first) == [("phase", Reason.PHASE_INCONSISTENT, "J2.9")]
    assert faults(KAROTI, replace(first, dealer=1)) == [("dealer", Reason.FIELD_NOT_ALLOWED, "")]
    deal = replace(first, phase=Phase.DEAL, dealer=2)
    assert isinstance(jackaroo.validate(KAROTI, deal), State)
    assert faults(named, deal) == [("dealer", Reason.PHASE_INCONSISTENT, "J2.9")]
    moved = with_marble(deal, 1, 1, 20)
    assert faults(KAROTI, moved) == [("sides[1].marbles[1]", Reason.PHASE_INCONSISTENT, "J1.3")]
    later = replace(moved, discard=DECK)
    assert isinstance(jackaroo.validate(KAROTI, later), State)
    held = with_hand(replace(later, discard=DECK[1:]), 0, DECK[:1])
    assert faults(KAROTI, held) == [("sides[0].hand", Reason.COUNT_WRONG, "J2.2")]
    undealt = replace(later, deck=DECK[:4], discard=DECK[4:])
    assert faults(KAROTI, undealt) == [("deck", Reason.COUNT_WRONG, "J2.3")]
    assert faults(KAROTI, replace(first, discard=DECK)) == [("discard", Reason.COUNT_WRONG, "J2.9")]


def test_counts_of_sides_and_marbles(good: Setup) -> None:
    assert faults(KAROTI, replace(good, sides=good.sides[:3]))[0] == (
        "sides",
        Reason.COUNT_WRONG,
        "J1.2",
    )
    short = replace(good, sides=(Side((20, 93, 94), good.sides[0].hand), *good.sides[1:]))
    assert faults(KAROTI, short) == [("sides[0].marbles", Reason.COUNT_WRONG, "J1.3")]


def test_all_faults_are_named_at_once(good: Setup) -> None:
    bad = with_marble(with_marble(good, 0, 0, 500), 3, 3, 77)
    bad = replace(with_hand(bad, 2, (0,)), phase=9, dealer=8)
    assert [path for path, _, _ in faults(KAROTI, bad)] == [
        *("phase", "dealer", "sides[0].marbles[0]", "sides[3].marbles[3]"),
        *("sides[2].hand[0]", "sides"),
    ]


ints = st.one_of(st.integers(-3, 110), st.integers(-(2**31), 2**31 - 1))
setups = st.builds(
    Setup,
    phase=st.one_of(st.integers(0, 6), ints),
    dealer=st.none() | ints,
    to_act=st.none() | ints,
    sides=st.lists(
        st.builds(
            Side,
            marbles=st.lists(ints, max_size=5).map(tuple),
            hand=st.lists(ints, max_size=5).map(tuple),
        ),
        max_size=7,
    ).map(tuple),
    deck=st.lists(ints, max_size=6).map(tuple),
    discard=st.lists(ints, max_size=6).map(tuple),
)


@given(setup=setups)
@pytest.mark.parametrize("rules", [KAROTI, SIX, replace(BORDAGA, dealer=2, joker=Joker.WILD)])
def test_any_setup_is_answered(rules: Rules, setup: Setup) -> None:
    found = jackaroo.validate(rules, setup)
    assert isinstance(found, State) or all(fault.path for fault in found)


@pytest.mark.parametrize("rules", [KAROTI, BORDAGA, SIX])
def test_one_wrong_number_in_a_reached_state_is_found_or_harmless(rules: Rules) -> None:
    rng = random.Random(5)
    state = jackaroo.resolve(rules, jackaroo.resolve(rules, jackaroo.initial(rules), 1)[0], DECK)[0]
    for _ in range(300):
        if state.to_act is None:
            break
        setup = disturbed(jackaroo.setup(rules, state), rng)
        found = jackaroo.validate(rules, setup)
        if isinstance(found, State) and found.to_act is not None:
            assert jackaroo.legal_moves(rules, found)
        state = jackaroo.apply(rules, state, rng.choice(jackaroo.legal_moves(rules, state)))[0]


def disturbed(setup: Setup, rng: random.Random) -> Setup:
    change: dict[str, Any] = {
        "phase": rng.randrange(7),
        "to_act": rng.choice((None, *range(-1, 7))),
        "dealer": rng.choice((None, Drawn.CHANCE, *range(-1, 7))),
        "deck": setup.deck[1:],
        "discard": (*setup.discard, rng.randrange(60)),
        "sides": setup.sides[: rng.randrange(7)],
    }
    name = rng.choice(sorted(change))
    return (
        with_marble(
            replace(setup, **{name: change[name]}), 0, rng.randrange(4), rng.randrange(-1, 170)
        )
        if name != "sides"
        else replace(setup, sides=change["sides"])
    )
