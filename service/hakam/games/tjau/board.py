"""The two boards of Tjau: geometry as tables made at import.

Source: clauses W1.1 to W1.3, W1.5, W3.4 and W3.5. States, moves and events speak of "squares", a
seat's own numbering of its path: 1 is the first after the hand, `last` the last before bearing off.
Cells are the places of the board, 0 to 19, for drawing: cells 0, 1, 2 ... are seat 0's path from
its square 1 on, then come seat 1's private squares in the order of its path. The cones (seat 0)
enter on the upper row and the spools (seat 1) on the lower; `*` is a mark.

egyptian, the corridor is squares 5 to 16 of both seats:

     3*  2   1   0
     4   5   6   7*  8   9  10  11* 12  13  14  15*
    19* 18  17  16

ur, the corridor is squares 5 to 12 of both seats:

     3*  2   1   0          13* 12
     4   5   6   7*  8   9  10  11
    17* 16  15  14          19* 18
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from hakam.games.game import Board, BoardCell, BoardPath, CellKind

__all__ = ["CORRIDOR_FIRST", "SEATS", "SHAPES", "Shape", "TjauBoard"]

SEATS: Final = 2
# W1.1, W1.2: the squares before it are private on both boards.
CORRIDOR_FIRST: Final = 5


class TjauBoard(IntEnum):
    """Which board is played on."""

    EGYPTIAN = 1
    UR = 2


@dataclass(frozen=True)
class Shape:
    """What the rules need to know of a board. Masks hold bit `p` for path square `p`.

    `clause` is that of the path, `last` its last square; `marks` are the squares that give another
    throw; `shared` are the squares on which the two sides meet; `guarded` are those on which a mark
    has something to protect; `landings` are all squares and the step past the last; `width` is that
    of the board in cells.
    """

    clause: str
    last: int
    marks: int
    shared: int
    guarded: int
    landings: int
    width: int
    board: Board


def _mask(squares: Sequence[int]) -> int:
    return sum(1 << p for p in squares)


def _path(seat: int, last: int, corridor_last: int) -> tuple[int, ...]:
    """The cells of a seat's squares 1 to `last`."""
    if seat == 0:
        return tuple(range(last))
    row = range(last, last + CORRIDOR_FIRST - 1)
    corridor = range(CORRIDOR_FIRST - 1, corridor_last)
    rest = range(row.stop, row.stop + last - corridor_last)
    return (*row, *corridor, *rest)


def _place(seat: int, square: int, corridor_last: int) -> tuple[float, float]:
    """Where a square lies: own row to the left, corridor to the right, own row to the left."""
    y = 0.0 if seat == 0 else 2.0
    if square < CORRIDOR_FIRST:
        return float(CORRIDOR_FIRST - 1 - square), y
    if square <= corridor_last:
        return float(square - CORRIDOR_FIRST), 1.0
    return float(2 * corridor_last - CORRIDOR_FIRST + 1 - square), y


def _cells(path: BoardPath, corridor_last: int, marks: Sequence[int]) -> Iterator[BoardCell]:
    """The cells of a seat's path, in its order."""
    for square, cell in enumerate(path.cells, start=1):
        kind = CellKind.MARK if square in marks else CellKind.SQUARE
        owner = None if CORRIDOR_FIRST <= square <= corridor_last else path.seat
        x, y = _place(path.seat, square, corridor_last)
        yield BoardCell(cell, kind, owner, x, y)


def _board(last: int, corridor_last: int, marks: Sequence[int]) -> Board:
    paths = tuple(BoardPath(s, _path(s, last, corridor_last)) for s in range(SEATS))
    cells = {cell.id: cell for path in paths for cell in _cells(path, corridor_last, marks)}
    return Board(tuple(cells[i] for i in sorted(cells)), paths)


def _shape(clause: str, last: int, corridor_last: int, marks: Sequence[int]) -> Shape:
    shared = _mask(range(CORRIDOR_FIRST, corridor_last + 1))
    return Shape(
        clause=clause,
        last=last,
        marks=_mask(marks),
        shared=shared,
        guarded=_mask(marks) & shared,
        landings=_mask(range(1, last + 2)),
        width=corridor_last - CORRIDOR_FIRST + 1,
        board=_board(last, corridor_last, marks),
    )


# W1.1 to W1.3.
SHAPES: Final = {
    TjauBoard.EGYPTIAN: _shape("W1.1", 16, 16, (4, 8, 12, 16)),
    TjauBoard.UR: _shape("W1.2", 14, 12, (4, 8, 14)),
}
