"""Whole games as text: the goldens are such records, and replaying one must write it again.

A line a move, `seat move`, and below it, indented, whatever happened besides the move itself;
`deal` is a shuffled deck, `=` the position after it. `python -m tests.games.trix.record` writes
the files anew, after a change that was meant to change games.
"""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from hakam.games import trix
from hakam.games.cards import NAMES, read_cards, write_cards
from hakam.games.game import Outcome
from hakam.games.trix.contracts import Contract
from hakam.games.trix.events import CardPlayed, ContractChosen, DoublingAnswered, Event
from hakam.games.trix.rules import Rules
from hakam.games.trix.state import State
from tests.games.trix.support import VARIANTS, Step, random_game

GOLDENS = Path(__file__).parent / "goldens"
# The rules of each file, and the seed of its game.
FILES = {
    "standard_a": ("standard", 0),
    "standard_b": ("standard", 1),
    "partners": ("partners", 2),
    "complex": ("complex", 0),
    "complex_partners": ("complex_partners", 1),
    "no_doubling": ("no doubling", 0),
    "played_out": ("played out", 0),
}


def written(rules: Rules, steps: Iterator[Step]) -> str:
    """The record of a game."""
    return "".join(f"{line}\n" for step in steps for line in _lines(rules, step))


def replayed(rules: Rules, text: str) -> Iterator[Step]:
    """The game that a record tells, every move of it checked."""
    state = trix.initial(rules)
    for line in text.splitlines():
        if line.startswith((" ", "=")):
            continue
        step = _step(rules, state, *line.split(" ", 1))
        state = step.after
        yield step


def _step(rules: Rules, state: State, who: str, what: str) -> Step:
    if who == "deal":
        assert trix.chance_due(rules, state) is not None
        order = read_cards(what)
        return Step(state, None, order, *trix.resolve(rules, state, order))
    assert who == str(trix.to_act(rules, state))
    move = trix.read_move(rules, what)
    assert trix.violation(rules, state, move) is None
    return Step(state, move, (), *trix.apply(rules, state, move))


def _lines(rules: Rules, step: Step) -> Iterator[str]:
    if step.move is None:
        yield f"deal {write_cards(step.order)}"
        yield from (f"  {_told(event)}" for event in step.events)
        yield f"= {trix.write_position(rules, step.after)}"
        return
    yield f"{step.before.to_act} {trix.write_move(rules, step.move)}"
    first, *more = step.events
    assert isinstance(first, CardPlayed | ContractChosen | DoublingAnswered)
    names = [field.name for field in fields(step.move)]
    assert [getattr(step.move, name) for name in names] == [getattr(first, name) for name in names]
    assert first.seat == step.before.to_act
    yield from (f"  {_told(event)}" for event in more)


def _told(event: Event) -> str:
    facts = [f"{f.name}={_fact(f.name, getattr(event, f.name))}" for f in fields(event)]
    return " ".join([type(event).__name__, *facts])


def _fact(name: str, value: Any) -> str:
    if isinstance(value, Outcome):
        winners, scores = (",".join(map(str, v)) for v in (value.winners, value.scores))
        return f"{winners}:{scores}"
    if name == "cards":
        return write_cards(value)
    if name == "contract":
        return Contract(value).name.lower()
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return NAMES[value] if name == "card" else str(value)


def main() -> None:
    """Write every golden anew."""
    GOLDENS.mkdir(exist_ok=True)
    for name, (variant, seed) in FILES.items():
        rules = VARIANTS[variant]
        text = written(rules, random_game(rules, f"golden {seed}"))
        (GOLDENS / f"{name}.txt").write_text(text, "ascii")


if __name__ == "__main__":
    main()
