"""The ring, the goals and the bases by number: the same numbers as on the wire.

With L = cells_per_seat x seats: track cells 0 ... L-1 in the marbles' direction (J1.6), goal cell g
of seat s is L + 4s + g, base cell m of seat s is L + 4 x seats + 4s + m. Inside the package a
marble is one int too, 4 x seat + number, so its base cell is `bases + marble`.

    4 seats of 19 cells      0 .. 75 track, 76 .. 91 goals, 92 .. 107 bases
    forward ->               start(0) = 0, start(3) = 19, start(2) = 38, start(1) = 57

Source: docs/rules/jackaroo.md, section 1.
"""

from typing import Final

from hakam.games.jackaroo.rules import Rules

__all__ = ["Geometry", "commander", "geometry", "is_home", "partner"]


class Geometry:
    """The numbers of one board."""

    __slots__ = ("bases", "entrances", "home_of", "length", "seats", "starts")

    def __init__(self, seats: int, cells_per_seat: int, entrance_distance: int) -> None:
        length = seats * cells_per_seat
        self.seats: Final[int] = seats
        self.length: Final[int] = length
        self.bases: Final[int] = length + 4 * seats
        self.starts: Final[tuple[int, ...]] = tuple(
            (seats - s) % seats * cells_per_seat for s in range(seats)
        )
        self.entrances: Final[tuple[int, ...]] = tuple(
            (start - entrance_distance) % length for start in self.starts
        )
        # J1.8: the seat whose marble is protected on a track cell, -1 on all others.
        self.home_of: Final[tuple[int, ...]] = tuple(
            self.starts.index(cell) if cell in self.starts else -1 for cell in range(length)
        )


_GEOMETRIES: Final = {
    (n, cells, distance): Geometry(n, cells, distance)
    for n in (4, 6)
    for cells in range(10, 41)
    for distance in range(1, 5)
}


def geometry(rules: Rules) -> Geometry:
    """The board of these rules."""
    return _GEOMETRIES[rules.seats, rules.cells_per_seat, rules.entrance_distance]


def partner(seat: int, seats: int) -> int:
    """J1.1, J1.2: the seat opposite."""
    return (seat + seats // 2) % seats


def is_home(marbles: "tuple[int, ...] | list[int]", seat: int, board: Geometry) -> bool:
    """J1.9: all four marbles of the seat are in its goal."""
    first = 4 * seat
    length = board.length
    bases = board.bases
    return (
        length <= marbles[first] < bases
        and length <= marbles[first + 1] < bases
        and length <= marbles[first + 2] < bases
        and length <= marbles[first + 3] < bases
    )


def commander(marbles: "tuple[int, ...] | list[int]", seat: int, board: Geometry) -> int:
    """J7.2: the seat whose marbles the cards of `seat` move."""
    return partner(seat, board.seats) if is_home(marbles, seat, board) else seat
