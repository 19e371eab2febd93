"""The handlers: check, ask the referee, encode. None of them holds a rule."""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import Any, Final, TypeAlias, TypeVar

from hakam import __version__, chance, referee
from hakam.chance import SEED_BYTES
from hakam.games.game import Fault, Violation
from hakam.games.reasons import Reason
from hakam.notation import write_move as move_text
from hakam.record import MAX_MOVES, Record, ReplayFailure, replaying
from hakam.referee import SUPPLIED, AnyGame, Chance, GameState, Move, Seeded
from hakam.rpc.call import Call
from hakam.rpc.codecs import game as wire
from hakam.rpc.codecs.chance import HASH_BYTES, check_bytes, check_entropy
from hakam.rpc.codecs.common import write_fault, write_violation
from hakam.rpc.codecs.rules import read_rules, write_rules
from hakam.rpc.endpoint import Door, language_of
from hakam.rpc.errors import MAX_FAULTS, Refusal, invalid, to_call_error
from hakam.rpc.gate import (
    SALT_BYTES,
    Asked,
    Gate,
    StateRequest,
    check_beside,
    check_credential,
    state_refusal,
)
from hakam.rpc.metrics import Metrics
from hakam.texts import Language, violation_text
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import record_pb2, rules_pb2

__all__ = ["GameServicer"]

T = TypeVar("T")

_MoveRequest: TypeAlias = pb.ValidateMoveRequest | pb.ApplyMoveRequest
_NextResponse: TypeAlias = pb.NewGameResponse | pb.ApplyMoveResponse

_MAX_VIEWERS: Final = 7
_LANGUAGES: Final = frozenset((0, *Language))


