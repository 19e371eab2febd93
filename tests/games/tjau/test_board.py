import itertools

import pytest

from hakam.games import tjau
from hakam.games.game import Board, BoardCell, CellKind
from hakam.games.tjau.board import TjauBoard
from hakam.games.tjau.rules import RULE_SETS, Rules

EGYPTIAN = RULE_SETS["egyptian"]
UR = RULE_SETS["ur"]


def cells(board: Board, seat: int, squares: range) -> list[int]:
    return [board.paths[seat].cells[square - 1] for square in squares]


def cell(board: Board, seat: int, square: int) -> BoardCell:
    return board.cells[board.paths[seat].cells[square - 1]]


def places(board: Board, seat: int, squares: range) -> list[tuple[float, float]]:
    return [(cell(board, seat, p).x, cell(board, seat, p).y) for p in squares]


@pytest.mark.clause("W1.1", "W1.2")
@pytest.mark.parametrize("rules", [EGYPTIAN, UR], ids=["egyptian", "ur"])
def test_both_boards_have_twenty_cells_numbered_from_zero(rules: Rules) -> None:
    board = tjau.board(rules)
    assert [c.id for c in board.cells] == list(range(20))
    assert len({(c.x, c.y) for c in board.cells}) == 20
    assert [path.seat for path in board.paths] == [0, 1]


@pytest.mark.clause("W1.1")
def test_egyptian_paths_are_four_private_squares_and_a_shared_corridor_of_twelve() -> None:
    board = tjau.board(EGYPTIAN)
    assert [len(path.cells) for path in board.paths] == [16, 16]
    assert cells(board, 0, range(5, 17)) == cells(board, 1, range(5, 17))
    assert not set(cells(board, 0, range(1, 5))) & set(cells(board, 1, range(1, 5)))
    for seat in range(2):
        owners = [cell(board, seat, p).owner for p in range(1, 17)]
        assert owners == [seat] * 4 + [None] * 12


@pytest.mark.clause("W1.2")
def test_ur_paths_are_private_shared_and_private_again() -> None:
    board = tjau.board(UR)
    assert [len(path.cells) for path in board.paths] == [14, 14]
    assert cells(board, 0, range(5, 13)) == cells(board, 1, range(5, 13))
    for seat in range(2):
        owners = [cell(board, seat, p).owner for p in range(1, 15)]
        assert owners == [seat] * 4 + [None] * 8 + [seat] * 2


@pytest.mark.clause("W1.3")
@pytest.mark.parametrize(
    ("board", "marks"),
    [(TjauBoard.EGYPTIAN, [4, 8, 12, 16]), (TjauBoard.UR, [4, 8, 14])],
)
def test_marks_stand_where_the_clause_says(board: TjauBoard, marks: list[int]) -> None:
    shown = tjau.board(Rules("egyptian", board, 7, mark_protects=True, first=0))
    for path in shown.paths:
        kinds = [cell(shown, path.seat, p).kind for p in range(1, len(path.cells) + 1)]
        assert [p for p, kind in enumerate(kinds, start=1) if kind is CellKind.MARK] == marks
        assert set(kinds) == {CellKind.MARK, CellKind.SQUARE}


@pytest.mark.clause("W1.5")
def test_cones_enter_above_and_spools_below_and_both_turn_into_the_corridor() -> None:
    for rules in (EGYPTIAN, UR):
        board = tjau.board(rules)
        assert places(board, 0, range(1, 5)) == [(3, 0), (2, 0), (1, 0), (0, 0)]
        assert places(board, 1, range(1, 5)) == [(3, 2), (2, 2), (1, 2), (0, 2)]
    corridor = places(tjau.board(EGYPTIAN), 0, range(5, 17))
    assert corridor == [(x, 1) for x in range(12)]


@pytest.mark.clause("W1.5")
def test_the_board_of_ur_has_its_gaps_between_entry_and_exit() -> None:
    board = tjau.board(UR)
    assert places(board, 0, range(5, 13)) == [(x, 1) for x in range(8)]
    assert places(board, 0, range(13, 15)) == [(7, 0), (6, 0)]
    assert places(board, 1, range(13, 15)) == [(7, 2), (6, 2)]


@pytest.mark.parametrize("rules", [EGYPTIAN, UR], ids=["egyptian", "ur"])
def test_every_step_of_a_path_goes_to_a_neighbouring_cell(rules: Rules) -> None:
    board = tjau.board(rules)
    for path in board.paths:
        steps = places(board, path.seat, range(1, len(path.cells) + 1))
        for (x, y), (to_x, to_y) in itertools.pairwise(steps):
            assert abs(x - to_x) + abs(y - to_y) == 1
