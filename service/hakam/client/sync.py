"""The blocking client: a call returns once it is answered. Its objects may be shared by threads."""

from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from types import TracebackType
from typing import Any, Final, Self, TypeVar

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

__all__ = ["Client", "Game"]

R = TypeVar("R")


class _Wire:
    """Sends what is asked over a channel of its own."""

    def __init__(self, channel: grpc.Channel, timeout: float) -> None:
        self._timeout: Final = timeout
        self.stub: Final = GameServiceStub(channel)
        self.close: Final = channel.close

    def send(self, ask: Ask[R], timeout: float | None) -> R:
        """What the answer comes to; raises HakamError."""
        call: Any = getattr(self.stub, ask.rpc)
        try:
            answer = call(ask.request, timeout=self._timeout if timeout is None else timeout)
        except grpc.RpcError as error:
            raise from_rpc_error(error) from error
        return ask.read(answer)


class Game(Handle):
    """A game under way: holds the newest state, and speaks for one seat or for all.

    Threads may share it: moves are played one after the other, and whoever looks meanwhile sees
    the game before or after. Every call takes a `timeout` in seconds and a `language` in place of
    the client's, and raises HakamError.
    """

    def __init__(self, wire: _Wire, settings: Settings, opening: Opening, seat: int | None) -> None:
        super().__init__(settings, opening, seat)
        self._wire: Final = wire
        self._lock: Final = Lock()

    def moves(
        self,
        *,
        effects: bool = False,
        language: Language | None = None,
        timeout: float | None = None,
    ) -> list[ListedMove]:
        """Every legal move of the seat to act; the first is a safe automatic one.

        Empty once the game is over and while chance is due. `effects` asks what each would do.
        """
        return self._wire.send(self._moves(effects=effects, language=language), timeout)

    def check(
        self,
        move: AnyMove,
        *,
        expected_ply: int | None = None,
        language: Language | None = None,
        timeout: float | None = None,
    ) -> pb.ValidateMoveResponse:
        """Whether a move is legal, and if not, by which clause; "no" is an answer here."""
        return self._wire.send(self._check(move, expected_ply, language), timeout)

    def play(
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
        """Play a move: its notation, a typed one, or one as it was listed.

        The answer has what happened (`events`), the move as it was played, where the game stands,
        and what was asked for beside: the views of `viewers`, the next moves. An illegal move
        raises IllegalMoveError and changes nothing.

        `expected_ply` is the ply that the player saw; it is the handle's at the time of the call if
        absent. A move that was meant for another ply, such as the second of a double tap, raises
        StaleMoveError and changes nothing.
        """
        seen = self.ply if expected_ply is None else expected_ply
        with self._lock:
            ask = self._play(
                move,
                seen,
                viewers=viewers,
                list_moves=list_moves,
                list_effects=list_effects,
                language=language,
            )
            return self._wire.send(ask, timeout)

    def view(
        self,
        viewer: Viewer | None = None,
        *,
        language: Language | None = None,
        timeout: float | None = None,
    ) -> View:
        """What a seat or a "spectator" may see; by default the seat that the handle speaks for."""
        return self._wire.send(self._view(viewer, language), timeout)

    def update(
        self,
        state: AnyState,
        *,
        turn: Turn | None = None,
        moves: Iterable[AnyMove] | None = None,
        events: Iterable[Event] = (),
        timeout: float | None = None,
    ) -> bool:
        """Take the newer state of another player's move; False if it is not newer.

        `turn` is what the other player's answer said of it; the service is asked where it is not
        given. `moves` and `events`, of the same answers, join what this handle has seen; without
        the moves it can give no record from here on.
        """
        with self._lock:
            stands = self._wire.send(self._look(state), timeout) if turn is None else turn
            return self._take(state, stands, moves, events)


class Client(Connection[_Wire]):
    """A service to be called, shared by threads; as a context manager it closes at the end."""

    def _open(self, opened: Way, timeout: float) -> _Wire:
        if opened.credentials is None:
            channel = grpc.insecure_channel(opened.target, opened.options)
        else:
            channel = grpc.secure_channel(opened.target, opened.credentials, opened.options)
        return _Wire(grpc.intercept_channel(channel, *opened.interceptors), timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connections; calls under way fail."""
        self._wire.close()

    @property
    def stub(self) -> GameServiceStub:
        """The generated stub, for calls that have no method here, such as batches.

        It has the retries and the token; its calls raise grpc.RpcError (see `from_rpc_error`) and
        have no deadline of their own.
        """
        return self._wire.stub

    def games(self, *, timeout: float | None = None) -> list[GameInfo]:
        """The games that the service knows, with their rule sets and options."""
        return self._wire.send(asks.list_games(), timeout)

    def board(self, rules: AnyRules, *, timeout: float | None = None) -> Board:
        """The board of given rules as data, enough to draw it."""
        return self._wire.send(asks.get_board(self._settings, rules), timeout)

    def prepare_game(
        self,
        rules: AnyRules,
        *,
        credential_sha256: Sequence[bytes] = (),
        timeout: float | None = None,
    ) -> pb.PrepareGameResponse:
        """A sealed seed and its commitment, for players who add entropy before `new_game`.

        With the SHA-256 of every seat's credential it serves no other game than theirs.
        """
        ask = asks.prepare_game(self._settings, rules, credential_sha256)
        return self._wire.send(ask, timeout)

    def new_game(
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
    ) -> Game:
        """Start a game. Of the rules only the game must be named: `{"trix": {}}`.

        Chance comes from a seed that the service draws, from `seed` (32 bytes), from
        `prepared_seed`, or, if it is `supplied`, from the caller, move by move.

        A sealed game needs the credentials of its seats, 32 secret bytes each: all of them, or
        this handle's own beside the SHA-256 of all, or the service makes them. The handle speaks
        for `seat`, or else for whichever is to act.
        """
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
        return Game(self._wire, settings, self._wire.send(ask, timeout), seat)

    def resume(
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
    ) -> Game:
        """Go on with a state that was stored, plain or sealed.

        `turn` is what was stored beside it; the service is asked where it is not given. `moves` are
        all since the start (see `Game.played`), without which there is no record; with `events` the
        handle's go on from these.
        """
        settings = self._speaking(language)
        stored = Stored(state, moves, events, credentials or {})
        if turn is not None:
            return Game(self._wire, settings, stored.known(turn), seat)
        ask = asks.resume(settings, stored, seat)
        return Game(self._wire, settings, self._wire.send(ask, timeout), seat)

    def replay(
        self, record: Record, *, timeout: float | None = None
    ) -> pb.ReplayedGame | pb.ReplayFailure:
        """Play a record again: its verified end, or where it stops being that of a game."""
        return self._wire.send(asks.replay(self._settings, record), timeout)
