"""The clauses of play, one position each."""

from collections.abc import Callable

import pytest

from hakam.games import tjau
from hakam.games.game import ChanceDue, ChanceKind, Drawn, GameOver, Outcome
from hakam.games.tjau.board import TjauBoard
from hakam.games.tjau.events import (
    Captured,
    Event,
    ExtraThrow,
    FirstDrawn,
    Moved,
    Passed,
    Thrown,
)
from hakam.games.tjau.moves import THROW, MovePiece
from hakam.games.tjau.rules import RULE_SETS, Rules
from hakam.games.tjau.state import State

At = Callable[[Rules, str], State]

EGYPTIAN = RULE_SETS["egyptian"]
THROW_ONLY = RULE_SETS["throw_only"]
UR = RULE_SETS["ur"]
UR_UNPROTECTED = Rules("ur", TjauBoard.UR, 7, mark_protects=False, first=0)


def legal(rules: Rules, state: State) -> list[str]:
    return [tjau.write_move(rules, move) for move in tjau.legal_moves(rules, state)]


def moved(rules: Rules, state: State, move: str) -> tuple[str, tuple[Event, ...]]:
    """The position after a legal move, as text, and the events."""
    assert move in legal(rules, state)
    after, events = tjau.apply(rules, state, tjau.read_move(rules, move))
    return tjau.write_position(rules, after), events


def thrown(rules: Rules, state: State, value: int) -> tuple[str, tuple[Event, ...]]:
    after, events = tjau.resolve(rules, state, value)
    return tjau.write_position(rules, after), events


@pytest.mark.clause("W1.4", "W4.3")
@pytest.mark.parametrize(
    ("name", "pieces"), [("egyptian", 7), ("babylon", 5), ("throw_only", 7), ("ur", 7)]
)
def test_all_pieces_are_in_hand_at_first(name: str, pieces: int) -> None:
    rules = RULE_SETS[name]
    state = tjau.initial(rules)
    assert tjau.write_position(rules, state) == "throw seat=0 cones=-/0 spools=-/0"
    assert [side.in_hand for side in tjau.view(rules, state, None).sides] == [pieces, pieces]


@pytest.mark.clause("W1.4")
def test_which_piece_came_first_makes_no_difference(at: At) -> None:
    one = at(EGYPTIAN, "move seat=0 throw=1 cones=1,6/0 spools=-/0")
    other = at(EGYPTIAN, "move seat=0 throw=2 cones=2,4/0 spools=-/0")
    after = tjau.apply(EGYPTIAN, one, MovePiece(1))[0]
    assert after == tjau.apply(EGYPTIAN, other, MovePiece(4))[0]
    assert tjau.write_position(EGYPTIAN, after) == "throw seat=1 cones=2,6/0 spools=-/0"


@pytest.mark.clause("W2.1", "W5.1")
def test_a_throw_is_the_chance_event_that_is_due() -> None:
    state = tjau.initial(EGYPTIAN)
    assert tjau.chance_due(EGYPTIAN, state) == ChanceDue(ChanceKind.THROW, seats=2, asked_by=0)
    for value in range(1, 5):
        text, events = thrown(EGYPTIAN, state, value)
        assert text == f"move seat=0 throw={value} cones=-/0 spools=-/0"
        assert events == (Thrown(0, value),)


@pytest.mark.clause("W2.2")
def test_a_zero_passes_the_turn() -> None:
    text, events = thrown(EGYPTIAN, tjau.initial(EGYPTIAN), 0)
    assert text == "throw seat=1 cones=-/0 spools=-/0"
    assert events == (Thrown(0, 0), Passed(0))


@pytest.mark.clause("W2.3")
@pytest.mark.parametrize("value", [1, 2, 3, 4])
def test_no_value_of_the_sticks_gives_another_throw(at: At, value: int) -> None:
    state = at(EGYPTIAN, f"move seat=0 throw={value} cones=9/0 spools=-/0")
    after, events = tjau.apply(EGYPTIAN, state, MovePiece(9))
    assert (tjau.to_act(EGYPTIAN, after) == 0) == (value == 3)
    assert (ExtraThrow(0) in events) == (9 + value == 12)


@pytest.mark.clause("W3.1")
@pytest.mark.parametrize("value", [1, 2, 3, 4])
def test_a_piece_enters_on_the_square_of_the_throw(at: At, value: int) -> None:
    state = at(EGYPTIAN, f"move seat=1 throw={value} cones=-/0 spools=-/0")
    assert legal(EGYPTIAN, state) == ["enter"]
    text, events = moved(EGYPTIAN, state, "enter")
    assert f"spools={value}/0" in text
    assert events[0] == Moved(1, 0, value)


