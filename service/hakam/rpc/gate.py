"""Who may ask what: plain and sealed states, seats and their credentials, the keeper.

Laws:
- A request about a sealed state speaks for the seat whose credential it brings. Credential, seat
  and turn are judged before anything hidden is read; only a spectator needs no credential.
- Whoever holds a plain state sees all of it. Where the gate is `strict`, plain states, given seeds
  and supplied chance are for the keeper alone; the chance of a sealed game always is.
- A seed that was prepared for given credentials serves no game with others: who starts the game
  cannot start it once more to look.
- Secrets are compared as SHA-256, in constant time.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, TypeAlias

from google.protobuf.message import DecodeError

from hakam.chance import SEED_BYTES
from hakam.games.game import Fault
from hakam.games.options import rules_text
from hakam.games.reasons import Reason
from hakam.referee import MAX_COUNT, AnyGame, Chance, GameState, Move, Supplied, to_act
from hakam.rpc.codecs import game as wire
from hakam.rpc.codecs.chance import HASH_BYTES
from hakam.rpc.codecs.common import unknown_field_faults
from hakam.rpc.errors import Refusal, invalid
from hakam.seal import KeyRing, Kind, SealError
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import state_pb2

__all__ = [
    "SALT_BYTES",
    "Asked",
    "Gate",
    "StateRequest",
    "check_beside",
    "check_credential",
    "state_refusal",
]

# A request that asks about a state.
StateRequest: TypeAlias = (
    pb.ListMovesRequest
    | pb.ValidateMoveRequest
    | pb.ValidateStateRequest
    | pb.ApplyMoveRequest
    | pb.GetViewRequest
)

# What makes a sealed state unlike every other with the same game in it.
SALT_BYTES: Final = 16
# Reasons that say more about a whole error than that its state has faults.
_TELLING: Final = (Reason.REVISION_UNSUPPORTED, Reason.CHANCE_VERSION_UNSUPPORTED)


@dataclass(frozen=True)
class Asked:
    """A judged state, and the seat that the request speaks for (None: whoever is to act).

    `message` is the one that a plain state was read from, where it was.
    """

    state: GameState
    seat: int | None
    sealed: bool
    message: state_pb2.State | None = None


@dataclass(frozen=True)
class Gate:
    """`keeper_sha256` is empty where the service knows no keeper."""

    keys: KeyRing
    keeper_sha256: bytes
    strict: bool

    def check_keeper(self, credential: bytes) -> None:
        """Refuse what is for the keeper alone, where the gate is strict."""
        if self.strict and not self._is_keeper(credential):
            raise Refusal(Reason.PLAIN_STATE_REFUSED)

    def check_chance_bringer(self, credential: bytes) -> None:
        """Refuse to start a sealed game whose chance nobody but the keeper could bring."""
        if not credential:
            raise Refusal(Reason.CREDENTIAL_MISSING)
        if not self._is_keeper(credential):
            raise Refusal(Reason.CREDENTIAL_WRONG)

    def _is_keeper(self, credential: bytes) -> bool:
        given = sha256(credential).digest()
        return bool(self.keeper_sha256) and hmac.compare_digest(given, self.keeper_sha256)

    def read(self, request: StateRequest, faults: list[Fault]) -> GameState | None:
        """The state of a request; None, and every fault, where it is none."""
        which = request.WhichOneof("state_form")
        if which is None:
            raise invalid([Fault("state", Reason.FIELD_MISSING, "required")])
        check_credential(request.credential)
        if which == "state":
            self.check_keeper(request.credential)
            return wire.read_state(request.state, "state", faults)
        return self._open(request.sealed_state, faults)

    def _open(self, sealed: bytes, faults: list[Fault]) -> GameState | None:
        """The state in a seal; only what another release made of it is told of its faults."""
        try:
            _, content = self.keys.open(Kind.STATE, sealed)
            message = state_pb2.State.FromString(content)
        except SealError as error:
            raise _seal_refusal("sealed_state", error.reason) from None
        except DecodeError:
            raise _seal_refusal("sealed_state", Reason.SEAL_REFUSED) from None
        if unknown_field_faults(message, content):
            raise _seal_refusal("sealed_state", Reason.SEAL_VERSION_UNSUPPORTED)
        found: list[Fault] = []
        state = wire.read_state(message, "sealed_state", found, sealed=True)
        telling = [fault for fault in found if fault.reason in _TELLING]
        if found and not telling:
            raise _seal_refusal("sealed_state", Reason.SEAL_REFUSED)
        faults += telling
        return state

    def ask(self, request: StateRequest) -> Asked:
        """The state of a request, judged, with the seat that the request speaks for."""
        faults: list[Fault] = []
        state = self.read(request, faults)
        if state is None:
            raise state_refusal(faults)
        check_beside(request, state)
        seat = self.speaker(request, state)
        if request.HasField("sealed_state"):
            return Asked(state, seat, sealed=True)
        return Asked(state, seat, sealed=False, message=request.state)

    def speaker(self, request: StateRequest, state: GameState) -> int | None:
        """The seat that the request speaks for; refuses a seat without its credential."""
        seat = _named_seat(request)
        if not request.HasField("sealed_state"):
            return seat
        if isinstance(request, pb.GetViewRequest) and seat is None:
            return None
        if not request.credential:
            raise Refusal(Reason.CREDENTIAL_MISSING)
        given = sha256(request.credential).digest()
        own = [s for s, known in enumerate(state.credentials) if hmac.compare_digest(given, known)]
        if not own and seat is None and self._brings_chance(request, state):
            return None
        if not own or (seat is not None and seat not in own):
            raise Refusal(Reason.CREDENTIAL_WRONG)
        if seat is not None:
            return seat
        acting = to_act(state)
        return acting if acting in own else own[0]

    def _brings_chance(self, request: StateRequest, state: GameState) -> bool:
        """Whether the keeper speaks, who alone may bring the chance of a sealed game."""
        return isinstance(state.chance, Supplied) and self._is_keeper(request.credential)

    def check_move(self, asked: Asked, move: Move, credential: bytes) -> None:
        """Refuse a seat of a sealed game that brings chance, and the keeper that plays."""
        if not asked.sealed:
            return
        if isinstance(move, Chance) and not self._is_keeper(credential):
            raise Refusal(Reason.CREDENTIAL_WRONG)
        if asked.seat is None and not isinstance(move, Chance):
            raise Refusal(Reason.CREDENTIAL_WRONG)

    def check_viewers(self, asked: Asked, viewers: Sequence[int | None]) -> None:
        """Refuse views of other seats than the one that a sealed state's request speaks for."""
        if asked.sealed and any(seat not in (None, asked.seat) for seat in viewers):
            raise Refusal(Reason.CREDENTIAL_WRONG)

    def may_list(self, asked: Asked, state: GameState) -> bool:
        """Whether the asker may have the legal moves of a state: of a sealed one, his own only."""
        return not asked.sealed or (asked.seat is not None and to_act(state) == asked.seat)

    def prepare(
        self, game: AnyGame, rules: Any, seed: bytes, salt: bytes, credentials: Sequence[bytes]
    ) -> bytes:
        """A seed and the salt of its game, sealed for these rules and, if any, these credentials.

        `credentials` are the SHA-256 of each.
        """
        self._check_keys()
        header = rules_text(game.CATALOGUE, rules).encode("ascii")
        return self.keys.seal(Kind.PREPARED_SEED, header, b"".join((seed, salt, *credentials)))

    def prepared(
        self, game: AnyGame, rules: Any, request: pb.NewGameRequest
    ) -> tuple[bytes, bytes]:
        """The seed and the salt that `prepare` sealed for such a game."""
        try:
            header, content = self.keys.open(Kind.PREPARED_SEED, request.prepared_seed)
        except SealError as error:
            raise _seal_refusal("prepared_seed", error.reason) from None
        if header != rules_text(game.CATALOGUE, rules).encode("ascii"):
            detail = "the seed was prepared for other rules"
            raise invalid([Fault("prepared_seed", Reason.RULES_INVALID, detail)])
        salted = SEED_BYTES + SALT_BYTES
        credentials = content[salted:]
        given = b"".join(request.credential_sha256)
        if credentials and not (request.seal and credentials == given):
            raise Refusal(Reason.CREDENTIAL_WRONG)
        return content[:SEED_BYTES], content[SEED_BYTES:salted]

    def _check_keys(self) -> None:
        if not self.keys:
            raise _seal_refusal("seal", Reason.SEAL_KEY_UNKNOWN)

    def write_state(
        self,
        asked: Asked,
        state: GameState,
        response: pb.NewGameResponse | pb.ApplyMoveResponse,
    ) -> None:
        """The state after the one that was asked about, in the same form."""
        if asked.sealed:
            response.sealed_state = self.seal(state)
        elif asked.message is None:
            wire.write_state(state, response.state)
        else:
            wire.write_next(asked.state, asked.message, state, response.state)

    def seal(self, state: GameState) -> bytes:
        """The state in a seal."""
        self._check_keys()
        message = state_pb2.State()
        wire.write_state(state, message)
        header = f"{rules_text(state.game.CATALOGUE, state.rules)} ply={state.ply}"
        content = message.SerializeToString(deterministic=True)
        return self.keys.seal(Kind.STATE, header.encode("ascii"), content)


