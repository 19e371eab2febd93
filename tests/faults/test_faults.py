"""Replicas die, drain, pause and slow down, and who plays through them notices nothing.

The short form of `make faults`: every fault once.
"""

from tests.faults.run import run

GAMES = {"tjau": 20, "trix": 2, "jackaroo": 2}


def test_no_game_is_lost_and_none_ends_otherwise_than_undisturbed() -> None:
    outcome = run(GAMES, rest=0.3)
    print(outcome.text())
    assert outcome.report.failed == []
    assert outcome.report.different == []
    assert all(outcome.report.games[name] >= number for name, number in GAMES.items())
    assert all(outcome.happened.values())
    assert outcome.report.retries > 0
