"""What happens in a game. All of it is public: dealt cards are no event, views show them.

The order of events is that of the things they tell. `GameOver` of `hakam.games.game` comes last.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from hakam.games.game import GameOver

__all__ = [
    "PASSED",
    "PLAYED",
    "CardPlayed",
    "ContractChosen",
    "DealOver",
    "Dealt",
    "DoublingAnswered",
    "Event",
    "KingdomOver",
    "OwnerFound",
    "Passed",
    "TrickTaken",
    "WentOut",
]


@dataclass(frozen=True)
class Dealt:
    """Thirteen cards were dealt to each seat, the first to seat `first`; deals count from 1."""

    deal: int
    first: int


@dataclass(frozen=True)
class OwnerFound:
    """Seat `seat` was dealt the seven of hearts and owns the first kingdom (T1.2)."""

    seat: int


@dataclass(frozen=True)
class ContractChosen:
    """The owner announced the contract (T1.1)."""

    seat: int
    contract: int


@dataclass(frozen=True)
class DoublingAnswered:
    """A seat doubled `cards`, ascending, perhaps none (T4.2)."""

    seat: int
    cards: tuple[int, ...]


@dataclass(frozen=True)
class CardPlayed:
    """A card was played to the trick, or laid in Trix."""

    seat: int
    card: int


@dataclass(frozen=True)
class TrickTaken:
    """A trick is complete: its cards in the order played, who took it, points by seat (T2.3)."""

    leader: int
    cards: tuple[int, ...]
    taker: int
    points: tuple[int, ...]


@dataclass(frozen=True)
class Passed:
    """A seat had nothing to lay in Trix (T5.4)."""

    seat: int


@dataclass(frozen=True)
class WentOut:
    """A seat is out of the Trix deal as the `place`-th, counted from 1, for `points` (T5.5)."""

    seat: int
    place: int
    points: int


@dataclass(frozen=True)
class DealOver:
    """A deal is on the sheet: its points by seat, and the totals of the game by seat."""

    deal: int
    contract: int
    points: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True)
class KingdomOver:
    """The kingdom of seat `owner` is over; kingdoms count from 1 (T1.3)."""

    kingdom: int
    owner: int


Event: TypeAlias = (
    Dealt
    | OwnerFound
    | ContractChosen
    | DoublingAnswered
    | CardPlayed
    | TrickTaken
    | Passed
    | WentOut
    | DealOver
    | KingdomOver
    | GameOver
)

# By seat and card; by seat.
PLAYED: Final = tuple(tuple(CardPlayed(s, c) for c in range(53)) for s in range(4))
PASSED: Final = tuple(Passed(s) for s in range(4))