@dataclass(frozen=True)
class GameServicer:
    """Every rpc as a method from its request to its response; refuses by raising `Refusal`.

    `draw` gives so many secret bytes; `max_batch_items` bounds a batch; `door` bounds its answer.
    """

    metrics: Metrics
    door: Door
    max_batch_items: int
    gate: Gate
    draw: Callable[[int], bytes]

    def list_games(self, request: pb.ListGamesRequest, _call: Call) -> pb.ListGamesResponse:
        """The catalogue."""
        del request
        response = pb.ListGamesResponse(
            release=__version__, chance_versions=[chance.CHANCE_VERSION]
        )
        wire.write_catalogue(response.games)
        return response

    def get_board(self, request: pb.GetBoardRequest, call: Call) -> pb.GetBoardResponse:
        """The board of the rules asked about."""
        game, rules = _rules(request, call)
        response = pb.GetBoardResponse()
        wire.write_board(game.board(rules), game.seats(rules), response.board)
        write_rules(game, rules, response.rules)
        return response

    def prepare_game(self, request: pb.PrepareGameRequest, call: Call) -> pb.PrepareGameResponse:
        """A sealed seed for given rules and credentials, and its commitment."""
        game, rules = _rules(request, call)
        faults: list[Fault] = []
        credentials = tuple(request.credential_sha256)
        wire.check_credentials(credentials, "credential_sha256", game, rules, faults)
        _refuse(faults)
        seed, salt = self.draw(SEED_BYTES), self.draw(SALT_BYTES)
        response = pb.PrepareGameResponse(commitment=chance.commitment(seed))
        response.prepared_seed = self.gate.prepare(game, rules, seed, salt, credentials)
        write_rules(game, rules, response.rules)
        return response

    def new_game(self, request: pb.NewGameRequest, call: Call) -> pb.NewGameResponse:
        """The first state."""
        game, rules = _rules(request, call)
        faults = _opening_faults(request, game, rules)
        viewers = _viewers(request, game, rules, faults)
        _refuse(faults)
        self._check_keeper(request)
        source, salt = self._source(request, game, rules)
        response = pb.NewGameResponse()
        credentials = self._credentials(request, game.seats(rules), response)
        new_game = partial(referee.new_game, credentials=credentials, salt=salt)
        step = self._timed(game, "new_game", new_game, game, rules, source)
        if isinstance(source, Seeded):
            response.commitment = source.commitment
        asked = Asked(step[0], None, sealed=request.seal)
        self._write_next(asked, step, viewers, request, response)
        return response

    def _check_keeper(self, request: pb.NewGameRequest) -> None:
        """Plain states, seeds that the caller knows and chance that he brings are a keeper's."""
        check_credential(request.credential)
        if not request.seal or request.WhichOneof("chance") in ("seed", "supplied"):
            self.gate.check_keeper(request.credential)
        if request.seal and request.HasField("supplied"):
            self.gate.check_chance_bringer(request.credential)

    def _source(
        self, request: pb.NewGameRequest, game: AnyGame, rules: Any
    ) -> tuple[referee.ChanceSource, bytes]:
        """The source of chance, and the salt of a sealed state."""
        which = request.WhichOneof("chance")
        seed, salt = request.seed, b""
        if which == "prepared_seed":
            seed, salt = self.gate.prepared(game, rules, request)
        elif request.seal:
            salt = self.draw(SALT_BYTES)
        if which == "supplied":
            return SUPPLIED, salt
        if which is None:
            seed = self.draw(SEED_BYTES)
        source = Seeded(seed, tuple(request.entropy), 0, chance.commitment(seed))
        return source, salt if request.seal else b""

    def _credentials(
        self, request: pb.NewGameRequest, seats: int, response: pb.NewGameResponse
    ) -> tuple[bytes, ...]:
        """The SHA-256 of every seat's credential; those that are made go into the response."""
        if not request.make_credentials:
            return tuple(request.credential_sha256)
        made = [self.draw(HASH_BYTES) for _ in range(seats)]
        response.credentials.extend(made)
        return tuple(sha256(credential).digest() for credential in made)

    def list_moves(self, request: pb.ListMovesRequest, call: Call) -> pb.ListMovesResponse:
        """The legal moves of the seat to act."""
        asked = self._ask(request, call)
        state = asked.state
        _refuse_violation(state, request, _stale(state, request))
        if asked.seat is not None and referee.to_act(state) is not None:
            _refuse_violation(state, request, referee.turn_violation(state, asked.seat))
        response = pb.ListMovesResponse()
        wire.write_turn(state, response.turn)
        if self.gate.may_list(asked, state):
            self._write_moves(state, request, response.moves)
        return response

    def validate_move(self, request: pb.ValidateMoveRequest, call: Call) -> pb.ValidateMoveResponse:
        """The verdict on a move."""
        response = pb.ValidateMoveResponse()
        self._validate_move(request, call, response)
        return response

    def _validate_move(
        self, request: pb.ValidateMoveRequest, call: Call, response: pb.ValidateMoveResponse
    ) -> None:
        asked = self._ask(request, call)
        state = asked.state
        move, refused = self._judge(asked, request)
        response.legal = refused is None
        if refused is not None:
            text = violation_text(state.game.CATALOGUE, refused, language_of(request))
            response.violation.CopyFrom(write_violation(refused, text))
        wire.write_move(state.game, move, response.move)
        response.notation = move_text(state.game, state.rules, move)
        wire.write_turn(state, response.turn)

    def validate_state(
        self, request: pb.ValidateStateRequest, call: Call
    ) -> pb.ValidateStateResponse:
        """Every fault of a state."""
        _check_language(request)
        faults: list[Fault] = []
        state = self.gate.read(request, faults)
        response = pb.ValidateStateResponse(valid=state is not None, fault_count=len(faults))
        response.faults.extend(write_fault(fault) for fault in faults[:MAX_FAULTS])
        if state is not None:
            _name(call, state.game, state.rules)
            check_beside(request, state)
            self.gate.speaker(request, state)
            wire.write_turn(state, response.turn)
        return response

    def apply_move(self, request: pb.ApplyMoveRequest, call: Call) -> pb.ApplyMoveResponse:
        """The next state."""
        response = pb.ApplyMoveResponse()
        self._apply_move(request, call, response)
        return response

    def _apply_move(
        self, request: pb.ApplyMoveRequest, call: Call, response: pb.ApplyMoveResponse
    ) -> None:
        asked = self._ask(request, call)
        state = asked.state
        faults: list[Fault] = []
        viewers = _viewers(request, state.game, state.rules, faults)
        _refuse(faults)
        self.gate.check_viewers(asked, viewers)
        move, refused = self._judge(asked, request)
        _refuse_violation(state, request, refused)
        step = self._timed(state.game, "apply", referee.apply, state, move)
        wire.write_move(state.game, move, response.move)
        response.notation = move_text(state.game, state.rules, move)
        self._write_next(asked, step, viewers, request, response)

    def get_view(self, request: pb.GetViewRequest, call: Call) -> pb.GetViewResponse:
        """What the viewer may see."""
        state = self._ask(request, call).state
        faults: list[Fault] = []
        if not request.HasField("viewer"):
            raise invalid([Fault("viewer", Reason.FIELD_MISSING, "required")])
        seat = wire.read_viewer(request.viewer, "viewer", state.game, state.rules, faults)
        _refuse(faults)
        _refuse_violation(state, request, _stale(state, request))
        response = pb.GetViewResponse()
        self._timed(state.game, "view", wire.write_view, state, seat, response.view)
        return response

    def replay_game(
        self, request: pb.ReplayGameRequest, call: Call, unknown: Sequence[Fault]
    ) -> Generator[None, None, pb.ReplayGameResponse]:
        """The verified end of a record, or where it fails."""
        _refuse(unknown)
        _check_language(request)
        if not request.HasField("record"):
            raise invalid([Fault("record", Reason.FIELD_MISSING, "required")])
        _check_length(request.record)
        faults: list[Fault] = []
        record = wire.read_record(request.record, "record", faults)
        if record is None:
            raise state_refusal(faults)
        _name(call, record.game, record.rules)
        result = yield from self._replaying(record, call)
        return _replayed(record, result, language_of(request))

    def _replaying(
        self, record: Record, call: Call
    ) -> Generator[None, None, GameState | ReplayFailure]:
        """The end of the record; what others do between its steps does not count as its time."""
        steps, seconds = replaying(record), 0.0
        while True:
            call.check_deadline()
            started = time.perf_counter()
            try:
                next(steps)
            except StopIteration as end:
                seconds += time.perf_counter() - started
                self.metrics.engine_of(record.game.CATALOGUE.id, "replay").observe(seconds)
                result: GameState | ReplayFailure = end.value
                return result
            seconds += time.perf_counter() - started
            yield

    def batch_validate_moves(
        self, request: pb.BatchValidateMovesRequest, call: Call, unknown: Sequence[Fault]
    ) -> Generator[None, None, pb.BatchValidateMovesResponse]:
        """The verdict on each item."""
        response = pb.BatchValidateMovesResponse()
        for item, faults in self._items(request.items, call, unknown):
            result = response.results.add()
            try:
                self._validate_move(_sound(item, faults), call, result.verdict)
            except Refusal as refusal:
                result.error.CopyFrom(to_call_error(refusal, language_of(item)))
            yield
        return response

    def batch_apply_moves(
        self, request: pb.BatchApplyMovesRequest, call: Call, unknown: Sequence[Fault]
    ) -> Generator[None, None, pb.BatchApplyMovesResponse]:
        """The next state of each item."""
        response = pb.BatchApplyMovesResponse()
        size = 0
        for item, faults in self._items(request.items, call, unknown):
            result = response.results.add()
            try:
                self._apply_move(_sound(item, faults), call, result.applied)
            except Refusal as refusal:
                result.error.CopyFrom(to_call_error(refusal, language_of(item)))
            size += result.ByteSize()
            self.door.check_answer(size)
            yield
        return response

    def _items(
        self, items: Sequence[T], call: Call, unknown: Sequence[Fault]
    ) -> Iterator[tuple[T, list[Fault]]]:
        """Every item with the unknown fields that spoil it; refuses before any work is done."""
        outside = [fault for fault in unknown if not fault.path.startswith("items[")]
        _refuse(outside)
        if not items:
            raise invalid([Fault("items", Reason.LENGTH_OUT_OF_RANGE, "at least one item")])
        if len(items) > self.max_batch_items:
            counts = {"items": str(len(items)), "limit": str(self.max_batch_items)}
            raise Refusal(Reason.TOO_MANY_ITEMS, metadata=counts)
        spoiled: dict[int, list[Fault]] = {}
        for index, fault in map(_within_item, unknown):
            spoiled.setdefault(index, []).append(fault)
        for i, item in enumerate(items):
            call.check_deadline()
            yield item, spoiled.get(i, [])

    def _ask(self, request: StateRequest, call: Call) -> Asked:
        _check_language(request)
        asked = self.gate.ask(request)
        _name(call, asked.state.game, asked.state.rules)
        return asked

    def _judge(self, asked: Asked, request: _MoveRequest) -> tuple[Move, Violation | None]:
        """The move of the request, and why it may not be played."""
        state, seat = asked.state, asked.seat
        move = _move(state, request)
        self.gate.check_move(asked, move, request.credential)
        expected = request.expected_ply if request.HasField("expected_ply") else None
        refused: Violation | None = self._timed(
            state.game, "violation", referee.violation, state, move, seat, expected
        )
        self._count(state, refused)
        due = referee.chance_due(state)
        if refused is None and isinstance(move, Chance) and due is not None:
            faults = referee.chance_faults(due, move)
            _refuse([_below("move.chance", fault) for fault in faults])
        return move, refused

    def _count(self, state: GameState, refused: Violation | None) -> None:
        verdict, reason = ("legal", "") if refused is None else ("illegal", refused.reason.value)
        self.metrics.moves_of(state.game.CATALOGUE.id, state.rules.rule_set, verdict, reason).inc()

    def _timed(self, game: AnyGame, operation: str, function: Callable[..., T], *args: Any) -> T:
        started = time.perf_counter()
        result = function(*args)
        seconds = time.perf_counter() - started
        self.metrics.engine_of(game.CATALOGUE.id, operation).observe(seconds)
        return result

    def _write_next(
        self,
        asked: Asked,
        step: referee.Step,
        viewers: Sequence[int | None],
        request: pb.NewGameRequest | pb.ApplyMoveRequest,
        response: _NextResponse,
    ) -> None:
        state, events = step
        self.gate.write_state(asked, state, response)
        wire.write_turn(state, response.turn)
        wire.write_events(state.game, events, response.events)
        for seat in viewers:
            wire.write_view(state, seat, response.views.add())
        if request.list_moves and self.gate.may_list(asked, state):
            self._write_moves(state, request, response.moves)

    def _write_moves(
        self,
        state: GameState,
        request: pb.NewGameRequest | pb.ApplyMoveRequest | pb.ListMovesRequest,
        out: Any,
    ) -> None:
        moves = self._timed(state.game, "legal_moves", referee.legal_moves, state)
        for move in moves:
            wire.write_listed_move(state, move, out.add(), effects=request.list_effects)


