"""The service without a wire, and requests about sealed games to ask it: for what asks a lot."""

import math
from collections.abc import Callable, Iterator
from typing import Any

from google.protobuf.message import Message
from prometheus_client import CollectorRegistry

from hakam.games.registry import GAMES
from hakam.rpc.call import Call
from hakam.rpc.endpoint import Door
from hakam.rpc.errors import Refusal, to_status
from hakam.rpc.gate import Gate
from hakam.rpc.metrics import Metrics
from hakam.rpc.server import handlers
from hakam.rpc.servicer import GameServicer
from hakam.v1 import game_service_pb2 as pb
from tests.trust.support import CREDENTIALS, EVERY, GATE, HASHES, KEEPER, Asking, positions, sealed
from tests.trust.support import written as written_move
from tests.trust.table import rules_of

__all__ = ["answerers", "ask", "sealed_requests"]

Answerer = Callable[[bytes, Any], Any]


class Patient:
    """As much of a call as an endpoint uses: one whose caller waits as long as it takes."""

    closed = False

    def time_remaining(self) -> float:
        """Seconds."""
        return math.inf


def answerers(*, strict: bool = False) -> dict[str, Answerer]:
    """Bytes to bytes, by rpc; what is drawn is always the same."""
    door = Door(3 << 20, 3 << 20, 256)
    gate = Gate(GATE.keys, GATE.keeper_sha256, strict)
    servicer = GameServicer(Metrics(CollectorRegistry()), door, 1000, gate, bytes)
    return dict(handlers(door, servicer))


def ask(answerer: Answerer, raw: bytes) -> bytes | None:
    """The answer, None where the call is refused; any fault of our own is raised."""
    incoming: Any = Patient()
    call = Call(incoming)
    try:
        answer = answerer(raw, call)
        return answer if isinstance(answer, bytes) else _end(answer)
    except Refusal as refusal:
        status = to_status(refusal, call.language)
        assert any(key == "grpc-status-details-bin" for key, _ in status.trailing_metadata)
        return None


def _end(task: Any) -> bytes:
    """What work that takes long comes to."""
    while True:
        try:
            next(task)
        except StopIteration as end:
            answer: bytes = end.value
            return answer


def sealed_requests(every: int = 60) -> Iterator[tuple[str, Message]]:
    """Requests about sealed games of every rule set: by who may ask, and by who may not."""
    for game in GAMES.values():
        for rule_set, rules in game.CATALOGUE.rule_sets.items():
            yield from _openings(game.CATALOGUE.id, rule_set, game.seats(rules))
            for one in positions(game, rules, seed=13, every=every):
                seal, move = sealed(one.state), written_move(one.state, one.move)
                for credential in (CREDENTIALS[one.acting], CREDENTIALS[one.acting - 1], KEEPER):
                    for rpc in EVERY:
                        yield rpc, Asking(seal, move, credential).request(rpc)
                own = Asking(seal, move, CREDENTIALS[one.acting], one.acting)
                yield "GetView", own.request("GetView")
                order = own.request("ApplyMove")
                order.viewers.add().seat = one.acting
                order.list_moves = order.list_effects = True
                yield "ApplyMove", order


def _openings(game: str, rule_set: str, seats: int) -> Iterator[tuple[str, Message]]:
    rules, hashes = rules_of(game, rule_set), HASHES[:seats]
    prepare = pb.PrepareGameRequest(rules=rules, credential_sha256=hashes)
    yield "PrepareGame", prepare
    raw = ask(answerers()["PrepareGame"], prepare.SerializeToString())
    seed = pb.PrepareGameResponse.FromString(raw or b"").prepared_seed
    start: dict[str, Any] = {"rules": rules, "credential_sha256": hashes, "seal": True}
    yield "NewGame", pb.NewGameRequest(prepared_seed=seed, entropy=[b"a", b"b"], **start)
    yield "NewGame", pb.NewGameRequest(credential=KEEPER, seed=bytes(32), **start)
    yield "NewGame", pb.NewGameRequest(rules=rules, seal=True, make_credentials=True)
