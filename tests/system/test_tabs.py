"""Four tabs of a real browser play a sealed game of Trix to its end, each with its credential only.

They call by gRPC-Web through Envoy. The newest state goes through a keeper that relays bytes: what
was published once stays, and of two moves on one ply it takes the first.
"""

from contextlib import ExitStack
from functools import partial
from threading import Condition
from typing import Any
from urllib.parse import quote

import pytest

from hakam.v1 import game_service_pb2 as pb
from tests.e2e.processes import PATIENCE, servers
from tests.system.browser.chromium import Pages, bundled, chromium, served
from tests.system.conftest import envoy

pytestmark = pytest.mark.system

SEATS = range(4)
GAME_SECONDS = 300


class Keeper:
    """Bytes by path. Nothing is replaced: a move is published at the ply that it was made on."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.refused = 0
        self._changed = Condition()

    def put(self, path: str, content: bytes) -> bool:
        with self._changed:
            if path in self.kept:
                self.refused += 1
                return False
            self.kept[path] = content
            self._changed.notify_all()
            return True

    def holds(self, number: int) -> bool:
        """Whether there are so many, soon."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self.kept) >= number, PATIENCE)

    def get(self, path: str) -> bytes | None:
        """What is there, or will be soon."""
        with self._changed:
            self._changed.wait_for(lambda: path in self.kept, PATIENCE)
            return self.kept.get(path)


class Table(Pages):
    """Serves the page of a tab, and the keeper below /keeper/."""

    keeper: Keeper

    def __init__(self, keeper: Keeper, *args: Any, **more: Any) -> None:
        self.keeper = keeper
        super().__init__(*args, **more)

    def do_GET(self) -> None:  # noqa: N802 - the base class's name
        if not self.path.startswith("/keeper/"):
            super().do_GET()
            return
        content = self.keeper.get(self.path)
        self.answer(404 if content is None else 200, content or b"")

    def do_POST(self) -> None:  # noqa: N802 - the base class's name
        if not self.path.startswith("/keeper/"):
            super().do_POST()
            return
        self.answer(204 if self.keeper.put(self.path, self.body()) else 409)


@pytest.fixture(scope="module")
def keeper() -> Keeper:
    return Keeper()


@pytest.fixture(scope="module")
def tabs(keeper: Keeper, tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What each tab tells at the end of the game. One of the two replicas dies meanwhile."""
    folder = tmp_path_factory.mktemp("tab")
    bundled("tab.ts", folder)
    for_strangers = {"HAKAM_KEYS": "6b" * 64, "HAKAM_PLAIN_STATES": "keeper"}
    with ExitStack() as stack:
        start = stack.enter_context(servers())
        replicas = [start(**for_strangers), start(**for_strangers)]
        web = stack.enter_context(envoy([replica.address for replica in replicas]))
        port, said = stack.enter_context(served(folder, partial(Table, keeper)))
        show = stack.enter_context(chromium())
        for seat in SEATS:
            show(f"http://localhost:{port}/?seat={seat}&envoy={quote(f'http://127.0.0.1:{web}')}")
        assert keeper.holds(100)
        replicas[1].process.kill()
        told = [said.get(timeout=GAME_SECONDS) for _ in SEATS]
    assert [answer["failed"] for answer in told if "failed" in answer] == []
    return sorted(told, key=lambda answer: int(answer["seat"]))


def published(keeper: Keeper) -> list[pb.ApplyMoveResponse]:
    """The moves, in order, as the keeper relayed them."""
    moves = [content for path, content in keeper.kept.items() if "/game/" in path]
    return [pb.ApplyMoveResponse.FromString(content) for content in moves]


def test_all_see_the_same_end(tabs: list[Any], keeper: Keeper) -> None:
    last = published(keeper)[-1]
    assert last.turn.HasField("outcome")
    assert [tab["ply"] for tab in tabs] == [last.turn.ply] * 4
    assert [tab["winners"] for tab in tabs] == [list(last.turn.outcome.winners)] * 4
    assert len({tab["digest"] for tab in tabs}) == 1


def test_every_tab_verifies_the_game_by_itself(tabs: list[Any]) -> None:
    for tab in tabs:
        assert tab["faults"] == []
        assert tab["verified"]
        assert tab["commitment"], "it was told before anybody gave entropy"
        compared = tab["compared"]
        assert compared["hand"] > 10
        assert compared["own entropy"] == 1
        assert compared["revealed seed"] >= 1
        assert tab["replayed"] == "replayed"
        assert not tab["tampered"], "a list without its entropy is seen"


def test_no_tab_reads_the_hand_or_the_moves_of_another(tabs: list[Any]) -> None:
    hands = [card for tab in tabs for card in tab["firstHand"]]
    assert sorted(hands) == list(range(1, 53))
    for tab in tabs:
        assert tab["tried"] > 100
        assert tab["refusals"] == [
            "InvalidRequest SEAL_REFUSED",
            "NotAllowed CREDENTIAL_WRONG",
            "Unauthenticated CREDENTIAL_MISSING",
        ]
        assert tab["spectatorCards"] == 0


def test_what_is_relayed_shows_no_hand(tabs: list[Any], keeper: Keeper) -> None:
    first = pb.NewGameResponse.FromString(keeper.kept["/keeper/start"])
    assert first.sealed_state
    assert not first.credentials
    assert not first.views
    for tab in tabs:
        assert bytes(tab["firstHand"]) not in first.sealed_state
    for answer in published(keeper):
        assert answer.sealed_state
        assert not answer.views
        assert not answer.moves


def test_of_two_moves_on_one_state_the_keeper_takes_one(tabs: list[Any], keeper: Keeper) -> None:
    assert [tab["repented"] for tab in tabs] == [False] * 4
    assert keeper.refused == 4
