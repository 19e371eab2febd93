"""Prometheus as an operator has it: our rules, our dashboard, two replicas under load."""

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import grpc
import pytest
import yaml

from hakam.client import channel_options
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from hakam.v1.move_pb2 import Move
from tests.e2e.processes import servers
from tests.system.conftest import OURSELVES, PATIENCE, free_port, home, running, wait_until
from tools.up import prometheus_config

pytestmark = pytest.mark.system

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
RULES = DEPLOY / "prometheus/hakam.rules.yml"
BOARD = json.loads((DEPLOY / "grafana/hakam.json").read_text("utf-8"))
PANELS = [
    pytest.param(target["expr"], id=f"{panel['title']} {target['refId']}")
    for panel in BOARD["panels"]
    for target in panel["targets"]
]
KEY = "ab" * 64
GAMES = 3
# More than one worker, and more than one replica.
WORKERS = ("2", "1")


@dataclass(frozen=True)
class Watched:
    """A Prometheus that has seen games, and how many calls these were."""

    address: str
    calls: int

    def ask(self, path: str, **query: str) -> Any:
        url = f"http://{self.address}/api/v1/{path}?{urlencode(query)}"
        with urlopen(url, timeout=PATIENCE) as answer:
            return json.load(answer)["data"]

    def query(self, text: str) -> list[float]:
        return [float(one["value"][1]) for one in self.ask("query", query=text)["result"]]


def program(name: str) -> str:
    found = shutil.which(name)
    assert found, "Prometheus is not installed: run `make test-system`"
    return found


def play(target: str) -> int:
    """Games with every kind of thing that the dashboard shows; the calls that they took."""
    calls = 0
    with grpc.insecure_channel(target, channel_options(wait=True)) as channel:
        stub = pb_grpc.GameServiceStub(channel)
        for game in ("tjau", "trix", "jackaroo") * GAMES:
            request = pb.NewGameRequest(seed=bytes(32), list_moves=True)
            getattr(request.rules, game).SetInParent()
            answer: Any = stub.NewGame(request)
            calls += 1
            for _ in range(40):
                move = answer.moves[0].move
                apply = pb.ApplyMoveRequest(state=answer.state, move=move, list_moves=True)
                answer = stub.ApplyMove(apply)
                calls += 1
            calls += refused(stub, answer)
    return calls


def refused(stub: Any, answer: Any) -> int:
    """An illegal move and a seal that is none; the calls that they took."""
    wrong = Move()
    wrong.CopyFrom(answer.moves[0].move)
    late = pb.ApplyMoveRequest(state=answer.state, move=wrong, expected_ply=0)
    broken = pb.GetViewRequest(sealed_state=bytes(100))
    for rpc, request in ((stub.ApplyMove, late), (stub.GetView, broken)):
        with suppress(grpc.RpcError):
            rpc(request)
    stub.ValidateMove(
        pb.ValidateMoveRequest(state=answer.state, move=wrong, seat=1 - answer.turn.to_act % 2)
    )
    return 3


@pytest.fixture(scope="module")
def watched() -> Iterator[Watched]:
    with ExitStack() as stack:
        start = stack.enter_context(servers())
        replicas = [start(HAKAM_WORKERS=workers, HAKAM_KEYS=KEY) for workers in WORKERS]
        folder = stack.enter_context(home(OURSELVES))
        targets = [replica.addresses["metrics"] for replica in replicas]
        (folder / "prometheus.yml").write_text(prometheus_config(targets, every="1s"))
        address = f"127.0.0.1:{free_port()}"
        server = [
            program("prometheus"),
            f"--config.file={folder}/prometheus.yml",
            f"--web.listen-address={address}",
            f"--storage.tsdb.path={folder}/data",
        ]
        stack.enter_context(running(OURSELVES, folder, *server))
        empty = Watched(address, 0)
        wait_until(lambda: answers(empty, "count(hakam_build_info) == 2"))
        target = "ipv4:" + ",".join(replica.address for replica in replicas)
        calls = sum(play_and_rest(target) for _ in range(3))
        total = "sum(grpc_server_started_total{grpc_service='hakam.v1.GameService'})"
        wait_until(lambda: answers(empty, f"{total} >= {calls}"))
        wait_until(lambda: answers(empty, "hakam:calls:rate5m > 0"))
        yield Watched(address, calls)


def play_and_rest(target: str) -> int:
    """Calls, and time for a scrape: a rate needs two."""
    calls = play(target)
    time.sleep(1.5)
    return calls


def answers(prometheus: Watched, query: str) -> bool:
    with suppress(OSError):
        return bool(prometheus.query(query))
    return False


@pytest.mark.parametrize("query", PANELS)
def test_no_panel_is_empty(watched: Watched, query: str) -> None:
    sent = query.replace("$__rate_interval", "1m").replace("$job", ".*")
    values = watched.query(sent)
    assert values
    assert any(value == value for value in values)  # not all NaN  # noqa: PLR0124


def test_every_rule_can_be_evaluated(watched: Watched) -> None:
    groups = watched.ask("rules")["groups"]
    rules: list[dict[str, Any]] = [rule for group in groups for rule in group["rules"]]
    wrong = [rule for rule in rules if rule["health"] != "ok"]
    assert wrong == []
    assert len(rules) == len(
        [
            rule
            for group in yaml.safe_load(RULES.read_text("utf-8"))["groups"]
            for rule in group["rules"]
        ]
    )


def test_workers_and_replicas_are_one_service_with_the_right_total(watched: Watched) -> None:
    total = "sum(grpc_server_handled_total{grpc_service='hakam.v1.GameService'})"
    assert watched.query(total) == [watched.calls]
    assert watched.query("count(hakam_build_info)") == [len(WORKERS)]
    assert watched.query("count(count by (job) (hakam_build_info))") == [1]


@pytest.mark.parametrize(
    "check", [("check", "rules", RULES), ("test", "rules", RULES.with_suffix(".test.yml"))]
)
def test_the_rules_pass_their_own_tests(check: tuple[object, ...]) -> None:
    command = [program("promtool"), *map(str, check)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout + done.stderr
