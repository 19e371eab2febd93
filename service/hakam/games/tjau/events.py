"""What happens in Tjau; nothing of it is hidden (W6.1). The shared `GameOver` comes last.

Squares are those of the path of the seat named; on shared squares both seats count alike.
"""

from dataclasses import dataclass
from typing import TypeAlias

from hakam.games.game import GameOver

__all__ = [
    "Captured",
    "Event",
    "ExtraThrow",
    "FirstDrawn",
    "Moved",
    "Passed",
    "Thrown",
]


@dataclass(frozen=True)
class FirstDrawn:
    """Chance has named the seat that throws first (W4.2)."""

    seat: int


@dataclass(frozen=True)
class Thrown:
    """A seat has thrown 0 to 4 (W2.1)."""

    seat: int
    value: int


@dataclass(frozen=True)
class Passed:
    """The turn has passed: a 0, or a throw that allows no move (W2.2, W3.7)."""

    seat: int


@dataclass(frozen=True)
class Moved:
    """A piece has entered, moved or been borne off (W3.1).

    `from_square` 0 is the hand; `to_square` one past the last square of the path is off the board.
    """

    seat: int
    from_square: int
    to_square: int


@dataclass(frozen=True)
class Captured:
    """A piece of `seat` went back to its owner's hand from `square` (W3.4)."""

    seat: int
    square: int


@dataclass(frozen=True)
class ExtraThrow:
    """The seat throws again, because its move ended on a mark (W3.6)."""

    seat: int


Event: TypeAlias = FirstDrawn | Thrown | Passed | Moved | Captured | ExtraThrow | GameOver
