import math
import socket
import threading
import time
from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import replace
from functools import partial
from io import StringIO
from random import Random
from typing import Any

import grpc
import pytest
from calls import Error, raw_call, refused
from grpc_health.v1 import health_pb2, health_pb2_grpc
from http2 import PREFACE, Reluctant, frame, until

from hakam.games.game import Fault
from hakam.games.reasons import Reason
from hakam.games.registry import GAMES
from hakam.record import MAX_MOVES
from hakam.referee import AnyGame
from hakam.rpc.call import Call
from hakam.rpc.codecs.common import unknown_field_faults
from hakam.rpc.codecs.game import read_move, read_state, write_move, write_state
from hakam.rpc.codecs.rules import write_rules
from hakam.rpc.endpoint import Door, endpoint, long_endpoint
from hakam.rpc.errors import Refusal, code_of
from hakam.rpc.logs import make_log
from hakam.rpc.loop import Loop
from hakam.rpc.server import SERVICE, Server
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
SERVING = health_pb2.HealthCheckResponse.SERVING
MIB = 1024 * 1024
LARGEST = 16 * 1024
SETTINGS = Settings(
    port=0,
    metrics_port=0,
    grace_seconds=0,
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
def small() -> Iterator[Server]:
    """A server that takes and gives little."""
    running = Server(SETTINGS, make_log("json", "info", StringIO()))
    running.start()
    yield running
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
    small: Server, stub: pb_grpc.GameServiceStub
) -> None:
    until(lambda: small._door.pending == 0)
    with grpc.insecure_channel(f"127.0.0.1:{small.port}") as other:
        stalled = Stalled(other, f"/{SERVICE}/ListGames", 2)
        until(lambda: small._door.pending == 2)
        assert [asked(stub) for _ in range(3)] == ["OVERLOADED"] * 3
        assert small._door.pending == 2
        stalled.cancel()
        until(lambda: small._door.pending == 0)
    assert asked(stub) == ""
    until(lambda: small._door.pending == 0)


def test_what_is_shed_may_be_tried_again() -> None:
    asked_for = []
    door = Door(100, 100, 1, lambda: asked_for.append("room"))
    door.pending = 1
    with pytest.raises(Refusal) as shed:
        door.check_load()
    assert code_of(shed.value.reason) is Code.UNAVAILABLE
    assert (shed.value.reason, shed.value.metadata) == ("OVERLOADED", {"limit": "1"})
    assert asked_for == ["room"]
    door.pending = 0
    door.check_load()


class FakeIncoming:
    """As much of a call as an endpoint uses."""

    def __init__(self, left: list[float]) -> None:
        self._left = left
        self.closed = False

    def time_remaining(self) -> float:
        return self._left.pop(0) if len(self._left) > 1 else self._left[0]


class Answer:
    """How a call at an endpoint without a server went."""

    def __init__(self, refusal: Refusal | None, handled: int) -> None:
        self.handled = handled
        self.reason = "" if refusal is None else refusal.reason
        self.code = None if refusal is None else code_of(refusal.reason)


def answered(
    door: Door, left: list[float] | None = None, raw: bytes = b"", *, batch: int = 0
) -> Answer:
    """Call an endpoint that counts how many pieces of work it was let do."""
    handled = []

    def handle(_request: pb.ListGamesRequest, _call: Call) -> pb.ListGamesResponse:
        handled.append(1)
        return pb.ListGamesResponse(release="1")

    def handle_all(
        request: pb.ListGamesRequest, call: Call, _unknown: object
    ) -> Generator[None, None, pb.ListGamesResponse]:
        for _i in range(batch):
            call.check_deadline()
            handle(request, call)
            yield
        return handle(request, call)

    incoming: Any = FakeIncoming(left or [math.inf])
    short: Any = endpoint(door, pb.ListGamesRequest, handle)
    long: Any = long_endpoint(door, pb.ListGamesRequest, handle_all)
    try:
        if batch:
            list(long(raw, Call(incoming)))
        else:
            short(raw, Call(incoming))
    except Refusal as refusal:
        return Answer(refusal, len(handled))
    return Answer(None, len(handled))


