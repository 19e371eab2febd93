"""Players' entropy from end to end, and what whoever starts the game cannot do with its seed."""

from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest
from calls import refused
from google.protobuf import json_format

from hakam import chance
from hakam.cli import main
from hakam.games.game import Drawn
from hakam.seal import Kind
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from hakam.v1 import rules_pb2
from tests.trust.support import HASHES, RING
from tests.trust.table import Table, prepared, rules_of

Stub = pb_grpc.GameServiceStub

RULES = {
    "tjau": rules_of("tjau", "babylon", first=Drawn.CHANCE),
    "trix": rules_of("trix", "complex"),
    "jackaroo": rules_of("jackaroo", "karoti"),
}


@pytest.mark.parametrize("name", RULES)
def test_a_prepared_game_is_played_sealed_revealed_and_verified(
    strict: Stub, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = prepared(strict, RULES[name], Random(name))
    secret_until_the_end(table)
    record = table.record()
    assert chance.commitment(record.seed.seed) == table.phones[0].commitment
    assert list(record.seed.entropy) == [phone.entropy for phone in table.phones]
    replayed = strict.ReplayGame(pb.ReplayGameRequest(record=record)).replayed
    assert replayed.turn == table.now.turn
    assert replayed.commitment == record.commitment
    file = tmp_path / "record.json"
    file.write_text(json_format.MessageToJson(record), "utf-8")
    assert main(["verify", str(file)]) == 0
    said = capsys.readouterr().out
    assert "commitment: equals the published one" in said
    assert "digest of the final view: equals the recorded one" in said
    for bend, kind in ((bend_seed, 5), (bend_entropy, (1, 6)), (bend_moves, (1, 6))):
        other = type(record)()
        other.CopyFrom(record)
        bend(other)
        failure = strict.ReplayGame(pb.ReplayGameRequest(record=other)).failure
        assert failure.kind in (kind if isinstance(kind, tuple) else (kind,))


def secret_until_the_end(table: Table) -> None:
    while table.now.turn.HasField("to_act"):
        assert not any(view.HasField("reveal") for view in table.now.views)
        table.step()
    assert all(view.HasField("reveal") for view in table.now.views)
    for phone in table.phones:
        assert phone.seen[-1].view.reveal.seed == table.now.views[0].reveal.seed


def bend_seed(record: Any) -> None:
    record.seed.seed = bytes(32)


def bend_entropy(record: Any) -> None:
    record.seed.entropy[0] += b"!"


def bend_moves(record: Any) -> None:
    del record.moves[len(record.moves) // 2]


def preparation(rules: rules_pb2.Rules, bound: bool = True) -> pb.PrepareGameRequest:
    return pb.PrepareGameRequest(rules=rules, credential_sha256=HASHES[:4] if bound else ())


def start(ready: pb.PrepareGameResponse, **fields: Any) -> pb.NewGameRequest:
    request: dict[str, Any] = {"credential_sha256": HASHES[:4], "seal": True, "rules": ready.rules}
    return pb.NewGameRequest(prepared_seed=ready.prepared_seed, **(request | fields))


class TestSeed:
    def test_two_preparations_never_draw_the_same(self, stub: Stub) -> None:
        answers = [stub.PrepareGame(preparation(RULES["trix"])) for _ in range(5)]
        assert len({answer.commitment for answer in answers}) == 5
        assert len({answer.prepared_seed for answer in answers}) == 5
        assert all(len(answer.prepared_seed) <= 1024 for answer in answers)

    def test_one_preparation_started_twice_is_the_same_game(self, stub: Stub) -> None:
        ready = stub.PrepareGame(preparation(RULES["trix"]))
        first, again = (stub.NewGame(start(ready, entropy=[b"a", b"b"])) for _ in range(2))
        assert first.SerializeToString(deterministic=True) == again.SerializeToString(
            deterministic=True
        )
        for entropy in ([b"b", b"a"], [b"ab"], []):
            assert stub.NewGame(start(ready, entropy=entropy)).sealed_state != first.sealed_state

    def test_whoever_starts_the_game_cannot_start_it_once_more_to_look(
        self, stub: Stub, strict: Stub
    ) -> None:
        mine = tuple(sha256(bytes([n]) * 32).digest() for n in range(4))
        for service in (stub, strict):
            ready = service.PrepareGame(preparation(RULES["trix"]))
            attempts = {
                "all seats": start(ready, credential_sha256=mine),
                "one more seat": start(ready, credential_sha256=(*HASHES[:3], mine[3])),
                "seats exchanged": start(ready, credential_sha256=HASHES[3::-1]),
                "made ones": start(ready, credential_sha256=(), make_credentials=True),
            }
            if service is stub:
                attempts["in plain"] = start(ready, seal=False)
            for request in attempts.values():
                error = refused(partial(service.NewGame, request))
                assert error.code is grpc.StatusCode.PERMISSION_DENIED
                assert error.reason == "CREDENTIAL_WRONG"
            assert service.NewGame(start(ready)).sealed_state

    def test_a_seed_that_was_prepared_for_nobody_serves_any_game(self, stub: Stub) -> None:
        ready = stub.PrepareGame(preparation(RULES["trix"], bound=False))
        plain = stub.NewGame(start(ready, seal=False, credential_sha256=())).state
        assert chance.commitment(plain.chance.seeded.seed) == ready.commitment
        assert stub.NewGame(start(ready)).commitment == ready.commitment

    def test_it_serves_no_other_rules_and_is_no_state(self, stub: Stub) -> None:
        ready = stub.PrepareGame(preparation(RULES["trix"]))
        request = start(ready, rules=rules_of("trix", "standard"))
        error = refused(lambda: stub.NewGame(request))
        assert error.fields == {"prepared_seed": "RULES_INVALID"}
        view = pb.GetViewRequest(sealed_state=ready.prepared_seed)
        view.viewer.spectator.SetInParent()
        assert refused(lambda: stub.GetView(view)).fields == {"sealed_state": "SEAL_MALFORMED"}
        first = stub.NewGame(start(ready))
        request = start(pb.PrepareGameResponse(rules=ready.rules, prepared_seed=first.sealed_state))
        error = refused(lambda: stub.NewGame(request))
        assert error.fields == {"prepared_seed": "SEAL_MALFORMED"}

    @pytest.mark.parametrize("at", range(0, 400, 7))
    def test_an_edited_one_is_refused(self, stub: Stub, at: int) -> None:
        ready = stub.PrepareGame(preparation(RULES["trix"]))
        edited = bytearray(ready.prepared_seed)
        edited[at % len(edited)] ^= 0x10
        request = start(pb.PrepareGameResponse(rules=ready.rules, prepared_seed=bytes(edited)))
        (reason,) = refused(lambda: stub.NewGame(request)).fields.values()
        assert reason.startswith("SEAL_")

    @pytest.mark.parametrize("hashes", [HASHES[:3], HASHES[:5], (*HASHES[:3], b"short")])
    def test_there_is_a_hash_for_each_seat(self, stub: Stub, hashes: tuple[bytes, ...]) -> None:
        request = pb.PrepareGameRequest(rules=RULES["trix"], credential_sha256=hashes)
        (path,) = refused(lambda: stub.PrepareGame(request)).fields
        assert path.startswith("credential_sha256")

    def test_the_seed_is_not_in_the_answer(self, stub: Stub) -> None:
        ready = stub.PrepareGame(preparation(RULES["trix"]))
        _, content = RING.open(Kind.PREPARED_SEED, ready.prepared_seed)
        assert chance.commitment(content[:32]) == ready.commitment
        assert content[:32] not in ready.SerializeToString()
