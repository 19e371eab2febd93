import random

import pytest

from hakam.games import cards
from hakam.games.game import NotationError


def test_the_numbers_are_those_of_the_wire() -> None:
    assert cards.read_card("2C") == 1
    assert cards.read_card("AC") == 13
    assert cards.read_card("2D") == 14
    assert cards.read_card("KH") == 38
    assert cards.read_card("AS") == 52
    assert cards.read_card("XX") == cards.JOKER == 53


def test_the_deck_is_every_card_once_ascending() -> None:
    assert tuple(range(1, 53)) == cards.DECK
    named = [cards.NAMES[c] for c in cards.DECK]
    assert len(set(named)) == 52
    assert named[:3] == ["2C", "3C", "4C"]


@pytest.mark.parametrize("card", cards.DECK)
def test_rank_and_suit_make_the_card_and_its_name(card: int) -> None:
    rank, suit = cards.rank(card), cards.suit(card)
    assert cards.card(rank, suit) == card
    assert cards.NAMES[card] == cards.RANKS[rank] + cards.SUITS[suit]
    assert cards.read_card(cards.NAMES[card]) == card


def test_the_named_ranks_and_suits() -> None:
    assert [
        cards.RANKS[r] for r in (cards.TEN, cards.JACK, cards.QUEEN, cards.KING, cards.ACE)
    ] == [*"TJQKA"]
    suits = (cards.CLUBS, cards.DIAMONDS, cards.HEARTS, cards.SPADES)
    assert "".join(cards.SUITS[s] for s in suits) == "CDHS"


@pytest.mark.parametrize(
    "text", ["", "T", "10H", "th", "TX", "1C", "XH", " TH", "TH ", "ＴＨ", "HT"]
)
def test_what_is_no_card_is_refused_where_it_stands(text: str) -> None:
    with pytest.raises(NotationError) as refused:
        cards.read_card(text, 7)
    assert refused.value.position == 7


def test_runs_are_read_and_written() -> None:
    assert cards.read_cards("TH7SXX") == (35, 45, 53)
    assert cards.write_cards((35, 45, 53)) == "TH7SXX"
    assert cards.read_cards("") == ()
    assert cards.write_cards(()) == ""


@pytest.mark.parametrize(("text", "position"), [("TH7", 12), ("TH7s", 12), ("T", 10), ("TH S", 12)])
def test_a_bad_run_is_refused_where_it_goes_wrong(text: str, position: int) -> None:
    with pytest.raises(NotationError) as refused:
        cards.read_cards(text, 10)
    assert refused.value.position == position


def test_cards_are_dealt_one_at_a_time_round_the_table() -> None:
    hands, rest = cards.deal((1, 2, 3, 4, 5, 6, 7, 8), seats=3, first=1, per_seat=2)
    assert hands == ((3, 6), (1, 4), (2, 5))
    assert rest == (7, 8)


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
@pytest.mark.parametrize("per_seat", [0, 1, 4, 8])
def test_the_order_of_a_deal_is_the_inverse_of_dealing(seats: int, per_seat: int) -> None:
    order = random.Random(seats * per_seat).sample(cards.DECK, 52)
    for first in range(seats):
        hands, rest = cards.deal(order, seats, first, per_seat)
        assert {len(hand) for hand in hands} == {per_seat}
        assert cards.order_of_deal(hands, rest, first) == tuple(order)


def test_no_hands_have_the_rest_for_an_order() -> None:
    assert cards.order_of_deal((), (3, 1), 0) == (3, 1)


def test_every_public_name_is_there() -> None:
    assert sorted(cards.__all__) == cards.__all__
    assert all(hasattr(cards, name) for name in cards.__all__)
