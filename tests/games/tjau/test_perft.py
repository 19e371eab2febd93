"""Counts of everything that can follow a position, to a depth.

A ply is a throw (five of them, 0 to 4, each once) or a move; automatic passes are not. The table is
plain text: `rule set | position | the counts for one ply, two plies, and so on`.
"""

from pathlib import Path

import pytest

from hakam.games import tjau
from hakam.games.tjau.rules import RULE_SETS, Rules
from hakam.games.tjau.state import Phase, State

TABLE = (Path(__file__).parent / "perft.txt").read_text("ascii")
ROWS = [[part.strip() for part in line.split("|")] for line in TABLE.splitlines()]


def after_ply(rules: Rules, state: State) -> list[State]:
    if state.phase is Phase.THROW:
        return [tjau.resolve(rules, state, throw)[0] for throw in range(5)]
    return [tjau.apply(rules, state, move)[0] for move in tjau.legal_moves(rules, state)]


def perft(rules: Rules, state: State, plies: int) -> int:
    if plies == 0:
        return 1
    return sum(perft(rules, after, plies - 1) for after in after_ply(rules, state))


@pytest.mark.parametrize(("name", "position", "counts"), ROWS)
def test_perft(name: str, position: str, counts: str) -> None:
    rules = RULE_SETS[name]
    state = tjau.validate(rules, tjau.read_position(rules, position))
    assert isinstance(state, State)
    expected = [int(count) for count in counts.split()]
    assert [perft(rules, state, plies) for plies in range(1, len(expected) + 1)] == expected


def test_every_rule_set_has_its_start_and_crowded_positions() -> None:
    start = "throw seat=0 cones=-/0 spools=-/0"
    for name in RULE_SETS:
        positions = [position for row, position, _ in ROWS if row == name]
        assert positions[0] == start
        assert len(positions) >= 3
