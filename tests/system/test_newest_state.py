"""The keeper of docs/security.md, its code run as it stands there, against real servers."""

import importlib
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import grpc
import pytest

from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.seal import KeyRing
from hakam.settings import Settings
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc

pytestmark = pytest.mark.system

PAGE = Path(__file__).resolve().parents[2] / "docs/security.md"
SECTION = PAGE.read_text("utf-8").split("\n## Keeping the newest state\n")[1]
BLOCKS = re.findall(r"^```python\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)
ROUNDS = 50


class Store:
    """The functions of the page with one kind of store, and connections to it."""

    def __init__(self, block: str, connect: Callable[[], Any]) -> None:
        names: dict[str, Any] = {}
        exec(block, names)  # noqa: S102 - our own page
        exec(BLOCKS[2], names)  # noqa: S102
        self.code = SimpleNamespace(**names)
        self.connect = connect


@pytest.fixture(scope="module")
def hakam() -> Iterator[pb_grpc.GameServiceStub]:
    settings = Settings(port=0, metrics_port=0, grace_seconds=0)
    running = Server(settings, make_log("json", "error", StringIO()), KeyRing([bytes(range(64))]))
    running.start()
    with grpc.insecure_channel(f"127.0.0.1:{running.port}") as channel:
        yield pb_grpc.GameServiceStub(channel)
    running.stop()


@pytest.fixture(params=["PostgreSQL", "Redis"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with ExitStack() as connections:
        made = _postgresql if request.param == "PostgreSQL" else _redis
        yield made(request, connections)


def _postgresql(request: pytest.FixtureRequest, connections: ExitStack) -> Store:
    psycopg = importlib.import_module("psycopg")
    address = request.getfixturevalue("postgresql_address")
    opened = threading.Lock()

    def connect() -> Any:
        with opened:
            return connections.enter_context(psycopg.connect(address, autocommit=True))

    store = Store(BLOCKS[0], connect)
    connect().execute(store.code.TABLE)
    return store


def _redis(request: pytest.FixtureRequest, connections: ExitStack) -> Store:
    redis = importlib.import_module("redis")
    port = request.getfixturevalue("redis_port")

    def connect() -> Any:
        return connections.enter_context(redis.Redis("127.0.0.1", port))

    return Store(BLOCKS[1], connect)


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A game of the test's own."""
    return str(request.node.nodeid)


def begun(hakam: pb_grpc.GameServiceStub) -> pb.NewGameResponse:
    request = pb.NewGameRequest(seed=bytes(range(32)), seal=True, make_credentials=True)
    request.rules.tjau.SetInParent()
    return hakam.NewGame(request)


def test_the_page_has_the_two_stores_and_the_move() -> None:
    assert len(BLOCKS) == 3
    assert "UPDATE" in BLOCKS[0]
    assert "redis.call" in BLOCKS[1]
    assert "ApplyMove" in BLOCKS[2]


def test_a_game_begins_once(store: Store, name: str) -> None:
    db, code = store.connect(), store.code
    assert code.begin(db, name, 0, b"first")
    assert not code.begin(db, name, 0, b"second")
    assert code.newest(db, name) == (0, b"first")


def test_a_stale_ply_loses(store: Store, name: str) -> None:
    db, code = store.connect(), store.code
    code.begin(db, name, 0, b"at 0")
    assert code.replace(db, name, 0, 1, b"at 1")
    assert code.replace(db, name, 1, 2, b"at 2")
    assert not code.replace(db, name, 0, 1, b"another 1")
    assert not code.replace(db, name, 1, 2, b"another 2")
    assert not code.replace(db, name, 3, 4, b"from nowhere")
    assert code.newest(db, name) == (2, b"at 2")


def test_a_game_that_never_began_cannot_be_gone_on_with(store: Store, name: str) -> None:
    assert not store.code.replace(store.connect(), name, 0, 1, b"at 1")


def test_any_bytes_are_kept_as_they_are(store: Store, name: str) -> None:
    db, code = store.connect(), store.code
    code.begin(db, name, 0, bytes(range(256)) * 64)
    assert code.newest(db, name) == (0, bytes(range(256)) * 64)


def test_exactly_one_of_two_racing_writers_wins(store: Store, name: str) -> None:
    """Each has seen the same newest state, and both write at once, many times over."""
    code = store.code
    both = [store.connect(), store.connect()]
    start = threading.Barrier(2)

    def write(writer: int, ply: int) -> bool:
        start.wait(30)
        won: bool = code.replace(both[writer], name, ply, ply + 1, b"of %d" % writer)
        return won

    code.begin(both[0], name, 0, b"first")
    with ThreadPoolExecutor(2) as writers:
        for ply in range(ROUNDS):
            won = list(writers.map(write, (0, 1), (ply, ply)))
            assert sorted(won) == [False, True]
            assert code.newest(both[0], name) == (ply + 1, b"of %d" % won.index(True))


def test_of_many_who_play_at_once_one_moves(
    store: Store, name: str, hakam: pb_grpc.GameServiceStub
) -> None:
    first = begun(hakam)
    store.code.begin(store.connect(), name, 0, first.sealed_state)
    start = threading.Barrier(8)

    def play(db: Any) -> Any:
        start.wait(30)
        return store.code.play(hakam, db, name, 0, "throw", first.credentials[0])

    with ThreadPoolExecutor(8) as players:
        answers = list(players.map(play, [store.connect() for _ in range(8)]))
    (moved,) = [answer for answer in answers if answer is not None]
    assert store.code.newest(store.connect(), name) == (moved.turn.ply, moved.sealed_state)


def test_a_whole_game_is_kept_and_nobody_goes_back(
    store: Store, name: str, hakam: pb_grpc.GameServiceStub
) -> None:
    db, code, first = store.connect(), store.code, begun(hakam)
    code.begin(db, name, 0, first.sealed_state)
    turn, behind = first.turn, 0
    while turn.HasField("to_act"):
        credential = first.credentials[turn.to_act]
        request = pb.ListMovesRequest(sealed_state=code.newest(db, name)[1], credential=credential)
        move = hakam.ListMoves(request).moves[0].notation
        answer = code.play(hakam, db, name, turn.ply, move, credential)
        assert code.play(hakam, db, name, turn.ply, move, credential) is None
        assert code.play(hakam, db, name, behind, move, credential) is None
        assert code.newest(db, name) == (answer.turn.ply, answer.sealed_state)
        behind, turn = turn.ply, answer.turn
    assert turn.ply > 50
