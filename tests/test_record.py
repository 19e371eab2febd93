from dataclasses import replace
from random import Random
from typing import Any

import pytest

from hakam import record, referee
from hakam.games import tjau
from hakam.games.game import ChanceKind, Drawn
from hakam.games.reasons import Reason
from hakam.record import FailureKind, Record, ReplayFailure, replay
from hakam.referee import SUPPLIED, AnyGame, Chance, GameState
from hakam.v1 import game_service_pb2 as pb
from tests.random_play import (
    RULE_SETS,
    VARIANTS,
    Playthrough,
    case_ids,
    play,
    record_of,
    seeded,
    supply,
)

every_rule_set = pytest.mark.parametrize(("game", "rules"), RULE_SETS, ids=case_ids(RULE_SETS))
every_variant = pytest.mark.parametrize(("game", "rules"), VARIANTS, ids=case_ids(VARIANTS))

DRAWN_FIRST = replace(tjau.CATALOGUE.rule_sets["babylon"], first=Drawn.CHANCE, pieces=2)


def steps_of(given: Record) -> tuple[list[record.Step], ReplayFailure | None]:
    steps, playing = [], record.play(given)
    while True:
        try:
            steps.append(next(playing))
        except StopIteration as end:
            return steps, end.value


def failure_of(given: Record) -> ReplayFailure:
    failure = replay(given)
    assert isinstance(failure, ReplayFailure)
    assert steps_of(given)[1] == failure
    return failure


def a_seeded_game() -> Playthrough:
    return play(tjau, DRAWN_FIRST, seeded(Random(1)), Random(1))


def a_supplied_game() -> Playthrough:
    return play(tjau, DRAWN_FIRST, SUPPLIED, Random(2))


@every_variant
def test_the_record_of_a_seeded_game_replays_to_its_end(game: AnyGame, rules: Any) -> None:
    played = play(game, rules, seeded(Random(21)), Random(21))
    assert replay(record_of(played)) == played.end


@every_variant
def test_the_record_of_a_supplied_game_replays_to_its_end(game: AnyGame, rules: Any) -> None:
    played = play(game, rules, SUPPLIED, Random(22))
    given = record_of(played)
    assert given.outcomes
    assert replay(given) == played.end


@every_rule_set
def test_a_playthrough_shows_every_step_as_it_was(game: AnyGame, rules: Any) -> None:
    for source in (seeded(Random(23)), SUPPLIED):
        played = play(game, rules, source, Random(23))
        steps, failure = steps_of(record_of(played))
        assert failure is None
        assert [step.move for step in steps] == [None, *played.moves]
        assert tuple(step.state for step in steps) == played.states
        assert tuple(event for step in steps for event in step.events) == played.events


@every_rule_set
def test_a_record_fits_the_longest_game_that_chance_makes(game: AnyGame, rules: Any) -> None:
    played = [play(game, rules, SUPPLIED, Random(n)) for n in range(3)]
    for given in map(record_of, played):
        assert max(len(given.moves), len(given.outcomes)) < record.MAX_MOVES


