"""Moves and positions of Tjau as one line of ASCII text; the grammar is in docs/notation/tjau.md.

A move is `throw`, `enter` or the number of a square. A position is a phase and its fields:

    first cones=-/0 spools=-/0
    throw seat=1 cones=1,6/0 spools=9/2
    move seat=0 throw=3 cones=1,6/0 spools=9/2
    over cones=-/7 spools=3,14/2

where a side is its squares, ascending (`-` for none), and after the stroke the number borne off.
"""

import re
from typing import Final

from hakam.games.game import NotationError
from hakam.games.tjau.board import SHAPES
from hakam.games.tjau.moves import HAND, THROW, Move, MovePiece, Throw
from hakam.games.tjau.rules import Rules
from hakam.games.tjau.state import NOBODY, Phase, Setup, Side, State, borne_off, squares_of
from hakam.games.tjau.view import View

__all__ = ["read_move", "read_position", "write_move", "write_position", "write_view"]

_SIDES: Final = ("cones", "spools")
_PHASES: Final = {p.name.lower(): p for p in Phase}
# The fields that stand between the phase and the sides.
_FIELDS: Final[dict[Phase, tuple[str, ...]]] = {
    Phase.FIRST: (),
    Phase.THROW: ("seat",),
    Phase.MOVE: ("seat", "throw"),
    Phase.OVER: (),
}
# Four digits hold every number of a position and any slip that `validate` should name.
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,3}", re.ASCII)
_SIDE: Final = re.compile(r"(-|[0-9]+(?:,[0-9]+)*)/([0-9]+)", re.ASCII)


def write_move(_rules: Rules, move: Move) -> str:
    """`throw`, `enter`, or the square of the piece."""
    if isinstance(move, Throw):
        return "throw"
    return "enter" if move.from_square == HAND else str(move.from_square)


def read_move(rules: Rules, text: str) -> Move:
    """A throw, or a move from the hand or from a square that the board has."""
    if text == "throw":
        return THROW
    if text == "enter":
        return MovePiece(HAND)
    square = _number(text, 0)
    if not 1 <= square <= SHAPES[rules.board].last:
        raise NotationError("no such square")
    return MovePiece(square)


def write_position(_rules: Rules, state: State) -> str:
    """The whole state; nothing of Tjau is hidden."""
    sides = tuple(Side(squares_of(s), borne_off(s)) for s in (state.cones, state.spools))
    turn = None if state.turn == NOBODY else state.turn
    return _line(Setup(state.phase, turn, state.throw, sides))


def write_view(_rules: Rules, view: View) -> str:
    """The text of the position: a view hides nothing of it."""
    sides = tuple(Side(side.squares, side.borne_off) for side in view.sides)
    return _line(Setup(view.phase, view.turn, view.throw, sides))


def read_position(_rules: Rules, text: str) -> Setup:
    """The fields that the text spells; numbers have at most four digits."""
    words = text.split(" ")
    phase = _PHASES.get(words[0])
    if phase is None:
        raise NotationError("no such phase")
    names = (*_FIELDS[phase], *_SIDES)
    if len(words) != len(names) + 1:
        raise NotationError(f"{len(names)} fields must follow the phase", len(words[0]))
    offset = len(words[0]) + 1
    values: list[tuple[str, int]] = []
    for name, word in zip(names, words[1:], strict=True):
        values.append(_value(name, word, offset))
        offset += len(word) + 1
    numbers = [_number(value, at) for value, at in values[:-2]]
    return Setup(
        phase,
        numbers[0] if numbers else None,
        numbers[1] if len(numbers) > 1 else 0,
        tuple(_side(value, at) for value, at in values[-2:]),
    )


def _line(setup: Setup) -> str:
    phase = Phase(setup.phase)
    numbers = {"seat": setup.turn, "throw": setup.throw}
    fields = [f"{name}={numbers[name]}" for name in _FIELDS[phase]]
    sides = [
        f"{name}={','.join(map(str, side.squares)) or '-'}/{side.borne_off}"
        for name, side in zip(_SIDES, setup.sides, strict=True)
    ]
    return " ".join([phase.name.lower(), *fields, *sides])


def _value(name: str, word: str, offset: int) -> tuple[str, int]:
    """What follows `name=`, and where it stands in the line."""
    if not word.startswith(f"{name}="):
        raise NotationError(f"{name}= must stand here", offset)
    start = len(name) + 1
    return word[start:], offset + start


def _number(text: str, offset: int) -> int:
    if not _NUMBER.fullmatch(text):
        raise NotationError("not a number", offset)
    return int(text)


def _side(text: str, offset: int) -> Side:
    match = _SIDE.fullmatch(text)
    if match is None:
        raise NotationError("not a side: squares/borne off", offset)
    squares: list[int] = []
    at = offset
    for word in () if match[1] == "-" else match[1].split(","):
        squares.append(_number(word, at))
        at += len(word) + 1
    return Side(tuple(squares), _number(match[2], offset + match.start(2)))
