"""What the single cases are made of: requests with a name, plain states, and bent messages."""

from functools import cache
from itertools import islice
from typing import Any, Final, TypeVar

import samples
from google.protobuf.message import Message

from hakam import referee
from hakam.games.registry import GAMES
from hakam.referee import SUPPLIED, GameState
from hakam.rpc.codecs import game as wire
from hakam.v1 import chance_pb2, move_pb2, state_pb2
from hakam.v1.viewer_pb2 import Spectator, Viewer
from tests.trust import support
from tests.wire.asked import OPEN, Asked
from tests.wire.features import optional_fields

__all__ = [
    "SPECTATOR",
    "UNKNOWN",
    "bare",
    "case",
    "chance",
    "copy_of",
    "first_state",
    "guarded_position",
    "new_state",
    "raw_case",
    "written",
    "zeroed",
]

M = TypeVar("M", bound=Message)

SPECTATOR: Final = Viewer(spectator=Spectator())
# A field that the contract does not have.
UNKNOWN: Final = b"\xf8\x3f\x01"


def case(name: str, request: Message, service: str = OPEN) -> Asked:
    """A request that is recorded whatever it shows."""
    rpc = type(request).__name__.removesuffix("Request")
    return raw_case(rpc, name, request.SerializeToString(deterministic=True), service)


def raw_case(rpc: str, name: str, raw: bytes, service: str = OPEN) -> Asked:
    """Bytes that are, or are not, a request."""
    return Asked(rpc, name, raw, service, single=True)


@cache
def first_state(name: str, *, supplied: bool = False) -> GameState:
    """The first state of the first rule set of a game."""
    game = GAMES[name]
    rules = next(iter(game.CATALOGUE.rule_sets.values()))
    return referee.new_game(game, rules, SUPPLIED if supplied else samples.seeded())[0]


def new_state(name: str, *, supplied: bool = False) -> state_pb2.State:
    """The same on the wire."""
    return written(first_state(name, supplied=supplied))


def written(state: GameState) -> state_pb2.State:
    """A state on the wire."""
    message = state_pb2.State()
    wire.write_state(state, message)
    return message


@cache
def guarded_position(name: str) -> support.Position:
    """A position of the first rule set of a game, its seats with credentials."""
    game = GAMES[name]
    rules = next(iter(game.CATALOGUE.rule_sets.values()))
    return next(islice(support.positions(game, rules, seed=5), 40, None))


def chance(**outcome: Any) -> move_pb2.Move:
    """An outcome of chance as a move."""
    return move_pb2.Move(chance=chance_pb2.ChanceOutcome(**outcome))


def copy_of(message: M) -> M:
    """The same once more."""
    copy = type(message)()
    copy.CopyFrom(message)
    return copy


def bare(message: M) -> M:
    """The message without any number that is optional."""
    copy = copy_of(message)
    for below, field in optional_fields(copy):
        below.ClearField(field)
    return copy


def zeroed(message: M) -> M:
    """The message with every optional number in it 0."""
    copy = copy_of(message)
    for below, field in optional_fields(copy):
        setattr(below, field, 0)
    return copy
