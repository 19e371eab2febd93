"""The board as data: the wire's numbers, a drawable layout, every seat's way."""

from dataclasses import replace
from itertools import pairwise
from math import hypot

import pytest

from hakam.games import jackaroo
from hakam.games.game import Board, BoardCell, CellKind
from hakam.games.jackaroo.geometry import geometry
from hakam.games.jackaroo.rules import Rules, with_options

KAROTI = with_options("karoti", {})
SIX = with_options("bordaga", {"seats": 6})
SIZES = [
    replace(rules, cells_per_seat=cells, entrance_distance=distance)
    for rules in (KAROTI, SIX)
    for cells, distance in ((10, 1), (10, 4), (11, 4), (19, 2), (20, 3), (39, 1), (40, 4))
]


def gap(one: BoardCell, other: BoardCell) -> float:
    return hypot(one.x - other.x, one.y - other.y)


def around(board: Board, rules: Rules) -> list[BoardCell]:
    """The track in the marbles' direction from seat 0's start, once round."""
    length = rules.cells_per_seat * rules.seats
    return [board.cells[k] for k in range(length)]


@pytest.mark.clause("J1.4", "J1.5", "J1.6")
def test_every_cell_has_its_number_kind_and_owner() -> None:
    board = jackaroo.board(KAROTI)
    assert [cell.id for cell in board.cells] == list(range(108))
    kinds = {cell.id: (cell.kind, cell.owner) for cell in board.cells}
    assert kinds[1] == (CellKind.TRACK, None)
    assert [kinds[c] for c in (0, 57, 38, 19)] == [(CellKind.START, s) for s in range(4)]
    assert [kinds[c] for c in (74, 55, 36, 17)] == [(CellKind.ENTRANCE, s) for s in range(4)]
    for seat in range(4):
        for n in range(4):
            assert kinds[76 + 4 * seat + n] == (CellKind.GOAL, seat)
            assert kinds[92 + 4 * seat + n] == (CellKind.BASE, seat)


@pytest.mark.clause("J1.5")
@pytest.mark.parametrize("rules", SIZES)
def test_no_two_cells_overlap_and_neighbours_are_near(rules: Rules) -> None:
    board = jackaroo.board(rules)
    assert all(
        gap(one, other) > 0.99
        for i, one in enumerate(board.cells)
        for other in board.cells[i + 1 :]
    )
    for seat, path in enumerate(board.paths):
        cells = [board.cells[c] for c in path.cells]
        assert (cells[0].kind, cells[0].owner) == (CellKind.START, seat)
        assert [c.kind for c in cells[-5:]] == [CellKind.ENTRANCE] + [CellKind.GOAL] * 4
        assert all(0.99 < gap(a, b) < 1.5 for a, b in pairwise(cells))
    assert min(cell.x for cell in board.cells) == min(cell.y for cell in board.cells) == 0


@pytest.mark.clause("J1.6")
@pytest.mark.parametrize("rules", [KAROTI, SIX])
def test_marbles_run_clockwise_and_seats_sit_counter_clockwise(rules: Rules) -> None:
    board = jackaroo.board(rules)
    x0 = max(cell.x for cell in board.cells) / 2
    y0 = max(cell.y for cell in board.cells) / 2

    def turned(cells: list[BoardCell]) -> float:
        """Twice the signed area around the centre: positive is clockwise, as y grows down."""
        pairs = zip(cells, [*cells[1:], cells[0]], strict=True)
        return sum((a.x - x0) * (b.y - y0) - (b.x - x0) * (a.y - y0) for a, b in pairs)

    assert turned(around(board, rules)) > 0
    starts = [board.cells[c] for c in geometry(rules).starts]
    assert turned(starts) < 0
    # Seat 0 sits at the bottom, and seat 1 to its right.
    bases = [board.cells[geometry(rules).bases + 4 * s] for s in range(rules.seats)]
    assert max(bases, key=lambda cell: cell.y) is bases[0]
    assert bases[1].x > bases[0].x


def test_the_cross_of_four_lies_on_whole_units() -> None:
    cells = jackaroo.board(KAROTI).cells
    track = [cell for cell in cells if cell.kind is not CellKind.BASE]
    assert all(abs(v * 2 - round(v * 2)) < 1e-9 for cell in track for v in (cell.x, cell.y))
    assert len({cell.x for cell in track}) == 21


def test_a_view_is_drawn_in_a_line_a_seat() -> None:
    state = jackaroo.resolve(
        KAROTI, jackaroo.resolve(KAROTI, jackaroo.initial(KAROTI), 3)[0], tuple(range(1, 53))
    )[0]
    drawing = jackaroo.draw(KAROTI, jackaroo.view(KAROTI, state, 0))
    assert drawing.splitlines() == [
        "> 0  0000  [.................,.]  ....  2C6CTCAC",
        "D 3  3333  [.................,.]  ....  *4",
        "  2  2222  [.................,.]  ....  *4",
        "  1  1111  [.................,.]  ....  *4",
        "play  undealt 36  discard -",
    ]
