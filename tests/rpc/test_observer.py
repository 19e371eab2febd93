import base64
import json
import re
from collections.abc import Iterator
from functools import partial
from io import StringIO
from random import Random
from typing import Any

import grpc
import pytest
from calls import raw_call, refused

from hakam.games.registry import GAMES
from hakam.referee import AnyGame, Seeded
from hakam.rpc.codecs import game as wire
from hakam.rpc.codecs.rules import write_rules
from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.settings import Settings
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from hakam.v1.move_pb2 import Move
from hakam.v1.viewer_pb2 import Viewer
from tests.random_play import RULE_SETS, case_ids, play, seeded

SECRET = "a hand: 2C 7H QS"  # noqa: S105 - what no line may show
SETTINGS = Settings(port=0, metrics_port=0, grace_seconds=0, access_log="all")
FIELDS = {
    "event",
    "level",
    "timestamp",
    "method",
    "code",
    "reason",
    "game",
    "rule_set",
    "milliseconds",
    "request_id",
    "trace_id",
    "span_id",
    "peer",
}


def broken(_size: int) -> bytes:
    raise LookupError(SECRET)


@pytest.fixture(scope="module")
def log() -> StringIO:
    return StringIO()


@pytest.fixture(scope="module")
def channel(log: StringIO) -> Iterator[grpc.Channel]:
    """To a server that cannot draw."""
    running = Server(SETTINGS, make_log("json", "debug", log), draw=broken)
    running.start()
    with grpc.insecure_channel(f"127.0.0.1:{running.port}") as opened:
        yield opened
    running.stop()


@pytest.fixture
def stub(channel: grpc.Channel) -> pb_grpc.GameServiceStub:
    return pb_grpc.GameServiceStub(channel)


@pytest.fixture
def lines(log: StringIO) -> StringIO:
    """The log of one test."""
    log.seek(0)
    log.truncate()
    return log


def calls(lines: StringIO) -> list[dict[str, Any]]:
    entries = [json.loads(line) for line in lines.getvalue().splitlines()]
    return [entry for entry in entries if entry["event"] == "call"]


def new_game(game: str = "tjau", **fields: Any) -> pb.NewGameRequest:
    request = pb.NewGameRequest(**fields)
    getattr(request.rules, game).SetInParent()
    return request


def test_a_call_is_one_line_with_these_fields(
    stub: pb_grpc.GameServiceStub, lines: StringIO
) -> None:
    stub.NewGame(new_game(seed=bytes(32)))
    (entry,) = calls(lines)
    assert set(entry) == FIELDS
    assert (entry["level"], entry["method"], entry["code"]) == ("info", "NewGame", "OK")
    assert (entry["game"], entry["rule_set"], entry["reason"]) == ("tjau", "egyptian", "")
    assert re.fullmatch(r"[0-9a-f]{32}", entry["request_id"])
    assert re.fullmatch(r"ipv4:127\.0\.0\.1:\d+", entry["peer"])
    assert isinstance(entry["milliseconds"], float)
    assert entry["timestamp"].endswith("Z")


def test_a_refused_call_is_logged_with_its_reason(
    stub: pb_grpc.GameServiceStub, lines: StringIO
) -> None:
    refused(partial(stub.GetBoard, pb.GetBoardRequest()))
    state = stub.NewGame(new_game(seed=bytes(32))).state
    wrong = pb.ApplyMoveRequest(state=state, move=Move(notation="enter"))
    refused(partial(stub.ApplyMove, wrong))
    told = [(e["method"], e["code"], e["reason"], e["game"]) for e in calls(lines)]
    assert told == [
        ("GetBoard", "InvalidArgument", "FIELD_MISSING", ""),
        ("NewGame", "OK", "", "tjau"),
        ("ApplyMove", "FailedPrecondition", "WRONG_PHASE", "tjau"),
    ]
    assert set(calls(lines)[2]) == FIELDS


