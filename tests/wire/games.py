"""Whole games for clients to play: rules, seed, credentials, every move, and how it ends.

The number of a game decides all of it; of forty it was the shortest.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from google.protobuf import json_format

from hakam import referee
from hakam.games.jackaroo.rules import Joker, Queen
from hakam.games.registry import GAMES
from hakam.notation import write_move
from hakam.referee import AnyGame
from hakam.rpc.codecs.rules import write_rules
from hakam.v1 import rules_pb2
from tests.random_play import Playthrough, play, seeded

__all__ = ["FOLDER", "PLANS", "GamePlan", "text_of"]

FOLDER: Final = Path(__file__).parents[2] / "proto/testdata/games"


@dataclass(frozen=True)
class GamePlan:
    """A game to be played: its rules, and the number that decides seed, credentials and moves."""

    name: str
    rule_set: str
    number: int
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def game(self) -> AnyGame:
        return GAMES[self.name.partition("-")[0]]

    @property
    def rules(self) -> Any:
        return self.game.with_options(self.rule_set, self.options)

    def random(self) -> Random:
        return Random(f"{self.name} {self.number}")

    def played(self) -> Playthrough:
        rng = self.random()
        return play(self.game, self.rules, seeded(rng, 0), rng)

    def credentials(self) -> list[bytes]:
        rng = Random(f"{self.name} credentials")
        return [rng.randbytes(32) for _ in range(self.game.seats(self.rules))]


_WILD: Final = {
    "joker": Joker.WILD,
    "queen": Queen.TAKE_AND_SKIP,
    "exit_with_jack": True,
    "dealer": 2,
}

PLANS: Final = (
    GamePlan("jackaroo-bordaga-4", "bordaga", 4),
    GamePlan("jackaroo-bordaga-6", "bordaga", 28, {"seats": 6}),
    GamePlan("jackaroo-karoti", "karoti", 23),
    GamePlan("jackaroo-wild", "bordaga", 28, _WILD),
    GamePlan("tjau-egyptian", "egyptian", 29),
    GamePlan("tjau-ur", "ur", 27),
    GamePlan("trix-complex", "complex", 4),
    GamePlan("trix-standard", "standard", 32),
)


def text_of(plan: GamePlan) -> str:
    """The file of a game, a move a line."""
    played = plan.played()
    source = played.end.chance
    assert isinstance(source, referee.Seeded)
    rules = rules_pb2.Rules()
    write_rules(plan.game, plan.rules, rules)
    game = {
        "name": plan.name,
        "rules": json_format.MessageToDict(rules),
        "seed": source.seed.hex(),
        "credentials": [credential.hex() for credential in plan.credentials()],
        "moves": [write_move(plan.game, plan.rules, move) for move in played.moves],
        "view_digest": referee.view_digest(played.end).hex(),
    }
    return json.dumps(game, indent=1) + "\n"