def _refuse(faults: Sequence[Fault]) -> None:
    if faults:
        raise invalid(faults)


def _below(path: str, fault: Fault) -> Fault:
    return replace(fault, path=f"{path}.{fault.path}")


def _check_language(request: Any) -> None:
    if request.language not in _LANGUAGES:
        names = tuple(language.name for language in Language)
        raise invalid([Fault("language", Reason.VALUE_UNKNOWN, "unknown value", allowed=names)])


def _name(call: Call, game: AnyGame, rules: Any) -> None:
    """Tell the log what the call is about."""
    call.game = game.CATALOGUE.id
    call.rule_set = rules.rule_set


def _opening_faults(request: pb.NewGameRequest, game: AnyGame, rules: Any) -> list[Fault]:
    """What a request for a new game has wrong beside its rules."""
    faults: list[Fault] = []
    which = request.WhichOneof("chance")
    if which == "seed":
        check_bytes(request.seed, "seed", faults)
    if which == "supplied" and request.entropy:
        detail = "supplied chance takes no entropy"
        faults.append(Fault("entropy", Reason.FIELD_NOT_ALLOWED, detail))
    check_entropy(request.entropy, "entropy", faults)
    wire.check_credentials(request.credential_sha256, "credential_sha256", game, rules, faults)
    if request.credential_sha256 and request.make_credentials:
        detail = "credentials are given already"
        faults.append(Fault("make_credentials", Reason.FIELD_NOT_ALLOWED, detail))
    if request.seal:
        faults += _sealing_faults(request)
    return faults


