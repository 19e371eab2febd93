"""Random games of every rule set, played by a handle, end as the referee alone ends them."""

from hashlib import sha256
from random import Random
from typing import Any

import pytest

from hakam import referee
from hakam.client import AnyRules, Client, view_digest
from hakam.referee import AnyGame, Seeded
from hakam.rpc.codecs import game as wire
from hakam.rpc.codecs.rules import write_rules
from hakam.v1 import game_service_pb2 as pb
from hakam.v1.move_pb2 import Move
from hakam.v1.rules_pb2 import Rules
from hakam.v1.state_pb2 import State
from tests.random_play import RULE_SETS, Playthrough, case_ids, play, seeded

CREDENTIALS = {seat: sha256(bytes([seat])).digest() for seat in range(6)}


def message(game: AnyGame, rules: Any) -> AnyRules:
    written = Rules()
    write_rules(game, rules, written)
    return written


def moves(played: Playthrough) -> list[Move]:
    written = [Move() for _ in played.moves]
    for move, out in zip(played.moves, written, strict=True):
        wire.write_move(played.end.game, move, out)
    return written


# Of each game the first rule set, as it is played sealed.
SEALED = tuple({game.CATALOGUE.id: (game, rules) for game, rules in reversed(RULE_SETS)}.values())
CASES = [
    pytest.param(game, rules, form, id=f"{name}-{form}")
    for form, cases in (("plain", RULE_SETS), ("sealed", SEALED))
    for (game, rules), name in zip(cases, case_ids(cases), strict=True)
]


@pytest.mark.parametrize(("game", "rules", "form"), CASES)
def test_a_game_ends_as_the_referee_ends_it(
    address: str, game: AnyGame, rules: Any, form: str
) -> None:
    rng = Random(f"{game.CATALOGUE.id} {rules.rule_set}")
    played = play(game, rules, seeded(rng), rng)
    source = played.end.chance
    assert isinstance(source, Seeded)
    sealed = form == "sealed"
    credentials = {seat: CREDENTIALS[seat] for seat in range(game.seats(rules))} if sealed else {}
    with Client(address) as hakam:
        handle = hakam.new_game(
            message(game, rules),
            seed=source.seed,
            entropy=source.entropy,
            seal=sealed,
            credentials=credentials,
        )
        for move in moves(played):
            handle.play(move)
        assert handle.over
        seen = handle.view("spectator")
        assert view_digest(seen) == referee.view_digest(played.end).hex()
        if not sealed:
            end = State()
            wire.write_state(played.end, end)
            assert handle.state == end
        events = pb.ApplyMoveResponse()
        wire.write_events(game, played.events, events.events)
        assert handle.events == tuple(events.events)
        record = handle.record(seen)
        assert record is not None
        assert isinstance(hakam.replay(record), pb.ReplayedGame)