def test_a_fault_of_ours_tells_the_caller_nothing_but_its_id(
    stub: pb_grpc.GameServiceStub, lines: StringIO
) -> None:
    error = refused(partial(stub.NewGame, new_game(language=2)))
    assert (error.code, error.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    assert set(error.metadata) == {"id"}
    assert re.fullmatch(r"[0-9a-f]{32}", error.metadata["id"])
    assert error.fields == {}
    assert error.message == "Something went wrong here."
    for told in (error.message, error.localized):
        assert SECRET not in told
        assert "LookupError" not in told
    (fault,) = [json.loads(line) for line in lines.getvalue().splitlines() if '"fault"' in line]
    assert fault["id"] == error.metadata["id"]
    assert fault["level"] == "error"
    assert "LookupError" in json.dumps(fault)
    assert "broken" in json.dumps(fault)
    assert SECRET not in lines.getvalue()
    (entry,) = calls(lines)
    assert entry["code"] == "Internal"
    stub.NewGame(new_game(seed=bytes(32)))


def test_two_faults_have_two_ids(stub: pb_grpc.GameServiceStub) -> None:
    first, second = (refused(partial(stub.NewGame, new_game())) for _ in range(2))
    assert first.metadata["id"] != second.metadata["id"]


@pytest.mark.parametrize("given", ["a", "42", "Az09._-", "x" * 64, "3f2504e0-4f89-11d3"])
def test_a_plain_request_id_is_kept(
    stub: pb_grpc.GameServiceStub, lines: StringIO, given: str
) -> None:
    stub.ListGames(pb.ListGamesRequest(), metadata=(("x-request-id", given),))
    assert calls(lines)[0]["request_id"] == given


@pytest.mark.parametrize(
    "given",
    ["", "x" * 65, "a b", 'a","level":"error', "a/b", "a\\n", "${jndi:ldap}", "<script>", "a:b"],
)
def test_any_other_request_id_is_replaced(
    stub: pb_grpc.GameServiceStub, lines: StringIO, given: str
) -> None:
    stub.ListGames(pb.ListGamesRequest(), metadata=(("x-request-id", given),))
    (entry,) = calls(lines)
    assert re.fullmatch(r"[0-9a-f]{32}", entry["request_id"])
    assert set(entry) == FIELDS


def test_a_binary_request_id_is_not_one(stub: pb_grpc.GameServiceStub, lines: StringIO) -> None:
    stub.ListGames(pb.ListGamesRequest(), metadata=(("x-request-id-bin", b"abc"),))
    assert re.fullmatch(r"[0-9a-f]{32}", calls(lines)[0]["request_id"])


def test_the_first_plain_request_id_is_taken(
    stub: pb_grpc.GameServiceStub, lines: StringIO
) -> None:
    ids = (("x-request-id", "not plain"), ("x-request-id", "one"), ("x-request-id", "two"))
    stub.ListGames(pb.ListGamesRequest(), metadata=ids)
    assert calls(lines)[0]["request_id"] == "one"


@pytest.mark.parametrize(("game", "rules"), RULE_SETS, ids=case_ids(RULE_SETS))
def test_a_whole_game_leaves_nothing_of_itself_in_the_log(
    channel: grpc.Channel, lines: StringIO, game: AnyGame, rules: Any
) -> None:
    source = seeded(Random(71))
    shown = talk(channel, game, rules, source)
    assert_nothing_told(lines.getvalue(), source, shown)


def test_a_whole_game_leaves_nothing_of_itself_in_a_log_for_people() -> None:
    lines, source = StringIO(), seeded(Random(72))
    running = Server(SETTINGS, make_log("console", "debug", lines))
    running.start()
    with grpc.insecure_channel(f"127.0.0.1:{running.port}") as channel:
        shown = talk(channel, *RULE_SETS[-1], source)
    running.stop()
    assert_nothing_told(lines.getvalue(), source, shown)


def assert_nothing_told(text: str, source: Seeded, shown: set[str]) -> None:
    assert text.count("call") > 30
    for secret in (source.seed, *source.entropy):
        assert_absent(secret, text)
    for line in shown:
        assert line not in text
    assert not re.search(r"(?<![\w-])(?:[2-9TJQKA][CDHS])+(?![\w-])", text)


def assert_absent(secret: bytes, text: str) -> None:
    if len(secret) < 4:  # so short that it may stand in a request id by accident
        return
    forms = (secret.hex(), base64.b64encode(secret).decode(), repr(secret)[2:-1])
    for form in (*forms, secret.hex().upper(), base64.urlsafe_b64encode(secret).decode()):
        assert form.rstrip("=") not in text


def talk(channel: grpc.Channel, game: AnyGame, rules: Any, source: Seeded) -> set[str]:
    """A game over the wire, with questions and mistakes; gives every line that tells of it."""
    stub, random = pb_grpc.GameServiceStub(channel), Random(72)
    request = pb.NewGameRequest(seed=source.seed, entropy=source.entropy, list_moves=True)
    write_rules(game, rules, request.rules)
    answer: Any = stub.NewGame(request)
    shown: set[str] = set()
    for _ in range(60):
        if not answer.moves:
            break
        state = answer.state
        view = stub.GetView(pb.GetViewRequest(state=state, viewer=Viewer(seat=0))).view
        faults: list[Any] = []
        read = wire.read_state(state, "state", faults)
        assert read is not None
        shown |= {view.text, game.write_position(rules, read.position)}
        refused(partial(stub.ApplyMove, pb.ApplyMoveRequest(state=state, move=Move(notation="??"))))
        move = random.choice(answer.moves).move
        answer = stub.ApplyMove(pb.ApplyMoveRequest(state=state, move=move, list_moves=True))
        broken_state = pb.ValidateStateRequest(state=state)
        broken_state.state.ply = -1
        stub.ValidateState(broken_state)
    raw = answer.state.SerializeToString()
    refused(partial(raw_call(channel, "GetView"), raw[: len(raw) // 2]))
    return shown


def test_a_replayed_record_leaves_nothing_of_itself_in_the_log(
    stub: pb_grpc.GameServiceStub, lines: StringIO
) -> None:
    for number, (game, rules) in enumerate(RULE_SETS):
        source = seeded(Random(number))
        played = play(game, rules, source, Random(number))
        request = pb.ReplayGameRequest()
        write_rules(game, rules, request.record.rules)
        request.record.chance_version = 1
        request.record.seed.seed = source.seed
        request.record.seed.entropy.extend(source.entropy)
        for move in played.moves:
            wire.write_move(game, move, request.record.moves.add())
        assert stub.ReplayGame(request).WhichOneof("result") == "replayed"
        assert_absent(source.seed, lines.getvalue())
    assert [entry["game"] for entry in calls(lines)] == [g.CATALOGUE.id for g, _ in RULE_SETS]
    assert set(GAMES) == {entry["game"] for entry in calls(lines)}


def test_of_calls_that_end_well_a_sample_is_logged_and_of_errors_all() -> None:
    log = StringIO()
    running = Server(
        Settings(port=0, metrics_port=0, grace_seconds=0, slow_milliseconds=60_000),
        make_log("json", "info", log),
    )
    running.start()
    with grpc.insecure_channel(f"127.0.0.1:{running.port}") as opened:
        for _ in range(201):
            assert raw_call(opened, "ListGames")(b"")
        for _ in range(7):
            refused(partial(raw_call(opened, "GetBoard"), b""))
    running.stop()
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    calls = [line["method"] for line in lines if line["event"] == "call"]
    assert calls == ["ListGames"] * 3 + ["GetBoard"] * 7
