"""Games that go the same way wherever they are played: a number decides seed and choices."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hakam import referee
from hakam.chance import commitment
from hakam.games.registry import GAMES
from hakam.rpc.codecs import game as wire
from hakam.rpc.codecs.rules import write_rules
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import rules_pb2, state_pb2

# What is shortest of each game: there are many to play.
RULE_SETS = {"tjau": "ur", "trix": "complex", "jackaroo": "karoti"}
OPTIONS: dict[str, dict[str, Any]] = {"tjau": {"pieces": 3}, "trix": {}, "jackaroo": {}}

# The name of an rpc and its request, to its answer.
Call = Callable[[str, Any], Any]


@dataclass(frozen=True)
class Plan:
    """One game to play: which, and the number that decides all of it."""

    game: str
    number: int

    @property
    def rules(self) -> Any:
        return GAMES[self.game].with_options(RULE_SETS[self.game], OPTIONS[self.game])

    def random(self) -> random.Random:
        return random.Random(f"{self.game} {self.number}")


def served(plan: Plan, call: Call) -> bytes:
    """The final state of the game, every move of it a call."""
    rng = plan.random()
    rules = rules_pb2.Rules()
    write_rules(GAMES[plan.game], plan.rules, rules)
    start = pb.NewGameRequest(rules=rules, seed=rng.randbytes(32), list_moves=True)
    answer = call("NewGame", start)
    while not answer.turn.HasField("outcome"):
        chosen = answer.moves[rng.randrange(len(answer.moves))]
        request = pb.ApplyMoveRequest(
            state=answer.state,
            move=chosen.move,
            expected_ply=answer.turn.ply,
            list_moves=True,
        )
        answer = call("ApplyMove", request)
    final: state_pb2.State = answer.state
    return final.SerializeToString(deterministic=True)


def undisturbed(plan: Plan) -> bytes:
    """The same, by the referee alone: nothing between him and the players can fail."""
    rng = plan.random()
    seed = rng.randbytes(32)
    source = referee.Seeded(seed, (), 0, commitment(seed))
    state, _ = referee.new_game(GAMES[plan.game], plan.rules, source)
    while referee.outcome(state) is None:
        legal = referee.legal_moves(state)
        state, _ = referee.apply(state, legal[rng.randrange(len(legal))])
    written = state_pb2.State()
    wire.write_state(state, written)
    return written.SerializeToString(deterministic=True)
