"""Sections 3 and 4: walking, blocking, capturing, entering the goal, protection.

Four seats of 19 cells: starts 0, 57, 38, 19 and entrances 74, 55, 36, 17 of seats 0 to 3; goals
from 76, 80, 84, 88; bases from 92.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from hakam.games import jackaroo
from hakam.games.game import Violation
from hakam.games.jackaroo.events import Captured, EnteredGoal, Moved
from hakam.games.jackaroo.geometry import geometry
from hakam.games.jackaroo.rules import Rules, with_options
from hakam.games.jackaroo.state import State
from hakam.games.reasons import Reason

Lay = Callable[..., State]
KAROTI = with_options("karoti", {})
BORDAGA = with_options("bordaga", {})
SIX = with_options("bordaga", {"seats": 6})
BOTH = pytest.mark.parametrize("rules", [KAROTI, BORDAGA], ids=["karoti", "bordaga"])


def legal(rules: Rules, state: State) -> set[str]:
    return {jackaroo.write_move(rules, move) for move in jackaroo.legal_moves(rules, state)}


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


@pytest.mark.clause("J1.4")
def test_a_goal_has_four_cells_after_the_entrance(lay: Lay) -> None:
    board = geometry(KAROTI)
    assert board.entrances[0] == 74
    for steps, card in ((2, "2C"), (3, "3C")):
        after, events = done(KAROTI, lay(KAROTI, {(0, 0): 74}, [card]), f"{card} 0.0+{steps}")
        assert after.marbles[0] == 76 + steps - 1
        assert EnteredGoal(0, 0, 76 + steps - 1) in events


@pytest.mark.clause("J3.1", "J3.2")
@BOTH
def test_past_its_entrance_a_marble_turns_into_its_goal_by_exact_count(
    lay: Lay, rules: Rules
) -> None:
    after, events = done(rules, lay(rules, {(0, 0): 71}, ["6C"]), "6C 0.0+6")
    assert after.marbles[0] == 78
    assert events[1] == Moved(0, 0, 71, (72, 73, 74, 76, 77, 78))
    after, _ = done(rules, lay(rules, {(0, 0): 71}, ["3C"]), "3C 0.0+3")
    assert after.marbles[0] == 74
    after, _ = done(rules, lay(rules, {(0, 0): 72}, ["6C"]), "6C 0.0+6")
    assert after.marbles[0] == 79
    refusal = refused(rules, lay(rules, {(0, 0): 73}, ["6C"]), "6C 0.0+6")
    assert refusal == Violation(Reason.GOAL_OVERSHOT, "J3.2", 0, 0, 79)


@pytest.mark.clause("J3.1")
def test_another_seats_entrance_is_an_ordinary_cell(lay: Lay) -> None:
    after, _ = done(KAROTI, lay(KAROTI, {(0, 0): 16}, ["6C"]), "6C 0.0+6")
    assert after.marbles[0] == 22


@pytest.mark.clause("J3.3", "J3.4")
@BOTH
def test_inside_the_goal_one_moves_deeper_and_jumps_nothing(lay: Lay, rules: Rules) -> None:
    after, events = done(rules, lay(rules, {(0, 0): 76}, ["3C"]), "3C 0.0+3")
    assert after.marbles[0] == 79
    assert not [e for e in events if isinstance(e, EnteredGoal)]
    state = lay(rules, {(0, 0): 76, (0, 1): 78}, ["2C3C"])
    for text, cell in (("2C 0.0+2", 78), ("3C 0.0+3", 78)):
        assert refused(rules, state, text) == Violation(Reason.GOAL_BLOCKED, "J3.4", 0, 1, cell)
    overshot = refused(rules, lay(rules, {(0, 0): 77}, ["3C"]), "3C 0.0+3")
    assert overshot == Violation(Reason.GOAL_OVERSHOT, "J3.2", 0, 0, 79)


@pytest.mark.clause("J3.4")
@BOTH
def test_two_marbles_never_share_a_goal_cell(lay: Lay, rules: Rules) -> None:
    state = lay(rules, {(0, 0): 74, (0, 1): 77}, ["2C6C"])
    refusal = refused(rules, state, "2C 0.0+2")
    assert refusal == Violation(Reason.GOAL_BLOCKED, "J3.4", 0, 1, 77)


@pytest.mark.clause("J3.5")
@BOTH
@pytest.mark.parametrize("card", ["2", "3"])
def test_an_own_marble_is_neither_landed_on_nor_passed(lay: Lay, rules: Rules, card: str) -> None:
    state = lay(rules, {(0, 0): 20, (0, 1): 22}, [f"{card}C"])
    refusal = refused(rules, state, f"{card}C 0.0+{card}")
    assert refusal == Violation(Reason.OWN_MARBLE_BLOCKS, "J3.5", 0, 1, 22)


@pytest.mark.clause("J3.6")
@BOTH
@pytest.mark.parametrize("other", [1, 2, 3])
def test_others_are_passed_and_captured_on_the_last_cell_only(
    lay: Lay, rules: Rules, other: int
) -> None:
    state = lay(rules, {(0, 0): 20, (other, 3): 22}, ["2C3C"])
    after, events = done(rules, state, "3C 0.0+3")
    assert after.marbles[4 * other + 3] == 22
    assert not [e for e in events if isinstance(e, Captured)]
    after, events = done(rules, state, "2C 0.0+2")
    base = 92 + 4 * other + 3
    assert events[2] == Captured(other, 3, 22, base)
    assert after.marbles[4 * other + 3] == base


@pytest.mark.clause("J1.8", "J3.7", "J4.1")
@BOTH
@pytest.mark.parametrize(("seat", "start"), [(1, 57), (2, 38), (3, 19)])
@pytest.mark.parametrize("card", ["2", "3"])
def test_a_protected_marble_is_neither_passed_nor_captured(
    lay: Lay, rules: Rules, seat: int, start: int, card: str
) -> None:
    state = lay(rules, {(0, 0): start - 2, (seat, 1): start}, [f"{card}C"])
    refusal = refused(rules, state, f"{card}C 0.0+{card}")
    assert refusal == Violation(Reason.PROTECTED_MARBLE_BLOCKS, "J3.7", seat, 1, start)


@pytest.mark.clause("J1.8")
@BOTH
def test_on_someone_elses_start_a_marble_is_ordinary(lay: Lay, rules: Rules) -> None:
    state = lay(rules, {(0, 0): 17, (1, 0): 19}, ["2C"])
    _, events = done(rules, state, "2C 0.0+2")
    assert Captured(1, 0, 19, 96) in events


@pytest.mark.clause("J3.8")
@BOTH
@pytest.mark.parametrize("opponent", [1, 3])
def test_an_opponent_on_the_entrance_bars_the_goal(lay: Lay, rules: Rules, opponent: int) -> None:
    state = lay(rules, {(0, 0): 72, (opponent, 2): 74}, ["2C3C6C"])
    refusal = refused(rules, state, "3C 0.0+3")
    assert refusal == Violation(Reason.ENTRANCE_BARRED, "J3.8", opponent, 2, 74)
    after, events = done(rules, state, "2C 0.0+2")
    assert after.marbles[0] == 74
    assert Captured(opponent, 2, 74, 92 + 4 * opponent + 2) in events


@pytest.mark.clause("J3.8")
@BOTH
def test_a_partner_on_the_entrance_does_not_bar(lay: Lay, rules: Rules) -> None:
    after, _ = done(rules, lay(rules, {(0, 0): 72, (2, 0): 74}, ["3C"]), "3C 0.0+3")
    assert (after.marbles[0], after.marbles[8]) == (76, 74)


@pytest.mark.clause("J3.8", "J3.5")
@BOTH
def test_an_own_marble_on_the_entrance_blocks_as_any_own_marble(lay: Lay, rules: Rules) -> None:
    refusal = refused(rules, lay(rules, {(0, 0): 72, (0, 1): 74}, ["3C"]), "3C 0.0+3")
    assert refusal == Violation(Reason.OWN_MARBLE_BLOCKS, "J3.5", 0, 1, 74)


@pytest.mark.clause("J3.8")
def test_the_opponents_are_those_of_the_moving_marbles_owner(lay: Lay) -> None:
    state = lay(SIX, {(0, 0): 110, (4, 0): 112}, ["3C"])
    refusal = refused(SIX, state, "3C 0.0+3")
    assert refusal == Violation(Reason.ENTRANCE_BARRED, "J3.8", 4, 0, 112)
    assert "3C 0.0+3" in legal(SIX, lay(SIX, {(0, 0): 110, (3, 0): 112}, ["3C"]))


@pytest.mark.clause("J3.8", "J3.3")
def test_the_bar_does_not_concern_a_marble_on_the_entrance_or_inside(lay: Lay) -> None:
    assert "2C 0.0+2" in legal(KAROTI, lay(KAROTI, {(0, 0): 74}, ["2C"]))
    assert "2C 0.0+2" in legal(KAROTI, lay(KAROTI, {(0, 0): 76, (1, 0): 74}, ["2C"]))


@pytest.mark.clause("J3.9", "J5.4")
@BOTH
def test_backward_past_the_own_start_and_entrance_along_the_track(lay: Lay, rules: Rules) -> None:
    after, events = done(rules, lay(rules, {(0, 0): 1}, ["4C"]), "4C 0.0-4")
    assert after.marbles[0] == 73
    assert events[1] == Moved(0, 0, 1, (0, 75, 74, 73))


@pytest.mark.clause("J3.9")
@BOTH
def test_from_there_the_next_forward_move_may_enter(lay: Lay, rules: Rules) -> None:
    after, _ = done(rules, lay(rules, {(0, 0): 73}, ["2C"]), "2C 0.0+2")
    assert after.marbles[0] == 76


@pytest.mark.clause("J3.9")
@BOTH
def test_backward_blocks_and_captures_as_forward(lay: Lay, rules: Rules) -> None:
    own = refused(rules, lay(rules, {(0, 0): 30, (0, 1): 27}, ["4C2C"]), "4C 0.0-4")
    assert own == Violation(Reason.OWN_MARBLE_BLOCKS, "J3.5", 0, 1, 27)
    for place in (40, 42):  # passed, landed on
        state = lay(rules, {(0, 0): place, (2, 0): 38}, ["4C2C"])
        refusal = refused(rules, state, "4C 0.0-4")
        assert refusal == Violation(Reason.PROTECTED_MARBLE_BLOCKS, "J3.7", 2, 0, 38)
    state = lay(rules, {(0, 0): 30, (2, 0): 26, (1, 0): 28}, ["4C"])
    after, events = done(rules, state, "4C 0.0-4")
    assert [e for e in events if isinstance(e, Captured)] == [Captured(2, 0, 26, 100)]
    assert after.marbles[4] == 28


@pytest.mark.clause("J3.9")
@BOTH
def test_nothing_backs_out_of_or_into_a_goal(lay: Lay, rules: Rules) -> None:
    state = lay(rules, {(0, 0): 79, (0, 1): 30}, ["4C"])
    refusal = refused(rules, state, "4C 0.0-4")
    assert refusal == Violation(Reason.MARBLE_NOT_ON_TRACK, "J5.4", 0, 0, 79)
    after, _ = done(rules, lay(rules, {(0, 0): 75}, ["4C"]), "4C 0.0-4")
    assert after.marbles[0] == 71


@pytest.mark.clause("J3.10")
@BOTH
def test_between_entrance_and_start_one_has_to_go_round_again(lay: Lay, rules: Rules) -> None:
    after, _ = done(rules, lay(rules, {(0, 0): 75}, ["3C"]), "3C 0.0+3")
    assert after.marbles[0] == 2
    wide = replace(rules, entrance_distance=4)
    after, _ = done(wide, lay(wide, {(0, 0): 73}, ["2C"]), "2C 0.0+2")
    assert after.marbles[0] == 75


@pytest.mark.clause("J3.9", "J4.2", "J5.4")
@BOTH
def test_the_owner_moves_its_protected_marble(lay: Lay, rules: Rules) -> None:
    state = lay(rules, {(0, 0): 0}, ["2C4C5C"])
    assert {"2C 0.0+2", "4C 0.0-4", "5C 0.0+5"} <= legal(rules, state)


@pytest.mark.clause("J4.1")
@BOTH
def test_a_protected_marble_is_not_swapped_pushed_or_swept(lay: Lay, rules: Rules) -> None:
    state = lay(rules, {(0, 0): 10, (3, 0): 19, (1, 1): 30}, ["JC5CKC"])
    swap = refused(rules, state, "JC 0.0~3.0")
    assert swap == Violation(Reason.MARBLE_PROTECTED, "J4.1", 3, 0, 19)
    pushed = refused(rules, state, "5C 3.0+5")
    assert pushed == Violation(Reason.MARBLE_PROTECTED, "J4.1", 3, 0, 19)
    swept = refused(rules, state, "KC 0.0+13")
    assert swept == Violation(Reason.PROTECTED_MARBLE_BLOCKS, "J5.K", 3, 0, 19)


@pytest.mark.clause("J4.3", "J5.K")
@BOTH
def test_the_owners_king_sweeps_its_protected_marble(lay: Lay, rules: Rules) -> None:
    after, events = done(rules, lay(rules, {(0, 0): 70, (0, 1): 0}, ["4CKC"]), "4C 0.0-4")
    assert after.marbles[1] == 0
    # From behind its entrance a marble turns into the goal, so only one past it can pass the start.
    state = lay(rules, {(0, 0): 75, (0, 1): 0}, ["KC"])
    after, events = done(rules, state, "KC 0.0+13")
    assert Captured(0, 1, 0, 93) in events
    assert after.marbles[:2] == (12, 93)