def an_open_door(**changes: Any) -> Door:
    limits = {"max_request_bytes": 100, "max_answer_bytes": 100, "max_pending_calls": 9}
    return Door(**(limits | changes))


@pytest.mark.parametrize("left", [0.0, -0.5])
def test_no_work_is_done_for_a_caller_whose_deadline_has_passed(left: float) -> None:
    answer = answered(an_open_door(), [left])
    assert (answer.code, answer.reason) == (Code.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED")
    assert answer.handled == 0


@pytest.mark.parametrize("left", [math.inf, 5.0])
def test_work_is_done_where_there_is_time_or_no_deadline(left: float) -> None:
    answer = answered(an_open_door(), [left])
    assert (answer.code, answer.handled) == (None, 1)


def test_a_batch_stops_where_its_deadline_passes() -> None:
    answer = answered(an_open_door(), [5.0, 4.0, 3.0, 0.0], batch=10)
    assert (answer.code, answer.handled) == (Code.DEADLINE_EXCEEDED, 2)


def test_the_checks_come_in_the_order_of_what_they_cost() -> None:
    worst = an_open_door(draining=True)
    large = bytes(101)
    assert answered(worst, [0.0], large).reason == "DRAINING"
    worst.draining = False
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


class Ticks:
    """A clock that goes on by a second whenever somebody looks at it."""

    def __init__(self) -> None:
        self.now = 0

    def monotonic(self) -> int:
        self.now += 1
        return self.now


@pytest.fixture
def gate() -> Gatekeeper:
    opened = Gatekeeper()
    opened.open.set()
    return opened


@pytest.fixture
def fresh(gate: Gatekeeper) -> Iterator[Server]:
    """A server whose counters nobody else moves."""
    settings = replace(
        SETTINGS, max_request_bytes=MIB, max_pending_calls=50, max_deadline_seconds=15
    )
    running = Server(settings, make_log("json", "info", StringIO()), draw=gate.draw)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def fresh_channel(fresh: Server) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(f"127.0.0.1:{fresh.port}") as opened:
        yield opened


def refused_total(server: Server) -> dict[str, int]:
    """What was refused, by reason, as the metrics have it."""
    found = {
        sample.labels["reason"]: int(sample.value)
        for family in server._metrics.registry.collect()
        for sample in family.samples
        if sample.name == "hakam_refused_total"
    }
    return {reason: count for reason, count in found.items() if count}


class TestCeiling:
    def a_record(self) -> pb.ReplayGameRequest:
        game, rules = GAMES["tjau"], GAMES["tjau"].CATALOGUE.rule_sets["egyptian"]
        played = play(game, rules, seeded(Random(5)), Random(5))
        request = pb.ReplayGameRequest()
        write_rules(game, rules, request.record.rules)
        request.record.chance_version = 1
        request.record.seed.seed = seeded(Random(5)).seed
        request.record.seed.entropy.extend(seeded(Random(5)).entropy)
        for move in played.moves:
            write_move(game, move, request.record.moves.add())
        assert len(played.moves) > 40
        return request

    def test_a_batch_is_worked_on_for_so_long_and_no_longer(
        self, fresh_channel: grpc.Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stub = pb_grpc.GameServiceStub(fresh_channel)
        request = pb.BatchValidateMovesRequest(items=[judged(stub)] * 20)
        assert len(stub.BatchValidateMoves(request).results) == 20
        monkeypatch.setattr("hakam.rpc.call.time", Ticks())
        error = refused(partial(stub.BatchValidateMoves, request))
        assert (error.code, error.reason) == (Code.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED")

    def test_a_replay_is_worked_on_for_so_long_and_no_longer(
        self, fresh: Server, fresh_channel: grpc.Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stub = pb_grpc.GameServiceStub(fresh_channel)
        assert stub.ReplayGame(self.a_record()).WhichOneof("result") == "replayed"
        monkeypatch.setattr("hakam.rpc.call.time", Ticks())
        error = refused(partial(stub.ReplayGame, self.a_record(), timeout=3600))
        assert (error.code, error.reason) == (Code.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED")
        assert refused_total(fresh) == {"DEADLINE_EXCEEDED": 1}

    def test_the_ceiling_is_the_setting(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("hakam.rpc.call.time", Ticks())
        incoming: Any = FakeIncoming([math.inf])
        call = Call(incoming, 5)  # from 1 to 6
        for _ in range(4):
            call.check_deadline()
        with pytest.raises(Refusal, match="DEADLINE_EXCEEDED"):
            call.check_deadline()

    def test_nobody_works_for_a_caller_who_went_away(self) -> None:
        incoming: Any = FakeIncoming([math.inf])
        call = Call(incoming)
        call.check_deadline()
        incoming.closed = True
        with pytest.raises(Refusal, match="DEADLINE_EXCEEDED"):
            call.check_deadline()


class Stalled:
    """Calls that begin and send no request."""

    def __init__(self, channel: grpc.Channel, method: str, count: int) -> None:
        self._end = threading.Event()
        call: Any = channel.stream_unary(method)
        never: list[Any] = [iter(self._end.wait, True) for _ in range(count)]
        self.calls = [call.future(requests) for requests in never]

    def codes(self) -> list[grpc.StatusCode]:
        found = [call.code() for call in self.calls]
        self._end.set()
        return found

    def cancel(self) -> None:
        for call in self.calls:
            call.cancel()
        self._end.set()


def loop_of(server: Server) -> Loop:
    assert server._loop is not None
    return server._loop


def handled_total(server: Server) -> dict[tuple[str, str], int]:
    """How calls ended, by method and code, as the metrics have it."""
    found = {
        (sample.labels["grpc_method"], sample.labels["grpc_code"]): int(sample.value)
        for family in server._metrics.registry.collect()
        for sample in family.samples
        if sample.name == "grpc_server_handled_total"
    }
    return {key: count for key, count in found.items() if count}


class TestStalled:
    def test_calls_whose_request_does_not_come_hold_up_nobody(
        self, fresh: Server, fresh_channel: grpc.Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        loop = loop_of(fresh)
        with grpc.insecure_channel(f"127.0.0.1:{fresh.port}") as other:
            stalled = Stalled(other, f"/{SERVICE}/ListGames", 8)
            until(lambda: fresh._door.pending == 8)
            for _ in range(3):
                assert asked(pb_grpc.GameServiceStub(fresh_channel)) == ""
            monkeypatch.setattr(loop, "_max_wait", 0)
            assert stalled.codes() == [Code.DEADLINE_EXCEEDED] * 8
            until(lambda: fresh._door.pending == 0)
        assert refused_total(fresh) == {"DEADLINE_EXCEEDED": 8}
        assert loop._waiting == {}

    def test_a_caller_who_goes_without_a_request_is_no_error_of_his(
        self, fresh: Server, fresh_channel: grpc.Channel
    ) -> None:
        stalled = Stalled(fresh_channel, f"/{SERVICE}/ListGames", 2)
        until(lambda: fresh._door.pending == 2)
        stalled.cancel()
        until(lambda: fresh._door.pending == 0)
        assert handled_total(fresh) == {("ListGames", "Cancelled"): 2}
        assert refused_total(fresh) == {}

    def test_when_too_many_stall_health_answers_and_soon_they_make_room(
        self, fresh: Server, fresh_channel: grpc.Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        health: Any = health_pb2_grpc.HealthStub(fresh_channel)
        stub = pb_grpc.GameServiceStub(fresh_channel)
        with grpc.insecure_channel(f"127.0.0.1:{fresh.port}") as other:
            stalled = Stalled(other, f"/{SERVICE}/ListGames", 50)
            until(lambda: fresh._door.pending == 50)
            assert asked(stub) == "OVERLOADED"
            assert health.Check(health_pb2.HealthCheckRequest()).status == SERVING
            monkeypatch.setattr("hakam.rpc.loop._PATIENCE_SECONDS", 0)
            until(lambda: asked(stub) == "")
            until(lambda: fresh._door.pending < 50)
            stalled.cancel()
            until(lambda: fresh._door.pending == 0)

    def test_an_answer_that_is_not_taken_is_given_up(
        self, fresh: Server, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        raw = pb.GetBoardRequest(rules=new_game().rules).SerializeToString()
        with Reluctant(fresh.port) as caller:
            for _ in range(9):
                caller.ask(f"/{SERVICE}/GetBoard", [raw])
            until(lambda: fresh._door.pending == 9)
            assert len(loop_of(fresh)._waiting) == 9
            monkeypatch.setattr(loop_of(fresh), "_max_wait", 0)
            until(lambda: fresh._door.pending == 0)
        assert loop_of(fresh)._waiting == {}

    def test_a_call_without_a_request_is_malformed(self, channel: grpc.Channel) -> None:
        call: Any = channel.stream_unary(f"/{SERVICE}/ListGames")
        error = refused(partial(call, iter(())))
        assert (error.code, error.fields) == (Code.INVALID_ARGUMENT, {"": "REQUEST_MALFORMED"})


class TestLongWork:
    """Of pieces that take long themselves: every look at the deadline before one."""

    def test_small_calls_are_answered_between_its_pieces(
        self, fresh_channel: grpc.Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stub: Any = pb_grpc.GameServiceStub(fresh_channel)
        health: Any = health_pb2_grpc.HealthStub(fresh_channel)
        items = [judged(stub)] * 20
        check = Call.check_deadline

        def slowly(call: Call) -> None:
            time.sleep(0.05)
            check(call)

        monkeypatch.setattr(Call, "check_deadline", slowly)
        batch = stub.BatchValidateMoves.future(pb.BatchValidateMovesRequest(items=items))
        assert health.Check(health_pb2.HealthCheckRequest()).status == SERVING
        assert [asked(stub) for _ in range(3)] == [""] * 3
        assert not batch.done()
        assert len(batch.result().results) == 20

    def test_it_stops_where_its_caller_goes(
        self, fresh: Server, fresh_channel: grpc.Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stub: Any = pb_grpc.GameServiceStub(fresh_channel)
        request = pb.BatchValidateMovesRequest(items=[judged(stub)] * 20)
        pieces = []
        check = Call.check_deadline

        def slowly(call: Call) -> None:
            time.sleep(0.02)
            pieces.append(1)
            check(call)

        monkeypatch.setattr(Call, "check_deadline", slowly)
        batch = stub.BatchValidateMoves.future(request)
        until(lambda: len(pieces) == 3)
        batch.cancel()
        until(lambda: fresh._door.pending == 0)
        assert len(pieces) < 20
        assert refused_total(fresh) == {"DEADLINE_EXCEEDED": 1}


def test_a_flood_is_shed_and_the_service_recovers(
    fresh: Server, fresh_channel: grpc.Channel, gate: Gatekeeper
) -> None:
    """While the loop is held up, many more calls come than may wait, on several connections."""
    stub: Any = pb_grpc.GameServiceStub(fresh_channel)
    raw = pb.BatchValidateMovesRequest(items=[judged(stub)] * 20).SerializeToString()
    gate.open.clear()
    first = stub.NewGame.future(new_game())
    assert gate.entered.wait(30)
    local = [("grpc.use_local_subchannel_pool", 1)]
    address = f"127.0.0.1:{fresh.port}"
    channels = [grpc.insecure_channel(address, options=local) for _ in range(4)]
    calls: list[Any] = [raw_call(channel, "BatchValidateMoves") for channel in channels]
    futures = [call.future(raw) for _ in range(100) for call in calls]
    time.sleep(0.5)  # for them to arrive
    gate.open.set()
    ends = Counter(future.code() for future in futures)
    assert first.code() is Code.OK
    assert ends[Code.OK] > 0
    assert ends[Code.UNAVAILABLE] > 0
    assert ends[Code.OK] + ends[Code.UNAVAILABLE] == 400
    assert refused_total(fresh) == {"OVERLOADED": ends[Code.UNAVAILABLE]}
    until(lambda: fresh._door.pending == 0)
    assert [asked(stub) for _ in range(3)] == [""] * 3
    for channel in channels:
        channel.close()


def test_what_is_refused_is_counted_by_its_reason(
    fresh: Server, fresh_channel: grpc.Channel
) -> None:
    stub = pb_grpc.GameServiceStub(fresh_channel)
    refused(partial(raw_call(fresh_channel, "GetView"), bytes(MIB + 1)))
    refused(partial(stub.ListGames, pb.ListGamesRequest()))
    refused(partial(raw_call(fresh_channel, "BatchApplyMoves"), b"\x0a\x00" * 21))
    long = pb.ReplayGameRequest()
    long.record.moves.extend([Move(notation="throw")] * (MAX_MOVES + 1))
    refused(partial(stub.ReplayGame, long))
    refused(partial(raw_call(fresh_channel, "GetView"), b"\xff"))
    fresh._door.draining = True
    refused(partial(stub.GetBoard, pb.GetBoardRequest()))
    assert refused_total(fresh) == {
        "REQUEST_TOO_LARGE": 1,
        "ANSWER_TOO_LARGE": 1,
        "TOO_MANY_ITEMS": 1,
        "RECORD_TOO_LONG": 1,
        "DRAINING": 1,
    }


class TestCore:
    """What gRPC's core refuses by itself, before any of our code: docs/security.md lists it."""

    def test_its_limit_of_size_stands_above_ours(
        self, fresh: Server, fresh_channel: grpc.Channel
    ) -> None:
        largest = raw_call(fresh_channel, "GetView")
        assert refused(partial(largest, bytes(2 * MIB))).reason == "REQUEST_TOO_LARGE"
        with pytest.raises(grpc.RpcError) as failed:
            largest(bytes(2 * MIB + 1))
        assert failed.value.code() is Code.RESOURCE_EXHAUSTED
        assert failed.value.trailing_metadata() == ()
        assert refused_total(fresh) == {"REQUEST_TOO_LARGE": 1}

    def test_what_grows_when_it_is_unpacked_is_measured_unpacked(
        self, fresh_channel: grpc.Channel
    ) -> None:
        call: Any = raw_call(fresh_channel, "GetView")
        packed = partial(call, compression=grpc.Compression.Gzip)
        assert refused(partial(packed, bytes(2 * MIB))).reason == "REQUEST_TOO_LARGE"
        with pytest.raises(grpc.RpcError) as failed:
            packed(bytes(64 * MIB))
        assert failed.value.code() is Code.RESOURCE_EXHAUSTED

    def test_metadata_that_is_too_large(self, fresh_channel: grpc.Channel) -> None:
        call: Any = raw_call(fresh_channel, "ListGames")
        with pytest.raises(grpc.RpcError) as failed:
            call(b"", metadata=(("x-large", "x" * 64 * 1024),))
        assert failed.value.code() is Code.RESOURCE_EXHAUSTED

    def test_a_method_that_is_none(self, fresh_channel: grpc.Channel) -> None:
        with pytest.raises(grpc.RpcError) as failed:
            raw_call(fresh_channel, "Cheat")(b"")
        assert failed.value.code() is Code.UNIMPLEMENTED

    def test_pings_without_end(self, fresh: Server) -> None:
        ping = frame(6, bytes(8))
        assert goaway(fresh, ping * 20) == (ENHANCE_YOUR_CALM, b"too_many_pings")

    def test_a_frame_that_is_too_large(self, fresh: Server) -> None:
        assert goaway(fresh, frame(0, bytes(MIB * 8), stream=1)[:9]) is None

    def test_no_http_2(self, fresh: Server) -> None:
        with socket.create_connection(("127.0.0.1", fresh.port), timeout=30) as plain:
            plain.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            while plain.recv(4096):
                pass

    def test_it_serves_on_after_all_that(self, fresh: Server, fresh_channel: grpc.Channel) -> None:
        for raw in (frame(6, bytes(8)) * 20, frame(0, bytes(MIB * 8), stream=1)[:9]):
            goaway(fresh, raw)
        assert asked(pb_grpc.GameServiceStub(fresh_channel)) == ""


ENHANCE_YOUR_CALM = 11


def goaway(server: Server, raw: bytes) -> tuple[int, bytes] | None:
    """Send what ends a connection; gives the code and the text of the goodbye, if there is one."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as plain:
        plain.sendall(PREFACE + frame(4, b""))
        plain.sendall(raw)
        with plain.makefile("rb") as stream:
            while head := stream.read(9):
                payload = stream.read(int.from_bytes(head[:3]))
                if head[3] == 7:
                    return int.from_bytes(payload[4:8]), payload[8:]
    return None