@every_rule_set
def test_the_start_of_a_game_is_a_record_too(game: AnyGame, rules: Any) -> None:
    played = play(game, rules, seeded(Random(24)), Random(24))
    whole = record_of(played)
    for length in (0, 1, len(played.moves) // 2, len(played.moves) - 1):
        part = replace(
            whole,
            moves=whole.moves[:length],
            view_digest=referee.view_digest(played.states[length]),
        )
        assert replay(part) == played.states[length]
        assert replay(replace(part, view_digest=b"")) == played.states[length]


@every_rule_set
def test_a_seed_and_its_outcomes_are_one_game_in_records_too(game: AnyGame, rules: Any) -> None:
    played = play(game, rules, seeded(Random(25)), Random(25))
    source = played.states[0].chance
    assert isinstance(source, referee.Seeded)
    again = replay(record_of(supply(game, rules, source, played.moves)))
    assert isinstance(again, GameState)
    assert again.position == played.end.position


def test_the_kinds_of_failure_are_those_of_the_wire() -> None:
    wire = pb.ReplayFailureKind.items()
    prefix = "REPLAY_FAILURE_KIND_"
    assert {name.removeprefix(prefix): number for name, number in wire if number} == {
        kind.name: kind.value for kind in FailureKind
    }


def test_an_illegal_move_fails_at_its_index_with_its_clause() -> None:
    given = record_of(a_seeded_game())
    spoiled = (*given.moves[:1], given.moves[0], *given.moves[1:])
    assert given.moves[:2] != (given.moves[0], given.moves[0])
    failure = failure_of(replace(given, moves=spoiled))
    assert (failure.kind, failure.index) == (FailureKind.MOVE, 1)
    assert failure.violation is not None
    assert (failure.violation.reason, failure.violation.clause) == (Reason.WRONG_PHASE, "W5.1")
    assert failure.fault is None


@pytest.mark.parametrize("played", [a_seeded_game(), a_supplied_game()])
def test_a_move_after_the_end_fails(played: Playthrough) -> None:
    given = record_of(played)
    failure = failure_of(replace(given, moves=(*given.moves, given.moves[-1])))
    assert (failure.kind, failure.index) == (FailureKind.MOVE, len(given.moves))
    assert failure.violation is not None
    assert failure.violation.reason is Reason.GAME_OVER


def test_a_missing_outcome_fails_where_it_is_due() -> None:
    given = record_of(a_supplied_game())
    failure = failure_of(replace(given, outcomes=given.outcomes[:-1]))
    kept = len(given.outcomes) - 1
    assert failure == ReplayFailure(FailureKind.OUTCOME_MISSING, kept)
    assert failure_of(replace(given, outcomes=())).index == 0


def test_outcomes_that_are_left_over_fail_by_their_number() -> None:
    given = record_of(a_supplied_game())
    spare = Chance(ChanceKind.THROW, 1)
    failure = failure_of(replace(given, outcomes=(*given.outcomes, spare)))
    assert failure == ReplayFailure(FailureKind.OUTCOME_LEFT, len(given.outcomes) + 1)


def test_an_outcome_for_a_seed_is_left_over() -> None:
    given = record_of(a_seeded_game())
    failure = failure_of(replace(given, outcomes=(Chance(ChanceKind.THROW, 1),)))
    assert failure == ReplayFailure(FailureKind.OUTCOME_LEFT, 1)


def test_a_record_cut_before_its_last_move_has_an_outcome_left() -> None:
    given = record_of(a_supplied_game())
    failure = failure_of(replace(given, moves=given.moves[: len(given.moves) // 2]))
    assert failure.kind is FailureKind.OUTCOME_LEFT


def test_an_outcome_of_another_kind_fails_and_is_named() -> None:
    given = record_of(a_supplied_game())
    early = (given.outcomes[1], given.outcomes[0], *given.outcomes[2:])
    failure = failure_of(replace(given, outcomes=early))
    assert (failure.kind, failure.index, failure.violation) == (FailureKind.OUTCOME, 0, None)
    assert failure.fault is not None
    assert failure.fault.reason is Reason.WRONG_PHASE


@pytest.mark.parametrize("value", [-1, 5, 2**31 - 1])
def test_an_outcome_out_of_range_fails_and_is_named(value: int) -> None:
    given = record_of(a_supplied_game())
    spoiled = (*given.outcomes[:3], Chance(ChanceKind.THROW, value), *given.outcomes[4:])
    failure = failure_of(replace(given, outcomes=spoiled))
    assert (failure.kind, failure.index) == (FailureKind.OUTCOME, 3)
    assert failure.fault is not None
    assert (failure.fault.path, failure.fault.reason) == ("throw", Reason.VALUE_OUT_OF_RANGE)


def test_another_commitment_fails_before_any_move_is_judged() -> None:
    given = replace(record_of(a_seeded_game()), commitment=bytes(32), moves=())
    assert failure_of(given) == ReplayFailure(FailureKind.COMMITMENT, 0)


def test_a_commitment_to_supplied_outcomes_fails() -> None:
    given = replace(record_of(a_supplied_game()), commitment=bytes(32))
    assert failure_of(given) == ReplayFailure(FailureKind.COMMITMENT, 0)


def test_another_seed_is_not_what_was_committed_to() -> None:
    given = record_of(a_seeded_game())
    assert failure_of(replace(given, seed=bytes(32))).kind is FailureKind.COMMITMENT


@pytest.mark.parametrize("played", [a_seeded_game(), a_supplied_game()])
def test_another_digest_fails_at_the_end(played: Playthrough) -> None:
    given = replace(record_of(played), view_digest=bytes(32))
    assert failure_of(given) == ReplayFailure(FailureKind.DIGEST, len(given.moves))


def test_the_digest_of_an_earlier_state_is_not_that_of_the_last() -> None:
    played = a_seeded_game()
    earlier = referee.view_digest(played.states[-2])
    assert failure_of(replace(record_of(played), view_digest=earlier)).kind is FailureKind.DIGEST


def test_what_is_empty_is_not_compared() -> None:
    played = a_seeded_game()
    given = replace(record_of(played), commitment=b"", view_digest=b"")
    assert replay(given) == played.end
