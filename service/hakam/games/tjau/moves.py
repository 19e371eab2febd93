"""What a seat does in Tjau: ask for its throw, then move with it (W5.1)."""

from dataclasses import dataclass
from typing import Final, TypeAlias

__all__ = ["HAND", "THROW", "Move", "MovePiece", "Throw", "moves_from"]

# The `from_square` of a piece that enters.
HAND: Final = 0


@dataclass(frozen=True)
class Throw:
    """Throw the sticks. The value comes by chance: the move is resolved, never applied."""


@dataclass(frozen=True)
class MovePiece:
    """Move the piece on a path square by the throw, or enter one (`from_square` 0)."""

    from_square: int


Move: TypeAlias = Throw | MovePiece

THROW: Final = Throw()
_PIECES: Final = tuple(MovePiece(p) for p in range(17))


def _row(first: int, mask: int) -> tuple[MovePiece, ...]:
    return tuple(_PIECES[first + i] for i in range(8) if mask >> i & 1)


# The moves of every set of eight neighbouring squares, so that no move is built in play.
_LOW: Final = tuple(_row(0, mask) for mask in range(256))
_HIGH: Final = tuple(_row(8, mask) for mask in range(256))
_LAST: Final = ((), (_PIECES[16],))


def moves_from(sources: int) -> tuple[MovePiece, ...]:
    """The moves from a mask of squares (bit 0 is the hand, bits 1 to 16 the squares), ascending."""
    return _LOW[sources & 255] + _HIGH[sources >> 8 & 255] + _LAST[sources >> 16]
