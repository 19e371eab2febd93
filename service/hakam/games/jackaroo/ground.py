"""The marbles on the ground, how far one may walk, and what stops it.

One truth for the legal list and for refusals: `reach` counts the free steps of a marble, and
`obstacle` says what stands on the step after them. It holds because whatever a gait may not land on
it may not pass either; only an opponent on the entrance may be landed on and not passed, and it is
judged on the step that follows (J3.8). A marble is 4 x seat + number.

Source: docs/rules/jackaroo.md, sections 3 and 4.
"""

from typing import Final

from hakam.games.game import Violation
from hakam.games.jackaroo.geometry import Geometry, partner
from hakam.games.jackaroo.powers import Kind
from hakam.games.reasons import Reason

__all__ = [
    "BACK",
    "FIVE",
    "FORWARD",
    "KING",
    "PUSH",
    "Ground",
    "gait_of",
    "obstacle",
    "path",
    "reach",
    "walk",
]


# The gaits: how a marble walks. Plain ints, since this is the inner loop.
FORWARD: Final = 0
BACK: Final = 1  # J3.9
FIVE: Final = 2  # J5.5, a marble of the player's team
PUSH: Final = 3  # J5.5, an opponent's: it never enters its goal
KING: Final = 4  # J5.K


class Ground:
    """Where every marble stands, and which marble stands on every cell (-1 for none)."""

    __slots__ = ("board", "marbles", "occupant")

    def __init__(self, board: Geometry, marbles: list[int], occupant: list[int]) -> None:
        self.board: Final[Geometry] = board
        self.marbles: Final[list[int]] = marbles
        self.occupant: Final[list[int]] = occupant

    @classmethod
    def of(cls, board: Geometry, marbles: tuple[int, ...]) -> "Ground":
        """The ground of a state's marbles."""
        occupant = [-1] * (board.bases + 4 * board.seats)
        for marble, cell in enumerate(marbles):
            occupant[cell] = marble
        return cls(board, list(marbles), occupant)

    def copy(self) -> "Ground":
        """A ground of its own with the same marbles."""
        return Ground(self.board, self.marbles.copy(), self.occupant.copy())

    def put(self, marble: int, cell: int) -> None:
        """Put a marble on a free cell."""
        self.occupant[self.marbles[marble]] = -1
        self.marbles[marble] = cell
        self.occupant[cell] = marble

    def send_back(self, marble: int) -> None:
        """Put a marble on its own base cell."""
        self.put(marble, self.board.bases + marble)

    def is_protected(self, marble: int) -> bool:
        """J1.8: the marble stands on its own start."""
        return self.marbles[marble] == self.board.starts[marble >> 2]

    def is_on_track(self, marble: int) -> bool:
        """The marble is neither in its base nor in its goal."""
        return self.marbles[marble] < self.board.length


def gait_of(kind: Kind, player: int, owner: int, seats: int) -> int:
    """How a card of this kind, played by `player`, moves a marble of `owner`."""
    if kind == Kind.FOUR:
        return BACK
    if kind == Kind.KING:
        return KING
    if kind == Kind.FIVE:
        return FIVE if owner in (player, partner(player, seats)) else PUSH
    return FORWARD


def reach(ground: Ground, marble: int, limit: int, gait: int) -> int:
    """How many of `limit` steps are free for a marble that is not in its base.

    A marble in its goal walks FORWARD only (J3.3, J3.9).
    """
    board = ground.board
    place = ground.marbles[marble]
    owner = marble >> 2
    if place >= board.length:
        return _goal_reach(ground, owner, place + 1, limit)
    if gait == BACK:
        return _back_reach(ground, owner, place, limit)
    if gait == PUSH:
        return _track_reach(ground, owner, place, limit, gait)
    to_entrance = (board.entrances[owner] - place) % board.length
    if limit <= to_entrance:
        return _track_reach(ground, owner, place, limit, gait)
    free = _track_reach(ground, owner, place, to_entrance, gait)
    if free < to_entrance or (gait != KING and _bar(ground, owner) >= 0):
        return free
    return free + _goal_reach(ground, owner, board.length + 4 * owner, limit - free)


def _track_reach(ground: Ground, owner: int, place: int, limit: int, gait: int) -> int:
    occupant = ground.occupant
    length = ground.board.length
    cell = place
    for step in range(limit):
        cell += 1
        if cell == length:
            cell = 0
        other = occupant[cell]
        if other >= 0 and _stops(ground.board, owner, other >> 2, cell, gait):
            return step
    return limit


