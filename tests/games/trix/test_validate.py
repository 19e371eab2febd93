"""States that somebody else wrote: what is accepted, and every fault by its path."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hakam.games import trix
from hakam.games.trix.contracts import Contract
from hakam.games.trix.rules import Doubling, Rules
from hakam.games.trix.state import Phase, SeatCard, Setup, SheetDeal, State
from tests.games.trix.support import (
    STANDARD,
    VARIANTS,
    at,
    cards,
    dealt,
    doubled_cards,
    in_tricks,
    in_trix,
    owned_by,
    random_game,
    run,
)

FIRST = owned_by(0)
K, Q, S = Contract.KING_OF_HEARTS, Contract.QUEENS, Contract.SLAPS
NONE = ((), (), (), ())
QUEENS = trix.setup(
    STANDARD,
    at(
        "play KKH1=0/75/-150/0 3 Q 1 5S7C3DTD4CJD5CTHAC/8C9H8D5HQD4S7DTS7H2C/4H9DKS9CAD3CASJH6CKH/"
        "KC9SQC7S6D6SJCJSTC QC3QH1 8H6H /4D5DKD2D/QHAH2H3H/8SQS2S3S - -"
    ),
)
CHOOSING = trix.setup(FIRST, dealt(rules=FIRST))
DOUBLING = trix.setup(FIRST, run(FIRST, dealt(rules=FIRST), "choose queens", "double QC")[0])
LAYING = trix.setup(FIRST, in_trix(("QCTC", "KC9C", "AC8C2C3C", "7C6C5C4C"), rules=FIRST))
LAST = trix.setup(FIRST, in_trix(("", "KC9C", "QCAC8C2C3C", "TC7C6C5C4C"), to_act=2, out=(0,)))


def faults(setup: Setup, rules: Rules = FIRST) -> set[tuple[str, str]]:
    found = trix.validate(rules, setup)
    assert not isinstance(found, State)
    assert all(fault.detail for fault in found)
    return {(fault.path, fault.reason) for fault in found}


def hand(setup: Setup, seat: int, text: str) -> Setup:
    hands = list(setup.hands)
    hands[seat] = cards(text)
    return replace(setup, hands=tuple(hands))


def lines(*deals: tuple[int, str, tuple[int, ...]]) -> tuple[SheetDeal, ...]:
    return tuple(SheetDeal(c, doubled_cards(d), p) for c, d, p in deals)


def over(sheet: tuple[SheetDeal, ...]) -> Setup:
    """Between deals, with this sheet."""
    return Setup(Phase.DEAL, sheet, len(sheet) // 5, 0, None, NONE, (), (), NONE, (), ())


@pytest.mark.parametrize("setup", [CHOOSING, DOUBLING, LAYING, LAST])
def test_these_are_valid(setup: Setup) -> None:
    assert isinstance(trix.validate(FIRST, setup), State)
    assert isinstance(trix.validate(STANDARD, QUEENS), State)


@pytest.mark.parametrize(
    ("phase", "changes", "wanted"),
    [
        (0, {}, ("phase", "VALUE_UNKNOWN")),
        (6, {}, ("phase", "VALUE_UNKNOWN")),
        (Phase.OVER, {}, ("phase", "PHASE_INCONSISTENT")),
        (Phase.DEAL, {}, ("hands", "FIELD_NOT_ALLOWED")),
        (Phase.DEAL, {}, ("to_act", "FIELD_NOT_ALLOWED")),
        (Phase.DOUBLE, {}, ("contract", "VALUE_UNKNOWN")),
        (Phase.DOUBLE, {"contract": S}, ("phase", "PHASE_INCONSISTENT")),
        (Phase.CONTRACT, {"contract": S}, ("contract", "FIELD_NOT_ALLOWED")),
        (Phase.CONTRACT, {"contract": 7}, ("contract", "FIELD_NOT_ALLOWED")),
        (Phase.PLAY, {"contract": 7}, ("contract", "VALUE_UNKNOWN")),
        (Phase.PLAY, {"contract": Contract.COMPLEX}, ("contract", "VALUE_UNKNOWN")),
        (Phase.CONTRACT, {"owner": None}, ("owner", "FIELD_MISSING")),
        (Phase.CONTRACT, {"owner": 4}, ("owner", "VALUE_OUT_OF_RANGE")),
        (Phase.CONTRACT, {"owner": -1}, ("owner", "VALUE_OUT_OF_RANGE")),
        (Phase.CONTRACT, {"owner": 1}, ("owner", "PHASE_INCONSISTENT")),
        (Phase.CONTRACT, {"to_act": None}, ("to_act", "FIELD_MISSING")),
        (Phase.CONTRACT, {"to_act": 9}, ("to_act", "VALUE_OUT_OF_RANGE")),
        (Phase.CONTRACT, {"to_act": 1}, ("to_act", "PHASE_INCONSISTENT")),
        (Phase.CONTRACT, {"trick": (1,)}, ("trick", "FIELD_NOT_ALLOWED")),
        (Phase.CONTRACT, {"layout": (1,)}, ("layout", "FIELD_NOT_ALLOWED")),
        (Phase.CONTRACT, {"out": (1,)}, ("out", "FIELD_NOT_ALLOWED")),
        (Phase.CONTRACT, {"doubled": (SeatCard(11, 0),)}, ("doubled", "FIELD_NOT_ALLOWED")),
        (Phase.CONTRACT, {"taken": ((1,), (), (), ())}, ("taken", "FIELD_NOT_ALLOWED")),
        (Phase.CONTRACT, {"taken": NONE[:3]}, ("taken", "COUNT_WRONG")),
        (Phase.CONTRACT, {"hands": NONE[:3]}, ("hands", "COUNT_WRONG")),
        (Phase.CONTRACT, {"hands": NONE}, ("hands", "CARD_MISSING")),
    ],
)
def test_a_field_at_odds_with_its_phase_is_named(
    phase: int, changes: dict[str, Any], wanted: tuple[str, str]
) -> None:
    assert wanted in faults(replace(CHOOSING, phase=phase, **changes))


def test_cards_are_each_exactly_once_somewhere() -> None:
    wild = hand(CHOOSING, 2, "2H3H4H5H6H7H8H9HTHJHQHKHKH")
    assert faults(wild) == {("hands[2].cards[12]", "DUPLICATE"), ("hands", "CARD_MISSING")}
    for number in (0, 53, -7, 10**30):
        hands = (*CHOOSING.hands[:3], (*CHOOSING.hands[3][:12], number))
        assert faults(replace(CHOOSING, hands=hands)) == {
            ("hands[3].cards[12]", "VALUE_UNKNOWN"),
            ("hands", "CARD_MISSING"),
        }


@pytest.mark.clause("T1.2")
def test_in_the_first_deal_the_owner_holds_the_seven_of_hearts() -> None:
    drawn = replace(CHOOSING, owner=0, to_act=0)
    assert faults(drawn, STANDARD) == {("owner", "PHASE_INCONSISTENT")}
    right = replace(CHOOSING, owner=2, to_act=2)
    assert isinstance(trix.validate(STANDARD, right), State)
    start = trix.setup(STANDARD, trix.initial(STANDARD))
    assert faults(replace(start, owner=1), STANDARD) == {("owner", "FIELD_NOT_ALLOWED")}


@pytest.mark.clause("T1.2")
def test_the_seven_of_hearts_is_found_on_the_table_and_in_the_piles() -> None:
    state = in_tricks(S, ("2C", "3C4C", "5C6C", "7C8C"), to_act=1, trick="7H")
    on_table = trix.setup(FIRST, state)
    assert isinstance(trix.validate(STANDARD, on_table), State)
    # In the pile of whoever leads, 4H 5H 6H 7H is a trick that the 7H took.
    for leader in (0, 1):
        state = in_tricks(S, ("2C", "3C", "4C", "5C"), to_act=leader)
        found = trix.validate(STANDARD, trix.setup(FIRST, state))
        assert isinstance(found, State) == (leader == state.owner)


@pytest.mark.clause("T4.5", "T9.6")
@pytest.mark.parametrize(
    ("line", "path"),
    [
        ((K, "", (-75, 0, 0, -75)), "sheet[0].points"),
        ((K, "", (-150, 75, 0, 0)), "sheet[0].points[0]"),
        ((K, "KH0", (-75, -75, 75, 0)), None),
        ((K, "KH0", (-150, 150, -75, 0)), "sheet[0].points[1]"),
        ((K, "KH0", (-50, -25, 0, 0)), "sheet[0].points[0]"),
        ((S, "", (-195, 0, 0, 0)), None),
        ((S, "", (-200, 5, 0, 0)), "sheet[0].points[1]"),
        ((S, "", (-180, 0, 0, 0)), "sheet[0].points"),
        ((Q, "QC1QS2", (-150, 25, 25, 0)), None),
        ((Q, "QC1", (-150, 25, 25, 0)), "sheet[0].points[0]"),
        ((4, "", (-125, -5, 0, 0)), "sheet[0].points[0]"),
        ((5, "", (200, 150, 100, 50)), None),
        ((5, "", (500, 0, 0, 0)), "sheet[0].points"),
        ((5, "", (200, 150, 100)), "sheet[0].points"),
        ((6, "", (-500, 0, 0, 0)), "sheet[0].contract"),
        ((0, "", (0, 0, 0, 0)), "sheet[0].contract"),
        ((S, "QC1", (-195, 0, 0, 0)), "sheet[0].doubled[0].card"),
        ((K, "QC1", (-75, 0, 0, 0)), "sheet[0].doubled[0].card"),
        ((Q, "QS1QC1", (-100, 0, 0, 0)), "sheet[0].doubled[1].card"),
    ],
)
def test_a_line_of_the_sheet_must_be_possible(
    line: tuple[int, str, tuple[int, ...]], path: str | None
) -> None:
    found = trix.validate(FIRST, over(lines(line)))
    if path is None:
        assert isinstance(found, State)
    else:
        assert not isinstance(found, State)
        assert path in [fault.path for fault in found]


@pytest.mark.clause("T1.1")
def test_no_contract_stands_twice_in_a_kingdom() -> None:
    slap = (S, "", (-195, 0, 0, 0))
    assert faults(over(lines(slap, slap))) == {("sheet[1].contract", "DUPLICATE")}
    playing = replace(LAYING, sheet=lines((5, "", (200, 150, 100, 50))))
    assert faults(playing) == {("contract", "DUPLICATE")}


def test_a_sheet_has_no_more_lines_than_deals() -> None:
    *_, last = random_game(FIRST, "long sheet")
    full = trix.setup(FIRST, last.after)
    longer = replace(full, sheet=full.sheet + full.sheet[:1])
    assert faults(longer) == {("sheet", "LENGTH_OUT_OF_RANGE")}
    assert faults(replace(full, phase=Phase.DEAL)) == {("phase", "PHASE_INCONSISTENT")}


@pytest.mark.clause("T4.1", "T4.2")
@pytest.mark.parametrize(
    ("doubled", "wanted"),
    [
        ("QC1", ("doubled[0].seat", "PHASE_INCONSISTENT")),
        ("QD1", ("doubled[0].seat", "PHASE_INCONSISTENT")),  # has not answered yet
        ("KH2", ("doubled[0].card", "CARD_NOT_DOUBLABLE")),
        ("QC0QC0", ("doubled[1].card", "CARDS_OUT_OF_ORDER")),
    ],
)
def test_doublings_are_by_the_holder_in_his_turn(doubled: str, wanted: tuple[str, str]) -> None:
    assert wanted in faults(replace(DOUBLING, doubled=doubled_cards(doubled)))


def test_doublings_are_of_known_cards_and_seats_and_only_where_allowed() -> None:
    wild = replace(DOUBLING, doubled=(SeatCard(99, 7), SeatCard(-3, -1)))
    assert faults(wild) >= {
        ("doubled[0].card", "CARD_NOT_DOUBLABLE"),
        ("doubled[0].seat", "VALUE_OUT_OF_RANGE"),
        ("doubled[1].card", "CARDS_OUT_OF_ORDER"),
        ("doubled[1].seat", "VALUE_OUT_OF_RANGE"),
    }
    off = replace(FIRST, doubling=Doubling.OFF)
    assert faults(DOUBLING, off) == {
        ("phase", "PHASE_INCONSISTENT"),
        ("doubled", "FIELD_NOT_ALLOWED"),
    }


@pytest.mark.clause("T4.1")
def test_a_doubled_card_that_was_played_was_played_by_its_doubler() -> None:
    assert QUEENS.doubled == doubled_cards("QC3QH1")
    for doubled in ("QC3QH2", "QC3QH0", "QC2QH1", "QC3QH1QS0"):
        assert {
            path for path, _ in faults(replace(QUEENS, doubled=doubled_cards(doubled)), STANDARD)
        }
    table = trix.setup(
        FIRST, in_tricks(K, ("2C", "3C4C", "5C6C", "7C8C"), to_act=1, trick="KH", doubled="KH0")
    )
    assert faults(replace(table, doubled=doubled_cards("KH2"))) == {
        ("doubled[0].seat", "PHASE_INCONSISTENT")
    }


@pytest.mark.clause("T2.1", "T2.3")
@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"to_act": 2}, "hands[1].cards"),
        ({"to_act": 3}, "hands[2].cards"),
        ({"trick": cards("8H")}, "hands[3].cards"),
        ({"trick": cards("8H6H5S7C")}, "trick"),
        ({"taken": (cards("4D"), cards("5DKD2D"), *QUEENS.taken[2:])}, "taken[0].cards"),
        ({"taken": (cards("8SQS2S3S"), *QUEENS.taken[1:3], ())}, "to_act"),
    ],
)
def test_sizes_turn_and_leader_fit(changes: dict[str, Any], path: str) -> None:
    assert path in {found for found, _ in faults(replace(QUEENS, **changes), STANDARD)}


@pytest.mark.clause("T2.1")
def test_the_owner_leads_the_first_trick() -> None:
    opened = trix.setup(FIRST, run(FIRST, dealt(rules=FIRST), "choose slaps")[0])
    assert faults(replace(opened, to_act=1)) == {("to_act", "PHASE_INCONSISTENT")}


@pytest.mark.clause("T2.2")
def test_a_card_on_the_table_that_did_not_follow_is_a_fault() -> None:
    revoke = replace(QUEENS, trick=cards("8H6S"))
    revoke = hand(revoke, 3, "KC9SQC7S6D6HJCJSTC")
    assert ("trick[1]", "MUST_FOLLOW_SUIT") in faults(revoke, STANDARD)


@pytest.mark.clause("T2.4")
def test_a_deal_in_which_nothing_is_left_is_over() -> None:
    done = trix.setup(FIRST, in_tricks(S, ("2C", "3C", "4C", "5C")))
    assert faults(replace(done, contract=K)) == {("phase", "PHASE_INCONSISTENT")}
    assert isinstance(
        trix.validate(replace(FIRST, play_out=True), replace(done, contract=K)), State
    )
    empty = replace(done, hands=NONE, taken=((*done.taken[0], *cards("2C3C4C5C")), (), (), ()))
    assert faults(empty) == {("phase", "PHASE_INCONSISTENT")}


@pytest.mark.clause("T5.2", "T5.4", "T5.5")
@pytest.mark.parametrize(
    ("setup", "changes", "wanted"),
    [
        (LAYING, {"to_act": 1}, ("to_act", "CARD_NOT_PLAYABLE")),
        (LAYING, {"out": (3,)}, ("out", "PHASE_INCONSISTENT")),
        (LAYING, {"out": (5,)}, ("out[0]", "VALUE_OUT_OF_RANGE")),
        (LAST, {"out": ()}, ("out", "PHASE_INCONSISTENT")),
        (LAST, {"out": (0, 0)}, ("out[1]", "DUPLICATE")),
        (LAST, {"out": (0, 1, 2)}, ("out", "LENGTH_OUT_OF_RANGE")),
        (LAST, {"to_act": 0}, ("to_act", "CARD_NOT_PLAYABLE")),
        (LAYING, {"layout": LAYING.layout[::-1]}, ("layout[1]", "CARDS_OUT_OF_ORDER")),
        (LAYING, {"layout": LAYING.layout[1:]}, ("hands", "CARD_MISSING")),
        (LAYING, {"layout": (99, *LAYING.layout)}, ("layout[0]", "VALUE_UNKNOWN")),
        (LAYING, {"trick": (1,)}, ("trick", "FIELD_NOT_ALLOWED")),
    ],
)
def test_layout_out_and_turn_fit(
    setup: Setup, changes: dict[str, Any], wanted: tuple[str, str]
) -> None:
    assert wanted in faults(replace(setup, **changes))


@pytest.mark.clause("T5.2")
def test_a_card_without_its_neighbour_is_no_layout() -> None:
    holed = replace(hand(LAYING, 0, "QCJC"), layout=tuple(sorted({*LAYING.layout, 9} - {10})))
    assert ("layout[0]", "CARD_NOT_PLAYABLE") in faults(holed)


@pytest.mark.clause("T5.3")
def test_the_first_jack_is_laid_by_the_first_seat_that_has_one() -> None:
    opened = trix.setup(FIRST, run(FIRST, dealt(rules=FIRST), "choose trix")[0])
    assert opened.to_act == 0
    assert faults(replace(opened, to_act=2)) == {("to_act", "PHASE_INCONSISTENT")}


def test_independent_faults_are_all_named_at_once() -> None:
    wild = replace(
        hand(QUEENS, 0, "5S7C3DTD4CJD5CTH"),
        sheet=lines((K, "", (-75, -75, 0, 0)), (9, "", (0, 0, 0))),
        contract=3,
        doubled=(SeatCard(11, 9),),
        out=(7,),
        layout=(60,),
    )
    assert faults(wild, STANDARD) == {
        ("sheet[0].points", "VALUE_OUT_OF_RANGE"),
        ("sheet[1].contract", "VALUE_UNKNOWN"),
        ("sheet[1].points", "COUNT_WRONG"),
        ("hands", "CARD_MISSING"),
        ("hands[0].cards", "COUNT_WRONG"),
        ("doubled[0].seat", "VALUE_OUT_OF_RANGE"),
        ("doubled[0].seat", "PHASE_INCONSISTENT"),
        ("out[0]", "VALUE_OUT_OF_RANGE"),
        ("out", "FIELD_NOT_ALLOWED"),
        ("layout[0]", "VALUE_UNKNOWN"),
        ("layout", "FIELD_NOT_ALLOWED"),
    }


INT = st.one_of(st.integers(-3, 60), st.integers(), st.sampled_from(range(1, 7)))
CARD = st.one_of(st.integers(1, 52), INT)
RUN = st.lists(CARD, max_size=15).map(tuple)
PILES = st.one_of(
    st.lists(RUN, min_size=4, max_size=4).map(tuple), st.lists(RUN, max_size=6).map(tuple)
)
SEAT = st.one_of(st.none(), st.integers(0, 3), INT)
DOUBLED = st.lists(st.builds(SeatCard, CARD, INT), max_size=6).map(tuple)
SHEET = st.lists(
    st.builds(SheetDeal, INT, DOUBLED, st.lists(INT, max_size=5).map(tuple)), max_size=22
).map(tuple)
SETUP = st.builds(
    Setup, INT, SHEET, SEAT, INT, SEAT, PILES, DOUBLED, RUN, PILES, RUN, st.lists(INT).map(tuple)
)
RULES = st.sampled_from(list(VARIANTS.values()))


@settings(max_examples=150, deadline=None)
@given(RULES, SETUP)
def test_no_setup_makes_validate_raise(rules: Rules, setup: Setup) -> None:
    found = trix.validate(rules, setup)
    if isinstance(found, State):
        assert trix.setup(rules, found) == setup


FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "phase": INT,
        "sheet": SHEET,
        "owner": SEAT,
        "contract": INT,
        "to_act": SEAT,
        "hands": PILES,
        "doubled": DOUBLED,
        "trick": RUN,
        "taken": PILES,
        "layout": RUN,
        "out": st.lists(INT).map(tuple),
    },
)


@settings(max_examples=150, deadline=None)
@given(RULES, st.integers(0, 10_000), FIELDS)
def test_a_spoiled_state_is_refused_or_can_be_played_on(
    rules: Rules, seed: int, changes: dict[str, Any]
) -> None:
    steps = list(random_game(rules, "spoiled"))
    state = steps[seed % len(steps)].after
    found = trix.validate(rules, replace(trix.setup(rules, state), **changes))
    if not isinstance(found, State):
        assert found
        return
    rng = Random(seed)
    while trix.chance_due(rules, found) is None and trix.outcome(rules, found) is None:
        found, _ = trix.apply(rules, found, rng.choice(trix.legal_moves(rules, found)))
