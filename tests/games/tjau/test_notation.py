from collections.abc import Callable
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hakam.games import tjau
from hakam.games.game import NotationError
from hakam.games.tjau.moves import THROW, Move, MovePiece
from hakam.games.tjau.rules import RULE_SETS, Rules
from hakam.games.tjau.state import Phase, Setup, Side, State

At = Callable[[Rules, str], State]

EGYPTIAN = RULE_SETS["egyptian"]
UR = RULE_SETS["ur"]


@pytest.mark.parametrize(
    ("move", "text"),
    [(THROW, "throw"), (MovePiece(0), "enter"), (MovePiece(7), "7"), (MovePiece(16), "16")],
)
def test_moves_are_written_and_read(move: Move, text: str) -> None:
    assert tjau.write_move(EGYPTIAN, move) == text
    assert tjau.read_move(EGYPTIAN, text) == move


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "0",
        "00",
        "07",
        "+7",
        "-7",
        "7 ",
        " 7",
        "7\n",
        "٧",
        "七",
        "17",
        "99",
        "1" * 5000,
        "Enter",
        "enter 3",
        "throw 3",
        "thrwo",
        "THROW",
        "throw\n",
        "7.0",
        "1_0",
        "0x7",
        "None",
    ],
)
def test_other_texts_are_no_moves(text: str) -> None:
    with pytest.raises(NotationError):
        tjau.read_move(EGYPTIAN, text)


def test_squares_beyond_the_path_of_ur_are_no_moves() -> None:
    assert tjau.read_move(UR, "14") == MovePiece(14)
    for text in ("15", "16"):
        with pytest.raises(NotationError):
            tjau.read_move(UR, text)


@given(st.text(max_size=8))
def test_any_text_is_a_move_in_its_one_spelling_or_an_error(text: str) -> None:
    try:
        move = tjau.read_move(EGYPTIAN, text)
    except NotationError:
        return
    assert tjau.write_move(EGYPTIAN, move) == text


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        (
            "throw seat=1 cones=1,6/0 spools=9/2",
            Setup(Phase.THROW, 1, 0, (Side((1, 6), 0), Side((9,), 2))),
        ),
        (
            "move seat=0 throw=3 cones=1,6/0 spools=-/2",
            Setup(Phase.MOVE, 0, 3, (Side((1, 6), 0), Side((), 2))),
        ),
        (
            "over cones=-/7 spools=3,14/2",
            Setup(Phase.OVER, None, 0, (Side((), 7), Side((3, 14), 2))),
        ),
    ],
)
def test_positions_are_read_and_written(text: str, decoded: Setup) -> None:
    assert tjau.read_position(EGYPTIAN, text) == decoded
    state = tjau.validate(EGYPTIAN, decoded)
    assert isinstance(state, State)
    assert tjau.write_position(EGYPTIAN, state) == text
    assert tjau.write_view(EGYPTIAN, tjau.view(EGYPTIAN, state, None)) == text


def test_the_position_before_the_draw_is_a_line_too() -> None:
    decoded = Setup(Phase.FIRST, None, 0, (Side((), 0), Side((), 0)))
    assert tjau.read_position(EGYPTIAN, "first cones=-/0 spools=-/0") == decoded


def test_a_read_position_is_not_judged() -> None:
    decoded = tjau.read_position(EGYPTIAN, "move seat=9 throw=8 cones=5,5,0/99 spools=9999/9")
    assert decoded == Setup(Phase.MOVE, 9, 8, (Side((5, 5, 0), 99), Side((9999,), 9)))
    assert len(tjau.validate(EGYPTIAN, decoded)) >= 6  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("hello", 0),
        ("Move seat=0 throw=3 cones=-/0 spools=-/0", 0),
        ("throw seat=0 cones=-/0", 5),
        ("throw seat=0 cones=-/0 spools=-/0 ", 5),
        ("throw  seat=0 cones=-/0 spools=-/0", 5),
        ("throw seat=0 throw=0 cones=-/0 spools=-/0", 5),
        ("throw seat=0 spools=-/0 cones=-/0", 13),
        ("throw seat=00 cones=-/0 spools=-/0", 11),
        ("throw seat= cones=-/0 spools=-/0", 11),
        ("throw seat=+1 cones=-/0 spools=-/0", 11),
        ("throw seat=12345 cones=-/0 spools=-/0", 11),
        ("throw seat=0 cones=-/01 spools=-/0", 21),
        ("throw seat=0 cones=/0 spools=-/0", 19),
        ("throw seat=0 cones=-,3/0 spools=-/0", 19),
        ("throw seat=0 cones=3,/0 spools=-/0", 19),
        ("throw seat=0 cones=3,04/0 spools=-/0", 21),
        ("throw seat=0 cones=3,٤/0 spools=-/0", 19),
        ("throw seat=0 cones=3 spools=-/0", 19),
        ("throw seat=0 cones=-/0 spools=-/0\n", 30),
    ],
)
def test_other_texts_are_no_positions(text: str, position: int) -> None:
    with pytest.raises(NotationError) as caught:
        tjau.read_position(EGYPTIAN, text)
    assert caught.value.position == position


ALPHABET = "0123456789,/=- \nabcdefghijklmnopqrstuvwxyz"


@given(st.text(alphabet=ALPHABET, max_size=60))
def test_any_text_is_a_position_or_an_error(text: str) -> None:
    for candidate in chain([text], (f"throw seat=0 cones={text} spools=-/0",)):
        try:
            found = tjau.validate(EGYPTIAN, tjau.read_position(EGYPTIAN, candidate))
        except NotationError:
            continue
        if isinstance(found, State):
            assert tjau.write_position(EGYPTIAN, found) == candidate
