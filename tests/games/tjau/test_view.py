from collections.abc import Callable
from dataclasses import replace

import pytest

from hakam.games import tjau
from hakam.games.game import Drawn
from hakam.games.tjau.rules import RULE_SETS, Rules
from hakam.games.tjau.state import Phase, State
from hakam.games.tjau.view import SideView, View

At = Callable[[Rules, str], State]

EGYPTIAN = RULE_SETS["egyptian"]
UR = RULE_SETS["ur"]


@pytest.mark.clause("W6.1")
@pytest.mark.parametrize("seat", [0, 1, None])
def test_everybody_sees_everything(at: At, seat: int | None) -> None:
    state = at(EGYPTIAN, "move seat=1 throw=2 cones=3,9/2 spools=4/0")
    assert tjau.view(EGYPTIAN, state, seat) == View(
        Phase.MOVE, 1, 2, (SideView((3, 9), 3, 2), SideView((4,), 6, 0))
    )


@pytest.mark.clause("W6.1")
def test_nobodys_turn_is_shown_as_none(at: At) -> None:
    state = at(EGYPTIAN, "over cones=-/7 spools=3/2")
    assert tjau.view(EGYPTIAN, state, None).turn is None


def drawing(rules: Rules, state: State) -> list[str]:
    return tjau.draw(rules, tjau.view(rules, state, None)).split("\n")


def test_the_egyptian_board_is_drawn(at: At) -> None:
    state = at(EGYPTIAN, "move seat=1 throw=2 cones=3,9/2 spools=4,12/0")
    assert drawing(EGYPTIAN, state) == [
        "cones A  in hand 3  borne off 2",
        "< 4>[ A][ 2][ 1]",
        "[ 5][ 6][ 7]< 8>[ A][10][11]< o>[13][14][15]<16>",
        "< o>[ 3][ 2][ 1]",
        "spools o  in hand 5  borne off 0",
        "seat 1 to move by 2",
    ]


def test_the_board_of_ur_is_drawn_with_its_gaps(at: At) -> None:
    state = at(UR, "throw seat=0 cones=13/0 spools=13,14/1")
    assert drawing(UR, state) == [
        "cones A  in hand 6  borne off 0",
        "< 4>[ 3][ 2][ 1]        <14>[ A]",
        "[ 5][ 6][ 7]< 8>[ 9][10][11][12]",
        "< 4>[ 3][ 2][ 1]        < o>[ o]",
        "spools o  in hand 4  borne off 1",
        "seat 0 to throw",
    ]


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ("over cones=-/7 spools=3/2", "the game is over"),
        ("throw seat=1 cones=-/0 spools=-/0", "seat 1 to throw"),
    ],
)
def test_the_drawing_says_what_is_due(at: At, position: str, said: str) -> None:
    assert drawing(EGYPTIAN, at(EGYPTIAN, position))[-1] == said


def test_the_drawing_says_that_the_first_seat_is_to_be_drawn() -> None:
    rules = replace(EGYPTIAN, first=Drawn.CHANCE)
    assert drawing(rules, tjau.initial(rules))[-1] == "chance names the first seat"
