"""One game at the terminal: who sits where, what is shown to whom, and the record so far."""

import random
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from google.protobuf import json_format

from hakam.cli import show
from hakam.client import Game, InvalidRequestError
from hakam.games.game import Fault, NotationError
from hakam.games.options import rules_text
from hakam.referee import AnyGame, GameState, view_digest
from hakam.rpc.codecs import game as wire
from hakam.v1 import event_pb2, move_pb2, state_pb2

__all__ = ["StrangeStateError", "Table"]

_HELP: Final = """\
Type a move by its text or by its label. An empty line shows the position again, ? what every move
would do, q leaves the game."""
# More moves than this are not listed unasked.
_LISTED: Final = 40
# Stands for what was typed where that is not text in the encoding of the terminal.
_NO_TEXT: Final = "\ufffd"


class StrangeStateError(Exception):
    """The service sent a state that this release does not know."""


class Table:
    """One game at the terminal. `humans` are the seats that are asked; bots play the others."""

    def __init__(
        self,
        handle: Game,
        game: AnyGame,
        rules: Any,
        *,
        humans: frozenset[int],
        bots: random.Random,
    ) -> None:
        self._game: Final = handle
        self._rules: Final = rules_text(game.CATALOGUE, rules)
        self._humans: Final = humans
        self._bots: Final = bots
        self._labels: Final = show.letters if _reads_numbers(game, rules) else show.numbers
        self._legal: Sequence[move_pb2.ListedMove] = ()

    def play(self) -> bool:
        """Play to the end; False where the player left."""
        print(self._rules)
        print(f"commitment {self._game.commitment.hex()}")
        _print_events(self._game.events)
        self._legal = self._game.moves()
        while (seat := self._game.to_act) is not None:
            move = self._ask(seat) if seat in self._humans else self._choose()
            if move is None:
                print(f"left at ply {self._game.ply}")
                return False
            self._apply(move)
        print(f"\n{show.position(self._state(), None)}")
        return True

    def _choose(self) -> str:
        return self._bots.choice(self._legal).notation

    def _ask(self, seat: int) -> str | None:
        """The legal move that the player at the seat wants, or None where he leaves."""
        moves = [listed.notation for listed in self._legal]
        names = dict(zip(self._labels(len(moves)), moves, strict=True))
        self._show(seat, names)
        while True:
            answer = _read(f"seat {seat}> ")
            if answer is None or answer == "q":
                return None
            if answer in moves:
                return answer
            if answer in names:
                return names[answer]
            self._explain(answer, seat, names)

    def _explain(self, answer: str, seat: int, names: dict[str, str]) -> None:
        """Say what can be said to an answer that is no legal move."""
        begun = {label: text for label, text in names.items() if text.startswith(answer)}
        if not answer:
            self._show(seat, names)
        elif answer == "?":
            print(_HELP)
            self._print_effects(names)
        elif begun and len(names) > _LISTED:
            print(_menu(begun))
        else:
            self._print_refusal(answer)

    def _show(self, seat: int, names: dict[str, str]) -> None:
        """What the seat sees, and what it may do."""
        print(f"\n{show.position(self._state(), seat)}")
        print(_menu(dict(list(names.items())[:_LISTED])))
        if len(names) > _LISTED:
            more = len(names) - _LISTED
            print(f"and {more} more: ? lists all, the start of a move lists those that begin so")

    def _print_effects(self, names: dict[str, str]) -> None:
        for label, listed in zip(names, self._game.moves(effects=True), strict=True):
            effects = "; ".join(show.event_line(event) for event in listed.effects)
            print(f"{label}) {listed.notation}" + (f": {effects}" if effects else ""))

    def _print_refusal(self, text: str) -> None:
        try:
            verdict = self._game.check(text)
        except InvalidRequestError as error:
            print(show.directed(error.text))
        else:
            print(show.refusal_line(verdict.violation))

    def _apply(self, text: str) -> None:
        played = self._game.play(text, list_moves=True)
        self._legal = played.moves
        _print_events(played.events)

    def _state(self) -> GameState:
        faults: list[Fault] = []
        message = self._game.state
        if not isinstance(message, state_pb2.State):
            raise StrangeStateError("the service sent a sealed state")
        state = wire.read_state(message, "state", faults)
        if state is None:
            raise StrangeStateError(f"the service sent a strange state: {faults[0].path}")
        return state

    def save(self, path: Path) -> None:
        """Write the record so far, with the digest of the view that everybody has."""
        record = self._game.record()
        if record is None:
            raise StrangeStateError("the service sent a state without a seed")
        record.view_digest = view_digest(self._state())
        with path.open("x", encoding="utf-8") as file:
            file.write(json_format.MessageToJson(record) + "\n")
        print(f"record kept in {path}")


def _reads_numbers(game: AnyGame, rules: Any) -> bool:
    """Whether a number alone is a move, so that it cannot be a label."""
    try:
        game.read_move(rules, "1")
    except NotationError:
        return False
    return True


def _read(prompt: str) -> str | None:
    """A line, or None at the end of the input and at an interrupt."""
    try:
        answer = input(prompt).strip()
    except (EOFError, KeyboardInterrupt):
        print()
        return None
    except UnicodeDecodeError:
        return _NO_TEXT
    if any("\ud800" <= letter <= "\udfff" for letter in answer):
        return _NO_TEXT
    if not sys.stdin.isatty():
        print(answer)
    return answer


def _menu(names: dict[str, str]) -> str:
    items: Sequence[str] = [f"{label}) {text}" for label, text in names.items()]
    return show.columns(items, shutil.get_terminal_size().columns)


def _print_events(events: Iterable[event_pb2.Event]) -> None:
    for event in events:
        print(f"  {show.event_line(event)}")
