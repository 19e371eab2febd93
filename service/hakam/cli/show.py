"""What the terminal shows of events, outcomes, positions, moves and refusals."""

from collections.abc import Sequence
from string import ascii_lowercase
from typing import Any, Final

from google.protobuf.message import Message

from hakam.games import cards
from hakam.referee import GameState
from hakam.texts import isolated
from hakam.v1 import error_pb2, event_pb2
from hakam.v1.card_pb2 import Card

__all__ = [
    "columns",
    "directed",
    "event_line",
    "letters",
    "numbers",
    "outcome_line",
    "position",
    "refusal_line",
]

_RIGHT_TO_LEFT_ISOLATE: Final = "\u2067"
_POP_ISOLATE: Final = "\u2069"


def event_line(event: event_pb2.Event) -> str:
    """One event in one line: `moved seat=0 from_square=3 to_square=7`."""
    which = event.WhichOneof("event")
    if which == "game_over":
        return outcome_line(event.game_over.outcome)
    inner: Message = getattr(event, which or "")
    name = inner.WhichOneof("event") or ""
    return f"{name} {_fields(getattr(inner, name))}".rstrip()


def _fields(message: Message) -> str:
    words = []
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.is_repeated:
            value = ",".join(_value(field, item) for item in value)
        elif _is_absent(message, field):
            continue
        else:
            value = _value(field, value)
        words.append(f"{field.name}={value}")
    return " ".join(words)


def _is_absent(message: Message, field: Any) -> bool:
    """Whether the field says nothing: it is not there, or an enum's zero."""
    if field.has_presence:
        return not message.HasField(field.name)
    return field.enum_type is not None and getattr(message, field.name) == 0


def _value(field: Any, value: Any) -> str:
    if field.message_type is not None:
        return f"({_fields(value)})"
    enum = field.enum_type
    if enum is None:
        return str(value)
    if enum is Card.DESCRIPTOR:
        card: str = cards.NAMES[value]
        return card
    prefix = len(enum.values_by_number[0].name) - len("UNSPECIFIED")
    name: str = enum.values_by_number[value].name
    return name[prefix:].lower()


def outcome_line(outcome: event_pb2.Outcome) -> str:
    """Who won, and the scores where there are some."""
    winners = ", ".join(str(seat) for seat in outcome.winners)
    scores = ", ".join(str(score) for score in outcome.scores)
    return f"game over, won by {winners}" + (f"; scores {scores}" if scores else "")


def position(state: GameState, seat: int | None) -> str:
    """The position as the seat sees it, with a line that counts the plies."""
    view = state.game.view(state.rules, state.position, seat)
    return f"ply {state.ply}\n{state.game.draw(state.rules, view)}"


def numbers(count: int) -> list[str]:
    """Short names for moves: 1, 2, 3 ..."""
    return [str(i) for i in range(1, count + 1)]


def letters(count: int) -> list[str]:
    """Short names for moves that are themselves written as numbers: a, b ... z, aa ..."""
    return [_letters(i) for i in range(count)]


def _letters(index: int) -> str:
    before, last = divmod(index, len(ascii_lowercase))
    return (_letters(before - 1) if before else "") + ascii_lowercase[last]


def columns(items: Sequence[str], width: int) -> str:
    """The items row by row in columns of one width, as many as fit."""
    cell = max(map(len, items), default=0) + 2
    per_row = max(1, (width + 2) // cell)
    rows = [items[i : i + per_row] for i in range(0, len(items), per_row)]
    return "\n".join("".join(item.ljust(cell) for item in row).rstrip() for row in rows)


def refusal_line(violation: error_pb2.Violation) -> str:
    """Why a move is refused, and by which clause."""
    clause = violation.clause
    if clause and _is_arabic(violation.text):
        clause = isolated(clause)
    return directed(f"{violation.text} {clause}".rstrip())


def directed(text: str) -> str:
    """The text; Arabic as an isolate from right to left, whatever stands beside it."""
    return f"{_RIGHT_TO_LEFT_ISOLATE}{text}{_POP_ISOLATE}" if _is_arabic(text) else text


def _is_arabic(text: str) -> bool:
    return any("\u0600" <= letter <= "\u06ff" for letter in text)