def _sealing_faults(request: pb.NewGameRequest) -> list[Fault]:
    """A sealed game is played by credentials, and its first answer is for no seat."""
    faults: list[Fault] = []
    if not request.credential_sha256 and not request.make_credentials:
        detail = "a sealed game needs credentials"
        faults.append(Fault("credential_sha256", Reason.FIELD_MISSING, detail))
    if request.list_moves:
        detail = "nobody may see the moves of a sealed game but its seat"
        faults.append(Fault("list_moves", Reason.FIELD_NOT_ALLOWED, detail))
    for i, viewer in enumerate(request.viewers):
        if viewer.HasField("seat"):
            detail = "only a spectator's view may be had of a sealed game here"
            faults.append(Fault(f"viewers[{i}].seat", Reason.FIELD_NOT_ALLOWED, detail))
    return faults


def _rules(
    request: pb.GetBoardRequest | pb.PrepareGameRequest | pb.NewGameRequest, call: Call
) -> tuple[AnyGame, Any]:
    _check_language(request)
    rules: rules_pb2.Rules = request.rules
    if not request.HasField("rules"):
        raise invalid([Fault("rules", Reason.FIELD_MISSING, "required")])
    faults: list[Fault] = []
    read = read_rules(rules, "rules", faults, complete=False)
    if read is None:
        raise invalid(faults)
    _name(call, *read)
    return read


