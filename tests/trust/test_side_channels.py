"""What a sealed game leaves in logs, metrics and error texts: nothing of what is hidden."""

import base64
import json
import re
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from random import Random
from typing import Any

import grpc
import pytest
from calls import METHODS, error_of, refused

from hakam.games.cards import NAMES
from hakam.games.reasons import Reason
from hakam.games.registry import GAMES
from hakam.rpc.logs import make_log
from hakam.rpc.metrics import CODE_NAMES
from hakam.rpc.server import Server
from hakam.seal import Kind
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from hakam.v1 import state_pb2
from tests.trust.conftest import SETTINGS
from tests.trust.support import KEEPER, KEY, RING
from tests.trust.table import Table, prepared, rules_of

STRANGER = b"\x07" * 32


@dataclass
class Left:
    """A game that was played, refusals among it, and what the operator is left with."""

    table: Table
    secrets: list[bytes]
    log: str
    metrics: str
    errors: list[Any]


@pytest.fixture(scope="module", params=["trix", "jackaroo"])
def left(request: pytest.FixtureRequest) -> Left:
    stream = StringIO()
    server = Server(SETTINGS, make_log("json", "debug", stream), RING)
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        stub = pb_grpc.GameServiceStub(channel)
        name = {"trix": "complex", "jackaroo": "karoti"}[request.param]
        table = prepared(stub, rules_of(request.param, name), Random(1))
        secrets: list[bytes] = [KEY, KEEPER]
        errors: list[Any] = []
        while len(table.moves) < 120:
            secrets += inside(table.sealed)
            errors += provoked(stub, table)
            table.step()
        secrets += [secret for phone in table.phones for secret in (phone.credential,)]
        pages = urllib.request.urlopen(f"http://127.0.0.1:{server.metrics_port}/metrics")
        with pages:
            metrics = pages.read().decode()
    server.stop()
    return Left(table, secrets, stream.getvalue(), metrics, errors)


def inside(sealed: bytes) -> list[bytes]:
    """The bytes of a state that nobody may see, and the sealed state itself."""
    _, content = RING.open(Kind.STATE, sealed)
    state = state_pb2.State.FromString(content)
    return [state.chance.seeded.seed, state.salt, *state.credential_sha256, sealed, content]


def provoked(stub: Any, table: Table) -> Iterator[Any]:
    """Errors of every kind that a wrong request about the state gets."""
    sealed, ply = table.sealed, table.now.turn.ply
    mover = table.phones[table.now.turn.to_act]
    other = table.phones[(mover.seat + 1) % 4]
    theirs = mover.moves(sealed)[-1].move
    for phone, fields in (
        (other, {}),
        (mover, {"expected_ply": ply + 1}),
        (mover, {"seat": other.seat}),
        (mover, {"credential": STRANGER}),
        (mover, {"credential": b""}),
        (mover, {"sealed_state": sealed[:-1]}),
        (mover, {"sealed_state": b""}),
    ):
        request = phone.order(sealed, theirs, ply)
        for field, value in fields.items():
            setattr(request, field, value)
        yield refused(lambda r=request: stub.ApplyMove(r))  # type: ignore[misc]


def spellings(secret: bytes) -> Iterator[str]:
    """A part of a secret in every way in which bytes are written."""
    for part in (secret[:12], secret[-12:]):
        yield part.hex()
        yield base64.b64encode(part[:9]).decode()
        yield repr(part)[2:-1]
        yield json.dumps(part.decode("latin-1"))[1:-1]


def test_no_secret_is_in_a_log_a_metric_or_an_error(left: Left) -> None:
    said = "\n".join([left.log, left.metrics, *map(repr, left.errors)])
    assert len(left.log.splitlines()) > 1000
    for secret in set(left.secrets):
        assert secret
        assert not any(spelling in said for spelling in spellings(secret))


def test_a_line_of_the_log_has_words_of_closed_sets_only(left: Left) -> None:
    rule_sets = {name for game in GAMES.values() for name in game.CATALOGUE.rule_sets}
    closed = {
        "method": set(METHODS),
        "code": set(CODE_NAMES.values()),
        "reason": {"", *Reason},
        "game": {"", *GAMES},
        "rule_set": {"", *rule_sets},
        "level": {"info"},
        "trace_id": {""},
        "span_id": {""},
    }
    patterns = {
        "milliseconds": r"[\d.]+",
        "request_id": r"[0-9a-f]{32}",
        "peer": r"ipv4:[\d.:]+|ipv4:127.0.0.1%3A\d+",
        "timestamp": r"[-\d:.TZ]+",
        "event": "call",
    }
    calls = [line for line in map(json.loads, left.log.splitlines()) if line["event"] == "call"]
    assert len(calls) > 1000
    for line in calls:
        assert set(line) == {*closed, *patterns}
        assert all(line[key] in allowed for key, allowed in closed.items())
        assert all(re.fullmatch(form, str(line[key])) for key, form in patterns.items())


def test_a_metric_names_no_card_no_seat_and_no_game_of_its_own(left: Left) -> None:
    labels = set(re.findall(r"(\w+)=\"", left.metrics))
    assert not labels & {"seat", "card", "ply", "peer", "request_id", "credential"}
    values = set(re.findall(r"\w+=\"([^\"]*)\"", left.metrics))
    assert not values & {*NAMES[1:]}


def test_an_error_names_no_card_but_the_one_that_was_asked_about(left: Left) -> None:
    """Most of these are refused before anybody looks at a card, and name none at all."""
    reasons = {error.reason for error in left.errors}
    assert reasons >= {"NOT_YOUR_TURN", "PLY_MISMATCH", "CREDENTIAL_WRONG", "CREDENTIAL_MISSING"}
    assert reasons >= {"SEAL_REFUSED", "SEAL_MALFORMED"}
    for error in left.errors:
        assert set(error.metadata) <= {"ply", "expected_ply", "seat", "faults"}
        assert not re.search(r"\b[2-9TJQKA][CDHS]\b", error.message + error.localized)


def test_a_fault_of_our_own_tells_the_caller_an_id_and_the_log_no_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = StringIO()
    server = Server(SETTINGS, make_log("json", "debug", stream), RING)
    server.start()

    def fail(_rules: Any, state: Any, *_: Any) -> None:
        raise ValueError(f"hands {state.hands} of {[NAMES[c] for h in state.hands for c in h]}")

    with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        stub = pb_grpc.GameServiceStub(channel)
        table = prepared(stub, rules_of("trix", "standard"), Random(1))
        hand = [NAMES[card] for card in table.phones[0].look(table.sealed).trix.hand]
        monkeypatch.setattr(GAMES["trix"], "view", fail)
        request = pb.GetViewRequest(sealed_state=table.sealed)
        request.viewer.spectator.SetInParent()
        with pytest.raises(grpc.RpcError) as failed:
            stub.GetView(request)
    server.stop()
    error = error_of(failed.value)
    assert error.reason == "INTERNAL"
    assert set(error.metadata) == {"id"}
    line = next(line for line in map(json.loads, stream.getvalue().splitlines()) if "id" in line)
    assert line["id"] == error.metadata["id"]
    assert line["exceptions"] == ["ValueError"]
    said = stream.getvalue() + repr(error)
    assert not any(re.search(rf"\b{card}\b", said) for card in hand)
    assert "hands" not in said
