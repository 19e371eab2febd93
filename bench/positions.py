"""The states and requests that are measured: from random games, the same in every run."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from hakam import chance, referee
from hakam.games.registry import GAMES
from hakam.referee import GameState, Move, Seeded
from hakam.rpc.codecs import game as wire
from hakam.v1 import game_service_pb2 as pb

__all__ = [
    "RULE_SETS",
    "Position",
    "apply_request",
    "batch_request",
    "middle",
    "playthrough",
    "validate_request",
]

# The rule set that stands for each game.
RULE_SETS: Final = {"tjau": "ur", "trix": "standard", "jackaroo": "karoti"}
_SEED: Final = 20


@dataclass(frozen=True)
class Position:
    """A state in which a seat is to move, and one of its legal moves."""

    state: GameState
    move: Move


def playthrough(name: str, seed: int = _SEED) -> Iterator[Position]:
    """The positions of a random game, from the first to the last."""
    game = GAMES[name]
    random = Random(seed)
    source = random.randbytes(32)
    seeded = Seeded(source, (), 0, chance.commitment(source))
    state, _ = referee.new_game(game, game.CATALOGUE.rule_sets[RULE_SETS[name]], seeded)
    while moves := referee.legal_moves(state):
        position = Position(state, random.choice(moves))
        yield position
        state, _ = referee.apply(state, position.move)


def middle(name: str) -> Position:
    """A position in the middle of a random game, in which a seat has something to choose."""
    positions = list(playthrough(name))
    later = positions[len(positions) // 2 :]
    return next(p for p in later if _is_typical(p.state))


def _is_typical(state: GameState) -> bool:
    return _TYPICAL[state.game.CATALOGUE.id](state.position) and len(referee.legal_moves(state)) > 1


# Tjau: both sides have pieces on the board. Trix: the seat follows in the middle of a trick deal.
# Jackaroo: the seat has four cards, and marbles of at least three seats are on the track.
_TYPICAL: Final[dict[str, Callable[[Any], bool]]] = {
    "tjau": lambda at: at.cones & 0x1FFFE > 0 and at.spools & 0x1FFFE > 0,
    "trix": lambda at: len(at.trick) == 2 and len(at.hands[at.to_act]) == 7,
    "jackaroo": lambda at: (
        len(at.hands[at.to_act]) == 4
        and sum(any(cell < 76 for cell in at.marbles[s : s + 4]) for s in range(0, 16, 4)) >= 3
    ),
}


def apply_request(position: Position) -> pb.ApplyMoveRequest:
    """`ApplyMove` as a backend sends it: the state, the move and the ply."""
    request = pb.ApplyMoveRequest(expected_ply=position.state.ply)
    wire.write_state(position.state, request.state)
    wire.write_move(position.state.game, position.move, request.move)
    return request


def validate_request(position: Position) -> pb.ValidateMoveRequest:
    """`ValidateMove` with the same content."""
    applied = apply_request(position)
    return pb.ValidateMoveRequest(
        state=applied.state, move=applied.move, expected_ply=applied.expected_ply
    )


def batch_request(position: Position, items: int) -> pb.BatchApplyMovesRequest:
    """So many times the same item."""
    return pb.BatchApplyMovesRequest(items=[apply_request(position)] * items)
