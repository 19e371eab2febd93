"""A whole game from its start, and playing it again.

A replay trusts nothing: every move is judged, every outcome checked, and the commitment and the
digest of the final view are compared where the record gives them. Pure.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from hakam import chance, referee
from hakam.games.game import Fault, Violation
from hakam.games.reasons import Reason
from hakam.referee import SUPPLIED, AnyGame, Chance, GameState, Move, Seeded

__all__ = ["MAX_MOVES", "FailureKind", "Record", "ReplayFailure", "replay"]

# The greatest number of moves, and of supplied outcomes, in a record.
MAX_MOVES: Final = 8192


@dataclass(frozen=True)
class Record:
    """A game as it was played: `seed` and `entropy`, or (`seed` None) every supplied outcome.

    `commitment` and `view_digest` are empty where nothing is to be compared.
    """

    game: AnyGame
    rules: Any
    seed: bytes | None
    entropy: tuple[bytes, ...]
    outcomes: tuple[Chance, ...]
    moves: tuple[Move, ...]
    commitment: bytes = b""
    view_digest: bytes = b""


class FailureKind(IntEnum):
    """What a replay can fail at; the numbers are the wire's."""

    MOVE = 1
    OUTCOME = 2
    OUTCOME_MISSING = 3
    OUTCOME_LEFT = 4
    COMMITMENT = 5
    DIGEST = 6


@dataclass(frozen=True)
class ReplayFailure:
    """Where a record stops being that of a game.

    `index` counts moves, or outcomes for the kinds that concern one. `state` is the last good one.
    """

    kind: FailureKind
    index: int
    state: GameState
    violation: Violation | None = None
    fault: Fault | None = None


def replay(record: Record) -> GameState | ReplayFailure:
    """The final state, or where the record fails first. A record may end before its game does."""
    state, _ = referee.new_game(record.game, record.rules, _source(record))
    if record.commitment and _commitment(state) != record.commitment:
        return ReplayFailure(FailureKind.COMMITMENT, 0, state)
    played = _play(record, state)
    if isinstance(played, ReplayFailure):
        return played
    if record.view_digest and referee.view_digest(played) != record.view_digest:
        return ReplayFailure(FailureKind.DIGEST, len(record.moves), played)
    return played


def _source(record: Record) -> referee.ChanceSource:
    if record.seed is None:
        return SUPPLIED
    return Seeded(record.seed, record.entropy, 0, chance.commitment(record.seed))


def _commitment(state: GameState) -> bytes:
    return state.chance.commitment if isinstance(state.chance, Seeded) else b""


def _play(record: Record, state: GameState) -> GameState | ReplayFailure:
    drawn = 0
    for index, move in enumerate(record.moves):
        while referee.chance_due(state) is not None:
            step = _bring(record, state, drawn)
            if isinstance(step, ReplayFailure):
                return step
            state, drawn = step, drawn + 1
        refused = referee.violation(state, move)
        if refused is not None:
            return ReplayFailure(FailureKind.MOVE, index, state, violation=refused)
        state, _ = referee.apply(state, move)
    return _finish(record, state, drawn)


def _finish(record: Record, state: GameState, drawn: int) -> GameState | ReplayFailure:
    """Bring what is left after the last move: a game may wait for chance where a record ends."""
    while drawn < len(record.outcomes):
        if referee.chance_due(state) is None:
            return ReplayFailure(FailureKind.OUTCOME_LEFT, drawn, state)
        step = _bring(record, state, drawn)
        if isinstance(step, ReplayFailure):
            return step
        state, drawn = step, drawn + 1
    return state


def _bring(record: Record, state: GameState, index: int) -> GameState | ReplayFailure:
    if index == len(record.outcomes):
        return ReplayFailure(FailureKind.OUTCOME_MISSING, index, state)
    move, due = record.outcomes[index], referee.chance_due(state)
    if due is None or due.kind != move.kind:
        fault = Fault("", Reason.WRONG_PHASE, "another kind of outcome is due")
        return ReplayFailure(FailureKind.OUTCOME, index, state, fault=fault)
    for fault in referee.chance_faults(due, move):
        return ReplayFailure(FailureKind.OUTCOME, index, state, fault=fault)
    return referee.apply(state, move)[0]