@pytest.mark.clause("W3.1")
def test_any_piece_may_move_by_the_throw(at: At) -> None:
    state = at(EGYPTIAN, "move seat=0 throw=1 cones=1,4,9/0 spools=-/0")
    assert legal(EGYPTIAN, state) == ["enter", "1", "4", "9"][1:]
    text, events = moved(EGYPTIAN, state, "9")
    assert text == "throw seat=1 cones=1,4,10/0 spools=-/0"
    assert events == (Moved(0, 9, 10),)


@pytest.mark.clause("W3.1")
def test_with_an_empty_hand_nothing_enters(at: At) -> None:
    state = at(RULE_SETS["babylon"], "move seat=0 throw=3 cones=1,5,6/2 spools=-/0")
    assert legal(RULE_SETS["babylon"], state) == ["1", "5", "6"]


@pytest.mark.clause("W3.2")
@pytest.mark.parametrize(("rules", "last"), [(EGYPTIAN, 16), (UR, 14)], ids=["egyptian", "ur"])
@pytest.mark.parametrize("value", [1, 2, 3, 4])
def test_bearing_off_takes_the_exact_throw(at: At, rules: Rules, last: int, value: int) -> None:
    for square in range(last - 3, last + 1):
        state = at(rules, f"move seat=0 throw={value} cones={square}/0 spools=-/0")
        assert (str(square) in legal(rules, state)) == (square + value <= last + 1)
    exact = at(rules, f"move seat=0 throw={value} cones={last + 1 - value}/0 spools=-/0")
    text, events = moved(rules, exact, str(last + 1 - value))
    assert text == "throw seat=1 cones=-/1 spools=-/0"
    assert events == (Moved(0, last + 1 - value, last + 1),)


@pytest.mark.clause("W3.3")
def test_a_piece_may_not_land_on_its_own_side_nor_enter_there(at: At) -> None:
    state = at(EGYPTIAN, "move seat=0 throw=2 cones=2,4,9,11/0 spools=-/0")
    assert legal(EGYPTIAN, state) == ["4", "11"]


@pytest.mark.clause("W3.3")
def test_pieces_of_either_side_are_passed(at: At) -> None:
    state = at(EGYPTIAN, "move seat=0 throw=4 cones=6,7/0 spools=8,9/0")
    text, events = moved(EGYPTIAN, state, "6")
    assert text == "throw seat=1 cones=7,10/0 spools=8,9/0"
    assert events == (Moved(0, 6, 10),)


@pytest.mark.clause("W3.4")
def test_landing_on_an_opponent_returns_it_to_its_owners_hand(at: At) -> None:
    state = at(EGYPTIAN, "move seat=0 throw=3 cones=6/0 spools=9/0")
    text, events = moved(EGYPTIAN, state, "6")
    assert text == "throw seat=1 cones=9/0 spools=-/0"
    assert events == (Moved(0, 6, 9), Captured(1, 9))
    after = tjau.apply(EGYPTIAN, state, MovePiece(6))[0]
    assert tjau.view(EGYPTIAN, after, None).sides[1].in_hand == 7


@pytest.mark.clause("W1.1", "W3.4")
@pytest.mark.parametrize("square", range(13, 16))
def test_the_end_of_the_egyptian_corridor_is_shared(at: At, square: int) -> None:
    state = at(EGYPTIAN, f"move seat=1 throw=3 cones={square}/0 spools={square - 3}/0")
    assert moved(EGYPTIAN, state, str(square - 3))[1] == (
        Moved(1, square - 3, square),
        Captured(0, square),
    )


@pytest.mark.clause("W3.4")
@pytest.mark.parametrize("square", [1, 2, 3, 4])
def test_no_capture_in_the_own_rows(at: At, square: int) -> None:
    state = at(UR, f"move seat=0 throw={square} cones=-/0 spools={square}/0")
    text, events = moved(UR, state, "enter")
    assert text.endswith(f"cones={square}/0 spools={square}/0")
    assert Captured(1, square) not in events


@pytest.mark.clause("W1.2", "W3.4")
@pytest.mark.parametrize("square", [13, 14])
@pytest.mark.parametrize("rules", [UR, UR_UNPROTECTED], ids=["protects", "unprotected"])
def test_the_exit_squares_of_ur_are_private(at: At, rules: Rules, square: int) -> None:
    state = at(rules, f"move seat=0 throw=2 cones={square - 2}/0 spools={square}/0")
    text, events = moved(rules, state, str(square - 2))
    assert text.endswith(f"cones={square}/0 spools={square}/0")
    assert Captured(1, square) not in events


