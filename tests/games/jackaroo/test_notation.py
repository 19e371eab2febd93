"""The notation of moves, positions and views: what it looks like, and what is refused."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hakam.games import jackaroo
from hakam.games.cards import read_card
from hakam.games.game import NotationError
from hakam.games.jackaroo.moves import BringOut, Burn, Hit, Move, Split, Step, Swap, Take
from hakam.games.jackaroo.rules import Joker, Rules, with_options
from hakam.games.jackaroo.state import Phase, Setup, State

Lay = Callable[..., State]
KAROTI = with_options("karoti", {})
BORDAGA = with_options("bordaga", {})
MOVES = {
    "KS out": BringOut(read_card("KS")),
    "XX=KC out": BringOut(read_card("XX"), read_card("KC")),
    "9D 0.1+9": Step(read_card("9D"), 0, 1, 9),
    "XX=4C 3.0-4": Step(read_card("XX"), 3, 0, -4, read_card("4C")),
    "7H 0.1+3 0.2+4": Split(read_card("7H"), 0, 1, 3, 0, 2, 4),
    "JS 0.0~1.3": Swap(read_card("JS"), 0, 0, 1, 3),
    "TC hit": Hit(read_card("TC")),
    "TC hit 2": Hit(read_card("TC"), 2),
    "QD take 0": Take(read_card("QD"), 0),
    "2C burn": Burn(read_card("2C")),
    "2C -5.99+0": Step(read_card("2C"), -5, 99, 0),
}


@pytest.mark.parametrize(("text", "move"), MOVES.items())
def test_the_spelling_of_every_kind_of_move(text: str, move: Move) -> None:
    assert jackaroo.write_move(KAROTI, move) == text
    assert jackaroo.read_move(KAROTI, text) == move


BAD_MOVES = [
    *("", " ", "KS", "KS ", "out", "KS  out", "KS out ", " KS out", "ks out", "KS OUT", "1S out"),
    *("KS= out", "KS=K out", "XX=KC=KC out", "XXKC out", "9D 0.1 9", "9D 0.1+09", "9D 00.1+9"),
    *("9D 0.1+-9", "9D 0.1", "9D +0.1+9", "9D -0.1+9", "9D 0.1-0", "7H 0.1+3  0.2+4", "TC hit 02"),
    *("7H 0.1+3 0.2", "JS 0.0~1", "JS 0.0-1.3~2", "TC hit -", "QD take", "QD take x", "2C burn 1"),
    *("9D 0.1+99999999999", "9D 0.1+9\n", "٩D 0.1+9", "9D 0.1+٩"),
]


@pytest.mark.parametrize("text", BAD_MOVES)
def test_any_other_spelling_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        jackaroo.read_move(KAROTI, text)
    assert 0 <= caught.value.position <= len(text)


def test_a_position_and_its_views(lay: Lay) -> None:
    state = lay(KAROTI, {(0, 0): 20, (2, 1): 85}, ["KS2C", "", "3C"], last="7S")
    text = jackaroo.write_position(KAROTI, state)
    phase, dealer, to_act, sides, deck, discard = text.split(" ")
    assert (phase, dealer, to_act, deck) == ("play", "3", "0", "-")
    assert sides == "20,93,94,95:KS2C/96,97,98,99:-/100,85,102,103:3C/104,105,106,107:4C"
    assert discard.endswith("7S")
    assert jackaroo.read_position(KAROTI, text) == jackaroo.setup(KAROTI, state)
    own = jackaroo.write_view(KAROTI, jackaroo.view(KAROTI, state, 0))
    assert own == (
        "0 play 3 0 20,93,94,95:KS2C/96,97,98,99:*0/100,85,102,103:*1/104,105,106,107:*1 "
        f"*0 {discard}"
    )
    out = jackaroo.write_view(KAROTI, jackaroo.view(KAROTI, state, None))
    assert out.startswith("- play 3 0 20,93,94,95:*2/")


def test_positions_without_cards_or_dealer() -> None:
    text = "dealer - - 92,93,94,95:-/96,97,98,99:-/100,101,102,103:-/104,105,106,107:- - -"
    state = jackaroo.initial(KAROTI)
    assert jackaroo.write_position(KAROTI, state) == text
    assert jackaroo.read_position(KAROTI, text) == jackaroo.setup(KAROTI, state)


SIDES = "92,93,94,95:-/96,97,98,99:-/100,101,102,103:-/104,105,106,107:-"
BAD_POSITIONS = [
    "",
    f"dealer - - {SIDES} -",
    f"dealer - - {SIDES} - - ",
    f"Dealer - - {SIDES} - -",
    f"5 - - {SIDES} - -",
    f"dealer x - {SIDES} - -",
    f"dealer - 01 {SIDES} - -",
    f"dealer - - {SIDES[:-1]} - -",
    f"dealer - - {SIDES.replace('95', '095')} - -",
    f"dealer - - {SIDES.replace('95', '')} - -",
    f"dealer - - {SIDES.replace(':-', '', 1)} - -",
    f"dealer - - {SIDES}/ - -",
    f"dealer - - {SIDES} 2 -",
    f"dealer - - {SIDES} - 2C3",
    f"dealer - - {SIDES} - 2c",
    f"dealer - - {SIDES.replace(':-', ':2C-', 1)} - -",
]


@pytest.mark.parametrize("text", BAD_POSITIONS)
def test_any_other_position_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        jackaroo.read_position(KAROTI, text)
    assert 0 <= caught.value.position <= len(text)


def test_a_position_that_cannot_be_is_read_and_left_to_the_validator() -> None:
    setup = jackaroo.read_position(KAROTI, "play 9 -1 5000,0:XX/-3:2C2C - AS")
    assert isinstance(setup, Setup)
    assert (setup.dealer, setup.to_act, setup.sides[1].marbles) == (9, -1, (-3,))
    assert not isinstance(jackaroo.validate(KAROTI, setup), State)


@given(text=st.text(st.sampled_from("KS2CX=out burn hit take0123456789.+-~/:, *"), max_size=30))
def test_readers_raise_nothing_else(text: str) -> None:
    for read, write in ((jackaroo.read_move, jackaroo.write_move),):
        try:
            found = read(KAROTI, text)
        except NotationError:
            continue
        assert write(KAROTI, found) == text
    with pytest.raises(NotationError):
        jackaroo.read_position(KAROTI, text)


@pytest.mark.parametrize("rules", [KAROTI, replace(BORDAGA, joker=Joker.WILD)])
def test_a_broken_text_is_never_read_as_another(lay: Lay, rules: Rules) -> None:
    state = lay(rules, {(0, 0): 20, (2, 1): 85}, ["KS3D", "", "3C"], last="7S")
    text = jackaroo.write_position(rules, state)
    rng = random.Random(1)
    for _ in range(2_000):
        at = rng.randrange(len(text))
        other = text[:at] + rng.choice(" 0129-:/,XKSCplay") + text[at + rng.randrange(2) :]
        try:
            setup = jackaroo.read_position(rules, other)
        except NotationError:
            continue
        found = jackaroo.validate(rules, setup)
        if isinstance(found, State):
            assert jackaroo.write_position(rules, found) == other


def test_phases_are_named_as_on_the_wire() -> None:
    assert [phase.name.lower() for phase in Phase] == ["dealer", "deal", "play", "answer", "over"]
