"""What a game's handle knows, and what it asks next, without a wire.

Laws:
- A handle knows no rule. What it says of a game is what the service has said.
- What it knows is one `Snapshot`, replaced as a whole: whoever reads beside a move sees the game
  before it or after it.
- Every request about the newest state says its ply, or the one that the caller has seen.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from hakam.client.asks import (
    AnyMove,
    AnyState,
    Ask,
    Language,
    Opening,
    Settings,
    Snapshot,
    Viewer,
    credential_for,
    itself,
    language_value,
    move_message,
    put_state,
    state_of,
    view_request,
    viewer_message,
)
from hakam.client.record import make_record
from hakam.v1 import game_service_pb2 as pb
from hakam.v1.event_pb2 import Event, Outcome
from hakam.v1.move_pb2 import ListedMove, Move
from hakam.v1.record_pb2 import Record
from hakam.v1.state_pb2 import State, Turn
from hakam.v1.view_pb2 import View

__all__ = ["Handle"]


class Handle:
    """A game as far as it has been seen: what both kinds of handle have in common."""

    def __init__(self, settings: Settings, opening: Opening, seat: int | None) -> None:
        self._settings: Final = settings
        self._seat: Final = seat
        self._commitment: Final = opening.commitment
        self._credentials: Final = MappingProxyType(dict(opening.credentials))
        self._at = opening.snapshot

    def __repr__(self) -> str:
        seat = "" if self._seat is None else f" seat={self._seat}"
        return f"<{type(self).__name__}{seat} ply={self.ply}>"

    @property
    def seat(self) -> int | None:
        """The seat that the handle speaks for; None: whichever is to act."""
        return self._seat

    @property
    def credentials(self) -> Mapping[int, bytes]:
        """The credentials that the handle knows, by seat; those that the service made are here."""
        return self._credentials

    @property
    def commitment(self) -> bytes:
        """The commitment to the seed, 32 bytes; empty where chance is supplied, or not known."""
        return self._commitment

    @property
    def state(self) -> AnyState:
        """The newest state, to be stored: a message, or the bytes of a sealed one."""
        return self._at.state

    @property
    def turn(self) -> Turn:
        """Where the game stands."""
        return self._at.turn

    @property
    def ply(self) -> int:
        """The number of moves and chance events so far."""
        return self._at.turn.ply

    @property
    def to_act(self) -> int | None:
        """The seat that must move; None once the game is over and while chance is due."""
        return _to_act(self._at)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._at.turn.HasField("outcome")

    @property
    def outcome(self) -> Outcome | None:
        """Who won, and the scores; None until the game is over."""
        turn = self._at.turn
        return turn.outcome if turn.HasField("outcome") else None

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened before this handle's eyes, in order."""
        return self._at.events

    @property
    def played(self) -> tuple[Move, ...] | None:
        """All moves since the start, those of chance too; None where some were not seen."""
        return self._at.moves

    def record(self, view: View | None = None) -> Record | None:
        """The game so far as a record, which `replay` or anybody's verifier can check.

        None where this handle has not seen the game from its start, and where the seed is not
        known yet: a plain state has it, and so has every `view` of a game that is over. A
        spectator's view of this ply adds its digest. Makes no call.
        """
        at = self._at
        if at.moves is None:
            return None
        state = at.state if isinstance(at.state, State) else None
        return make_record(state, self._commitment, at.moves, view)

    def _moves(self, *, effects: bool, language: Language | None) -> Ask[list[ListedMove]]:
        at = self._at
        request = pb.ListMovesRequest(list_effects=effects)
        self._put(request, at, at.turn.ply, language)
        return Ask("ListMoves", request, lambda answer: list(answer.moves))

    def _check(
        self, move: AnyMove, expected_ply: int | None, language: Language | None
    ) -> Ask[pb.ValidateMoveResponse]:
        at = self._at
        request = pb.ValidateMoveRequest(move=move_message(move))
        self._put(request, at, at.turn.ply if expected_ply is None else expected_ply, language)
        return Ask("ValidateMove", request, itself)

    def _view(self, viewer: Viewer | None, language: Language | None) -> Ask[View]:
        at = self._at
        whose = self._own_viewer(at) if viewer is None else viewer
        request = view_request(self._settings, at.state, whose, self._credentials)
        request.expected_ply = at.turn.ply
        request.language = language_value(language or self._settings.language)
        return Ask("GetView", request, lambda answer: answer.view)

    def _own_viewer(self, at: Snapshot) -> Viewer:
        whose = _to_act(at) if self._seat is None else self._seat
        return "spectator" if whose is None else whose

    def _play(
        self,
        move: AnyMove,
        expected_ply: int,
        *,
        viewers: Sequence[Viewer],
        list_moves: bool,
        list_effects: bool,
        language: Language | None,
    ) -> Ask[pb.ApplyMoveResponse]:
        """The answer to it moves the game on."""
        at = self._at
        request = pb.ApplyMoveRequest(
            move=move_message(move),
            viewers=map(viewer_message, viewers),
            list_moves=list_moves or list_effects,
            list_effects=list_effects,
        )
        self._put(request, at, expected_ply, language)

        def read(answer: pb.ApplyMoveResponse) -> pb.ApplyMoveResponse:
            self._go_on(at, state_of(answer), answer.turn, [answer.move], answer.events)
            return answer

        return Ask("ApplyMove", request, read)

    def _look(self, state: AnyState) -> Ask[Turn]:
        """Where another state stands, which anybody may ask."""
        request = view_request(self._settings, state, "spectator", self._credentials)
        return Ask("GetView", request, lambda answer: answer.view.turn)

    def _take(
        self, state: AnyState, turn: Turn, moves: Iterable[AnyMove] | None, events: Iterable[Event]
    ) -> bool:
        """The state of another player's move, if it is newer."""
        at = self._at
        if turn.ply <= at.turn.ply:
            return False
        self._go_on(at, state, turn, None if moves is None else map(move_message, moves), events)
        return True

    def _go_on(
        self,
        at: Snapshot,
        state: AnyState,
        turn: Turn,
        moves: Iterable[Move] | None,
        events: Iterable[Event],
    ) -> None:
        known = None if at.moves is None or moves is None else (*at.moves, *moves)
        self._at = Snapshot(state, turn, (*at.events, *events), known)

    def _put(self, request: Any, at: Snapshot, ply: int, language: Language | None) -> None:
        """What every request about the newest state has in common."""
        seat, credential = self._speaker(at)
        if seat is not None:
            request.seat = seat
        request.credential = credential
        request.expected_ply = ply
        request.language = language_value(language or self._settings.language)
        put_state(request, at.state)

    def _speaker(self, at: Snapshot) -> tuple[int | None, bytes]:
        """The seat to be named, and the credential; chance speaks for no seat."""
        keeper = self._settings.keeper
        if at.turn.HasField("chance_due") and (keeper or isinstance(at.state, State)):
            return None, keeper
        speaks = _to_act(at) if self._seat is None else self._seat
        return self._seat, credential_for(self._settings, at.state, speaks, self._credentials)


def _to_act(at: Snapshot) -> int | None:
    return at.turn.to_act if at.turn.HasField("to_act") else None
