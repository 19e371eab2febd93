"""One line of ASCII for a move, a position and a view. Grammar: docs/notation/jackaroo.md.

    KS out          XX=KC out       9D 0.1+9        4C 3.0-4        7H 0.1+3 0.2+4
    JS 0.0~1.3      TC hit          TC hit 2        QD take 0       2C burn

A position is `phase dealer to_act sides deck discard`; a side is its four cells and its hand.
A reader takes back exactly what the writer writes: it reads, writes again, and compares.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from hakam.games.cards import NAMES, read_card, read_cards, write_cards
from hakam.games.game import NotationError
from hakam.games.jackaroo.moves import BringOut, Burn, Hit, Move, Split, Step, Swap, Take
from hakam.games.jackaroo.rules import Rules
from hakam.games.jackaroo.state import Phase, Setup, Side, State, setup
from hakam.games.jackaroo.view import View

__all__ = ["read_move", "read_position", "write_move", "write_position", "write_view"]

_NUMBER: Final = r"(-?[0-9]{1,10})"
_MARBLE: Final = rf"{_NUMBER}\.{_NUMBER}"
_WALK: Final = rf"{_MARBLE}([+-][0-9]{{1,10}})"
_PHASES: Final = {phase.name.lower(): int(phase) for phase in Phase}


def write_move(_rules: Rules, move: Move) -> str:
    """One line of ASCII text for a move; its card must be one, its other numbers may be any."""
    card = NAMES[move.card] + (f"={NAMES[move.face]}" if move.face else "")
    return f"{card} {_action(move)}"


def _action(move: Move) -> str:
    match move:
        case BringOut():
            return "out"
        case Burn():
            return "burn"
        case Hit(position=None):
            return "hit"
        case Hit():
            return f"hit {move.position}"
        case Take():
            return f"take {move.position}"
        case Step():
            return f"{move.seat}.{move.marble}{move.steps:+d}"
        case Swap():
            return f"{move.seat}.{move.marble}~{move.other_seat}.{move.other_marble}"
        case Split():
            other = f"{move.other_seat}.{move.other_marble}{move.other_steps:+d}"
            return f"{move.seat}.{move.marble}{move.steps:+d} {other}"


def _hit(card: int, face: int, _: Sequence[int]) -> Move:
    return Hit(card, None, face)


_READERS: Final[tuple[tuple[re.Pattern[str], Callable[[int, int, Sequence[int]], Move]], ...]] = (
    (re.compile("out"), lambda c, f, n: BringOut(c, f, *n)),
    (re.compile("burn"), lambda c, f, n: Burn(c, f, *n)),
    (re.compile("hit"), _hit),
    (re.compile(f"hit {_NUMBER}"), lambda c, f, n: Hit(c, n[0], f)),
    (re.compile(f"take {_NUMBER}"), lambda c, f, n: Take(c, n[0], f)),
    (re.compile(_WALK), lambda c, f, n: Step(c, n[0], n[1], n[2], f)),
    (re.compile(f"{_MARBLE}~{_MARBLE}"), lambda c, f, n: Swap(c, n[0], n[1], n[2], n[3], f)),
    (
        re.compile(f"{_WALK} {_WALK}"),
        lambda c, f, n: Split(c, n[0], n[1], n[2], n[3], n[4], n[5], f),
    ),
)


def read_move(rules: Rules, text: str) -> Move:
    """The inverse of `write_move`, and of nothing else; raises NotationError."""
    named, _, action = text.partition(" ")
    card_text, equals, face_text = named.partition("=")
    card = read_card(card_text)
    face = read_card(face_text, 3) if equals else 0
    for pattern, make in _READERS:
        found = pattern.fullmatch(action)
        if found:
            move = make(card, face, [int(n) for n in found.groups()])
            _must_be(text, write_move(rules, move))
            return move
    raise NotationError("not an action", min(len(named) + 1, len(text)))


def _must_be(text: str, canonical: str) -> None:
    """A text that says the same in another spelling is refused where it first differs."""
    if text != canonical:
        pairs = enumerate(zip(text, canonical, strict=False))
        at = next((i for i, (a, b) in pairs if a != b), min(len(text), len(canonical)))
        raise NotationError("not the canonical spelling", at)


def write_position(rules: Rules, state: State) -> str:
    """One line of ASCII text for a whole state, hidden cards included."""
    return _write_setup(setup(rules, state))


def _write_setup(position: Setup) -> str:
    sides = "/".join([f"{_cells(s.marbles)}:{_cards(s.hand)}" for s in position.sides])
    head = f"{_head(position.phase, position.dealer, position.to_act)} {sides}"
    return f"{head} {_cards(position.deck)} {_cards(position.discard)}"


def _head(phase: int, dealer: int | None, to_act: int | None) -> str:
    return f"{Phase(phase).name.lower()} {_seat(dealer)} {_seat(to_act)}"


def _seat(seat: int | None) -> str:
    return "-" if seat is None else str(seat)


def _cells(cells: Sequence[int]) -> str:
    return ",".join([str(cell) for cell in cells])


def _cards(cards: Sequence[int]) -> str:
    return write_cards(cards) or "-"


def read_position(_rules: Rules, text: str) -> Setup:
    """The inverse of `write_position`, not yet validated; raises NotationError."""
    fields = text.split(" ")
    if len(fields) != 6:
        raise NotationError("not six fields", len(text))
    at = [0]
    for field in fields:
        at.append(at[-1] + len(field) + 1)
    if fields[0] not in _PHASES:
        raise NotationError("not a phase")
    position = Setup(
        _PHASES[fields[0]],
        None if fields[1] == "-" else _read_number(fields[1], at[1]),
        None if fields[2] == "-" else _read_number(fields[2], at[2]),
        _read_sides(fields[3], at[3]),
        _read_cards(fields[4], at[4]),
        _read_cards(fields[5], at[5]),
    )
    _must_be(text, _write_setup(position))
    return position


def _read_sides(text: str, at: int) -> tuple[Side, ...]:
    sides = []
    for part in text.split("/"):
        cells, colon, hand = part.partition(":")
        if not colon:
            raise NotationError("not a side", at)
        marbles = tuple(_read_number(cell, at) for cell in cells.split(","))
        sides.append(Side(marbles, _read_cards(hand, at + len(cells) + 1)))
        at += len(part) + 1
    return tuple(sides)


def _read_number(text: str, at: int) -> int:
    if not re.fullmatch(_NUMBER, text):
        raise NotationError("not a number", at)
    return int(text)


def _read_cards(text: str, at: int) -> tuple[int, ...]:
    return () if text == "-" else read_cards(text, at)


def write_view(_rules: Rules, view: View) -> str:
    """One line of ASCII text for what a viewer sees: a position with the hidden left out.

    The viewer stands in front; cards that it cannot see are counted, `*5`.
    """
    hands = [f"*{side.hand_size}" for side in view.sides]
    if view.viewer is not None:
        hands[view.viewer] = _cards(view.hand)
    sides = "/".join(
        [f"{_cells(s.marbles)}:{hand}" for s, hand in zip(view.sides, hands, strict=True)]
    )
    head = f"{_seat(view.viewer)} {_head(view.phase, view.dealer, view.to_act)} {sides}"
    return f"{head} *{view.undealt} {_cards(view.discard)}"
