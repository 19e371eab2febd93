"""The game of Ur solved with few pieces: numbers known from elsewhere (W4.4).

Every live position of one to three pieces a side is reached through `validate`, `resolve`,
`legal_moves` and `apply`, and the chance of the seat to throw to win under best play is found by
value iteration, borne-off count by borne-off count, since those never fall.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

import pytest

from hakam.games import tjau
from hakam.games.tjau.board import TjauBoard
from hakam.games.tjau.rules import Rules
from hakam.games.tjau.state import Phase, Setup, Side, State

Sides = tuple[Side, Side]
# Of a position, for each throw, what it may lead to. A reference is twice the number of a position,
# plus one where the other seat throws next.
Node = tuple[int, tuple[tuple[int, ...], ...]]

CHANCES = (1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16)
EXACT = 1e-15


def ur(pieces: int) -> Rules:
    return Rules("ur", TjauBoard.UR, pieces, mark_protects=True, first=0)


def placements(pieces: int) -> Iterator[Sides]:
    """Every pair of sides with no two pieces on one shared square, finished sides included."""
    sides = [
        Side(squares, off)
        for count in range(pieces + 1)
        for squares in combinations(range(1, 15), count)
        for off in range(pieces - count + 1)
    ]
    shared = [set(side.squares) & set(range(5, 13)) for side in sides]
    for i, cones in enumerate(sides):
        for j, spools in enumerate(sides):
            if not shared[i] & shared[j]:
                yield cones, spools


def live(pieces: int, all_placements: list[Sides]) -> list[State]:
    """The positions, seat 0 to throw, that are valid and not over."""
    rules = ur(pieces)
    found = (tjau.validate(rules, Setup(Phase.THROW, 0, 0, sides)) for sides in all_placements)
    return [state for state in found if isinstance(state, State)]


class Solver:
    """The values of all live positions, each from the side of the seat that throws."""

    def __init__(self, pieces: int) -> None:
        self.rules = ur(pieces)
        self.states = live(pieces, list(placements(pieces)))
        self.number = {(s.cones, s.spools): i for i, s in enumerate(self.states)}
        # By reference: a value, then its complement; at last the value of a game that is won.
        self.values = [0.5] * (2 * len(self.states)) + [1.0]
        self.won = 2 * len(self.states)

    def reference(self, after: State) -> int:
        if after.phase is Phase.OVER:
            return self.won
        if after.turn == 0:
            return 2 * self.number[after.cones, after.spools]
        return 2 * self.number[after.spools, after.cones] + 1

    def following(self, state: State, throw: int) -> tuple[int, ...]:
        after = tjau.resolve(self.rules, state, throw)[0]
        if after.phase is Phase.THROW:
            return (self.reference(after),)
        moves = tjau.legal_moves(self.rules, after)
        return tuple(self.reference(tjau.apply(self.rules, after, move)[0]) for move in moves)

    def layers(self) -> Iterator[list[Node]]:
        """The positions with as many pieces borne off, from the most on."""
        by_off = defaultdict(list)
        for i, state in enumerate(self.states):
            off = [side.borne_off for side in tjau.setup(self.rules, state).sides]
            by_off[sum(off), max(off)].append(i)
        for key in sorted(by_off, reverse=True):
            yield [
                (2 * i, tuple(self.following(self.states[i], throw) for throw in range(5)))
                for i in by_off[key]
            ]

    def sweep(self, layer: list[Node]) -> float:
        """One pass over a layer; the greatest change of a value."""
        values, change = self.values, 0.0
        value_of = values.__getitem__
        for place, (none, one, two, three, four) in layer:
            value = (
                CHANCES[0] * values[none[0]]
                + CHANCES[1] * max(map(value_of, one))
                + CHANCES[2] * max(map(value_of, two))
                + CHANCES[3] * max(map(value_of, three))
                + CHANCES[4] * max(map(value_of, four))
            )
            change = max(change, abs(value - values[place]))
            values[place] = value
            values[place + 1] = 1.0 - value
        return change

    def solve(self) -> float:
        """The chance of the seat that throws first, before its first throw."""
        for layer in self.layers():
            while self.sweep(layer) > EXACT:
                pass
        return self.values[self.reference(tjau.initial(self.rules))]


@pytest.mark.clause("W3.4", "W4.1", "W4.4")
@pytest.mark.parametrize(
    ("pieces", "every", "alive"),
    [
        (1, 248, 217),
        (2, 13_112, 12_869),
        pytest.param(3, 264_304, 263_121, marks=pytest.mark.long),
    ],
)
def test_as_many_positions_as_are_known(pieces: int, every: int, alive: int) -> None:
    found = list(placements(pieces))
    assert len(found) == every
    assert len(live(pieces, found)) == alive


@pytest.mark.clause("W4.4")
@pytest.mark.parametrize(
    ("pieces", "chance"),
    [
        (1, "0.530049839525"),
        (2, "0.518572907496"),
        pytest.param(3, "0.516201102238", marks=pytest.mark.long),
    ],
)
def test_the_chance_of_the_first_seat_is_the_known_one(pieces: int, chance: str) -> None:
    assert f"{Solver(pieces).solve():.12f}" == chance