def check_credential(credential: bytes) -> None:
    """A credential has 32 bytes, or is absent."""
    if len(credential) not in (0, HASH_BYTES):
        detail = f"must be {HASH_BYTES} bytes"
        raise invalid([Fault("credential", Reason.LENGTH_OUT_OF_RANGE, detail)])


def check_beside(request: Any, state: GameState) -> None:
    """Refuse numbers beside a state that are out of their range."""
    highs = {"seat": state.game.seats(state.rules) - 1, "expected_ply": MAX_COUNT}
    faults = [
        Fault(field, Reason.VALUE_OUT_OF_RANGE, f"must be 0 to {high}")
        for field, high in highs.items()
        if field in request.DESCRIPTOR.fields_by_name
        and request.HasField(field)
        and not 0 <= getattr(request, field) <= high
    ]
    if faults:
        raise invalid(faults)


def state_refusal(faults: Sequence[Fault]) -> Refusal:
    """The refusal of a state that cannot be."""
    reason = faults[0].reason if faults[0].reason in _TELLING else Reason.STATE_INVALID
    return Refusal(reason, faults=faults)


def _seal_refusal(field: str, reason: Reason) -> Refusal:
    return invalid([Fault(field, reason, "the seal does not open here")])


def _named_seat(request: StateRequest) -> int | None:
    if isinstance(request, pb.GetViewRequest):
        return request.viewer.seat if request.viewer.HasField("seat") else None
    return request.seat if request.HasField("seat") else None
