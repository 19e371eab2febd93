import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from io import StringIO
from random import Random
from typing import Any

import grpc
import pytest
from calls import Error, raw_call, refused
from google.rpc import error_details_pb2, status_pb2

from hakam.games.game import Fault
from hakam.games.reasons import Reason
from hakam.games.registry import GAMES
from hakam.record import MAX_MOVES
from hakam.referee import AnyGame
from hakam.rpc.call import CURRENT, Call
from hakam.rpc.codecs.common import unknown_field_faults
from hakam.rpc.codecs.game import read_move, read_state, write_move, write_state
from hakam.rpc.endpoint import Door, endpoint
from hakam.rpc.logs import make_log
from hakam.rpc.pool import CountingPool
from hakam.rpc.server import Server
from hakam.settings import Settings
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from hakam.v1.card_pb2 import CARD_QUEEN_OF_HEARTS
from hakam.v1.chance_pb2 import ChanceOutcome
from hakam.v1.move_pb2 import Move
from hakam.v1.state_pb2 import State
from hakam.v1.viewer_pb2 import Viewer
from tests.random_play import RULE_SETS, case_ids, play, seeded

Code = grpc.StatusCode
MIB = 1024 * 1024
LARGEST = 16 * 1024
SETTINGS = Settings(
    port=0,
    metrics_port=0,
    grace_seconds=0,
    threads=1,
    max_request_bytes=LARGEST,
    max_answer_bytes=4 * 1024,
    max_batch_items=20,
    max_pending_calls=2,
)


