"""The 52 cards and the joker as small ints, their notation, and how a shuffled deck is dealt.

A card is 1 + 13 x suit + rank, suits in the order C D H S and ranks 2 3 4 ... K A; the joker is 53.
These are the numbers of the wire enum `Card`, whose zero is no card. Source: the shared vocabulary
of docs/rules.
"""

from collections.abc import Sequence
from typing import Final

from hakam.games.game import NotationError

__all__ = [
    "ACE",
    "CLUBS",
    "DECK",
    "DIAMONDS",
    "HEARTS",
    "JACK",
    "JOKER",
    "KING",
    "NAMES",
    "QUEEN",
    "RANKS",
    "SPADES",
    "SUITS",
    "TEN",
    "card",
    "deal",
    "order_of_deal",
    "rank",
    "read_card",
    "read_cards",
    "suit",
    "write_cards",
]

RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDHS"
CLUBS: Final = 0
DIAMONDS: Final = 1
HEARTS: Final = 2
SPADES: Final = 3
TEN: Final = 8
JACK: Final = 9
QUEEN: Final = 10
KING: Final = 11
ACE: Final = 12
JOKER: Final = 53
DECK: Final = tuple(range(1, 53))
# Index is the card; index 0 is no card.
NAMES: Final = ("", *(r + s for s in SUITS for r in RANKS), "XX")
_BY_NAME: Final = {name: number for number, name in enumerate(NAMES) if name}


def card(rank_: int, suit_: int) -> int:
    """The card of a rank (0 is the two, 12 the ace) and a suit (0 clubs ... 3 spades)."""
    return 1 + 13 * suit_ + rank_


def rank(card_: int) -> int:
    """0 for a two up to 12 for an ace; the joker has none."""
    return (card_ - 1) % 13


def suit(card_: int) -> int:
    """0 clubs, 1 diamonds, 2 hearts, 3 spades; the joker has none."""
    return (card_ - 1) // 13


def read_card(text: str, position: int = 0) -> int:
    """The card that `text` names, two characters such as `TH`; `position` is where it stands."""
    found = _BY_NAME.get(text)
    if found is None:
        raise NotationError("not a card", position)
    return found


def read_cards(text: str, position: int = 0) -> tuple[int, ...]:
    """The cards of a run such as `TH7SAC`; the empty text is no cards."""
    if len(text) % 2:
        raise NotationError("half a card", position + len(text) - 1)
    return tuple(read_card(text[i : i + 2], position + i) for i in range(0, len(text), 2))


def write_cards(cards: Sequence[int]) -> str:
    """The inverse of `read_cards`."""
    return "".join([NAMES[c] for c in cards])


def deal(
    order: Sequence[int], seats: int, first: int, per_seat: int
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Deal one card at a time from the front of `order`, round the table from seat `first`.

    Returns the hands in seat order, each in the order dealt, and the rest of the deck.
    """
    used = seats * per_seat
    hands = tuple(tuple(order[(s - first) % seats : used : seats]) for s in range(seats))
    return hands, tuple(order[used:])


def order_of_deal(
    hands: Sequence[Sequence[int]], rest: Sequence[int], first: int
) -> tuple[int, ...]:
    """The order of the deck that `deal` would turn into these hands and this rest."""
    seats = len(hands)
    per_seat = len(hands[0]) if hands else 0
    dealt = [hands[(first + i) % seats][n] for n in range(per_seat) for i in range(seats)]
    return (*dealt, *rest)
