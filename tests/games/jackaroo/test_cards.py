"""Sections 5 to 7: each card under both rule sets, what a move names, the partner's help."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from hakam.games import jackaroo
from hakam.games.cards import JOKER, NAMES, read_card, read_cards
from hakam.games.game import GameOver, Violation
from hakam.games.jackaroo.events import (
    BroughtOut,
    BurnAsked,
    Burnt,
    Captured,
    CardLost,
    EnteredGoal,
    Moved,
    Played,
    SeatHome,
    Skipped,
    Swapped,
)
from hakam.games.jackaroo.moves import Burn, Hit
from hakam.games.jackaroo.powers import powers
from hakam.games.jackaroo.rules import Jack, Joker, Queen, Rules, Ten, with_options
from hakam.games.jackaroo.state import Phase, State
from hakam.games.reasons import Reason

Lay = Callable[..., State]
KAROTI = with_options("karoti", {})
BORDAGA = with_options("bordaga", {})
SIX = with_options("bordaga", {"seats": 6})
BOTH = pytest.mark.parametrize("rules", [KAROTI, BORDAGA], ids=["karoti", "bordaga"])
HOME = {(0, m): 76 + m for m in range(4)}


def legal(rules: Rules, state: State, card: str = "") -> set[str]:
    """The legal moves, or those of one card."""
    written = {jackaroo.write_move(rules, move) for move in jackaroo.legal_moves(rules, state)}
    return {text for text in written if text.startswith(card)}


def refused(rules: Rules, state: State, text: str) -> Violation:
    move = jackaroo.read_move(rules, text)
    refusal = jackaroo.violation(rules, state, move)
    assert refusal is not None
    assert move not in jackaroo.legal_moves(rules, state)
    return refusal


def done(rules: Rules, state: State, text: str) -> tuple[State, tuple[object, ...]]:
    move = jackaroo.read_move(rules, text)
    assert jackaroo.violation(rules, state, move) is None
    assert move in jackaroo.legal_moves(rules, state)
    return jackaroo.apply(rules, state, move)


def captures(events: tuple[object, ...]) -> list[tuple[int, int]]:
    return [(e.seat, e.marble) for e in events if isinstance(e, Captured)]


@pytest.mark.clause("J5.A")
@BOTH
def test_ace(lay: Lay, rules: Rules) -> None:
    state = lay(rules, {(0, 0): 20}, ["AC"])
    assert legal(rules, state) == {"AC out", "AC 0.0+1", "AC 0.0+11"}


@pytest.mark.clause("J5.2")
@BOTH
def test_the_plain_cards(lay: Lay, rules: Rules) -> None:
    state = lay(rules, {(0, 0): 20}, ["2C3C6C8C9C"])
    assert legal(rules, state) == {f"{n}C 0.0+{n}" for n in (2, 3, 6, 8, 9)}


@pytest.mark.clause("J5.4")
@BOTH
def test_four_goes_back_with_an_own_marble_on_the_track(lay: Lay, rules: Rules) -> None:
    state = lay(rules, {(0, 0): 0, (0, 1): 79, (1, 0): 40, (2, 0): 60}, ["4C"])
    assert legal(rules, state) == {"4C 0.0-4"}


@pytest.mark.clause("J5.5", "J5.5b")
@BOTH
def test_five_moves_anybodys_marble_on_the_track(lay: Lay, rules: Rules) -> None:
    state = lay(rules, {(0, 0): 5, (1, 1): 25, (2, 2): 42, (3, 3): 60, (3, 1): 88}, ["5C"])
    expected = {"5C 0.0+5", "5C 1.1+5", "5C 2.2+5", "5C 3.3+5"}
    assert legal(rules, state) == expected
    in_goal = refused(rules, state, "5C 3.1+5")
    assert in_goal == Violation(Reason.MARBLE_NOT_ON_TRACK, "J5.5", 3, 1, 88)
    in_base = refused(rules, state, "5C 2.0+5")
    assert in_base == Violation(Reason.MARBLE_IN_BASE, "J5.5", 2, 0, 100)


@pytest.mark.clause("J5.5")
@BOTH
def test_five_passes_and_captures_own_marbles(lay: Lay, rules: Rules) -> None:
    state = lay(rules, {(0, 0): 20, (0, 1): 23, (0, 2): 25}, ["5C"])
    after, events = done(rules, state, "5C 0.0+5")
    assert captures(events) == [(0, 2)]
    assert after.marbles[:4] == (25, 23, 94, 95)


@pytest.mark.clause("J5.5", "J4.1")
@BOTH
@pytest.mark.parametrize("place", [52, 54, 71, 75])
def test_five_neither_passes_nor_lands_on_a_protected_marble(
    lay: Lay, rules: Rules, place: int
) -> None:
    # An opponent's marble before seat 1's start, or before the player's own.
    start, seat = (57, 1) if place < 57 else (0, 0)
    state = lay(rules, {(3, 0): place, (seat, 1): start}, ["5C2C"])
    refusal = refused(rules, state, "5C 3.0+5")
    assert refusal == Violation(Reason.PROTECTED_MARBLE_BLOCKS, "J5.5", seat, 1, start)


@pytest.mark.clause("J5.5", "J5.5b")
@BOTH
def test_a_pushed_opponent_runs_past_its_entrance(lay: Lay, rules: Rules) -> None:
    state = lay(rules, {(1, 0): 54, (3, 1): 55}, ["5C"])
    after, events = done(rules, state, "5C 1.0+5")
    assert events[1] == Moved(1, 0, 54, (55, 56, 57, 58, 59))
    assert after.marbles[4] == 59


@pytest.mark.clause("J5.5")
@BOTH
def test_five_takes_the_team_into_the_goal_as_an_ordinary_move(lay: Lay, rules: Rules) -> None:
    _, events = done(rules, lay(rules, {(2, 0): 33}, ["5C"]), "5C 2.0+5")
    assert EnteredGoal(2, 0, 85) in events
    _, events = done(rules, lay(rules, {(0, 0): 71, (0, 1): 74}, ["5C"]), "5C 0.0+5")
    assert EnteredGoal(0, 0, 77) in events
    barred = refused(rules, lay(rules, {(2, 0): 33, (1, 0): 36}, ["5C"]), "5C 2.0+5")
    assert barred == Violation(Reason.ENTRANCE_BARRED, "J3.8", 1, 0, 36)
    past = refused(rules, lay(rules, {(2, 0): 36, (0, 0): 5}, ["5C"]), "5C 2.0+5")
    assert past == Violation(Reason.GOAL_OVERSHOT, "J3.2", 2, 0, 87)
    blocked = refused(rules, lay(rules, {(2, 0): 33, (2, 1): 84}, ["5C"]), "5C 2.0+5")
    assert blocked == Violation(Reason.GOAL_BLOCKED, "J3.4", 2, 1, 84)


@pytest.mark.clause("J5.5b")
def test_with_six_seats_only_the_partner_enters(lay: Lay) -> None:
    state = lay(SIX, {(3, 0): 53, (2, 0): 72}, ["5C"])
    after, _ = done(SIX, state, "5C 3.0+5")
    assert after.marbles[12] == 114 + 12 + 2
    after, _ = done(SIX, state, "5C 2.0+5")
    assert after.marbles[8] == 77


@pytest.mark.clause("J5.7")
@BOTH
def test_seven_whole_or_split_in_both_orders(lay: Lay, rules: Rules) -> None:
    state = lay(rules, {(0, 0): 20, (0, 1): 40}, ["7C"])
    splits = {f"7C 0.{i}+{a} 0.{1 - i}+{7 - a}" for i in (0, 1) for a in range(1, 7)}
    assert legal(rules, state) == splits | {"7C 0.0+7", "7C 0.1+7"}
    after, events = done(rules, state, "7C 0.1+3 0.0+4")
    assert after.marbles[:2] == (24, 43)
    assert [e.marble for e in events if isinstance(e, Moved)] == [1, 0]


@pytest.mark.clause("J5.7")
@BOTH
def test_the_second_part_is_judged_on_the_board_after_the_first(lay: Lay, rules: Rules) -> None:
    # 0.1 stands 2 before 0.0, and can take 4 steps only once 0.0 has gone on by 3.
    state = lay(rules, {(0, 0): 22, (0, 1): 20}, ["7C"])
    assert "7C 0.0+3 0.1+4" in legal(rules, state)
    refusal = refused(rules, state, "7C 0.1+4 0.0+3")
    assert refusal == Violation(Reason.OWN_MARBLE_BLOCKS, "J3.5", 0, 0, 22)
    # And what was free before is blocked by where the first part ended.
    state = lay(rules, {(0, 0): 20, (0, 1): 22}, ["7C"])
    blocked = refused(rules, state, "7C 0.1+2 0.0+5")
    assert blocked == Violation(Reason.OWN_MARBLE_BLOCKS, "J3.5", 0, 1, 24)


@pytest.mark.clause("J5.7")
@BOTH
def test_both_parts_may_capture(lay: Lay, rules: Rules) -> None:
    state = lay(rules, {(0, 0): 20, (0, 1): 40, (1, 0): 23, (2, 0): 44}, ["7C"])
    _, events = done(rules, state, "7C 0.0+3 0.1+4")
    assert captures(events) == [(1, 0), (2, 0)]


@pytest.mark.clause("J5.7", "J7.2")
@BOTH
def test_the_rest_goes_to_the_partner_when_the_first_part_brings_one_home(
    lay: Lay, rules: Rules
) -> None:
    marbles = {(0, 0): 72, (0, 1): 77, (0, 2): 78, (0, 3): 79, (2, 0): 60, (2, 1): 84}
    state = lay(rules, marbles, ["7C", "4C"])
    assert legal(rules, state) == {"7C 0.0+3 2.0+4"}
    own = refused(rules, state, "7C 0.0+3 0.1+4")
    assert own == Violation(Reason.NOT_YOUR_MARBLE, "J5.7", 0, 1, 77)
    overshot = refused(rules, state, "7C 0.0+3 2.1+4")
    assert (overshot.reason, overshot.clause) == (Reason.GOAL_OVERSHOT, "J3.2")
    after, events = done(rules, state, "7C 0.0+3 2.0+4")
    assert [type(e) for e in events] == [Played, Moved, EnteredGoal, SeatHome, Moved]
    assert after.marbles[8] == 64


@pytest.mark.clause("J5.7", "J1.9")
@BOTH
def test_a_seven_that_cannot_be_used_up_is_illegal_even_if_it_would_win(
    lay: Lay, rules: Rules
) -> None:
    marbles = {(0, 0): 72, (0, 1): 77, (0, 2): 78, (0, 3): 79}
    marbles |= {(2, m): 84 + m for m in range(4)}
    state = lay(rules, marbles, ["7C", "4C"])
    assert legal(rules, state) == {"7C burn"}
    none = refused(rules, state, "7C 0.0+3 2.0+4")
    assert (none.reason, none.cell) == (Reason.GOAL_BLOCKED, 85)
    # The partner has none out either.
    marbles = {(0, 0): 72, (0, 1): 77, (0, 2): 78, (0, 3): 79}
    refusal = refused(rules, lay(rules, marbles, ["7C", "4C"]), "7C 0.0+3 2.0+4")
    assert refusal == Violation(Reason.MARBLE_IN_BASE, "J3.1", 2, 0, 100)


@pytest.mark.clause("J5.7")
@BOTH
def test_what_a_split_may_not_be(lay: Lay, rules: Rules) -> None:
    state = lay(rules, {(0, 0): 20, (0, 1): 40, (2, 0): 60}, ["7C6C"])
    for text in ("7C 0.0+7 0.1+0", "7C 0.0+0 0.1+7", "7C 0.0+4 0.1+4", "7C 0.0-1 0.1+8"):
        refusal = refused(rules, state, text)
        assert (refusal.reason, refusal.clause) == (Reason.SPLIT_NOT_SEVEN, "J5.7")
    same = refused(rules, state, "7C 0.0+3 0.0+4")
    assert same == Violation(Reason.SAME_MARBLE_TWICE, "J5.7", 0, 0, 20)
    assert refused(rules, state, "7C 2.0+3 0.0+4").reason is Reason.NOT_YOUR_MARBLE
    assert refused(rules, state, "7C 0.0+3 2.0+4").reason is Reason.NOT_YOUR_MARBLE
    assert refused(rules, state, "6C 0.0+3 0.1+3").reason is Reason.ACTION_NOT_ON_CARD


@pytest.mark.clause("J5.10", "J6.1")
def test_karoti_ten_hits_a_card_picked_blind(lay: Lay) -> None:
    state = lay(KAROTI, {(0, 0): 20}, ["TC2C", "2H3H8H"])
    expected = {"TC 0.0+10", "TC hit 0", "TC hit 1", "TC hit 2"}
    assert legal(KAROTI, state, "TC") == expected
    after, events = done(KAROTI, state, "TC hit 1")
    lost = CardLost(1, 1, read_card("3H"))
    assert events == (Played(0, read_card("TC"), 0), lost, Skipped(1))
    assert after.hands[1] == read_cards("2H8H")
    assert after.discard[-2:] == read_cards("TC3H")
    assert after.to_act == 2
    for text in ("TC hit", "TC hit 3", "TC hit -1"):
        refusal = refused(KAROTI, state, text)
        assert (refusal.reason, refusal.clause) == (Reason.POSITION_NOT_IN_HAND, "J6.1")


@pytest.mark.clause("J5.10", "J6.1")
def test_bordaga_ten_asks_the_next_seat_for_a_card_of_its_choice(lay: Lay) -> None:
    state = lay(BORDAGA, {(0, 0): 20}, ["TC2C", "2H7H8H"])
    assert legal(BORDAGA, state, "TC") == {"TC 0.0+10", "TC hit"}
    wanted = refused(BORDAGA, state, "TC hit 0")
    assert (wanted.reason, wanted.clause) == (Reason.POSITION_NOT_WANTED, "J5.10")
    asked, events = done(BORDAGA, state, "TC hit")
    assert events == (Played(0, read_card("TC"), 0), BurnAsked(1))
    assert (asked.phase, asked.to_act) == (Phase.ANSWER, 1)
    # Any card, special or not.
    assert jackaroo.legal_moves(BORDAGA, asked) == tuple(Burn(c) for c in read_cards("2H7H8H"))
    other = refused(BORDAGA, asked, "2H 1.0+2")
    assert (other.reason, other.clause, other.seat) == (Reason.WRONG_PHASE, "J5.10", 1)
    assert refused(BORDAGA, asked, "2C burn").reason is Reason.CARD_NOT_IN_HAND
    after, events = done(BORDAGA, asked, "2H burn")
    assert events == (Burnt(1, read_card("2H")),)
    assert after.discard[-2:] == read_cards("TC2H")
    assert (after.phase, after.to_act) == (Phase.PLAY, 2)


@pytest.mark.clause("J5.10", "J2.6")
def test_an_only_answer_is_asked_for(lay: Lay) -> None:
    asked, _ = done(BORDAGA, lay(BORDAGA, {}, ["TC2C", "2H", "3H", "4H"]), "TC hit")
    assert (asked.phase, asked.to_act) == (Phase.ANSWER, 1)
    assert legal(BORDAGA, asked) == {"2H burn"}
    after, _ = done(BORDAGA, asked, "2H burn")
    assert after.to_act == 2


@pytest.mark.clause("J5.10", "J5.Q")
@BOTH
def test_nothing_is_hit_or_taken_from_an_empty_hand(lay: Lay, rules: Rules) -> None:
    taking = replace(rules, queen=Queen.TAKE)
    state = lay(taking, {(0, 0): 20}, ["TCQD", "", "3H"])
    assert legal(taking, state) == {"TC 0.0+10", "QD 0.0+12"}
    position = " 0" if taking.ten == Ten.SKIP_BLIND else ""
    for text, clause in ((f"TC hit{position}", "J5.10"), ("QD take 0", "J5.Q")):
        refusal = refused(taking, state, text)
        assert refusal == Violation(Reason.NEXT_HAND_EMPTY, clause, seat=1)


@pytest.mark.clause("J5.10")
def test_with_six_the_seat_after_the_last_is_the_first(lay: Lay) -> None:
    state = lay(SIX, {}, ["2H", "3H", "4H", "5H", "6H", "TC2C"], to_act=5)
    asked, _ = done(SIX, state, "TC hit")
    assert (asked.phase, asked.to_act) == (Phase.ANSWER, 0)


@pytest.mark.clause("J5.J")
def test_karoti_jack_swaps_an_own_with_anothers(lay: Lay) -> None:
    marbles = {(0, 0): 20, (0, 1): 30, (0, 2): 76, (1, 0): 40, (2, 0): 50, (3, 0): 60}
    state = lay(KAROTI, marbles, ["JDJC"])
    expected = {f"JD 0.{i}~{s}.0" for i in (0, 1) for s in (1, 2, 3)}
    assert legal(KAROTI, state, "JD") == expected
    after, events = done(KAROTI, state, "JD 0.0~2.0")
    assert events == (Played(0, read_card("JD"), 0), Swapped(0, 0, 50, 2, 0, 20))
    assert (after.marbles[0], after.marbles[8]) == (50, 20)
    assert after.hands[0] == read_cards("JC")


@pytest.mark.clause("J5.J")
def test_what_a_karoti_jack_does_not_swap(lay: Lay) -> None:
    marbles = {(0, 0): 20, (0, 1): 0, (0, 2): 76, (1, 0): 57, (1, 1): 80, (2, 0): 50, (3, 1): 61}
    state = lay(KAROTI, marbles, ["JC"])
    cases = {
        "JC 0.0~0.1": (Reason.SWAP_NOT_ALLOWED, "J5.J"),
        "JC 0.0~1.0": (Reason.MARBLE_PROTECTED, "J4.1"),
        "JC 0.1~2.0": (Reason.MARBLE_PROTECTED, "J4.1"),
        "JC 0.0~1.1": (Reason.MARBLE_NOT_ON_TRACK, "J5.J"),
        "JC 0.2~2.0": (Reason.MARBLE_NOT_ON_TRACK, "J5.J"),
        "JC 0.0~1.2": (Reason.MARBLE_IN_BASE, "J5.J"),
        "JC 0.3~2.0": (Reason.MARBLE_IN_BASE, "J5.J"),
        "JC 2.0~3.1": (Reason.NOT_YOUR_MARBLE, "J5.J"),
        "JC 2.0~0.0": (Reason.NOT_YOUR_MARBLE, "J5.J"),
        "JC 0.0+11": (Reason.ACTION_NOT_ON_CARD, "J5.J"),
        "JC out": (Reason.ACTION_NOT_ON_CARD, "J5.O"),
    }
    found = {text: refused(KAROTI, state, text) for text in cases}
    assert {text: (v.reason, v.clause) for text, v in found.items()} == cases
    assert legal(KAROTI, state) == {"JC 0.0~2.0", "JC 0.0~3.1"}


@pytest.mark.clause("J5.Jb", "J6.1")
def test_bordaga_black_jack_swaps_any_two_seats_marbles_named_once(lay: Lay) -> None:
    state = lay(BORDAGA, {(0, 0): 20, (1, 0): 40, (1, 1): 41, (3, 0): 60}, ["JS"])
    expected = {"JS 0.0~1.0", "JS 0.0~1.1", "JS 0.0~3.0", "JS 1.0~3.0", "JS 1.1~3.0"}
    assert legal(BORDAGA, state) == expected
    for text in ("JS 3.0~1.0", "JS 1.0~1.1", "JS 1.0~1.0"):
        refusal = refused(BORDAGA, state, text)
        assert (refusal.reason, refusal.clause) == (Reason.SWAP_NOT_ALLOWED, "J5.Jb")
    assert refused(BORDAGA, state, "JS 0.0+11").clause == "J5.Jb"
    # A foreign marble may arrive on its own start, and be protected there.
    state = lay(BORDAGA, {(1, 0): 40, (2, 0): 57}, ["JS"])
    after, _ = done(BORDAGA, state, "JS 1.0~2.0")
    assert (after.marbles[4], after.marbles[8]) == (57, 40)


@pytest.mark.clause("J5.Jb")
def test_bordaga_red_jack_steps_eleven(lay: Lay) -> None:
    state = lay(BORDAGA, {(0, 0): 20, (1, 0): 40}, ["JD"])
    assert legal(BORDAGA, state) == {"JD 0.0+11"}
    assert refused(BORDAGA, state, "JD 0.0~1.0").reason is Reason.ACTION_NOT_ON_CARD


@pytest.mark.clause("J5.Q")
def test_queens_step_twelve_and_only_red_ones_take_by_option(lay: Lay) -> None:
    marbles = {(0, 0): 20}
    hands = ["QDQC", "2H3H"]
    assert legal(KAROTI, lay(KAROTI, marbles, hands)) == {"QD 0.0+12", "QC 0.0+12"}
    state = lay(BORDAGA, marbles, hands)
    assert legal(BORDAGA, state) == {"QD 0.0+12", "QC 0.0+12", "QD take 0", "QD take 1"}
    black = refused(BORDAGA, state, "QC take 0")
    assert (black.reason, black.clause) == (Reason.ACTION_NOT_ON_CARD, "J5.Q")
    out = refused(BORDAGA, state, "QD take 2")
    assert (out.reason, out.clause) == (Reason.POSITION_NOT_IN_HAND, "J6.1")


@pytest.mark.clause("J5.Q")
def test_a_take_burns_a_card_and_leaves_the_turn(lay: Lay) -> None:
    state = lay(BORDAGA, {}, ["QD2C", "2H3H"])
    after, events = done(BORDAGA, state, "QD take 0")
    assert events == (Played(0, read_card("QD"), 0), CardLost(1, 0, read_card("2H")))
    assert after.discard[-2:] == read_cards("QD2H")
    assert after.to_act == 1
    rules = replace(BORDAGA, queen=Queen.TAKE_AND_SKIP)
    after, events = done(rules, lay(rules, {}, ["QD2C", "2H3H"]), "QD take 0")
    assert events[-1] == Skipped(1)
    assert after.to_act == 2


@pytest.mark.clause("J5.K")
@BOTH
def test_king_sweeps_friend_and_foe_and_its_own(lay: Lay, rules: Rules) -> None:
    marbles = {(0, 0): 20, (0, 1): 23, (1, 0): 25, (2, 0): 27, (3, 3): 30, (1, 1): 33, (1, 2): 34}
    state = lay(rules, marbles, ["KC"])
    after, events = done(rules, state, "KC 0.0+13")
    assert captures(events) == [(0, 1), (1, 0), (2, 0), (3, 3), (1, 1)]
    assert [after.marbles[i] for i in (0, 1, 4, 8, 15, 5, 6)] == [33, 93, 96, 100, 107, 97, 34]
    assert events[1] == Moved(0, 0, 20, tuple(range(21, 34)))


@pytest.mark.clause("J5.K", "J4.1")
@BOTH
@pytest.mark.parametrize(("seat", "place"), [(3, 10), (3, 6), (2, 30), (1, 50)])
def test_only_another_seats_protected_marble_stops_a_king(
    lay: Lay, rules: Rules, seat: int, place: int
) -> None:
    start = (0, 57, 38, 19)[seat]
    state = lay(rules, {(0, 0): place, (seat, 0): start, (1, 3): place + 1}, ["KC"])
    refusal = refused(rules, state, "KC 0.0+13")
    assert refusal == Violation(Reason.PROTECTED_MARBLE_BLOCKS, "J5.K", seat, 0, start)


@pytest.mark.clause("J5.K", "J3.8")
@BOTH
def test_king_sweeps_the_entrance_and_enters(lay: Lay, rules: Rules) -> None:
    state = lay(rules, {(0, 0): 63, (1, 0): 74, (0, 1): 70}, ["KC"])
    after, events = done(rules, state, "KC 0.0+13")
    assert captures(events) == [(0, 1), (1, 0)]
    assert after.marbles[0] == 77


@pytest.mark.clause("J5.K", "J3.4")
@BOTH
def test_king_sweeps_nothing_in_the_goal(lay: Lay, rules: Rules) -> None:
    for cell in (76, 77):
        state = lay(rules, {(0, 0): 63, (0, 1): cell, (0, 2): 79}, ["KC2C"])
        refusal = refused(rules, state, "KC 0.0+13")
        assert refusal == Violation(Reason.GOAL_BLOCKED, "J3.4", 0, 1, cell)
    state = lay(rules, {(0, 0): 66, (0, 2): 10}, ["KC"])
    assert refused(rules, state, "KC 0.0+13").reason is Reason.GOAL_OVERSHOT


@pytest.mark.clause("J5.O")
@BOTH
def test_bringing_out_takes_the_lowest_marble_and_captures_anybody(lay: Lay, rules: Rules) -> None:
    for card in ("AC", "KC"):
        for other in (1, 2, 3):
            state = lay(rules, {(0, 0): 79, (other, 2): 0}, [card])
            after, events = done(rules, state, f"{card} out")
            assert events[1] == BroughtOut(0, 1, 93, 0)
            assert captures(events) == [(other, 2)]
            assert after.marbles[1] == 0


@pytest.mark.clause("J5.O")
@BOTH
def test_when_nothing_is_brought_out(lay: Lay, rules: Rules) -> None:
    own = refused(rules, lay(rules, {(0, 1): 0}, ["AC"]), "AC out")
    assert own == Violation(Reason.OWN_MARBLE_ON_START, "J5.O", 0, 1, 0)
    marbles = {(0, 0): 20, (0, 1): 79, (0, 2): 78, (0, 3): 30}
    none = refused(rules, lay(rules, marbles, ["KC"]), "KC out")
    assert none == Violation(Reason.NO_MARBLE_IN_BASE, "J5.O", seat=0)
    for card in ("5C", "TC", "2C", "QC"):
        refusal = refused(rules, lay(rules, {}, [card]), f"{card} out")
        assert (refusal.reason, refusal.clause) == (Reason.ACTION_NOT_ON_CARD, "J5.O")


@pytest.mark.clause("J5.O", "J9.1")
@BOTH
def test_exit_with_jack_is_an_option_beside_its_other_use(lay: Lay, rules: Rules) -> None:
    on = replace(rules, exit_with_jack=True)
    marbles = {(0, 0): 20, (1, 0): 40}
    red = "JD 0.0+11" if rules is BORDAGA else "JD 0.0~1.0"
    for option, extra in ((rules, set()), (on, {"JC out", "JD out"})):
        state = lay(option, marbles, ["JCJD"])
        assert legal(option, state) == {"JC 0.0~1.0", red} | extra


@pytest.mark.clause("J5.X")
def test_the_joker_replaces_the_two_of_clubs_in_either_rule_set() -> None:
    for rules in (KAROTI, BORDAGA, SIX):
        wild = replace(rules, joker=Joker.WILD, dealer=0)
        assert jackaroo.rules_faults(wild) == ()
        due = jackaroo.chance_due(wild, jackaroo.initial(wild))
        assert due is not None
        assert len(due.deck) == 52
        assert JOKER in due.deck
        assert read_card("2C") not in due.deck


@pytest.mark.clause("J5.X")
def test_faces_with_the_same_powers_are_one() -> None:
    def faces(rules: Rules) -> str:
        return " ".join(NAMES[face] for face in powers(rules).faces)

    plain = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
    assert faces(KAROTI) == plain
    assert faces(BORDAGA) == plain.replace("JC QC", "JC JD QC QD")
    assert faces(replace(BORDAGA, queen=Queen.PLAIN)) == plain.replace("JC", "JC JD")
    assert faces(replace(BORDAGA, jack=Jack.SWAP_OWN)) == plain.replace("QC", "QC QD")
    assert faces(replace(KAROTI, exit_with_jack=True)) == plain


@pytest.mark.clause("J5.X", "J6.1")
def test_a_joker_is_played_as_any_card(lay: Lay) -> None:
    wild = replace(KAROTI, joker=Joker.WILD)
    state = lay(wild, {(0, 0): 20, (1, 0): 40}, ["XX3C", "2H3H"])
    moves = legal(wild, state)
    assert {"XX=AC out", "XX=KC out", "XX=2C 0.0+2", "XX=4C 0.0-4", "XX=5C 1.0+5"} <= moves
    assert {"XX=JC 0.0~1.0", "XX=TC hit 1", "XX=KC 0.0+13", "XX=7C 0.0+7"} <= moves
    after, events = done(wild, state, "XX=KC out")
    assert events[0] == Played(0, JOKER, read_card("KC"))
    assert after.discard[-1] == JOKER
    assert after.hands[0] == read_cards("3C")


@pytest.mark.clause("J5.X")
def test_a_joker_played_as_a_ten_is_answered(lay: Lay) -> None:
    wild = replace(BORDAGA, joker=Joker.WILD)
    asked, _ = done(wild, lay(wild, {}, ["XX3C", "2H3H"]), "XX=TC hit")
    assert asked.phase is Phase.ANSWER
    assert jackaroo.validate(wild, jackaroo.setup(wild, asked)) == asked


@pytest.mark.clause("J5.X")
def test_the_face_must_be_said_in_its_own_name_and_for_a_joker_only(lay: Lay) -> None:
    wild = replace(BORDAGA, joker=Joker.WILD)
    state = lay(wild, {(0, 0): 20}, ["XX3C", "2H"])
    cases = {
        "XX 0.0+3": (Reason.JOKER_FACE_MISSING, JOKER),
        "XX=3H 0.0+3": (Reason.JOKER_FACE_NOT_ALLOWED, read_card("3C")),
        "XX=JH 0.0+11": (Reason.JOKER_FACE_NOT_ALLOWED, read_card("JD")),
        "XX=XX 0.0+3": (Reason.JOKER_FACE_NOT_ALLOWED, None),
        "3C=3C 0.0+3": (Reason.JOKER_FACE_NOT_ALLOWED, None),
        "XX=3C burn": (Reason.JOKER_FACE_NOT_ALLOWED, None),
    }
    for text, (reason, card) in cases.items():
        refusal = refused(wild, state, text)
        assert (refusal.reason, refusal.clause, refusal.card) == (reason, "J5.X", card)
    asked = lay(wild, {}, ["3D", "XX3C"], to_act=1, phase=Phase.ANSWER, last="TC")
    assert legal(wild, asked) == {"XX burn", "3C burn"}
    assert refused(wild, asked, "XX=3C burn").clause == "J5.X"


@pytest.mark.clause("J6.1")
@BOTH
def test_a_marble_and_a_card_are_named_or_refused(lay: Lay, rules: Rules) -> None:
    state = lay(rules, {(0, 0): 20, (1, 0): 30}, ["2CAC", "3H"])
    cases = {
        "3C 0.0+3": (Reason.CARD_NOT_IN_HAND, "J2.5"),
        "2C 0.0+3": (Reason.STEPS_NOT_ON_CARD, "J5.2"),
        "AC 0.0+2": (Reason.STEPS_NOT_ON_CARD, "J5.A"),
        "2C 0.0-2": (Reason.STEPS_NOT_ON_CARD, "J5.2"),
        "2C 1.0+2": (Reason.NOT_YOUR_MARBLE, "J7.2"),
        "2C 0.1+2": (Reason.MARBLE_IN_BASE, "J3.1"),
        "2C 4.0+2": (Reason.NO_SUCH_MARBLE, "J1.3"),
        "2C 0.4+2": (Reason.NO_SUCH_MARBLE, "J1.3"),
        "2C 0.-1+2": (Reason.NO_SUCH_MARBLE, "J1.3"),
        "2C hit": (Reason.ACTION_NOT_ON_CARD, "J5.2"),
        "2C take 0": (Reason.ACTION_NOT_ON_CARD, "J5.2"),
        "2C 0.0~1.0": (Reason.ACTION_NOT_ON_CARD, "J5.2"),
    }
    found = {text: refused(rules, state, text) for text in cases}
    assert {text: (v.reason, v.clause) for text, v in found.items()} == cases


@pytest.mark.clause("J6.1")
def test_every_legal_move_is_listed_once(lay: Lay) -> None:
    state = lay(BORDAGA, {(0, 0): 20, (0, 1): 22, (1, 0): 30}, ["7CJSAC5CTCQD", "2H3H"])
    moves = jackaroo.legal_moves(BORDAGA, state)
    assert len(set(moves)) == len(moves)
    assert Hit(read_card("TC")) in moves


@pytest.mark.clause("J7.1", "J7.2")
@BOTH
def test_a_seat_at_home_plays_for_its_partner(lay: Lay, rules: Rules) -> None:
    marbles = HOME | {(2, 0): 72, (1, 0): 20}
    state = lay(rules, marbles, ["AC3C4C6CKC", "2H"])
    expected = {"AC out", "AC 2.0+1", "AC 2.0+11", "3C 2.0+3", "4C 2.0-4", "6C 2.0+6"}
    assert legal(rules, state) == expected | {"KC out", "KC 2.0+13"}
    after, events = done(rules, state, "AC out")
    assert events[1] == BroughtOut(2, 1, 101, 38)
    # The start, entrance and goal of the helper mean nothing to the partner's marble.
    after, _ = done(rules, state, "6C 2.0+6")
    assert after.marbles[8] == 2
    after, _ = done(rules, lay(rules, HOME | {(2, 0): 34}, ["3C"]), "3C 2.0+3")
    assert after.marbles[8] == 84


@pytest.mark.clause("J7.2", "J4.2", "J5.5", "J3.5")
@BOTH
def test_own_means_the_partners_for_a_helper(lay: Lay, rules: Rules) -> None:
    state = lay(rules, HOME | {(2, 0): 38, (2, 1): 40, (1, 0): 10}, ["5C2C"])
    assert "5C 2.0+5" in legal(rules, state)
    blocked = refused(rules, state, "2C 2.0+2")
    assert blocked == Violation(Reason.OWN_MARBLE_BLOCKS, "J3.5", 2, 1, 40)
    foreign = refused(rules, state, "2C 1.0+2")
    assert foreign == Violation(Reason.NOT_YOUR_MARBLE, "J7.2", 1, 0, 10)
    swapping = lay(KAROTI, HOME | {(2, 0): 40, (1, 0): 10}, ["JC"])
    assert legal(KAROTI, swapping) == {"JC 2.0~1.0"}


@pytest.mark.clause("J7.1", "J1.9")
@BOTH
def test_a_helper_can_win_for_the_team(lay: Lay, rules: Rules) -> None:
    marbles = HOME | {(2, 0): 34, (2, 1): 85, (2, 2): 86, (2, 3): 87}
    _, events = done(rules, lay(rules, marbles, ["3C2C"]), "3C 2.0+3")
    assert isinstance(events[-1], GameOver)
    assert events[-1].outcome.winners == (0, 2)


@pytest.mark.clause("J7.3")
def test_a_helper_must_play_and_burn_like_anybody(lay: Lay) -> None:
    state = lay(BORDAGA, HOME, ["2C7C", "2H"])
    assert legal(BORDAGA, state) == {"7C burn"}
    state = lay(BORDAGA, HOME | {(2, 0): 40}, ["2C7C", "2H"])
    assert refused(BORDAGA, state, "7C burn").reason is Reason.BURN_NOT_ALLOWED


@BOTH
def test_the_first_move_harms_nobody_of_the_team_if_it_can(lay: Lay, rules: Rules) -> None:
    state = lay(rules, {(0, 0): 20, (2, 0): 22, (1, 0): 30}, ["2C4C5C9C", "3H"])
    first = jackaroo.legal_moves(rules, state)[0]
    assert jackaroo.write_move(rules, first) == "5C 0.0+5"
    state = lay(rules, {(0, 0): 20, (2, 0): 22}, ["2C4C", "3H"])
    first = jackaroo.legal_moves(rules, state)[0]
    assert jackaroo.write_move(rules, first) == "2C 0.0+2"
    state = lay(rules, {(2, 3): 0}, ["ACKCTC", "3H"])
    first = jackaroo.legal_moves(rules, state)[0]
    assert isinstance(first, Hit)
    state = lay(rules, {(0, 0): 20, (0, 1): 40, (2, 0): 44, (2, 1): 27}, ["7C", "3H"])
    first = jackaroo.legal_moves(rules, state)[0]
    assert jackaroo.write_move(rules, first) == "7C 0.1+7"
