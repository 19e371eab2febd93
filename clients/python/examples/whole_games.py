"""Plays a game of each kind with random legal moves, and prints its board as the service gives it.

`python clients/python/examples/whole_games.py ADDRESS`
"""

import random
import sys
from typing import Final

from hakam.client import Client
from hakam.v1.board_pb2 import (
    CELL_KIND_BASE,
    CELL_KIND_GOAL,
    CELL_KIND_MARK,
    CELL_KIND_START,
    Board,
)
from hakam.v1.view_pb2 import View

_PAINT: Final = {
    CELL_KIND_START: "+",
    CELL_KIND_GOAL: "o",
    CELL_KIND_BASE: ":",
    CELL_KIND_MARK: "*",
}


def occupied(board: Board, view: View) -> dict[int, int]:
    """Which seat has something on which cell."""
    if view.HasField("jackaroo"):
        sides = enumerate(view.jackaroo.sides)
        return {cell: seat for seat, side in sides for cell in side.marbles}
    places = enumerate(view.tjau.sides)
    return {board.paths[seat].cells[n - 1]: seat for seat, side in places for n in side.squares}


def drawn(board: Board, view: View) -> str:
    """The board, two letters a cell wide; where there is none, the view as text."""
    if not board.cells:
        return view.text
    pieces = occupied(board, view)
    rows: dict[int, dict[int, str]] = {}
    for cell in board.cells:
        paint = str(pieces[cell.id]) if cell.id in pieces else _PAINT.get(cell.kind, ".")
        rows.setdefault(round(cell.y), {})[round(cell.x * 2)] = paint
    lines = (rows.get(y, {}) for y in range(max(rows) + 1))
    return "\n".join(
        "".join(line.get(x, " ") for x in range(max(line, default=0) + 1)) for line in lines
    )


def main(address: str) -> None:
    """One game of each kind."""
    with Client(address) as hakam:
        for kind in hakam.games():
            rules = kind.rule_sets[0].rules
            game = hakam.new_game(rules)
            moves = game.moves()
            while game.outcome is None:
                moves = list(game.play(random.choice(moves), list_moves=True).moves)
            print(f"{kind.name.en} {kind.name.ar}, {game.ply} moves and chance events")
            print(drawn(hakam.board(rules), game.view("spectator")))
            print("won by seats", *game.outcome.winners)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051")