@pytest.mark.clause("W3.5")
@pytest.mark.parametrize(
    ("rules", "square"), [(EGYPTIAN, 8), (EGYPTIAN, 12), (EGYPTIAN, 16), (UR, 8)]
)
def test_a_mark_protects(at: At, rules: Rules, square: int) -> None:
    state = at(rules, f"move seat=0 throw=2 cones={square - 2}/0 spools={square}/0")
    assert legal(rules, state) == ["enter"]


@pytest.mark.clause("W3.5", "W3.6")
@pytest.mark.parametrize(
    ("rules", "square"),
    [(THROW_ONLY, 8), (THROW_ONLY, 12), (THROW_ONLY, 16), (UR_UNPROTECTED, 8)],
)
def test_without_protection_a_capture_on_a_mark_gives_a_throw(
    at: At, rules: Rules, square: int
) -> None:
    state = at(rules, f"move seat=0 throw=2 cones={square - 2}/0 spools={square}/0")
    text, events = moved(rules, state, str(square - 2))
    assert text == f"throw seat=0 cones={square}/0 spools=-/0"
    assert events == (Moved(0, square - 2, square), Captured(1, square), ExtraThrow(0))


@pytest.mark.clause("W1.3", "W3.6")
@pytest.mark.parametrize(
    ("rules", "square"),
    [*((EGYPTIAN, p) for p in range(2, 17)), *((UR, p) for p in range(2, 15))],
)
def test_only_a_mark_gives_another_throw(at: At, rules: Rules, square: int) -> None:
    marks = {4, 8, 12, 16} if rules is EGYPTIAN else {4, 8, 14}
    state = at(rules, f"move seat=1 throw=1 cones=-/0 spools={square - 1}/0")
    text, events = moved(rules, state, str(square - 1))
    assert text.startswith(f"throw seat={1 if square in marks else 0}")
    assert (ExtraThrow(1) in events) == (square in marks)


@pytest.mark.clause("W3.6")
def test_entering_on_four_gives_another_throw(at: At) -> None:
    state = at(EGYPTIAN, "move seat=1 throw=4 cones=-/0 spools=-/0")
    text, events = moved(EGYPTIAN, state, "enter")
    assert text == "throw seat=1 cones=-/0 spools=4/0"
    assert events == (Moved(1, 0, 4), ExtraThrow(1))


@pytest.mark.clause("W3.6")
@pytest.mark.parametrize(("rules", "last"), [(EGYPTIAN, 16), (UR, 14)], ids=["egyptian", "ur"])
def test_bearing_off_from_a_mark_gives_none(at: At, rules: Rules, last: int) -> None:
    state = at(rules, f"move seat=0 throw=1 cones={last}/0 spools=-/0")
    text, events = moved(rules, state, str(last))
    assert text == "throw seat=1 cones=-/1 spools=-/0"
    assert events == (Moved(0, last, last + 1),)


@pytest.mark.clause("W3.6")
def test_a_capture_beside_the_marks_gives_none(at: At) -> None:
    state = at(EGYPTIAN, "move seat=0 throw=1 cones=9/0 spools=10/0")
    assert moved(EGYPTIAN, state, "9")[0].startswith("throw seat=1")


@pytest.mark.clause("W3.3", "W3.6")
@pytest.mark.parametrize("rules", [EGYPTIAN, THROW_ONLY], ids=["protects", "throw_only"])
def test_an_own_piece_on_a_mark_bars_its_own_side(at: At, rules: Rules) -> None:
    state = at(rules, "move seat=0 throw=4 cones=4,8/0 spools=-/0")
    assert legal(rules, state) == ["8"]


@pytest.mark.clause("W3.7")
def test_a_throw_without_a_move_passes(at: At) -> None:
    state = at(EGYPTIAN, "throw seat=0 cones=16/6 spools=3/0")
    text, events = thrown(EGYPTIAN, state, 2)
    assert text == "throw seat=1 cones=16/6 spools=3/0"
    assert events == (Thrown(0, 2), Passed(0))


