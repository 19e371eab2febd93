"""The board as data: a cross for four seats, a star of six arms for six.

Each seat has an arm that points from the centre towards it. Seen from above, seats go round
counter-clockwise from the bottom, marbles clockwise (J1.6). In the marbles' direction an arm runs
outward along one side, across the tip, and back along the other. For 19 cells a seat:

        . G .   <- towards the centre       E entrance, middle of the tip (J1.4)
       .  G  .                              S start, `entrance_distance` cells on (J1.5, J1.7)
       .  G  .                              G goal 0 ... 3, from the tip inward
       .  G  .                              B base cells 0 ... 3, before the player
       S . E . .  <- marbles come down the right side of the bottom arm
        B B B B

Where two arms meet, an even number of cells has one on the corner; an odd number cuts it. Any two
cells are at least one unit apart.
"""

from math import cos, pi, sin, tan
from typing import Final

from hakam.games.game import Board, BoardCell, BoardPath, CellKind
from hakam.games.jackaroo.geometry import Geometry, geometry
from hakam.games.jackaroo.rules import Rules

__all__ = ["board"]

_HALF: Final = 2  # cells of the tip on each side of the entrance
_TIP: Final = 2 * _HALF + 1


def board(rules: Rules) -> Board:
    """The cells by id, and each seat's way from its start over the track into its goal."""
    ground = geometry(rules)
    arm = _Arm(rules.seats, rules.cells_per_seat, rules.entrance_distance)
    places = _places(ground, arm)
    left = min(x for x, _ in places)
    top = min(y for _, y in places)
    cells = tuple(
        BoardCell(cell, *_kind(ground, cell), round(x - left, 3), round(y - top, 3))
        for cell, (x, y) in enumerate(places)
    )
    return Board(cells, tuple(_path(ground, seat) for seat in range(rules.seats)))


class _Arm:
    """An arm in its own coordinates: u across it, in the marbles' direction falling; v outward."""

    __slots__ = ("base", "goal", "ring", "start")

    def __init__(self, seats: int, cells: int, entrance_distance: int) -> None:
        side = (cells - _TIP) // 2
        corner = _HALF / tan(pi / seats)
        tip = corner + side + 1
        outward = [(float(_HALF), corner + k) for k in range(1, side + 1)]
        across = [(float(u), tip) for u in range(_HALF, -_HALF - 1, -1)]
        inward = [(-u, v) for u, v in reversed(outward)]
        ring = outward + across + inward
        if len(ring) < cells:
            ring.append((-float(_HALF), corner))
        self.ring: Final = ring
        self.start: Final = side + _HALF + entrance_distance  # its index in the ring
        self.goal: Final = [(0.0, tip - 1 - g) for g in range(4)]
        self.base: Final = [(m - 1.5, tip + 1.5) for m in range(4)]  # from the player's left


def _places(ground: Geometry, arm: _Arm) -> list[tuple[float, float]]:
    """The place of every cell by id, around the centre."""
    places = [(0.0, 0.0)] * (ground.bases + 4 * ground.seats)
    for seat in range(ground.seats):
        first = ground.starts[seat] - arm.start
        for k, (u, v) in enumerate(arm.ring):
            places[(first + k) % ground.length] = _turn(ground, seat, u, v)
        for n in range(4):
            places[ground.length + 4 * seat + n] = _turn(ground, seat, *arm.goal[n])
            places[ground.bases + 4 * seat + n] = _turn(ground, seat, *arm.base[n])
    return places


def _turn(ground: Geometry, seat: int, u: float, v: float) -> tuple[float, float]:
    angle = 2 * pi * seat / ground.seats
    return u * cos(angle) + v * sin(angle), v * cos(angle) - u * sin(angle)


def _kind(ground: Geometry, cell: int) -> tuple[CellKind, int | None]:
    if cell >= ground.bases:
        return CellKind.BASE, (cell - ground.bases) >> 2
    if cell >= ground.length:
        return CellKind.GOAL, (cell - ground.length) >> 2
    if cell in ground.starts:
        return CellKind.START, ground.starts.index(cell)
    if cell in ground.entrances:
        return CellKind.ENTRANCE, ground.entrances.index(cell)
    return CellKind.TRACK, None


def _path(ground: Geometry, seat: int) -> BoardPath:
    start = ground.starts[seat]
    steps = (ground.entrances[seat] - start) % ground.length
    track = tuple((start + k) % ground.length for k in range(steps + 1))
    goal = ground.length + 4 * seat
    return BoardPath(seat, (*track, *range(goal, goal + 4)))
