"""What may be seen of Tjau: everything (W6.1), by every seat and by spectators alike."""

from dataclasses import dataclass
from typing import Final

from hakam.games.game import Board
from hakam.games.tjau.board import SEATS, SHAPES
from hakam.games.tjau.rules import Rules
from hakam.games.tjau.state import NOBODY, Phase, State, borne_off, in_hand, squares_of

__all__ = ["SideView", "View", "board", "draw", "view"]

_PIECES: Final = "Ao"
_NAMES: Final = ("cones", "spools")


@dataclass(frozen=True)
class SideView:
    """One seat's pieces: the squares occupied, ascending, those in hand and those borne off."""

    squares: tuple[int, ...]
    in_hand: int
    borne_off: int


@dataclass(frozen=True)
class View:
    """A position as anybody sees it. `turn` is None in FIRST and OVER; `throw` is 0 but in MOVE."""

    phase: Phase
    turn: int | None
    throw: int
    sides: tuple[SideView, ...]


def view(rules: Rules, state: State, _seat: int | None) -> View:
    """The same for every viewer."""
    return View(
        state.phase,
        None if state.turn == NOBODY else state.turn,
        state.throw,
        tuple(
            SideView(squares_of(side), in_hand(rules.pieces, side), borne_off(side))
            for side in (state.cones, state.spools)
        ),
    )


def board(rules: Rules) -> Board:
    """Twenty cells; a seat's path square `p` is the cell `paths[seat].cells[p - 1]`."""
    return SHAPES[rules.board].board


def draw(rules: Rules, view: View) -> str:
    """Three rows of cells: `[ 7]` is an empty square 7, `< 8>` a mark; A is a cone, o a spool."""
    upper, middle, lower = (_row(rules, view, y) for y in range(3))
    lines = (_hand(view, 0), upper, middle, lower, _hand(view, 1), _due(view))
    return "\n".join(line.rstrip() for line in lines)


def _row(rules: Rules, view: View, y: int) -> str:
    shape = SHAPES[rules.board]
    row = [" " * 4] * shape.width
    for path in shape.board.paths:
        for square, cell in enumerate(path.cells, start=1):
            place = shape.board.cells[cell]
            if place.y == y:
                row[int(place.x)] = _cell(rules, view, path.seat, square)
    return "".join(row)


def _cell(rules: Rules, view: View, seat: int, square: int) -> str:
    shape = SHAPES[rules.board]
    shown = str(square)
    for other in range(SEATS):
        here = other == seat or shape.shared >> square & 1
        if here and square in view.sides[other].squares:
            shown = _PIECES[other]
    return f"<{shown:>2}>" if shape.marks >> square & 1 else f"[{shown:>2}]"


def _hand(view: View, seat: int) -> str:
    side = view.sides[seat]
    return f"{_NAMES[seat]} {_PIECES[seat]}  in hand {side.in_hand}  borne off {side.borne_off}"


def _due(view: View) -> str:
    if view.phase == Phase.FIRST:
        return "chance names the first seat"
    if view.phase == Phase.OVER:
        return "the game is over"
    if view.phase == Phase.THROW:
        return f"seat {view.turn} to throw"
    return f"seat {view.turn} to move by {view.throw}"