class Gatekeeper:
    """Draws seeds, but while it is shut makes who asks for one wait."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.open = threading.Event()

    def draw(self, size: int) -> bytes:
        self.entered.set()
        assert self.open.wait(30)
        return bytes(size)


@pytest.fixture(scope="module")
def keeper() -> Gatekeeper:
    return Gatekeeper()


@pytest.fixture(scope="module")
def small(keeper: Gatekeeper) -> Iterator[Server]:
    """A server of one thread that takes and gives little."""
    running = Server(SETTINGS, make_log("json", "info", StringIO()), draw=keeper.draw)
    running.start()
    yield running
    keeper.open.set()
    running.stop()


@pytest.fixture
def channel(small: Server) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(f"127.0.0.1:{small.port}") as opened:
        yield opened


@pytest.fixture
def stub(channel: grpc.Channel) -> pb_grpc.GameServiceStub:
    return pb_grpc.GameServiceStub(channel)


def new_game(**fields: Any) -> pb.NewGameRequest:
    request = pb.NewGameRequest(**fields)
    request.rules.tjau.SetInParent()
    return request


def judged(stub: pb_grpc.GameServiceStub) -> pb.ValidateMoveRequest:
    state = stub.NewGame(new_game(seed=bytes(32))).state
    return pb.ValidateMoveRequest(state=state, move=Move(notation="throw"))


def until(condition: Callable[[], bool]) -> None:
    """Wait for something that must come."""
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it never came")


def test_a_request_that_is_too_large_is_refused_with_the_limit(channel: grpc.Channel) -> None:
    error = refused(partial(raw_call(channel, "GetView"), bytes(LARGEST + 1)))
    assert (error.code, error.reason) == (Code.RESOURCE_EXHAUSTED, "REQUEST_TOO_LARGE")
    assert error.metadata == {"size": str(LARGEST + 1), "limit": str(LARGEST)}


def test_a_request_of_the_greatest_size_is_read(channel: grpc.Channel) -> None:
    error = refused(partial(raw_call(channel, "GetView"), bytes(LARGEST)))
    assert (error.code, error.reason) == (Code.INVALID_ARGUMENT, "REQUEST_MALFORMED")


def test_a_request_beyond_all_measure_is_refused_by_the_transport(
    channel: grpc.Channel, stub: pb_grpc.GameServiceStub
) -> None:
    with pytest.raises(grpc.RpcError) as failed:
        raw_call(channel, "GetView")(bytes(LARGEST + MIB + 1))
    assert failed.value.code() is Code.RESOURCE_EXHAUSTED
    judged(stub)


def test_an_answer_that_would_be_too_large_is_refused(stub: pb_grpc.GameServiceStub) -> None:
    error = refused(partial(stub.ListGames, pb.ListGamesRequest()))
    assert (error.code, error.reason) == (Code.RESOURCE_EXHAUSTED, "ANSWER_TOO_LARGE")
    assert error.metadata == {"limit": str(SETTINGS.max_answer_bytes)}


def test_a_batch_whose_answer_grows_too_large_is_refused(stub: pb_grpc.GameServiceStub) -> None:
    one = judged(stub)
    item = pb.ApplyMoveRequest(state=one.state, move=one.move, list_moves=True, list_effects=True)
    item.viewers.extend([Viewer(seat=0), Viewer(seat=1)] * 3)
    request = pb.BatchApplyMovesRequest(items=[item] * 20)
    error = refused(partial(stub.BatchApplyMoves, request))
    assert (error.code, error.reason) == (Code.RESOURCE_EXHAUSTED, "ANSWER_TOO_LARGE")
    fewer = stub.BatchApplyMoves(pb.BatchApplyMovesRequest(items=[item] * 2))
    assert [result.WhichOneof("result") for result in fewer.results] == ["applied"] * 2


@pytest.mark.parametrize("rpc", ["BatchValidateMoves", "BatchApplyMoves"])
def test_too_many_items_are_refused_before_any_is_judged(
    channel: grpc.Channel, stub: pb_grpc.GameServiceStub, rpc: str
) -> None:
    empty = b"\x0a\x00"  # an item without anything
    error = refused(partial(raw_call(channel, rpc), empty * 21))
    assert (error.code, error.reason) == (Code.RESOURCE_EXHAUSTED, "TOO_MANY_ITEMS")
    assert error.metadata == {"items": "21", "limit": "20"}
    items = pb.BatchValidateMovesRequest(items=[pb.ValidateMoveRequest()] * 20)
    assert len(stub.BatchValidateMoves(items).results) == 20


@pytest.mark.parametrize("rpc", ["BatchValidateMoves", "BatchApplyMoves"])
def test_a_batch_of_nothing_is_refused(channel: grpc.Channel, rpc: str) -> None:
    error = refused(partial(raw_call(channel, rpc), b""))
    assert (error.code, error.fields) == (
        Code.INVALID_ARGUMENT,
        {"items": "LENGTH_OUT_OF_RANGE"},
    )


def test_more_than_seven_viewers_are_refused(stub: pb_grpc.GameServiceStub) -> None:
    eight = new_game(seed=bytes(32), viewers=[Viewer(seat=0)] * 8)
    assert refused(partial(stub.NewGame, eight)).fields == {"viewers": "LENGTH_OUT_OF_RANGE"}
    seven = new_game(seed=bytes(32), viewers=[Viewer(seat=0)] * 7)
    assert len(stub.NewGame(seven).views) == 7


@pytest.mark.parametrize("kind", ["moves", "outcomes"])
def test_a_record_that_is_too_long_is_refused(kind: str) -> None:
    settings = Settings(port=0, metrics_port=0, grace_seconds=0)
    running = Server(settings, make_log("json", "info", StringIO()))
    running.start()
    request = pb.ReplayGameRequest()
    if kind == "moves":
        request.record.moves.extend([Move(notation="throw")] * (MAX_MOVES + 1))
    else:
        request.record.outcomes.outcomes.extend([ChanceOutcome(throw=1)] * (MAX_MOVES + 1))
    with grpc.insecure_channel(f"127.0.0.1:{running.port}") as channel:
        error = refused(partial(pb_grpc.GameServiceStub(channel).ReplayGame, request))
    running.stop()
    assert (error.code, error.reason) == (Code.RESOURCE_EXHAUSTED, "RECORD_TOO_LONG")
    assert error.metadata == {"items": "8193", "limit": "8192"}


def asked(stub: pb_grpc.GameServiceStub) -> str:
    """How a question went: its reason, or nothing."""
    try:
        stub.GetBoard(pb.GetBoardRequest(rules=new_game().rules))
    except grpc.RpcError as failed:
        return error_of_failed(failed).reason
    return ""


def error_of_failed(failed: grpc.RpcError) -> Error:
    def again() -> object:
        raise failed

    return refused(again)


def test_one_call_too_many_is_shed_at_once_and_the_service_recovers(
    small: Server, keeper: Gatekeeper, stub: pb_grpc.GameServiceStub
) -> None:
    pool = small._door.pool
    until(lambda: pool.pending == 0)
    with ThreadPoolExecutor(2) as clients:
        first: Future[pb.NewGameResponse] = clients.submit(stub.NewGame, new_game())
        assert keeper.entered.wait(30)
        second = clients.submit(asked, stub)
        until(lambda: pool.pending == 2)
        assert [asked(stub) for _ in range(3)] == ["OVERLOADED"] * 3
        until(lambda: pool.pending == 2)
        keeper.open.set()
        assert len(first.result().commitment) == 32
        assert second.result() == ""
    assert asked(stub) == ""
    until(lambda: pool.pending == 0)


def test_what_is_shed_may_be_tried_again() -> None:
    door = Door(100, 100, 0, CountingPool(1))
    door.pool.pending = 1
    answer = answered(door)
    assert answer.code is Code.UNAVAILABLE
    assert answer.reason == "OVERLOADED"
    assert answer.metadata == {"limit": "0"}
    door.pool.pending = 0
    assert answered(door).reason == ""


class Aborted(Exception):  # noqa: N818 - as a server's context does it
    """What a context raises to end its call."""


class FakeContext:
    """As much of a call's context as an endpoint uses."""

    def __init__(self, left: list[float | None]) -> None:
        self._left = left
        self.status: Any = None

    def time_remaining(self) -> float | None:
        return self._left.pop(0) if len(self._left) > 1 else self._left[0]

    def is_active(self) -> bool:
        return True

    def abort_with_status(self, status: Any) -> None:
        self.status = status
        raise Aborted


