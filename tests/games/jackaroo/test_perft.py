"""Counts of everything that can follow a position, to a depth.

A ply is a move, the answer to a Ten included; automatic passes and deals from the stored deck are
not. Play that comes to a shuffle or an end before the depth is not counted. The table is plain
text: `rule set and options | position | the counts for one ply, two plies, and so on`.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hakam.games import jackaroo
from hakam.games.jackaroo.rules import RULE_SETS, Rules
from hakam.games.jackaroo.state import State
from hakam.games.options import option_value

TABLE = (Path(__file__).parent / "perft.txt").read_text("ascii")
ROWS = [[part.strip() for part in line.split("|")] for line in TABLE.splitlines()]


def rules_of(text: str) -> Rules:
    name, *changes = text.split()
    options = {option.name: option for option in jackaroo.CATALOGUE.options}
    values: dict[str, Any] = {}
    for change in changes:
        option, _, value = change.partition("=")
        values[option] = option_value(jackaroo.CATALOGUE, options[option], value)
    rules = replace(RULE_SETS[name], **values)
    assert jackaroo.rules_faults(rules) == ()
    return rules


def perft(rules: Rules, state: State, plies: int) -> int:
    moves = jackaroo.legal_moves(rules, state)
    if plies == 1:
        return len(moves)
    return sum(perft(rules, jackaroo.apply(rules, state, move)[0], plies - 1) for move in moves)


@pytest.mark.parametrize(("options", "position", "counts"), ROWS)
def test_perft(options: str, position: str, counts: str) -> None:
    rules = rules_of(options)
    state = jackaroo.validate(rules, jackaroo.read_position(rules, position))
    assert isinstance(state, State)
    expected = [int(count) for count in counts.split()]
    assert [perft(rules, state, plies) for plies in range(1, len(expected) + 1)] == expected


def test_the_table_has_first_deals_and_middle_games_of_both_rule_sets() -> None:
    for name in ("karoti", "bordaga", "bordaga seats=6"):
        positions = [position for options, position, _ in ROWS if options.startswith(name)]
        assert len(positions) >= 3
        assert any(position.startswith("play") for position in positions)
    assert any(position.startswith("answer") for _, position, _ in ROWS)
