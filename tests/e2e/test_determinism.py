"""Two processes with different hash seeds answer the same requests with the same bytes."""

import random
from collections.abc import Iterator
from typing import Any, TypeVar

import grpc
import pytest
from google.protobuf.message import Message

from hakam.games.registry import GAMES
from hakam.rpc.codecs.rules import write_rules
from hakam.rpc.server import SERVICE
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import viewer_pb2
from tests.e2e.processes import PATIENCE, servers

T = TypeVar("T", bound=Message)

RULE_SETS = [(name, rule_set) for name, g in GAMES.items() for rule_set in g.CATALOGUE.rule_sets]
# A random game of any kind ends long before.
MAX_MOVES = 8192


class Pair:
    """Two servers that must agree."""

    def __init__(self, *channels: grpc.Channel) -> None:
        self._channels = channels

    def ask(self, method: str, request: Message, answer: type[T]) -> T:
        """The one answer of both."""
        raw = request.SerializeToString()
        first, second = (_called(channel, method, raw) for channel in self._channels)
        assert first == second, method
        return answer.FromString(first)


def _called(channel: grpc.Channel, method: str, raw: bytes) -> bytes:
    """Bytes in, bytes out."""
    call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(f"/{SERVICE}/{method}")
    return call(raw, timeout=PATIENCE)


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    with servers() as start:
        one, other = start(PYTHONHASHSEED="1"), start(PYTHONHASHSEED="2")
        with grpc.insecure_channel(one.address) as a, grpc.insecure_channel(other.address) as b:
            yield Pair(a, b)


def viewers(seats: int) -> list[viewer_pb2.Viewer]:
    spectator = viewer_pb2.Viewer(spectator=viewer_pb2.Spectator())
    return [spectator, *(viewer_pb2.Viewer(seat=seat) for seat in range(seats))]


def new_game(name: str, rule_set: str) -> pb.NewGameRequest:
    game = GAMES[name]
    rules = game.CATALOGUE.rule_sets[rule_set]
    request = pb.NewGameRequest(seed=bytes(range(32)), entropy=[b"one", b"two"], list_moves=True)
    write_rules(game, rules, request.rules)
    request.viewers.extend(viewers(game.seats(rules)))
    return request


class TestDeterminism:
    @pytest.mark.parametrize(("name", "rule_set"), RULE_SETS)
    def test_a_whole_random_game(self, pair: Pair, name: str, rule_set: str) -> None:
        request = new_game(name, rule_set)
        now: Any = pair.ask("NewGame", request, pb.NewGameResponse)
        choice = random.Random(rule_set)
        for ply in range(MAX_MOVES):
            if ply % 16 == 0:
                _ask_aside(pair, now.state, request.viewers)
            if not now.moves:
                break
            move = pb.ApplyMoveRequest(
                state=now.state,
                move=choice.choice(now.moves).move,
                viewers=request.viewers,
                list_moves=True,
                list_effects=ply % 4 == 0,
            )
            now = pair.ask("ApplyMove", move, pb.ApplyMoveResponse)
        assert now.turn.HasField("outcome")
        _ask_aside(pair, now.state, request.viewers)

    def test_the_catalogue_and_the_boards(self, pair: Pair) -> None:
        pair.ask("ListGames", pb.ListGamesRequest(), pb.ListGamesResponse)
        for name, rule_set in RULE_SETS:
            request = pb.GetBoardRequest(rules=new_game(name, rule_set).rules)
            pair.ask("GetBoard", request, pb.GetBoardResponse)

    def test_refusals(self, pair: Pair) -> None:
        for name, rule_set in RULE_SETS:
            request = new_game(name, rule_set)
            now: Any = pair.ask("NewGame", request, pb.NewGameResponse)
            wrong = pb.ValidateStateRequest(state=now.state)
            getattr(wrong.state, name).Clear()
            getattr(wrong.state, name).SetInParent()
            pair.ask("ValidateState", wrong, pb.ValidateStateResponse)


def _ask_aside(pair: Pair, state: Any, seen_by: Any) -> None:
    """The calls that change nothing."""
    moves = pb.ListMovesRequest(state=state, list_effects=True)
    pair.ask("ListMoves", moves, pb.ListMovesResponse)
    for viewer in seen_by:
        request = pb.GetViewRequest(state=state, viewer=viewer)
        pair.ask("GetView", request, pb.GetViewResponse)
