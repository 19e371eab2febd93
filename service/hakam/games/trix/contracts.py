"""The contracts as data: what each scores, what may be doubled in it, what a deal of it sums to.

Tables are indexed by the contract's number; index 0 is no contract. Source: docs/rules/trix.md,
sections 3, 4 and 9.
"""

from enum import IntEnum
from typing import Final

from hakam.games.cards import DECK, DIAMONDS, HEARTS, KING, QUEEN, card, rank, suit

__all__ = [
    "CARD_POINTS",
    "CONTRACTS",
    "DOUBLABLE",
    "DOUBLED_POINTS",
    "GRAIN",
    "KING_OF_HEARTS",
    "PLACE_POINTS",
    "QUEENS",
    "QUEENS_FACE_UP",
    "TOTAL",
    "TRICK_POINTS",
    "TRIX",
    "Contract",
    "KingdomForm",
]


class Contract(IntEnum):
    """What is played in a deal (T1.1, T9.2)."""

    KING_OF_HEARTS = 1
    SLAPS = 2
    QUEENS = 3
    DIAMONDS = 4
    TRIX = 5
    COMPLEX = 6


class KingdomForm(IntEnum):
    """The deals of a kingdom: all five contracts (T1.1), or a complex deal and Trix (T9.2)."""

    FIVE_DEALS = 1
    TWO_DEALS = 2


TRIX: Final = int(Contract.TRIX)

# The contracts of a kingdom in the order in which they are listed, by its form.
CONTRACTS: Final[tuple[tuple[int, ...], ...]] = (
    (),
    (1, 2, 3, 4, 5),
    (5, 6),
)

KING_OF_HEARTS: Final = card(KING, HEARTS)
QUEENS: Final = tuple(card(QUEEN, s) for s in range(4))

_NOTHING: Final = (0,) * 53
_KING: Final = tuple(-75 if c == KING_OF_HEARTS else 0 for c in range(53))  # T3.1
_QUEEN: Final = (0, *(-25 if rank(c) == QUEEN else 0 for c in DECK))  # T3.3
_DIAMOND: Final = (0, *(-10 if suit(c) == DIAMONDS else 0 for c in DECK))  # T3.4

# Points of the taker for each card of a trick, by contract and card.
CARD_POINTS: Final[tuple[tuple[int, ...], ...]] = (
    _NOTHING,
    _KING,
    _NOTHING,
    _QUEEN,
    _DIAMOND,
    _NOTHING,
    tuple(k + q + d for k, q, d in zip(_KING, _QUEEN, _DIAMOND, strict=True)),  # T9.3
)
# Points of the taker for the trick itself (T3.2, T9.3).
TRICK_POINTS: Final[tuple[int, ...]] = (0, 0, -15, 0, 0, 0, -15)
# What a doubled card costs its taker once more and gains its doubler (T4.3, T9.4), by card.
DOUBLED_POINTS: Final[tuple[int, ...]] = tuple(k + q for k, q in zip(_KING, _QUEEN, strict=True))
# The cards that may be doubled, ascending (T4.1, T9.4).
DOUBLABLE: Final[tuple[tuple[int, ...], ...]] = (
    (),
    (KING_OF_HEARTS,),
    (),
    QUEENS,
    (),
    (),
    tuple(sorted((*QUEENS, KING_OF_HEARTS))),
)
# Whether taken queens lie face up before their taker (T3.3, T9.5).
QUEENS_FACE_UP: Final[tuple[bool, ...]] = (False, False, False, True, False, False, True)
# What the points of a deal sum to (T4.5, T9.6), and the unit of every seat's points in it.
TOTAL: Final[tuple[int, ...]] = (0, -75, -195, -100, -130, 500, -500)
GRAIN: Final[tuple[int, ...]] = (1, 75, 15, 25, 10, 50, 5)
# The points of the first, second, third and last seat to go out (T5.5).
PLACE_POINTS: Final[tuple[int, ...]] = (200, 150, 100, 50)