class Answer:
    """How a call at an endpoint without a server went."""

    def __init__(self, status: Any, handled: int) -> None:
        self.handled = handled
        self.code = None if status is None else status.code
        self.reason, self.metadata = "", {}
        if status is not None:
            info = error_details_pb2.ErrorInfo()
            rich = status_pb2.Status.FromString(dict(status.trailing_metadata).popitem()[1])
            assert rich.details[0].Unpack(info)
            self.reason, self.metadata = info.reason, dict(info.metadata)


def answered(
    door: Door, left: list[float | None] | None = None, raw: bytes = b"", *, batch: int = 0
) -> Answer:
    """Call an endpoint that counts how many pieces of work it was let do."""
    handled = []

    def handle(_request: pb.ListGamesRequest, call: Call, *_: object) -> pb.ListGamesResponse:
        for _i in range(batch or 1):
            if batch:
                call.check_deadline()
            handled.append(1)
        return pb.ListGamesResponse(release="1")

    context: Any = FakeContext(left or [None])
    CURRENT.set(Call(context))
    method: Any = endpoint(door, pb.ListGamesRequest, handle, batch=bool(batch))
    try:
        method.unary_unary(raw, context)
    except Aborted:
        assert context.status is not None
    return Answer(context.status, len(handled))


def an_open_door(**changes: Any) -> Door:
    limits = {"max_request_bytes": 100, "max_answer_bytes": 100, "max_pending_calls": 9}
    return Door(**(limits | changes), pool=CountingPool(1))


