"""What may be asked for the recorded data: requests of every rpc about telling positions."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import samples
from google.protobuf.message import Message
from samples import Position

from hakam import notation
from hakam.referee import Seeded
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import language_pb2
from hakam.v1.viewer_pb2 import Spectator, Viewer
from tests.random_play import RULE_SETS, VARIANTS, case_ids
from tests.trust.support import BATCHES
from tests.wire.positions import each_refusal, telling_positions

__all__ = ["OPEN", "Asked", "candidates"]

# The set-up of the service that most is asked of.
OPEN: Final = "open"
_LANGUAGES: Final = (
    language_pb2.LANGUAGE_UNSPECIFIED,
    language_pb2.LANGUAGE_AR,
    language_pb2.LANGUAGE_EN,
)


@dataclass(frozen=True)
class Asked:
    """A request, and which set-up of the service gets it; a `single` one is recorded anyway."""

    rpc: str
    name: str
    raw: bytes
    service: str = OPEN
    single: bool = False


def candidates() -> Iterator[Asked]:
    """Requests of which those are worth recording that show something new."""
    for n, (rpc, name, request) in enumerate(_requests()):
        _vary(request, n)
        yield Asked(rpc, name, request.SerializeToString(deterministic=True))


def _requests() -> Iterator[tuple[str, str, Any]]:
    for cases, rpcs in ((RULE_SETS, ("GetBoard", "ReplayGame")), (VARIANTS, ("NewGame",))):
        for name, (game, rules) in zip(case_ids(cases), cases, strict=True):
            wanted = (one for one in samples.openings(game, rules) if one[0] in rpcs)
            yield from ((rpc, f"{name}, {_about(request)}", request) for rpc, request in wanted)
    for position in telling_positions():
        for rpc, request in samples.about(position):
            if rpc not in BATCHES:
                yield rpc, _named(position), request
    for reason, position in each_refusal():
        applied = samples.apply_request(position)
        judged = pb.ValidateMoveRequest(state=applied.state, move=applied.move)
        yield "ApplyMove", f"{reason.value}: {_named(position)}", applied
        yield "ValidateMove", f"{reason.value}: {_named(position)}", judged


def _about(request: Message) -> str:
    chance = getattr(request, "record", request)
    which = chance.WhichOneof("chance") if "chance" in chance.DESCRIPTOR.oneofs_by_name else None
    return {None: "board", "seed": "seeded"}.get(which, "supplied")


def _named(position: Position) -> str:
    """A position as its exchanges are named: the rules, the ply and the move."""
    state = position.state
    source = "seeded" if isinstance(state.chance, Seeded) else "supplied"
    move = notation.write_move(state.game, state.rules, position.move)
    text = move if len(move) < 40 else f"{move[:36]}..."
    return f"{state.game.CATALOGUE.id}-{state.rules.rule_set}, {source}, ply {state.ply}, {text}"


def _vary(request: Any, n: int) -> None:
    """Ask each time a little otherwise: the language, who looks, and what is left out."""
    names = request.DESCRIPTOR.fields_by_name
    if "language" in names:
        request.language = _LANGUAGES[n % len(_LANGUAGES)]
    if isinstance(request, pb.GetViewRequest) and n % 3:
        request.viewer.CopyFrom(Viewer(seat=n % 2) if n % 3 == 1 else Viewer(spectator=Spectator()))
    if isinstance(request, pb.ListMovesRequest | pb.ValidateStateRequest) and n % 2:
        request.seat = 0
    if isinstance(request, pb.ListMovesRequest) and n % 3:
        request.expected_ply = request.state.ply
    if isinstance(request, pb.ValidateMoveRequest | pb.ApplyMoveRequest) and n % 4 == 1:
        request.ClearField("expected_ply")
        request.ClearField("seat")
    if isinstance(request, pb.ApplyMoveRequest | pb.NewGameRequest):
        request.list_effects = request.list_moves
