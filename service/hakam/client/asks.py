"""What can be asked, without a wire: each call as an rpc, a request, and what its answer means."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

from google.protobuf import json_format
from google.protobuf.message import Message

from hakam.v1 import game_service_pb2 as pb
from hakam.v1.board_pb2 import Board
from hakam.v1.catalogue_pb2 import GameInfo
from hakam.v1.event_pb2 import Event
from hakam.v1.language_pb2 import LANGUAGE_AR, LANGUAGE_EN
from hakam.v1.language_pb2 import Language as LanguageValue
from hakam.v1.move_pb2 import ListedMove, Move
from hakam.v1.record_pb2 import Record
from hakam.v1.rules_pb2 import Rules
from hakam.v1.state_pb2 import State, Turn
from hakam.v1.viewer_pb2 import Spectator
from hakam.v1.viewer_pb2 import Viewer as ViewerMessage

__all__ = [
    "AnyMove",
    "AnyRules",
    "AnyState",
    "Ask",
    "Language",
    "Opening",
    "Settings",
    "Snapshot",
    "Stored",
    "Viewer",
    "credential_for",
    "get_board",
    "itself",
    "language_value",
    "list_games",
    "move_message",
    "new_game",
    "prepare_game",
    "put_state",
    "replay",
    "resume",
    "state_of",
    "view_request",
    "viewer_message",
]

R = TypeVar("R")

# What callers may say.
Language: TypeAlias = Literal["en", "ar"]
Viewer: TypeAlias = int | Literal["spectator"]
AnyRules: TypeAlias = Rules | Mapping[str, Any]
AnyState: TypeAlias = State | bytes
AnyMove: TypeAlias = str | Move | ListedMove

_LANGUAGES: Final[Mapping[Language, LanguageValue.ValueType]] = {
    "en": LANGUAGE_EN,
    "ar": LANGUAGE_AR,
}


@dataclass(frozen=True)
class Ask(Generic[R]):
    """One call: the rpc by name, its request, and what its answer comes to."""

    rpc: str
    request: Message
    read: Callable[[Any], R]


@dataclass(frozen=True)
class Settings:
    """What every request of a client may bring; `keeper` is the keeper's credential, or empty."""

    language: Language
    keeper: bytes = field(repr=False)


@dataclass(frozen=True)
class Snapshot:
    """A game as a handle has seen it: the newest state and what led to it.

    `moves` are all since the start, those of chance among them; None where some were not seen.
    """

    state: AnyState
    turn: Turn
    events: tuple[Event, ...] = ()
    moves: tuple[Move, ...] | None = None


@dataclass(frozen=True)
class Opening:
    """What a handle begins with; the commitment is empty where it is not known."""

    snapshot: Snapshot
    commitment: bytes
    credentials: Mapping[int, bytes] = field(repr=False)


def language_value(language: Language) -> LanguageValue.ValueType:
    """The language on the wire."""
    return _LANGUAGES[language]


def viewer_message(viewer: Viewer) -> ViewerMessage:
    """A seat, or a spectator."""
    if viewer == "spectator":
        return ViewerMessage(spectator=Spectator())
    return ViewerMessage(seat=viewer)


def move_message(move: AnyMove) -> Move:
    """A move of any form: its notation, typed, or as it was listed."""
    if isinstance(move, str):
        return Move(notation=move)
    return move.move if isinstance(move, ListedMove) else move


def _rules(rules: AnyRules) -> Rules:
    """Rules from a message, or from a mapping of the same shape."""
    if isinstance(rules, Rules):
        return rules
    try:
        return json_format.ParseDict(dict(rules), Rules())
    except json_format.ParseError as error:
        raise ValueError(f"no rules: {error}") from None


def list_games() -> Ask[list[GameInfo]]:
    """The games that are served."""
    return Ask("ListGames", pb.ListGamesRequest(), lambda answer: list(answer.games))


def get_board(settings: Settings, rules: AnyRules) -> Ask[Board]:
    """The board of given rules."""
    request = pb.GetBoardRequest(rules=_rules(rules), language=language_value(settings.language))
    return Ask("GetBoard", request, lambda answer: answer.board)


def prepare_game(
    settings: Settings, rules: AnyRules, credential_sha256: Sequence[bytes]
) -> Ask[pb.PrepareGameResponse]:
    """A sealed seed."""
    request = pb.PrepareGameRequest(
        rules=_rules(rules),
        credential_sha256=credential_sha256,
        language=language_value(settings.language),
    )
    return Ask("PrepareGame", request, itself)


