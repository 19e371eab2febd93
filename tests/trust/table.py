"""A table of phones that play a sealed game: each holds its own credential and nothing else.

The sealed state goes from hand to hand; what an answer says to all is passed on beside it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any, TypeVar

import grpc

from hakam.games.registry import GAMES
from hakam.rpc.codecs.rules import write_rules
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from hakam.v1 import move_pb2, record_pb2, rules_pb2, view_pb2

__all__ = ["Phone", "Table", "prepared", "rules_of"]

Stub = pb_grpc.GameServiceStub
T = TypeVar("T")
SHED = (grpc.StatusCode.UNAVAILABLE,)


def patiently(call: Callable[[], T]) -> T:
    """The answer, asked for again for as long as the service sheds load."""
    while True:
        try:
            return call()
        except grpc.RpcError as failed:
            if not isinstance(failed, grpc.Call) or failed.code() not in SHED:
                raise


@dataclass
class Phone:
    """A player: his secret, his entropy, and all that he ever got of the game."""

    stub: Stub
    seat: int
    rng: Random
    credential: bytes = b""
    entropy: bytes = b""
    commitment: bytes = b""
    seen: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.credential = self.rng.randbytes(32)
        self.entropy = self.rng.randbytes(self.rng.randint(1, 64))

    @property
    def credential_sha256(self) -> bytes:
        return sha256(self.credential).digest()

    def look(self, sealed: bytes) -> view_pb2.View:
        """The own view."""
        request = pb.GetViewRequest(sealed_state=sealed, credential=self.credential)
        request.viewer.seat = self.seat
        answer = patiently(lambda: self.stub.GetView(request))
        assert answer.view.commitment == self.commitment
        self.seen.append(answer)
        return answer.view

    def moves(self, sealed: bytes) -> list[move_pb2.ListedMove]:
        request = pb.ListMovesRequest(sealed_state=sealed, credential=self.credential)
        return list(patiently(lambda: self.stub.ListMoves(request)).moves)

    def play(self, sealed: bytes, ply: int) -> pb.ApplyMoveResponse:
        """A random legal move."""
        move = self.rng.choice(self.moves(sealed)).move
        return patiently(lambda: self.stub.ApplyMove(self.order(sealed, move, ply)))

    def order(self, sealed: bytes, move: move_pb2.Move, ply: int) -> pb.ApplyMoveRequest:
        request = pb.ApplyMoveRequest(
            sealed_state=sealed, credential=self.credential, move=move, expected_ply=ply
        )
        request.viewers.add().spectator.SetInParent()
        return request

    def told(self, answer: Any) -> None:
        """What is said to all: an answer without the state."""
        public = type(answer)()
        public.CopyFrom(answer)
        public.ClearField("sealed_state")
        self.seen.append(public)


@dataclass
class Table:
    """A game under way, and what everybody has seen of it."""

    phones: list[Phone]
    rules: rules_pb2.Rules
    now: Any
    moves: list[move_pb2.Move] = field(default_factory=list)

    @property
    def sealed(self) -> bytes:
        return self.now.sealed_state  # type: ignore[no-any-return]

    def start(self) -> None:
        for phone in self.phones:
            phone.told(self.now)
            phone.look(self.sealed)

    def step(self) -> None:
        """One move by the phone whose turn it is; everybody looks once cards were dealt."""
        mover = self.phones[self.now.turn.to_act]
        self.take(mover.play(self.sealed, self.now.turn.ply))

    def take(self, answer: pb.ApplyMoveResponse) -> None:
        self.now = answer
        self.moves.append(answer.move)
        dealt = any("dealt" in str(event) for event in answer.events)
        for phone in self.phones:
            phone.told(answer)
            if dealt or answer.turn.HasField("outcome") or len(self.moves) % 40 == 0:
                phone.look(self.sealed)

    def play(self) -> None:
        """To the end."""
        while self.now.turn.HasField("to_act"):
            self.step()
        assert self.now.turn.HasField("outcome")

    def record(self) -> record_pb2.Record:
        """The game as everybody at the table can write it down when it is over."""
        (view,) = self.now.views
        record = record_pb2.Record(rules=self.rules, chance_version=1, moves=self.moves)
        record.seed.seed = view.reveal.seed
        record.seed.entropy.extend(view.reveal.entropy)
        record.commitment = self.phones[0].commitment
        record.view_digest = sha256(b"hakam/view/v1" + view.text.encode("ascii")).digest()
        return record


def rules_of(game: str, rule_set: str, **options: Any) -> rules_pb2.Rules:
    """Complete rules as they travel."""
    out = rules_pb2.Rules()
    write_rules(GAMES[game], GAMES[game].with_options(rule_set, options), out)
    return out


def prepared(stub: Stub, rules: rules_pb2.Rules, rng: Random) -> Table:
    """A game that is begun as docs/fairness.md says, up to its first state."""
    seats = stub.GetBoard(pb.GetBoardRequest(rules=rules)).board.seats
    phones = [Phone(stub, seat, Random(rng.random())) for seat in range(seats)]
    hashes = [phone.credential_sha256 for phone in phones]
    ready = stub.PrepareGame(pb.PrepareGameRequest(rules=rules, credential_sha256=hashes))
    for phone in phones:
        phone.commitment = ready.commitment
    request = pb.NewGameRequest(
        rules=ready.rules,
        prepared_seed=ready.prepared_seed,
        entropy=[phone.entropy for phone in phones],
        credential_sha256=hashes,
        seal=True,
    )
    request.viewers.add().spectator.SetInParent()
    first = stub.NewGame(request)
    assert first.commitment == ready.commitment
    table = Table(phones, ready.rules, first)
    table.start()
    return table
