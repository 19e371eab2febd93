"""What happens because of a move or of chance, as everybody at the table sees it.

No event tells a card that is not lying face up. Cells and marbles are those of geometry.py, named
by seat and number. Within one answer the order is that in which things happen: the card, the
marbles' ways, the marbles sent back, seats home, turns lost and passed, deals; the end comes last.
"""

from dataclasses import dataclass
from typing import TypeAlias

from hakam.games.game import GameOver

__all__ = [
    "BroughtOut",
    "BurnAsked",
    "Burnt",
    "Captured",
    "CardLost",
    "DealerDrawn",
    "Dealt",
    "EnteredGoal",
    "Event",
    "Moved",
    "Passed",
    "Played",
    "SeatHome",
    "Shuffled",
    "Skipped",
    "Swapped",
]


@dataclass(frozen=True)
class DealerDrawn:
    """J2.9: chance drew the first dealer."""

    seat: int


@dataclass(frozen=True)
class Shuffled:
    """J2.2: all cards were shuffled again; `dealer` deals."""

    dealer: int


@dataclass(frozen=True)
class Dealt:
    """J2.2: every seat received `cards` cards; `hand_index` counts a shuffle's hands from 0."""

    dealer: int
    hand_index: int
    cards: int


@dataclass(frozen=True)
class Played:
    """J2.5: a card was played; `played_as` is the card for which a joker stands, else 0."""

    seat: int
    card: int
    played_as: int


@dataclass(frozen=True)
class Burnt:
    """J2.8, J5.10: a seat discarded a card of its own choice without effect."""

    seat: int
    card: int


@dataclass(frozen=True)
class BroughtOut:
    """J5.O: a marble went from its base cell to its start."""

    seat: int
    marble: int
    from_cell: int
    to_cell: int


@dataclass(frozen=True)
class Moved:
    """A marble walked over the cells of `path`, in order; it stands on the last."""

    seat: int
    marble: int
    from_cell: int
    path: tuple[int, ...]


@dataclass(frozen=True)
class Captured:
    """J3.6, J5.K: a marble was sent back to its base cell."""

    seat: int
    marble: int
    from_cell: int
    to_cell: int


@dataclass(frozen=True)
class EnteredGoal:
    """J3.2: the marble that just moved came from the track to a goal cell of its seat."""

    seat: int
    marble: int
    cell: int


@dataclass(frozen=True)
class Swapped:
    """J5.J: two marbles exchanged places; `cell` and `other_cell` are their new places."""

    seat: int
    marble: int
    cell: int
    other_seat: int
    other_marble: int
    other_cell: int


@dataclass(frozen=True)
class CardLost:
    """J5.10, J5.Q: a hit or a take put the card at a position of a seat's hand on the discard pile.

    `card` is None in the effects of a move not yet made: nobody knows it.
    """

    seat: int
    position: int
    card: int | None


@dataclass(frozen=True)
class BurnAsked:
    """J5.10: the seat must burn a card of its choice."""

    seat: int


@dataclass(frozen=True)
class Skipped:
    """J5.10, J5.Q: the seat lost its turn."""

    seat: int


@dataclass(frozen=True)
class Passed:
    """J2.6: the seat was passed over, having no cards."""

    seat: int


@dataclass(frozen=True)
class SeatHome:
    """J1.9: all four marbles of the seat are in its goal."""

    seat: int


Event: TypeAlias = (
    DealerDrawn
    | Shuffled
    | Dealt
    | Played
    | Burnt
    | BroughtOut
    | Moved
    | Captured
    | EnteredGoal
    | Swapped
    | CardLost
    | BurnAsked
    | Skipped
    | Passed
    | SeatHome
    | GameOver
)