@pytest.mark.parametrize("left", [0.0, -0.5])
def test_no_work_is_done_for_a_caller_whose_deadline_has_passed(left: float) -> None:
    answer = answered(an_open_door(), [left])
    assert (answer.code, answer.reason) == (Code.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED")
    assert answer.handled == 0


@pytest.mark.parametrize("left", [None, 5.0])
def test_work_is_done_where_there_is_time_or_no_deadline(left: float | None) -> None:
    answer = answered(an_open_door(), [left])
    assert (answer.code, answer.handled) == (None, 1)


def test_a_batch_stops_where_its_deadline_passes() -> None:
    answer = answered(an_open_door(), [5.0, 4.0, 3.0, 0.0], batch=10)
    assert (answer.code, answer.handled) == (Code.DEADLINE_EXCEEDED, 2)


def test_the_checks_come_in_the_order_of_what_they_cost() -> None:
    worst = an_open_door(draining=True, max_pending_calls=-1)
    large = bytes(101)
    assert answered(worst, [0.0], large).reason == "DRAINING"
    worst.draining = False
    assert answered(worst, [0.0], large).reason == "OVERLOADED"
    worst.max_pending_calls = 9
    assert answered(worst, [0.0], large).reason == "REQUEST_TOO_LARGE"
    worst.max_request_bytes = 101
    assert answered(worst, [0.0], large).reason == "DEADLINE_EXCEEDED"
    assert answered(worst, [9.0], large).reason == "REQUEST_MALFORMED"
    assert answered(worst, [9.0], b"\xf8\x7f\x01").reason == "FIELD_UNKNOWN"
    worst.max_answer_bytes = 2
    assert answered(worst, [9.0]).reason == "ANSWER_TOO_LARGE"
    worst.max_answer_bytes = 3
    assert answered(worst, [9.0]).reason == ""


def test_many_unknown_fields_are_refused_and_too_many_are_not_named(
    stub: pb_grpc.GameServiceStub,
) -> None:
    strange, number = b"\xf8\x7f\x01", 65_536 // 3
    known = judged(stub).SerializeToString()
    for times, paths in ((1, {"#2047"}), (number, {"#2047"}), (number + 1, {""}), (10**6, {""})):
        raw = known + strange * times
        faults = unknown_field_faults(pb.ValidateMoveRequest.FromString(raw), raw)
        assert {fault.path for fault in faults} == paths
        assert {fault.reason for fault in faults} == {Reason.FIELD_UNKNOWN}


def lists(message: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every list in a message, and in the messages that are in it, with its path."""
    for field in message.DESCRIPTOR.fields:
        where, value = f"{path}.{field.name}", getattr(message, field.name)
        if field.is_repeated:
            yield where, value
            if field.message_type is not None and len(value):
                yield from lists(value[0], f"{where}[0]")
        elif field.message_type is not None and message.HasField(field.name):
            yield from lists(value, where)


@pytest.mark.parametrize(("game", "rules"), RULE_SETS, ids=case_ids(RULE_SETS))
def test_no_list_of_a_state_is_looked_through_that_is_longer_than_any_can_be(
    game: AnyGame, rules: Any
) -> None:
    states = play(game, rules, seeded(Random(81)), Random(81)).states
    message = State()
    write_state(states[len(states) // 2], message)
    paths = [path for path, _ in lists(message, "state")]
    assert len(paths) > 3
    for path in paths:
        longer = State()
        longer.CopyFrom(message)
        grow(dict(lists(longer, "state"))[path], b"" if "sha256" in path else 0)
        faults: list[Fault] = []
        assert read_state(longer, "state", faults) is None
        assert len(faults) <= 8, path
        assert all(path.startswith(fault.path.partition("[")[0]) for fault in faults)


def grow(items: Any, default: bytes | int) -> None:
    if hasattr(items, "add"):
        items.MergeFrom([type(items.add())() for _ in range(9000)])
    else:
        items.extend([items[0] if len(items) else default] * 9000)


def test_a_move_is_no_longer_than_any_move_can_be() -> None:
    for game, rules in RULE_SETS:
        legal = play(game, rules, seeded(Random(82)), Random(82)).moves
        for move in legal[::7]:
            message = Move()
            write_move(game, move, message)
            assert message.ByteSize() < 128
    message = Move()
    message.trix.double.cards.extend([CARD_QUEEN_OF_HEARTS] * 600)
    faults: list[Fault] = []
    assert read_move(message, "move", GAMES["trix"], None, faults) is None
    assert [(f.path, f.reason) for f in faults] == [("move.trix", Reason.LENGTH_OUT_OF_RANGE)]
