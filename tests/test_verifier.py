"""The verifier in TypeScript, which shares no code with the service, against games of the service.

Needs Node 20 and the client built; `make test-clients` does both, and tries the vectors, too.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest
from google.protobuf import json_format

from hakam.games.game import Drawn
from hakam.games.jackaroo.rules import Joker
from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.seal import KeyRing
from hakam.settings import Settings
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from tests.trust.table import Table, prepared, rules_of

VERIFIER = Path(__file__).resolve().parents[1] / "clients/typescript/dist/hakam-verify.js"

pytestmark = pytest.mark.clients

RULES = {
    "tjau": rules_of("tjau", "egyptian"),
    "tjau-drawn": rules_of("tjau", "ur", first=Drawn.CHANCE),
    "trix": rules_of("trix", "standard"),
    "trix-complex": rules_of("trix", "complex_partners", first_owner=2),
    "karoti": rules_of("jackaroo", "karoti"),
    "bordaga": rules_of("jackaroo", "bordaga", dealer=3),
    "six": rules_of("jackaroo", "bordaga", seats=6, joker=Joker.WILD),
}


@pytest.fixture(scope="module")
def stub() -> Iterator[pb_grpc.GameServiceStub]:
    settings = Settings(port=0, metrics_port=0, grace_seconds=0, plain_states="keeper")
    server = Server(settings, make_log("json", "error", StringIO()), KeyRing([bytes(64)]))
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        yield pb_grpc.GameServiceStub(channel)
    server.stop()


@pytest.fixture(scope="module", params=RULES)
def table(request: pytest.FixtureRequest, stub: pb_grpc.GameServiceStub) -> Table:
    name: str = request.param
    played = prepared(stub, RULES[name], Random(name))
    played.play()
    return played


def run(*args: object) -> "subprocess.CompletedProcess[str]":
    node = shutil.which("node")
    assert node, "Node is not installed"
    assert VERIFIER.exists(), "the verifier is not built: run `make test-clients`"
    command = [node, *map(str, (VERIFIER, *args))]
    return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603


def verify(
    folder: Path, record: Any, seen: list[Any], *entropy: bytes
) -> "subprocess.CompletedProcess[str]":
    """What the verifier says to a record and to what a player has seen, both in protojson."""
    files = {"record.json": record, "seen.json": seen}
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content), "utf-8")
    own = [word for entry in entropy for word in ("--entropy", entry.hex())]
    return run(*own, *(folder / name for name in files))


def written(table: Table, seat: int) -> tuple[Any, list[Any]]:
    record = json_format.MessageToDict(table.record())
    return record, [json_format.MessageToDict(answer) for answer in table.phones[seat].seen]


def test_every_player_verifies_his_game_with_javascript(table: Table, tmp_path: Path) -> None:
    for phone in table.phones:
        ended = verify(tmp_path, *written(table, phone.seat), phone.entropy)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        counts = re.findall(r"^compared: (\d+) (.+)$", ended.stdout, re.MULTILINE)
        compared = {what: int(count) for count, what in counts}
        assert {"commitment", "own entropy", "entropy", "revealed seed", "rules"} <= set(compared)
        if table.rules.HasField("tjau"):
            assert compared["throw"] > 50
        else:
            assert compared["hand"] > 10
        text = table.now.views[0].text.partition(" ply=")[0]
        assert ended.stdout.startswith(f"rules: {text}\n")


def bent(table: Table) -> Iterator[tuple[str, Any, list[Any], bytes]]:
    """What a cheat could have done, each with the line that must tell it."""
    own = table.phones[1].entropy
    record, seen = written(table, 1)
    record["seed"]["seed"] = "A" * 43 + "="
    yield "commitment", record, seen, own
    record, seen = written(table, 1)
    record["seed"]["entropy"][0] = "AAAA"
    yield "entropy", record, seen, own
    record, seen = written(table, 1)
    yield "own entropy", record, seen, b"what I never gave"
    record, seen = written(table, 1)
    if "tjau" in record["rules"]:
        thrown = [event for event in events(seen, "tjau") if "thrown" in event][9]["thrown"]
        thrown["value"] = (thrown.get("value", 0) + 1) % 5
        yield "throw", record, seen, own
    else:
        hand = list(hands(seen, "trix" if "trix" in record["rules"] else "jackaroo"))[3]
        hand[:2] = hand[1::-1]
        yield "hand", record, seen, own


def events(seen: list[Any], game: str) -> Iterator[Any]:
    return (event[game] for answer in seen for event in answer.get("events", ()) if game in event)


def hands(seen: list[Any], game: str) -> Iterator[Any]:
    shown = (answer["view"][game].get("hand", ()) for answer in seen if "view" in answer)
    return (hand for hand in shown if len(hand) > 1)


def test_what_was_tampered_with_is_told_by_javascript(table: Table, tmp_path: Path) -> None:
    for what, record, seen, own in bent(table):
        ended = verify(tmp_path, record, seen, own)
        assert ended.returncode == 1, (what, ended.stdout, ended.stderr)
        assert f"DIFFERS: {what}: " in ended.stdout
        assert ended.stdout.endswith("NOT VERIFIED\n")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"rules": {"trix": {}}, "chanceVersion": 1}'])
def test_what_is_no_record_ends_with_2(content: str, tmp_path: Path) -> None:
    (tmp_path / "none.json").write_text(content, "utf-8")
    assert run(tmp_path / "none.json").returncode == 2
    assert run(tmp_path / "missing.json").returncode == 2
    assert run().returncode == 2
