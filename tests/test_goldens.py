from pathlib import Path

import pytest
from google.protobuf import json_format

from hakam import referee
from hakam.games.game import Fault
from hakam.record import FailureKind, Record, ReplayFailure, replay
from hakam.referee import GameState
from hakam.rpc.codecs.game import read_record
from hakam.v1 import record_pb2
from tests.goldens.create import FOLDER, create, expected, message_of, text_of

GOLDENS = sorted(FOLDER.glob("*.json"))
every_golden = pytest.mark.parametrize("path", GOLDENS, ids=[path.stem for path in GOLDENS])


def message(path: Path) -> record_pb2.Record:
    return json_format.Parse(path.read_text(encoding="utf-8"), record_pb2.Record())


def record(path: Path) -> Record:
    faults: list[Fault] = []
    read = read_record(message(path), "record", faults)
    assert faults == []
    assert read is not None
    return read


def test_every_rule_set_of_this_release_has_its_goldens() -> None:
    missing = {name for name, *_ in expected()} - {path.name for path in GOLDENS}
    assert not missing, "python -m tests.goldens.create writes them"


@every_golden
def test_a_golden_record_replays_to_its_end_for_ever(path: Path) -> None:
    given = record(path)
    end = replay(given)
    assert isinstance(end, GameState), end
    assert referee.outcome(end) is not None
    assert referee.view_digest(end) == given.view_digest


@every_golden
def test_a_golden_is_of_the_game_the_rules_and_the_revision_in_its_name(path: Path) -> None:
    game, rule_set, revision, *supplied = path.stem.split("-")
    given = record(path)
    assert given.game.CATALOGUE.id == game
    assert given.rules == given.game.CATALOGUE.rule_sets[rule_set]
    assert f"r{message(path).rules.revision}" == revision
    assert (given.seed is None) == (supplied == ["supplied"])
    assert bool(given.outcomes) == (given.seed is None)
    assert len(given.commitment) == (0 if given.seed is None else 32)
    assert len(given.view_digest) == 32


@every_golden
def test_a_golden_is_written_as_its_record_is(path: Path) -> None:
    assert text_of(message_of(record(path))) == path.read_text(encoding="utf-8")


@every_golden
def test_a_golden_that_is_touched_does_not_verify(path: Path) -> None:
    touched = message(path)
    del touched.moves[len(touched.moves) // 3]
    read = read_record(touched, "record", [])
    assert read is not None
    assert isinstance(replay(read), ReplayFailure)
    touched = message(path)
    touched.view_digest = bytes(32)
    read = read_record(touched, "record", [])
    assert read is not None
    failure = replay(read)
    assert isinstance(failure, ReplayFailure)
    assert failure.kind is FailureKind.DIGEST


def test_what_is_missing_is_written_and_what_is_there_is_left(tmp_path: Path) -> None:
    names = sorted(name for name, *_ in expected())
    (tmp_path / names[0]).write_text("kept", encoding="utf-8")
    assert sorted(create(tmp_path)) == names[1:]
    assert create(tmp_path) == []
    assert (tmp_path / names[0]).read_text(encoding="utf-8") == "kept"
    for path in sorted(tmp_path.glob("*.json"))[1:]:
        assert isinstance(replay(record(path)), GameState)
