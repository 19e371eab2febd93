"""Moves, positions and views as text, there and back."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hakam.games import trix
from hakam.games.game import NotationError
from hakam.games.trix import notation
from hakam.games.trix.moves import Choose, Double, Move, Play
from hakam.games.trix.rules import Rules
from hakam.games.trix.state import State
from tests.games.trix.support import STANDARD, VARIANTS, at, cards, random_game

T = TypeVar("T")
PAGE = Path(__file__).parents[3] / "docs" / "notation" / "trix.md"
BLOCKS = re.findall(r"^```\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
EXAMPLE = BLOCKS[2].splitlines()[1]


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Choose(1), "choose king_of_hearts"),
        (Choose(2), "choose slaps"),
        (Choose(3), "choose queens"),
        (Choose(4), "choose diamonds"),
        (Choose(5), "choose trix"),
        (Choose(6), "choose complex"),
        (Double(()), "double -"),
        (Double(cards("KH")), "double KH"),
        (Double(cards("QCQS")), "double QCQS"),
        (Play(cards("TH")[0]), "play TH"),
    ],
)
def test_moves_are_written_and_read(move: Move, text: str) -> None:
    assert trix.write_move(STANDARD, move) == text
    assert trix.read_move(STANDARD, text) == move


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("play", 4),
        ("play ", 5),
        ("play th", 5),
        ("play 10H", 5),
        ("play XX", 5),
        ("play TH ", 5),
        ("play  TH", 5),
        (" play TH", 0),
        ("Play TH", 0),
        ("TH", 0),
        ("choose", 6),
        ("choose Queens", 7),
        ("choose 3", 7),
        ("choose ", 7),
        ("double", 6),
        ("double ", 7),
        ("double --", 7),
        ("double QCQ", 9),
        ("double QCXX", 9),
        ("double KH\n", 9),
    ],
)
def test_nothing_else_is_a_move(text: str, position: int) -> None:
    with pytest.raises(NotationError) as refused:
        trix.read_move(STANDARD, text)
    assert refused.value.position == position


@pytest.mark.parametrize("name", VARIANTS)
def test_every_move_and_position_of_a_game_comes_back(name: str) -> None:
    rules = VARIANTS[name]
    for step in random_game(rules, f"notation {name}"):
        if step.move is not None:
            text = trix.write_move(rules, step.move)
            assert text.isascii()
            assert len(text) <= 256
            assert trix.read_move(rules, text) == step.move
        text = trix.write_position(rules, step.after)
        assert text.isascii()
        assert "\n" not in text
        assert trix.read_position(rules, text) == trix.setup(rules, step.after)


def test_the_page_tells_the_truth() -> None:
    start, example = BLOCKS[2].splitlines()
    assert trix.write_position(STANDARD, trix.initial(STANDARD)) == start
    state = at(example)
    assert trix.write_position(STANDARD, state) == example
    assert trix.write_view(STANDARD, trix.view(STANDARD, state, 1)) == BLOCKS[4].strip()


FIELDS = EXAMPLE.split(" ")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (0, "Play"),
        (0, ""),
        (0, "4"),
        (1, ""),
        (1, "K=0/-75/0"),
        (1, "K=0/-75/0/0,"),
        (1, "K=0/-75/0/0/0"),
        (1, "K=+0/-75/0/0"),
        (1, "K=-0/-75/0/0"),
        (1, "K=00/-75/0/0"),
        (1, "K=0/-75/0/99999"),
        (1, "X=0/-75/0/0"),
        (1, "KKH4=0/-75/0/0"),
        (1, "KKH=0/-75/0/0"),
        (1, "K-=0/-75/0/0"),
        (2, "4"),
        (2, ""),
        (2, "00"),
        (2, "²"),
        (3, "k"),
        (3, ""),
        (3, "KS"),
        (4, "x"),
        (5, "//"),
        (5, "////"),
        (5, "-/-/-/-"),
        (5, "2C/3C/4C/5"),
        (5, "XX///"),
        (6, "QC"),
        (6, "QC4"),
        (6, ""),
        (6, "QC1-"),
        (7, ""),
        (7, "2C-"),
        (8, "2C2D2H/ / /"),
        (9, "--"),
        (10, "4"),
        (10, ""),
    ],
)
def test_a_spoiled_field_is_refused_within_it(field: int, value: str) -> None:
    fields = [*FIELDS[:field], value, *FIELDS[field + 1 :]]
    start = sum(len(f) + 1 for f in fields[:field])
    with pytest.raises(NotationError) as refused:
        trix.read_position(STANDARD, " ".join(fields))
    if " " not in value:
        assert start <= refused.value.position <= start + len(value)


@pytest.mark.parametrize(
    "text", ["", " ", EXAMPLE + " ", " " + EXAMPLE, EXAMPLE + "\n", "x" * 5000]
)
def test_a_position_has_eleven_fields_and_nothing_else(text: str) -> None:
    with pytest.raises(NotationError):
        trix.read_position(STANDARD, text)


def read(reader: Callable[[Rules, str], T], text: str) -> T | None:
    """What the reader makes of the text; None where it refuses it at a place of the text."""
    place = 0
    try:
        return reader(STANDARD, text)
    except NotationError as refused:
        place = refused.position
    assert 0 <= place <= len(text)
    return None


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_what_is_read_is_written_the_same(data: st.DataObject) -> None:
    """Any text near a position is refused, or is the one spelling of what was read."""
    at_, length = data.draw(st.integers(0, len(EXAMPLE))), data.draw(st.integers(0, 4))
    inserted = data.draw(st.text("0123-=/,KSQDTC HA29play", max_size=5))
    text = EXAMPLE[:at_] + inserted + EXAMPLE[at_ + length :]
    setup = read(trix.read_position, text)
    if setup is None:
        return
    assert notation._position(setup) == text
    found = trix.validate(STANDARD, setup)
    if isinstance(found, State):
        assert trix.write_position(STANDARD, found) == text


@given(st.text(max_size=40))
def test_no_text_makes_the_readers_raise_anything_else(text: str) -> None:
    read(trix.read_move, text)
    read(trix.read_position, text)
