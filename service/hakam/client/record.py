"""The record of a game as a handle has seen it, and the digest of a view."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from hakam.v1.move_pb2 import Move
from hakam.v1.record_pb2 import Record, RecordedOutcomes, RecordedSeed
from hakam.v1.state_pb2 import State
from hakam.v1.view_pb2 import View

__all__ = ["make_record", "view_digest"]

# The derivation of chance of every seed there is; a view does not say it.
_CHANCE_VERSION: Final = 1


def view_digest(view: View) -> str:
    """The SHA-256 of a view, 64 hex digits; of a spectator's final view it is that of the game."""
    return _digest(view).hex()


def _digest(view: View) -> bytes:
    return sha256(b"hakam/view/v1" + view.text.encode("ascii")).digest()


def make_record(
    state: State | None, commitment: bytes, moves: Sequence[Move], view: View | None
) -> Record | None:
    """The record of `moves`, or None where the seed is not known yet.

    It is known from a plain state, and from the view of a game that is over. A spectator's view
    gives the record its digest.
    """
    record = _beginning(state, view)
    if record is None:
        return None
    if record.WhichOneof("chance") == "outcomes":
        record.outcomes.outcomes.extend(move.chance for move in moves if move.HasField("chance"))
    record.moves.extend(move for move in moves if not move.HasField("chance"))
    record.commitment = commitment
    if view is not None and view.viewer.HasField("spectator"):
        record.view_digest = _digest(view)
    return record


def _beginning(state: State | None, view: View | None) -> Record | None:
    """Rules and chance, from whatever has them."""
    if state is not None:
        record = Record(rules=state.rules, chance_version=state.chance.version)
        if state.chance.HasField("seeded"):
            seeded = state.chance.seeded
            record.seed.CopyFrom(RecordedSeed(seed=seeded.seed, entropy=seeded.entropy))
        else:
            record.outcomes.CopyFrom(RecordedOutcomes())
        return record
    if view is None or (view.commitment and not view.HasField("reveal")):
        return None
    record = Record(rules=view.rules, chance_version=_CHANCE_VERSION)
    if view.HasField("reveal"):
        record.seed.CopyFrom(RecordedSeed(seed=view.reveal.seed, entropy=view.reveal.entropy))
    else:
        record.outcomes.CopyFrom(RecordedOutcomes())
    return record
