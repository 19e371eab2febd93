"""A position of Tjau: decoded and unjudged (`Setup`), or known to be valid (`State`).

Laws:
- A `Setup` mirrors the wire and may hold any int anywhere. A `State` is made only by `initial`,
  `validate`, `resolve` and `apply`, and never changes.
- Pieces are interchangeable (W1.4), so a side is a set of squares and a count. What is neither on
  the board nor borne off is in hand, and the winner is the side that has borne all off: neither is
  stored.
- In a `State` a side is one int: bit `p` (1 to 16) is a piece on path square `p`, the bits from 17
  on are the number of pieces borne off.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

__all__ = [
    "NOBODY",
    "OFF_ONE",
    "SQUARES",
    "Phase",
    "Setup",
    "Side",
    "State",
    "borne_off",
    "in_hand",
    "own_and_other",
    "pack",
    "squares_of",
]

_OFF_SHIFT: Final = 17
OFF_ONE: Final = 1 << _OFF_SHIFT
SQUARES: Final = OFF_ONE - 2
# The `turn` of a state in which nobody is to act.
NOBODY: Final = -1


class Phase(IntEnum):
    """What a state waits for."""

    FIRST = 1  # chance names the seat that throws first (W4.2)
    THROW = 2  # the seat to act throws
    MOVE = 3  # the seat to act has thrown and has a legal move (W3.7)
    OVER = 4  # one side has borne all off (W4.1)


@dataclass(frozen=True)
class Side:
    """One seat's pieces: the path squares occupied, ascending, and the number borne off."""

    squares: tuple[int, ...]
    borne_off: int


@dataclass(frozen=True)
class Setup:
    """A decoded position. `turn` is None in FIRST and OVER; `throw` is 0 except in MOVE (1 to 4).

    `phase` is a number of `Phase`, or any other int where the sender did not keep to it.
    """

    phase: int
    turn: int | None
    throw: int
    sides: tuple[Side, ...]


class State:
    """A valid position. `turn` is `NOBODY` in FIRST and OVER; `throw` is 0 except in MOVE."""

    __slots__ = ("cones", "phase", "spools", "throw", "turn")

    def __init__(self, phase: Phase, turn: int, throw: int, cones: int, spools: int) -> None:
        self.phase: Final = phase
        self.turn: Final = turn
        self.throw: Final = throw
        self.cones: Final = cones
        self.spools: Final = spools

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and (
            self.cones == other.cones
            and self.spools == other.spools
            and self.throw == other.throw
            and self.turn == other.turn
            and self.phase == other.phase
        )

    def __hash__(self) -> int:
        return hash((self.phase, self.turn, self.throw, self.cones, self.spools))

    def __repr__(self) -> str:
        return (
            f"State({self.phase!r}, turn={self.turn}, throw={self.throw}, "
            f"cones={self.cones:#x}, spools={self.spools:#x})"
        )


def own_and_other(state: State) -> tuple[int, int]:
    """The side of the seat to act, and the opponent's."""
    if state.turn == 0:
        return state.cones, state.spools
    return state.spools, state.cones


def borne_off(side: int) -> int:
    """The number of pieces that a side has borne off."""
    return side >> _OFF_SHIFT


def in_hand(pieces: int, side: int) -> int:
    """The number of pieces of a side that are not on the board and not borne off."""
    return pieces - (side & SQUARES).bit_count() - (side >> _OFF_SHIFT)


def squares_of(side: int) -> tuple[int, ...]:
    """The squares that a side occupies, ascending."""
    return tuple(p for p in range(1, _OFF_SHIFT) if side >> p & 1)


def pack(side: Side) -> int:
    """A valid side as one int."""
    return sum(1 << p for p in side.squares) + side.borne_off * OFF_ONE