def _back_reach(ground: Ground, owner: int, place: int, limit: int) -> int:
    occupant = ground.occupant
    length = ground.board.length
    cell = place
    for step in range(limit):
        cell = cell - 1 if cell else length - 1
        other = occupant[cell]
        if other >= 0 and _stops(ground.board, owner, other >> 2, cell, BACK):
            return step
    return limit


def _stops(board: Geometry, owner: int, other: int, cell: int, gait: int) -> bool:
    """Whether a marble of seat `other` on a track cell stops one of `owner`."""
    if other == owner:
        if gait < FIVE:
            return True  # J3.5, forward and back
        return gait != KING and board.home_of[cell] == other  # J4.3, J5.5
    return board.home_of[cell] == other  # J3.7, J4.1


def _bar(ground: Ground, owner: int) -> int:
    """J3.8: the opponent's marble on the entrance of `owner`, or -1."""
    marble = ground.occupant[ground.board.entrances[owner]]
    if marble < 0:
        return -1
    seat = marble >> 2
    return -1 if seat in (owner, partner(owner, ground.board.seats)) else marble


def _goal_reach(ground: Ground, owner: int, cell: int, limit: int) -> int:
    """J3.2, J3.4: the free goal cells from `cell` on, at most `limit`."""
    end = min(cell + limit, ground.board.length + 4 * owner + 4)
    first = cell
    while cell < end and ground.occupant[cell] < 0:
        cell += 1
    return cell - first


def path(board: Geometry, owner: int, place: int, steps: int, gait: int) -> list[int]:
    """The cells that a walk enters, in order; it ends early where the goal does (J3.2)."""
    length = board.length
    if place >= length:
        return list(range(place + 1, min(place + steps, length + 4 * owner + 3) + 1))
    if gait == BACK:
        return [(place - k) % length for k in range(1, steps + 1)]
    on_track = steps
    if gait != PUSH:
        on_track = min(steps, (board.entrances[owner] - place) % length)
    cells = [(place + k) % length for k in range(1, on_track + 1)]
    first = length + 4 * owner
    cells.extend(range(first, first + min(steps - on_track, 4)))
    return cells


def walk(
    ground: Ground, marble: int, steps: int, gait: int
) -> tuple[list[int], list[tuple[int, int]]]:
    """Carry out a walk that is free: the cells entered, and the marbles sent back with their cells.

    All but a King capture on the last cell only (J3.6, J5.5, J5.K).
    """
    cells = path(ground.board, marble >> 2, ground.marbles[marble], steps, gait)
    occupant = ground.occupant
    swept = cells if gait == KING else cells[-1:]
    captured = [(occupant[cell], cell) for cell in swept if occupant[cell] >= 0]
    for other, _ in captured:
        ground.send_back(other)
    ground.put(marble, cells[-1])
    return cells, captured


def obstacle(ground: Ground, marble: int, steps: int, gait: int) -> Violation | None:
    """The first thing on the way that forbids a walk of `steps`, or None."""
    free = reach(ground, marble, steps, gait)
    if free >= steps:
        return None
    board = ground.board
    owner = marble >> 2
    cells = path(board, owner, ground.marbles[marble], steps, gait)
    barred = _barred(ground, owner, cells, free, gait)
    if barred is not None:
        return barred
    if free == len(cells):
        last = board.length + 4 * owner + 3
        return Violation(Reason.GOAL_OVERSHOT, "J3.2", owner, marble & 3, last)
    return _blocked(ground, owner, cells[free], gait)


def _barred(ground: Ground, owner: int, cells: list[int], free: int, gait: int) -> Violation | None:
    first_goal = ground.board.length + 4 * owner
    if gait == KING or free == len(cells) or cells[free] != first_goal:
        return None
    bar = _bar(ground, owner)
    if bar < 0:
        return None
    cell = ground.board.entrances[owner]
    return Violation(Reason.ENTRANCE_BARRED, "J3.8", bar >> 2, bar & 3, cell)


def _blocked(ground: Ground, owner: int, cell: int, gait: int) -> Violation:
    """What the occupant of a cell that stops a walk is to it."""
    other = ground.occupant[cell]
    seat, number = other >> 2, other & 3
    if cell >= ground.board.length:
        return Violation(Reason.GOAL_BLOCKED, "J3.4", seat, number, cell)
    if seat == owner and gait in (FORWARD, BACK):
        return Violation(Reason.OWN_MARBLE_BLOCKS, "J3.5", seat, number, cell)
    clause = {KING: "J5.K", FIVE: "J5.5", PUSH: "J5.5"}.get(gait, "J3.7")
    return Violation(Reason.PROTECTED_MARBLE_BLOCKS, clause, seat, number, cell)
