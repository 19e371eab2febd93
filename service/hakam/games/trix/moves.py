"""The three kinds of move, and every plain one made once at import."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from hakam.games.cards import DECK
from hakam.games.trix.contracts import Contract

__all__ = ["CHOOSE", "DOUBLE_NOTHING", "PLAY_CARD", "Choose", "Double", "Move", "Play"]


@dataclass(frozen=True)
class Choose:
    """The owner announces the contract of the deal (T1.1)."""

    contract: int


@dataclass(frozen=True)
class Double:
    """A seat's answer: the cards that it doubles, ascending, perhaps none (T4.2)."""

    cards: tuple[int, ...]


@dataclass(frozen=True)
class Play:
    """A card is played to the trick, or laid in Trix (T2.1, T5.1)."""

    card: int


Move: TypeAlias = Choose | Double | Play

# By contract and by card; index 0 is never used.
CHOOSE: Final[tuple[Choose, ...]] = (Choose(0), *(Choose(int(c)) for c in Contract))
PLAY_CARD: Final[tuple[Play, ...]] = (Play(0), *(Play(c) for c in DECK))
DOUBLE_NOTHING: Final = Double(())