@pytest.mark.clause("W3.7")
def test_a_throw_without_a_move_passes_on_an_extra_throw_too(at: At) -> None:
    state = at(EGYPTIAN, "move seat=0 throw=1 cones=15/6 spools=3/0")
    after, events = tjau.apply(EGYPTIAN, state, MovePiece(15))
    assert ExtraThrow(0) in events
    assert thrown(EGYPTIAN, after, 3) == (
        "throw seat=1 cones=16/6 spools=3/0",
        (Thrown(0, 3), Passed(0)),
    )


@pytest.mark.clause("W3.7")
def test_there_is_no_right_to_pass(at: At) -> None:
    state = at(EGYPTIAN, "move seat=0 throw=1 cones=9/6 spools=-/0")
    assert tjau.legal_moves(EGYPTIAN, state) == (MovePiece(9),)


@pytest.mark.clause("W4.1")
@pytest.mark.parametrize("seat", [0, 1])
def test_the_first_seat_to_bear_off_all_wins_at_once(at: At, seat: int) -> None:
    sides = ["16/6", "3,15/2"]
    text = f"move seat={seat} throw=1 cones={sides[seat]} spools={sides[1 - seat]}"
    state = at(EGYPTIAN, text)
    assert tjau.outcome(EGYPTIAN, state) is None
    after, events = tjau.apply(EGYPTIAN, state, MovePiece(16))
    won = Outcome(winners=(seat,))
    assert events == (Moved(seat, 16, 17), GameOver(won))
    assert tjau.outcome(EGYPTIAN, after) == won
    assert tjau.legal_moves(EGYPTIAN, after) == ()
    assert tjau.to_act(EGYPTIAN, after) is None
    assert tjau.chance_due(EGYPTIAN, after) is None
    assert tjau.write_position(EGYPTIAN, after).startswith("over cones=")


@pytest.mark.clause("W4.2")
@pytest.mark.parametrize("first", [0, 1])
def test_the_caller_may_name_the_first_seat(first: int) -> None:
    rules = Rules("egyptian", TjauBoard.EGYPTIAN, 7, mark_protects=True, first=first)
    assert tjau.to_act(rules, tjau.initial(rules)) == first


@pytest.mark.clause("W4.2")
def test_every_rule_set_lets_the_cones_throw_first() -> None:
    assert [tjau.to_act(r, tjau.initial(r)) for r in RULE_SETS.values()] == [0, 0, 0, 0]


@pytest.mark.clause("W4.2")
@pytest.mark.parametrize("seat", [0, 1])
def test_chance_may_name_the_first_seat(seat: int) -> None:
    rules = Rules("ur", TjauBoard.UR, 7, mark_protects=True, first=Drawn.CHANCE)
    state = tjau.initial(rules)
    assert tjau.chance_due(rules, state) == ChanceDue(ChanceKind.SEAT, seats=2)
    assert tjau.to_act(rules, state) is None
    assert tjau.legal_moves(rules, state) == ()
    after, events = tjau.resolve(rules, state, seat)
    assert events == (FirstDrawn(seat),)
    assert tjau.write_position(rules, after) == f"throw seat={seat} cones=-/0 spools=-/0"


@pytest.mark.clause("W5.1")
def test_a_turn_is_a_throw_without_a_value_and_then_a_move() -> None:
    state = tjau.initial(EGYPTIAN)
    assert tjau.to_act(EGYPTIAN, state) == 0
    assert tjau.legal_moves(EGYPTIAN, state) == (THROW,)
    moving = tjau.resolve(EGYPTIAN, state, 3)[0]
    assert tjau.chance_due(EGYPTIAN, moving) is None
    assert tjau.to_act(EGYPTIAN, moving) == 0
    assert moved(EGYPTIAN, moving, "enter")[0] == "throw seat=1 cones=3/0 spools=-/0"


@pytest.mark.clause("W5.1")
def test_effects_of_a_move_are_its_events_and_a_throw_has_none(at: At) -> None:
    state = at(THROW_ONLY, "move seat=0 throw=2 cones=6/0 spools=8/0")
    move = MovePiece(6)
    assert tjau.effects(THROW_ONLY, state, move) == tjau.apply(THROW_ONLY, state, move)[1]
    assert tjau.effects(THROW_ONLY, tjau.initial(THROW_ONLY), THROW) == ()


def test_what_cannot_be_applied_or_resolved_is_refused_loudly() -> None:
    state = tjau.initial(EGYPTIAN)
    with pytest.raises(TypeError):
        tjau.apply(EGYPTIAN, state, THROW)
    with pytest.raises(TypeError):
        tjau.resolve(EGYPTIAN, state, (1, 2, 3))
