"""A whole game from its start, and playing it again.

Playing trusts nothing: every move is judged, every outcome checked, and the commitment and the
digest of the final view are compared where the record gives them. Pure.
"""

from collections.abc import Generator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from hakam import chance, referee
from hakam.games.game import ChanceDue, Fault, Violation
from hakam.games.reasons import Reason
from hakam.referee import SUPPLIED, AnyGame, Chance, GameState, Move, Seeded

__all__ = [
    "MAX_MOVES",
    "FailureKind",
    "Record",
    "ReplayFailure",
    "Step",
    "play",
    "replay",
    "replaying",
]

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

    `index` counts moves, or outcomes for the kinds that concern one.
    """

    kind: FailureKind
    index: int
    violation: Violation | None = None
    fault: Fault | None = None


@dataclass(frozen=True)
class Step:
    """One step of a playthrough: the move or outcome (None: the start), and what it led to."""

    move: Move
    state: GameState
    events: tuple[Any, ...]


def play(record: Record) -> Generator[Step, None, ReplayFailure | None]:
    """Every step of a record, its start first; returns where it fails, or None.

    A record may end before its game does.
    """
    state, events = referee.new_game(record.game, record.rules, _source(record))
    yield Step(None, state, events)
    if record.commitment and _commitment(state) != record.commitment:
        return ReplayFailure(FailureKind.COMMITMENT, 0)
    moved = drawn = 0
    while moved < len(record.moves) or drawn < len(record.outcomes):
        due = referee.chance_due(state)
        failure = _outcome_failure(record, drawn, due) or _move_failure(record, moved, due, state)
        if failure is not None:
            return failure
        move = record.moves[moved] if due is None else record.outcomes[drawn]
        moved, drawn = (moved + 1, drawn) if due is None else (moved, drawn + 1)
        state, events = referee.apply(state, move)
        yield Step(move, state, events)
    if record.view_digest and referee.view_digest(state) != record.view_digest:
        return ReplayFailure(FailureKind.DIGEST, moved)
    return None


def replay(record: Record) -> GameState | ReplayFailure:
    """The final state, or where the record fails first."""
    steps = replaying(record)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: GameState | ReplayFailure = end.value
            return result


def replaying(record: Record) -> Generator[None, None, GameState | ReplayFailure]:
    """The same, stopping after every step."""
    steps = play(record)
    step = next(steps)
    while True:
        yield
        try:
            step = next(steps)
        except StopIteration as end:
            failure: ReplayFailure | None = end.value
            return step.state if failure is None else failure


def _source(record: Record) -> referee.ChanceSource:
    if record.seed is None:
        return SUPPLIED
    return Seeded(record.seed, record.entropy, 0, chance.commitment(record.seed))


def _commitment(state: GameState) -> bytes:
    return state.chance.commitment if isinstance(state.chance, Seeded) else b""


def _outcome_failure(record: Record, index: int, due: ChanceDue | None) -> ReplayFailure | None:
    """Why the outcome that is due cannot be had from the record."""
    if due is None:
        return None
    if index == len(record.outcomes):
        return ReplayFailure(FailureKind.OUTCOME_MISSING, index)
    move = record.outcomes[index]
    if due.kind != move.kind:
        fault = Fault("", Reason.WRONG_PHASE, "another kind of outcome is due")
        return ReplayFailure(FailureKind.OUTCOME, index, fault=fault)
    for fault in referee.chance_faults(due, move):
        return ReplayFailure(FailureKind.OUTCOME, index, fault=fault)
    return None


def _move_failure(
    record: Record, index: int, due: ChanceDue | None, state: GameState
) -> ReplayFailure | None:
    """Why the next move cannot be played, where a move is due."""
    if due is not None:
        return None
    if index == len(record.moves):
        return ReplayFailure(FailureKind.OUTCOME_LEFT, len(record.outcomes))
    refused = referee.violation(state, record.moves[index])
    return None if refused is None else ReplayFailure(FailureKind.MOVE, index, violation=refused)
