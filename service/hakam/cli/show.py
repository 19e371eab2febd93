"""What the terminal shows of events, outcomes and positions."""

from google.protobuf.message import Message

from hakam.referee import GameState
from hakam.v1 import event_pb2

__all__ = ["event_line", "outcome_line", "position"]


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
        elif field.has_presence and not message.HasField(field.name):
            continue
        else:
            value = _value(field, value)
        words.append(f"{field.name}={value}")
    return " ".join(words)


def _value(field: "object", value: object) -> str:
    enum = getattr(field, "enum_type", None)
    if enum is not None:
        name: str = enum.values_by_number[value].name
        return name.lower()
    return f"({_fields(value)})" if isinstance(value, Message) else str(value)


def outcome_line(outcome: event_pb2.Outcome) -> str:
    """Who won, and the scores where there are some."""
    winners = ", ".join(str(seat) for seat in outcome.winners)
    scores = ", ".join(str(score) for score in outcome.scores)
    return f"game over, won by {winners}" + (f"; scores {scores}" if scores else "")


def position(state: GameState, seat: int | None) -> str:
    """The position as the seat sees it, with a line that counts the plies."""
    view = state.game.view(state.rules, state.position, seat)
    return f"ply {state.ply}\n{state.game.draw(state.rules, view)}"
