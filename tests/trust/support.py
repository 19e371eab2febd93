"""Sealed games as tests need them: states with credentials, and who may ask what about them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from random import Random
from typing import Any, Final

import grpc
from calls import error_of, raw_call, request_type, response_type
from google.protobuf.message import Message

from hakam import referee
from hakam.referee import AnyGame, GameState, Move, Seeded
from hakam.rpc.codecs import game as wire
from hakam.rpc.gate import Gate
from hakam.seal import KeyRing
from hakam.v1 import error_pb2, move_pb2
from tests import random_play

KEY: Final = bytes(range(64))
RING: Final = KeyRing([KEY])
KEEPER: Final = b"k" * 32
GATE: Final = Gate(RING, sha256(KEEPER).digest(), strict=False)
SALT: Final = b"0123456789abcdef"
CREDENTIALS: Final = tuple(sha256(b"credential %d" % seat).digest() for seat in range(6))
HASHES: Final = tuple(sha256(credential).digest() for credential in CREDENTIALS)

# The requests about a state, by rpc; each stands alone or is an item of the batch named.
SINGLE: Final = ("ApplyMove", "GetView", "ListMoves", "ValidateMove", "ValidateState")
BATCHES: Final = {"BatchApplyMoves": "ApplyMove", "BatchValidateMoves": "ValidateMove"}
EVERY: Final = (*SINGLE, *BATCHES)


@dataclass(frozen=True)
class Position:
    """A state of a game with credentials, and a legal move in it."""

    state: GameState
    move: Move

    @property
    def acting(self) -> int:
        seat = referee.to_act(self.state)
        assert seat is not None
        return seat


def guarded(state: GameState, **changes: Any) -> GameState:
    """The state as part of a game whose seats have credentials, with some fields otherwise."""
    seats = state.game.seats(state.rules)
    fields = {
        "chance": state.chance,
        "ply": state.ply,
        "position": state.position,
        "credentials": HASHES[:seats],
        "salt": SALT,
    } | changes
    return GameState(state.game, state.rules, **fields)


def positions(game: AnyGame, rules: Any, seed: int, every: int = 1) -> Iterator[Position]:
    """The positions of a random seeded game in which a seat is to act."""
    rng = Random(seed)
    source = random_play.seeded(rng)
    played = random_play.play(game, rules, source, rng)
    pairs = zip(played.states, played.moves, strict=False)
    for state, move in islice(pairs, 0, None, every):
        yield Position(guarded(state), move)


def sealed(state: GameState) -> bytes:
    """The state as the service gives it away."""
    return GATE.seal(state)


def written(state: GameState, move: Move) -> move_pb2.Move:
    out = move_pb2.Move()
    wire.write_move(state.game, move, out)
    return out


@dataclass(frozen=True)
class Asking:
    """Who asks about which sealed state; `seat` None is a seat that is not named."""

    sealed: bytes
    move: move_pb2.Move
    credential: bytes = b""
    seat: int | None = None

    def request(self, rpc: str) -> Any:
        """The request of an rpc; of a batch one with this item twice."""
        if rpc in BATCHES:
            item = self.request(BATCHES[rpc])
            return request_type(rpc)(items=[item, item])
        fields: dict[str, Any] = {"sealed_state": self.sealed, "credential": self.credential}
        request: Any = request_type(rpc)(**fields)
        if rpc == "GetView":
            request.viewer.spectator.SetInParent()
            if self.seat is not None:
                request.viewer.seat = self.seat
        elif self.seat is not None:
            request.seat = self.seat
        if rpc in BATCHES.values():
            request.move.CopyFrom(self.move)
        return request


def reason_of(channel: grpc.Channel, rpc: str, request: Message) -> str:
    """Why a request is refused, alone or as every item of a batch; empty where it is answered."""
    try:
        answer = answered(channel, rpc, request)
    except grpc.RpcError as failed:
        error = error_of(failed)
        return error.reason
    if rpc in BATCHES:
        (reason,) = {reason_in(BATCHES[rpc], result) for result in answer.results}
        return reason
    return violation_in(answer) if rpc == "ValidateMove" else ""


def reason_in(rpc: str, result: Any) -> str:
    """The reason of an item."""
    if result.WhichOneof("result") == "error":
        return name(result.error.reason)
    return violation_in(result.verdict) if rpc == "ValidateMove" else ""


def violation_in(verdict: Any) -> str:
    return "" if verdict.legal else name(verdict.violation.reason)


def name(reason: int) -> str:
    return error_pb2.Reason.Name(reason).removeprefix("REASON_")  # type: ignore[arg-type]


def answered(channel: grpc.Channel, rpc: str, request: Message) -> Any:
    return response_type(rpc).FromString(raw_call(channel, rpc)(request.SerializeToString()))


def without_seal(answer: Any) -> tuple[bytes, list[int]]:
    """All of an answer but the sealed states in it, and the lengths of those."""
    lengths = []
    for part in [
        answer,
        *(r.applied for r in getattr(answer, "results", ()) if hasattr(r, "applied")),
    ]:
        if getattr(part, "sealed_state", b""):
            lengths.append(len(part.sealed_state))
            part.sealed_state = b""
    return answer.SerializeToString(deterministic=True), lengths


def seeded_state(state: GameState) -> Seeded:
    assert isinstance(state.chance, Seeded)
    return state.chance


Call = Callable[[], object]
