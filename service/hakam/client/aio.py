"""The client for asyncio: what the blocking one has, to be awaited."""

from asyncio import Lock
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import grpc

from hakam.client import asks
from hakam.client.asks import (
    AnyMove,
    AnyRules,
    AnyState,
    Ask,
    Language,
    Opening,
    Settings,
    Stored,
    Viewer,
)
from hakam.client.channel import Way
from hakam.client.connection import Connection
from hakam.client.errors import from_rpc_error
from hakam.client.handle import Handle
from hakam.v1 import game_service_pb2 as pb
from hakam.v1.board_pb2 import Board
from hakam.v1.catalogue_pb2 import GameInfo
from hakam.v1.event_pb2 import Event
from hakam.v1.game_service_pb2_grpc import GameServiceStub
from hakam.v1.move_pb2 import ListedMove
from hakam.v1.record_pb2 import Record
from hakam.v1.state_pb2 import Turn
from hakam.v1.view_pb2 import View

if TYPE_CHECKING:  # a type of the stubs alone
    from hakam.v1.game_service_pb2_grpc import GameServiceAsyncStub

__all__ = ["AsyncClient", "AsyncGame"]

R = TypeVar("R")


class _Wire:
    """Sends what is asked over a channel of its own."""

    def __init__(self, channel: grpc.aio.Channel, timeout: float) -> None:
        self._timeout: Final = timeout
        self.stub: Final = GameServiceStub(channel)
        self.close: Final = channel.close

    async def send(self, ask: Ask[R], timeout: float | None) -> R:
        """What the answer comes to; raises HakamError."""
        call: Any = getattr(self.stub, ask.rpc)
        try:
            answer = await call(ask.request, timeout=self._timeout if timeout is None else timeout)
        except grpc.RpcError as error:
            raise from_rpc_error(error) from error
        return ask.read(answer)


class AsyncGame(Handle):
    """A game under way: `Game` for asyncio. Tasks of one event loop may share it."""

    def __init__(self, wire: _Wire, settings: Settings, opening: Opening, seat: int | None) -> None:
        super().__init__(settings, opening, seat)
        self._wire: Final = wire
        self._lock: Final = Lock()

    async def moves(
        self,
        *,
        effects: bool = False,
        language: Language | None = None,
        timeout: float | None = None,
    ) -> list[ListedMove]:
        """As `Game.moves`."""
        return await self._wire.send(self._moves(effects=effects, language=language), timeout)

    async def check(
        self,
        move: AnyMove,
        *,
        expected_ply: int | None = None,
        language: Language | None = None,
        timeout: float | None = None,
    ) -> pb.ValidateMoveResponse:
        """As `Game.check`."""
        return await self._wire.send(self._check(move, expected_ply, language), timeout)

    async def play(
        self,
        move: AnyMove,
        *,
        expected_ply: int | None = None,
        viewers: Sequence[Viewer] = (),
        list_moves: bool = False,
        list_effects: bool = False,
        language: Language | None = None,
        timeout: float | None = None,
    ) -> pb.ApplyMoveResponse:
        """As `Game.play`."""
        seen = self.ply if expected_ply is None else expected_ply
        async with self._lock:
            ask = self._play(
                move,
                seen,
                viewers=viewers,
                list_moves=list_moves,
                list_effects=list_effects,
                language=language,
            )
            return await self._wire.send(ask, timeout)

    async def view(
        self,
        viewer: Viewer | None = None,
        *,
        language: Language | None = None,
        timeout: float | None = None,
    ) -> View:
        """As `Game.view`."""
        return await self._wire.send(self._view(viewer, language), timeout)

    async def update(
        self,
        state: AnyState,
        *,
        turn: Turn | None = None,
        moves: Iterable[AnyMove] | None = None,
        events: Iterable[Event] = (),
        timeout: float | None = None,
    ) -> bool:
        """As `Game.update`."""
        async with self._lock:
            stands = await self._wire.send(self._look(state), timeout) if turn is None else turn
            return self._take(state, stands, moves, events)


class AsyncClient(Connection[_Wire]):
    """A service to be called from asyncio: made within its event loop, shared by its tasks."""

    def _open(self, opened: Way, timeout: float) -> _Wire:
        channel = (
            grpc.aio.insecure_channel(
                opened.target, opened.options, interceptors=opened.interceptors
            )
            if opened.credentials is None
            else grpc.aio.secure_channel(
                opened.target,
                opened.credentials,
                opened.options,
                interceptors=opened.interceptors,
            )
        )
        return _Wire(channel, timeout)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End the connections; calls under way fail."""
        await self._wire.close()

    @property
    def stub(self) -> "GameServiceAsyncStub":
        """As `Client.stub`; its calls are awaited."""
        return self._wire.stub

    async def games(self, *, timeout: float | None = None) -> list[GameInfo]:
        """As `Client.games`."""
        return await self._wire.send(asks.list_games(), timeout)

    async def board(self, rules: AnyRules, *, timeout: float | None = None) -> Board:
        """As `Client.board`."""
        return await self._wire.send(asks.get_board(self._settings, rules), timeout)

    async def prepare_game(
        self,
        rules: AnyRules,
        *,
        credential_sha256: Sequence[bytes] = (),
        timeout: float | None = None,
    ) -> pb.PrepareGameResponse:
        """As `Client.prepare_game`."""
        ask = asks.prepare_game(self._settings, rules, credential_sha256)
        return await self._wire.send(ask, timeout)

    async def new_game(
        self,
        rules: AnyRules,
        *,
        seed: bytes | None = None,
        prepared_seed: bytes | None = None,
        supplied: bool = False,
        entropy: Sequence[bytes] = (),
        seal: bool = False,
        credentials: Mapping[int, bytes] | None = None,
        credential_sha256: Sequence[bytes] = (),
        make_credentials: bool = False,
        seat: int | None = None,
        language: Language | None = None,
        timeout: float | None = None,
    ) -> AsyncGame:
        """As `Client.new_game`."""
        settings = self._speaking(language)
        ask = asks.new_game(
            settings,
            rules,
            seed=seed,
            prepared_seed=prepared_seed,
            supplied=supplied,
            entropy=entropy,
            seal=seal,
            credentials=credentials or {},
            credential_sha256=credential_sha256,
            make_credentials=make_credentials,
        )
        return AsyncGame(self._wire, settings, await self._wire.send(ask, timeout), seat)

    async def resume(
        self,
        state: AnyState,
        *,
        turn: Turn | None = None,
        moves: Iterable[AnyMove] | None = None,
        events: Iterable[Event] = (),
        seat: int | None = None,
        credentials: Mapping[int, bytes] | None = None,
        language: Language | None = None,
        timeout: float | None = None,
    ) -> AsyncGame:
        """As `Client.resume`."""
        settings = self._speaking(language)
        stored = Stored(state, moves, events, credentials or {})
        if turn is not None:
            return AsyncGame(self._wire, settings, stored.known(turn), seat)
        ask = asks.resume(settings, stored, seat)
        return AsyncGame(self._wire, settings, await self._wire.send(ask, timeout), seat)

    async def replay(
        self, record: Record, *, timeout: float | None = None
    ) -> pb.ReplayedGame | pb.ReplayFailure:
        """As `Client.replay`."""
        return await self._wire.send(asks.replay(self._settings, record), timeout)
