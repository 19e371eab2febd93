"""The layout of Trix as a set of bits, and who can lay a card on it (section 5).

Bit c is card c; bit 0, always set, is the bare table. Every card needs exactly one neighbour on
the table: a jack the bare table, a higher card the next one down, a lower card the next one up.
Nothing wraps, for both directions run towards the jack (T5.2).
"""

from collections.abc import Sequence
from typing import Final

from hakam.games.cards import DECK, JACK, rank

__all__ = ["NEEDS", "can_lay", "layout_cards", "lies"]


def _needs(card: int) -> int:
    if rank(card) == JACK:
        return 0
    return card - 1 if rank(card) > JACK else card + 1


# The card that must lie before this one may be laid; 0 for jacks. Index 0 is never used.
NEEDS: Final = (0, *(_needs(c) for c in DECK))


def lies(layout: int, card: int) -> bool:
    """Whether a card (or the bare table, 0) is in the layout."""
    return (layout >> card) & 1 == 1


def can_lay(layout: int, hand: Sequence[int]) -> bool:
    """Whether any card of a hand is playable (T5.4)."""
    for c in hand:  # noqa: SIM110 - a plain loop costs half of a generator
        if (layout >> NEEDS[c]) & 1:
            return True
    return False


def layout_cards(layout: int) -> tuple[int, ...]:
    """The cards of a layout, ascending."""
    return tuple([c for c in DECK if (layout >> c) & 1])