def _stale(state: GameState, request: pb.ListMovesRequest | pb.GetViewRequest) -> Violation | None:
    if not request.HasField("expected_ply") or request.expected_ply == state.ply:
        return None
    return Violation(Reason.PLY_MISMATCH, "")


def _refuse_violation(state: GameState, request: Any, violation: Violation | None) -> None:
    """Refuse with the clause of the violation and the ply of the state."""
    if violation is None:
        return
    metadata = {"ply": str(state.ply)}
    if violation.reason is Reason.PLY_MISMATCH:
        metadata["expected_ply"] = str(request.expected_ply)
    raise Refusal(
        violation.reason,
        violation=violation,
        catalogue=state.game.CATALOGUE,
        metadata=metadata,
    )


def _move(state: GameState, request: _MoveRequest) -> Move:
    faults: list[Fault] = []
    if not request.HasField("move"):
        raise invalid([Fault("move", Reason.FIELD_MISSING, "required")])
    move = wire.read_move(request.move, "move", state.game, state.rules, faults)
    _refuse(faults)
    return move


def _viewers(
    request: pb.NewGameRequest | pb.ApplyMoveRequest,
    game: AnyGame,
    rules: Any,
    faults: list[Fault],
) -> list[int | None]:
    if len(request.viewers) > _MAX_VIEWERS:
        detail = f"at most {_MAX_VIEWERS} viewers"
        faults.append(Fault("viewers", Reason.LENGTH_OUT_OF_RANGE, detail))
        return []
    return [
        wire.read_viewer(viewer, f"viewers[{i}]", game, rules, faults)
        for i, viewer in enumerate(request.viewers)
    ]


def _check_length(record: record_pb2.Record) -> None:
    items = max(len(record.moves), len(record.outcomes.outcomes))
    if items > MAX_MOVES:
        counts = {"items": str(items), "limit": str(MAX_MOVES)}
        raise Refusal(Reason.RECORD_TOO_LONG, metadata=counts)


def _replayed(
    record: Record, result: GameState | ReplayFailure, language: Language
) -> pb.ReplayGameResponse:
    response = pb.ReplayGameResponse()
    if isinstance(result, ReplayFailure):
        _write_failure(record, result, language, response.failure)
        return response
    wire.write_state(result, response.replayed.state)
    wire.write_turn(result, response.replayed.turn)
    if isinstance(result.chance, Seeded):
        response.replayed.commitment = result.chance.commitment
    response.replayed.view_digest = referee.view_digest(result)
    return response


def _write_failure(
    record: Record, failure: ReplayFailure, language: Language, out: pb.ReplayFailure
) -> None:
    out.kind = int(failure.kind)  # type: ignore[assignment] # the enum's number
    out.index = failure.index
    if failure.violation is not None:
        text = violation_text(record.game.CATALOGUE, failure.violation, language)
        out.violation.CopyFrom(write_violation(failure.violation, text))
    if failure.fault is not None:
        out.fault.CopyFrom(write_fault(failure.fault))


def _within_item(fault: Fault) -> tuple[int, Fault]:
    """The index of the item that a fault is in, and the fault with its path from there."""
    index, _, path = fault.path.removeprefix("items[").partition("].")
    return int(index), replace(fault, path=path)


def _sound(item: T, faults: Sequence[Fault]) -> T:
    _refuse(faults)
    return item
