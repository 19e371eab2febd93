from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hakam import notation
from hakam.games import cards, tjau
from hakam.games.game import ChanceDue, ChanceKind, NotationError
from hakam.games.reasons import Reason
from hakam.referee import SUPPLIED, AnyGame, Chance
from tests.random_play import RULE_SETS, VARIANTS, case_ids, play, random_chance

RULES = tjau.CATALOGUE.rule_sets["egyptian"]


def read(text: str) -> Any:
    return notation.read_move(tjau, RULES, text)


def written(move: Any) -> str:
    return notation.write_move(tjau, RULES, move)


def dues() -> st.SearchStrategy[ChanceDue]:
    return st.one_of(
        st.just(ChanceDue(ChanceKind.THROW, seats=2)),
        st.builds(ChanceDue, st.just(ChanceKind.SEAT), seats=st.integers(2, 6)),
        st.sampled_from([(4, 13), (4, 4), (6, 8), (6, 1), (1, 52)]).flatmap(
            lambda shape: st.builds(
                ChanceDue,
                st.just(ChanceKind.DEAL),
                seats=st.just(shape[0]),
                first=st.integers(0, shape[0] - 1),
                per_seat=st.just(shape[1]),
                deck=st.sampled_from([cards.DECK, (*cards.DECK[1:], cards.JOKER)]),
            )
        ),
    )


@given(dues(), st.integers())
def test_every_outcome_comes_back_from_its_text(due: ChanceDue, number: int) -> None:
    move = random_chance(Random(number), due)
    text = written(move)
    assert text.isascii()
    assert len(text) <= notation.MAX_LENGTH
    assert read(text) == move


def test_outcomes_are_written_as_documented() -> None:
    assert written(Chance(ChanceKind.THROW, 3)) == "chance:throw=3"
    assert written(Chance(ChanceKind.SEAT, 1)) == "chance:seat=1"
    hands = tuple(cards.read_cards(text) for text in ("2C7H", "9SXX"))
    deal = Chance(ChanceKind.DEAL, hands=hands, rest=cards.read_cards("4D"))
    assert written(deal) == "chance:deal=2C7H,9SXX/4D"


@pytest.mark.parametrize(("game", "rules"), VARIANTS, ids=case_ids(VARIANTS))
def test_every_move_of_a_game_comes_back_from_its_text(game: AnyGame, rules: Any) -> None:
    played = play(game, rules, SUPPLIED, Random(31))
    moves = dict.fromkeys(played.moves)
    for state in played.states[::5]:
        moves |= dict.fromkeys(game.legal_moves(rules, state.position))
    for one in moves:
        text = notation.write_move(game, rules, one)
        assert text.isascii()
        assert text.isprintable()
        assert 1 <= len(text) <= notation.MAX_LENGTH
        assert notation.read_move(game, rules, text) == one


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("chance:", 7),
        ("chance:dice=3", 7),
        ("chance:throw", 12),
        ("chance:throw=", 13),
        ("chance:throw=33", 13),
        ("chance:throw=-1", 13),
        ("chance:throw= 1", 13),
        ("chance:throw=1 ", 13),
        ("chance:throw=1\n", 13),
        ("chance:throw=a", 13),
        ("chance:Throw=1", 7),
        ("CHANCE:throw=1", 0),
        (" chance:throw=1", 0),
        ("chance:seat=1,2", 12),
        ("chance:deal=2C,3C", 17),
        ("chance:deal=2C,3C4/", 17),
        ("chance:deal=2C,ZZ/", 15),
        ("chance:deal=2C,3c/", 15),
        ("chance:deal=2C;3C/", 16),
        ("chance:deal=2C,3C/4D5", 20),
        ("chance:deal=2C,3C/4D/", 20),
        ("chance:deal=2C,3C/4D/5D", 22),
        ("chance:deal=2C,3C/4D,", 20),
        ("chance:throw=٣", 0),
        ("رمية", 0),
        ("x" * 257, 0),
    ],
)
def test_nothing_else_is_read_and_the_fault_has_its_place(text: str, position: int) -> None:
    with pytest.raises(NotationError) as refused:
        read(text)
    assert refused.value.position == position


def read_or_place(game: AnyGame, rules: Any, text: str) -> tuple[Any, int]:
    """The move, or None and where the fault is."""
    try:
        return notation.read_move(game, rules, text), 0
    except NotationError as refused:
        return None, refused.position


@given(st.text(max_size=300) | st.text(alphabet="chanedl:=,/23CDHSXthrowseat 01", max_size=40))
def test_hostile_text_is_refused_or_has_one_spelling(text: str) -> None:
    for game, rules in RULE_SETS:
        for prefix in ("", "chance:", "chance:deal="):
            whole = f"{prefix}{text}"
            move, position = read_or_place(game, rules, whole)
            assert 0 <= position <= len(whole)
            assert move is None or notation.write_move(game, rules, move) == whole


@pytest.mark.parametrize(("game", "rules"), VARIANTS, ids=case_ids(VARIANTS))
def test_what_a_spoilt_move_reads_as_is_judged_without_a_fault(game: AnyGame, rules: Any) -> None:
    random = Random(32)
    played = play(game, rules, SUPPLIED, random)
    texts = {notation.write_move(game, rules, move) for move in played.moves}
    state = played.states[len(played.states) // 2]
    read_back = 0
    for text in sorted(texts)[:200]:
        at = random.randrange(len(text))
        spoilt = text[:at] + random.choice("0123456789 ,-=:ABCDEFxyz") + text[at + 1 :]
        move, _ = read_or_place(game, rules, spoilt)
        if move is None:
            continue
        read_back += 1
        assert notation.write_move(game, rules, move) == spoilt
        if not isinstance(move, Chance):
            refused = game.violation(rules, state.position, move)
            assert refused is None or isinstance(refused.reason, Reason)
    assert read_back < len(texts)
