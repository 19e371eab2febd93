"""Replicas die and drain under a game, and whoever plays it notices nothing."""

from collections.abc import Iterator
from signal import SIGKILL, SIGTERM

import pytest

from tests.client.conftest import Connect
from tests.e2e.processes import Serving, servers

SEED = bytes(range(32))
KEYS = bytes(range(64)).hex()


@pytest.fixture
def replicas() -> Iterator[list[Serving]]:
    with servers() as start:
        yield [start(HAKAM_KEYS=KEYS) for _ in range(3)]


def served(replica: Serving) -> int:
    return sum(line["event"] == "call" for line in list(replica.log))


def test_one_of_three_is_enough(connect: Connect, address: str, replicas: list[Serving]) -> None:
    hakam = connect([replica.address for replica in replicas])
    rules = {"trix": {"rule_set": "TRIX_RULE_SET_COMPLEX"}}
    game = hakam.new_game(rules, seed=SEED, seal=True, make_credentials=True)
    killed, drained, _ = replicas
    while not game.over:
        if len(game.played) == 60:
            killed.process.send_signal(SIGKILL)
        if len(game.played) == 120:
            drained.process.send_signal(SIGTERM)
        game.play(game.moves()[0])
    assert killed.ended() == -SIGKILL
    assert drained.ended() == 0
    assert all(served(replica) > 20 for replica in replicas)
    alone = connect(address).new_game(rules, seed=SEED)
    for move in game.played:
        alone.play(move)
    assert (alone.over, alone.turn, alone.events) == (True, game.turn, game.events)