def replay(settings: Settings, record: Record) -> Ask[pb.ReplayedGame | pb.ReplayFailure]:
    """The verified end of a record, or where it stops being one."""
    request = pb.ReplayGameRequest(record=record, language=language_value(settings.language))
    return Ask("ReplayGame", request, lambda answer: getattr(answer, answer.WhichOneof("result")))


def new_game(
    settings: Settings,
    rules: AnyRules,
    *,
    seed: bytes | None,
    prepared_seed: bytes | None,
    supplied: bool,
    entropy: Sequence[bytes],
    seal: bool,
    credentials: Mapping[int, bytes],
    credential_sha256: Sequence[bytes],
    make_credentials: bool,
) -> Ask[Opening]:
    """The start of a game; raises ValueError where the arguments contradict each other."""
    if sum((seed is not None, prepared_seed is not None, supplied)) > 1:
        raise ValueError("chance has one source: a seed, a prepared seed, or the caller")
    request = pb.NewGameRequest(
        rules=_rules(rules),
        entropy=entropy,
        credential_sha256=credential_sha256 or _hashes(credentials),
        make_credentials=make_credentials,
        seal=seal,
        language=language_value(settings.language),
        credential=settings.keeper,
    )
    if seed is not None:
        request.seed = seed
    if prepared_seed is not None:
        request.prepared_seed = prepared_seed
    if supplied:
        request.supplied.SetInParent()

    def read(answer: pb.NewGameResponse) -> Opening:
        first = Snapshot(state_of(answer), answer.turn, tuple(answer.events), ())
        made = dict(enumerate(answer.credentials))
        return Opening(first, answer.commitment, {**credentials, **made})

    return Ask("NewGame", request, read)


def _hashes(credentials: Mapping[int, bytes]) -> list[bytes]:
    """The SHA-256 of every seat's credential."""
    if sorted(credentials) != list(range(len(credentials))):
        raise ValueError("without the credentials of all seats credential_sha256 is needed")
    return [sha256(credentials[seat]).digest() for seat in range(len(credentials))]


@dataclass(frozen=True)
class Stored:
    """A game as somebody kept it: with the state what was known beside it."""

    state: AnyState
    moves: Iterable[AnyMove] | None
    events: Iterable[Event]
    credentials: Mapping[int, bytes] = field(repr=False)

    def opening(self, turn: Turn, commitment: bytes) -> Opening:
        """What a handle goes on with."""
        moves = None if self.moves is None else tuple(map(move_message, self.moves))
        first = Snapshot(self.state, turn, tuple(self.events), moves)
        return Opening(first, commitment, self.credentials)

    def known(self, turn: Turn) -> Opening:
        """The same where the turn was kept too."""
        state = self.state
        commitment = b"" if isinstance(state, bytes) else state.chance.seeded.commitment
        return self.opening(turn, commitment)


def resume(settings: Settings, stored: Stored, seat: int | None) -> Ask[Opening]:
    """A game that was kept, looked at as the seat sees it."""
    viewer: Viewer = "spectator" if seat is None else seat
    request = view_request(settings, stored.state, viewer, stored.credentials)

    def read(answer: pb.GetViewResponse) -> Opening:
        return stored.opening(answer.view.turn, answer.view.commitment)

    return Ask("GetView", request, read)


def view_request(
    settings: Settings, state: AnyState, viewer: Viewer, credentials: Mapping[int, bytes]
) -> pb.GetViewRequest:
    """The request for a view; a spectator's of a sealed state needs no credential."""
    seat = None if viewer == "spectator" else viewer
    known = {} if seat is None else credentials
    request = pb.GetViewRequest(
        viewer=viewer_message(viewer),
        credential=credential_for(settings, state, seat, known),
        language=language_value(settings.language),
    )
    put_state(request, state)
    return request


def credential_for(
    settings: Settings, state: AnyState, seat: int | None, credentials: Mapping[int, bytes]
) -> bytes:
    """What opens a request: with a plain state the keeper's, with a sealed one a seat's.

    Where that seat's is not known, any that is: the service then says whose turn it is.
    """
    if not isinstance(state, bytes):
        return settings.keeper
    if seat is not None and seat in credentials:
        return credentials[seat]
    return next(iter(credentials.values()), b"")


def put_state(request: Any, state: AnyState) -> None:
    """The state in its form."""
    if isinstance(state, bytes):
        request.sealed_state = state
    else:
        request.state.CopyFrom(state)


def state_of(answer: pb.NewGameResponse | pb.ApplyMoveResponse) -> AnyState:
    """The state of an answer, in its form."""
    return answer.state if answer.HasField("state") else answer.sealed_state


def itself(answer: R) -> R:
    """An answer that is what was asked for."""
    return answer
