"""How an engine's cost grows with the hand, the seats and the legal moves.

`python -m bench.growth` prints, in JSON, by panel and series: points of a number and the median
microseconds of a decision (listing the moves and carrying one out) in random states with it.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from statistics import median
from time import process_time
from typing import Any, Final

from hakam.games import jackaroo, tjau, trix
from hakam.games.game import ChanceDue, ChanceKind

__all__ = ["PANELS", "growth"]

PANELS: Final = {
    "hand": "cards in hand",
    "seats": "seats at the table (bordaga, 4 cards in hand)",
    "moves": "legal moves",
}
_STATES: Final = 12_000
# A point is shown where it stands for so many states.
_LEAST: Final = 100
_REPEATS: Final = 5
# The game of which tables are compared, and the hand at which they are.
_BORDAGA: Final = "Jackaroo bordaga"
_HAND: Final = 4


@dataclass(frozen=True)
class _Series:
    """Of one family are those that differ in their seats alone."""

    name: str
    family: str
    module: Any
    rules: Any


def _series() -> Iterator[_Series]:
    for module, title, name in (
        (tjau, "Tjau", "ur"),
        (trix, "Trix", "standard"),
        (jackaroo, "Jackaroo", "karoti"),
        (jackaroo, "Jackaroo", "bordaga"),
    ):
        rules = module.CATALOGUE.rule_sets[name]
        yield _Series(f"{title} {name}", f"{title} {name}", module, rules)
    six = jackaroo.with_options("bordaga", {"seats": 6})
    yield _Series("Jackaroo bordaga, 6 seats", _BORDAGA, jackaroo, six)


def growth() -> dict[str, dict[str, list[tuple[int, float]]]]:
    """By panel and series: (number, microseconds), ascending."""
    panels: dict[str, dict[str, list[tuple[int, float]]]] = {panel: {} for panel in PANELS}
    for series in _series():
        costs = [(_numbers(series, state, moves), us) for state, moves, us in _costs(series)]
        for panel in PANELS:
            name = series.family if panel == "seats" else series.name
            points = _points([(numbers[panel], us) for numbers, us in costs if panel in numbers])
            if points:
                panels[panel].setdefault(name, []).extend(points)
    return panels


def _numbers(series: _Series, state: Any, moves: int) -> dict[str, int]:
    numbers = {"moves": moves}
    if hasattr(state, "hands"):
        numbers["hand"] = len(state.hands[state.to_act])
    if series.family == _BORDAGA and numbers["hand"] == _HAND:
        numbers["seats"] = series.module.seats(series.rules)
    return numbers


def _points(costs: list[tuple[int, float]]) -> list[tuple[int, float]]:
    by_number: dict[int, list[float]] = defaultdict(list)
    for number, us in costs:
        by_number[number].append(us)
    return [(n, median(us)) for n, us in sorted(by_number.items()) if len(us) >= _LEAST]


def _costs(series: _Series) -> Iterator[tuple[Any, int, float]]:
    """States of random games, the number of their legal moves, and the cost of one decision."""
    random = Random(5)
    left = _STATES
    while left:
        for state in _game(series, random):
            moves = series.module.legal_moves(series.rules, state)
            yield state, len(moves), _cost(series, state, random.choice(moves))
            left -= 1
            if not left:
                return


def _cost(series: _Series, state: Any, move: Any) -> float:
    """Microseconds; the least of a few, since nothing makes it quicker than it is."""
    legal_moves, apply, rules = series.module.legal_moves, series.module.apply, series.rules
    best = float("inf")
    for _ in range(_REPEATS):
        began = process_time()
        legal_moves(rules, state)
        apply(rules, state, move)
        best = min(best, process_time() - began)
    return best * 1e6


def _game(series: _Series, random: Random) -> Iterator[Any]:
    """The states of a random game in which a seat decides something."""
    game, rules = series.module, series.rules
    state = game.initial(rules)
    while game.outcome(rules, state) is None:
        due = game.chance_due(rules, state)
        if due is not None:
            state, _ = game.resolve(rules, state, _bring(due, random))
            continue
        yield state
        state, _ = game.apply(rules, state, random.choice(game.legal_moves(rules, state)))


def _bring(due: ChanceDue, random: Random) -> Any:
    if due.kind is ChanceKind.THROW:
        return random.getrandbits(4).bit_count()
    if due.kind is ChanceKind.SEAT:
        return random.randrange(due.seats)
    return tuple(random.sample(due.deck, len(due.deck)))


if __name__ == "__main__":
    print(json.dumps(growth()))
