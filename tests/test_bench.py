"""The benchmark measures what it says; how fast anything is, no test says."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from bench import floor
from bench.load import Call, Load, Shape, command
from bench.places import PYTHON, SERVER_CORE
from bench.play import ENGINES, play
from bench.plot import Panel, svg
from bench.positions import RULE_SETS, apply_request, batch_request, middle, validate_request
from bench.process import Running, free_port, started
from bench.report import text
from bench.rounds import interleaved, paired
from bench.sizes import sizes
from bench.wire import BATCH_ITEMS, batches, unary
from hakam import referee
from hakam.games.registry import GAMES
from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.settings import Settings
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from tools.build_fast import COMPILED, LEFT_OUT, modules

TOP = Path(__file__).resolve().parent.parent
PACKAGE = TOP / "service/hakam"


@pytest.fixture(scope="module")
def stub() -> Iterator[pb_grpc.GameServiceStub]:
    server = Server(Settings(port=0, metrics_port=0, grace_seconds=0), make_log("json", "error"))
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        yield pb_grpc.GameServiceStub(channel)
    server.stop()


class TestPositions:
    def test_every_game_is_measured(self) -> None:
        assert sorted(RULE_SETS) == sorted(GAMES)
        assert sorted(ENGINES) == sorted([*RULE_SETS, "backgammon", "hearts", "royalur"])

    @pytest.mark.parametrize("game", RULE_SETS)
    def test_the_middle_is_the_same_in_every_run_and_leaves_a_choice(self, game: str) -> None:
        position = middle(game)
        assert position.state == middle(game).state
        assert len(referee.legal_moves(position.state)) > 1
        assert referee.violation(position.state, position.move) is None

    def test_the_seat_of_jackaroo_has_four_cards(self) -> None:
        position = middle("jackaroo").state.position
        assert len(position.hands[position.to_act]) == 4

    @pytest.mark.parametrize("game", RULE_SETS)
    def test_the_service_answers_every_request(
        self, game: str, stub: pb_grpc.GameServiceStub
    ) -> None:
        position = middle(game)
        assert stub.ApplyMove(apply_request(position)).state.ply == position.state.ply + 1
        assert stub.ValidateMove(validate_request(position)).legal
        answer: pb.BatchApplyMovesResponse = stub.BatchApplyMoves(batch_request(position, 3))
        assert [result.WhichOneof("result") for result in answer.results] == ["applied"] * 3


class TestFloor:
    @pytest.mark.parametrize("lengths", [[], ["0", "1", "545"]], ids=["grpcio", "own transport"])
    def test_it_answers_with_as_many_bytes_as_its_method_says(self, lengths: list[str]) -> None:
        port = free_port()
        run = [PYTHON, "-m", "bench.floor", str(port), *lengths]
        with (
            started("floor-test", run, port, {SERVER_CORE}, {}) as server,
            grpc.insecure_channel(f"127.0.0.1:{port}") as channel,
        ):
            for size in (0, 1, 545):
                call: grpc.UnaryUnaryMultiCallable[bytes, bytes]
                call = channel.unary_unary(floor.method(size))
                assert len(call(b"anything", timeout=30)) == size
            assert server.cpu_seconds() > 0
            assert server.resident_bytes() > 2**20


class TestLoad:
    def test_the_body_is_one_framed_message(self) -> None:
        call = Call("/some.Service/Method", b"body", 7)
        line = command(Running(1, 50051), call, Shape(calls=10, connections=2, in_flight=3))
        assert line[-1] == "http://127.0.0.1:50051/some.Service/Method"
        body = Path(line[line.index("-d") + 1])
        assert body.read_bytes() == b"\0\0\0\0\x04body"
        options = line[line.index("h2load") :]
        assert [options[options.index(o) + 1] for o in ("-c", "-m", "-n")] == ["2", "3", "10"]


class TestRounds:
    def test_rounds_are_interleaved(self) -> None:
        order: list[str] = []
        tasks = {name: lambda name=name: order.append(name) for name in "abc"}
        interleaved(tasks, 2)
        assert order == list("abcabc")

    def test_ratios_are_taken_within_a_round(self) -> None:
        assert paired([1, 20, 300], [2, 10, 100]) == 2


class TestEngines:
    def test_random_play_counts_decisions(self) -> None:
        decisions = iter([5, 7, 9])
        found, seconds = play(lambda: next(decisions), 0.0)
        assert (found, seconds >= 0) == (0, True)

    @pytest.mark.parametrize("game", RULE_SETS)
    def test_a_game_is_played_to_its_end(self, game: str) -> None:
        assert ENGINES[game]()() > 20


class TestResults:
    def test_a_batch_is_counted_by_its_items(self) -> None:
        found = {
            (game, kind, server): [Load(rate, 100.0, 1.0, 2.0)] * 3
            for game in RULE_SETS
            for kind, rate in (("apply", 50.0), ("validate", 80.0), ("batch", 2.0))
            for server in ("floor", "transport", "pure")
        }
        ratios, raw = batches(found, "pure")
        assert ratios == dict.fromkeys(RULE_SETS, 2.0 * BATCH_ITEMS / 50)
        assert raw["tjau"]["cpu_us_per_item"] == 100.0 / BATCH_ITEMS
        assert unary(found, "pure")[0]["trix"] == {"apply": 1.0, "validate": 1.0}

    @pytest.mark.parametrize("file", sorted((TOP / "docs/performance").glob("*.json")))
    def test_a_committed_run_has_every_figure(self, file: Path) -> None:
        results = json.loads(file.read_text("utf-8"))
        for build in (results, results["pure"]):
            assert sorted(build["unary"]) == sorted(RULE_SETS)
            assert all(sorted(kinds) == ["apply", "validate"] for kinds in build["unary"].values())
            assert sorted(build["batch"]) == sorted(build["engine"]) == sorted(RULE_SETS)
        assert results["raw"]["rounds"] >= 5
        assert "BatchApplyMoves, compiled build" in text(results)


class TestSizes:
    def test_sealed_states_are_larger_and_records_of_whole_games(self) -> None:
        found = sizes()
        for game in RULE_SETS:
            for state in found[game]["state"].values():
                assert 0 < state["plain"] < state["sealed"]
            assert found[game]["record"] > found[game]["moves"]


class TestPlot:
    def test_it_is_well_formed_and_has_a_line_a_series(self) -> None:
        panels = [Panel("cards & more", {"a": [(1, 2.5), (3, 4)], "b": [(2, 9)]})]
        root = ET.fromstring(svg("a <title>", "µs", panels))  # noqa: S314 - our own text
        lines = root.findall(".//{http://www.w3.org/2000/svg}polyline")
        assert len(lines) == 2


class TestBuild:
    def test_what_is_compiled_is_there(self) -> None:
        found = [path.relative_to(PACKAGE).as_posix() for path in modules(PACKAGE)]
        for place in COMPILED:
            assert any(name == place or name.startswith(f"{place}/") for name in found), place
        assert (PACKAGE / LEFT_OUT).exists()
        assert LEFT_OUT not in found
        assert not any(name.endswith(("__init__.py", "texts.py")) for name in found)
