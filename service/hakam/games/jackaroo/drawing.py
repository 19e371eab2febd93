"""A view as lines of plain text, for terminals.

A line a seat: its name and cards, its base, its stretch of the track from its start on, its goal.
Below it the next stretch in the marbles' direction, so a marble leaves a line at its right end and
comes in at the left of the line below; the last line goes on at the first. A marble is its seat's
digit, `.` an empty cell, `,` an empty entrance, to whose owner's goal (the line below) it leads.
"""

from hakam.games.cards import write_cards
from hakam.games.jackaroo.geometry import Geometry, geometry
from hakam.games.jackaroo.rules import Rules
from hakam.games.jackaroo.view import View

__all__ = ["draw"]


def draw(rules: Rules, view: View) -> str:
    """The view as a drawing of one line a seat and one for the cards."""
    board = geometry(rules)
    occupant = {cell: str(seat) for seat, side in enumerate(view.sides) for cell in side.marbles}
    order = [(board.seats - k) % board.seats for k in range(board.seats)]
    lines = [_line(board, view, occupant, seat) for seat in order]
    top = write_cards(view.discard[-1:]) or "-"
    last = f"{view.phase.name.lower()}  undealt {view.undealt}  discard {top}"
    return "\n".join([*lines, last])


def _line(board: Geometry, view: View, occupant: dict[int, str], seat: int) -> str:
    def row(first: int, count: int) -> str:
        return "".join([_mark(board, occupant, c) for c in range(first, first + count)])

    mark = ">" if view.to_act == seat else "D" if view.dealer == seat else " "
    base = row(board.bases + 4 * seat, 4)
    goal = row(board.length + 4 * seat, 4)
    track = row(board.starts[seat], board.length // board.seats)
    cards = write_cards(view.hand) if view.viewer == seat else f"*{view.sides[seat].hand_size}"
    return f"{mark} {seat}  {base}  [{track}]  {goal}  {cards}".rstrip()


def _mark(board: Geometry, occupant: dict[int, str], cell: int) -> str:
    return occupant.get(cell, "," if cell in board.entrances else ".")
