"""Tricks: who takes them, what they score, and what the piles tell of those taken (sections 2-4).

A pile holds a seat's tricks in the order taken, four cards each in the order played.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from hakam.games.cards import DECK, suit
from hakam.games.trix.contracts import CARD_POINTS, DOUBLED_POINTS, TRICK_POINTS
from hakam.games.trix.state import SeatCard

__all__ = [
    "SUIT",
    "deal_points",
    "is_scoring_left",
    "last_trick",
    "pile_tricks",
    "player_of",
    "trick_points",
    "winning_place",
]

# The suit of each card; index 0 is no card and no suit.
SUIT: Final = (-1, *(suit(c) for c in DECK))


def winning_place(cards: tuple[int, ...]) -> int:
    """The place in a trick, from 0, of the highest card of the suit led (T2.3)."""
    best = cards[0]
    led = SUIT[best]
    place = 0
    for i in range(1, len(cards)):
        if cards[i] > best and SUIT[cards[i]] == led:
            best = cards[i]
            place = i
    return place


def trick_points(
    contract: int, cards: tuple[int, ...], leader: int, doubled: Sequence[SeatCard]
) -> tuple[int, ...]:
    """What a complete trick scores, by seat (T3.1 to T3.4, T4.3)."""
    points = [0, 0, 0, 0]
    _score(points, contract, cards, leader, doubled)
    return tuple(points)


def _score(
    points: list[int],
    contract: int,
    cards: tuple[int, ...],
    leader: int,
    doubled: Sequence[SeatCard],
) -> None:
    """Add what a complete trick scores."""
    taker = (leader + winning_place(cards)) % 4
    values = CARD_POINTS[contract]
    score = TRICK_POINTS[contract]
    for c in cards:
        score += values[c]
    for d in doubled:
        if d.card in cards:
            value = DOUBLED_POINTS[d.card]
            score += value
            # T4.4: a doubler that takes its own card leaves the bonus to the leader.
            points[leader if d.seat == taker else d.seat] -= value
    points[taker] += score


def pile_tricks(pile: Sequence[int], taker: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The tricks of a seat's pile in the order taken, each as its leader and its cards."""
    for i in range(0, len(pile), 4):
        cards = tuple(pile[i : i + 4])
        yield (taker - winning_place(cards)) % 4, cards


def last_trick(pile: tuple[int, ...], taker: int) -> tuple[int, tuple[int, ...]]:
    """Leader and cards of the last trick in the pile of the seat that took it and leads now."""
    cards = pile[-4:]
    return (taker - winning_place(cards)) % 4, cards


def player_of(card: int, pile: tuple[int, ...], taker: int) -> int:
    """The seat that played a card of a pile."""
    place = pile.index(card)
    start = place - place % 4
    leader = (taker - winning_place(pile[start : start + 4])) % 4
    return (leader + place - start) % 4


def deal_points(
    contract: int, taken: Sequence[Sequence[int]], doubled: Sequence[SeatCard]
) -> tuple[int, ...]:
    """The points by seat of all tricks taken so far in a deal."""
    total = [0, 0, 0, 0]
    for taker in range(4):
        pile = tuple(taken[taker])
        for i in range(0, len(pile), 4):
            cards = pile[i : i + 4]
            leader = (taker - winning_place(cards)) % 4
            _score(total, contract, cards, leader, doubled)
    return tuple(total)


def is_scoring_left(contract: int, hands: Sequence[Sequence[int]]) -> bool:
    """Whether the cards still held, once played, can score anything (T2.4)."""
    if TRICK_POINTS[contract]:
        return any(hands)
    values = CARD_POINTS[contract]
    for hand in hands:
        for c in hand:
            if values[c]:
                return True
    return False
