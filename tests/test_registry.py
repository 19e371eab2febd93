import pytest

from hakam.games.registry import GAMES
from hakam.referee import AnyGame
from hakam.rpc.codecs.registry import CODECS
from hakam.v1 import event_pb2, move_pb2, rules_pb2, state_pb2, view_pb2

ENVELOPES = [
    (rules_pb2.Rules, "game"),
    (state_pb2.State, "position"),
    (move_pb2.Move, "move"),
    (event_pb2.Event, "event"),
    (view_pb2.View, "position"),
]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_game_is_registered_by_its_own_id_with_a_codec(game: AnyGame) -> None:
    name = game.CATALOGUE.id
    assert GAMES[name] is game
    assert name in CODECS


def test_there_is_no_codec_without_a_game() -> None:
    assert sorted(CODECS) == sorted(GAMES)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@pytest.mark.parametrize(("envelope", "oneof"), ENVELOPES)
def test_a_game_has_its_place_in_every_envelope(game: AnyGame, envelope: type, oneof: str) -> None:
    members = envelope.DESCRIPTOR.oneofs_by_name[oneof].fields  # type: ignore[attr-defined] # a message
    assert game.CATALOGUE.id in [member.name for member in members]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_game_tells_about_itself(game: AnyGame) -> None:
    catalogue = game.CATALOGUE
    assert catalogue.revision >= 1
    assert catalogue.id.isidentifier()
    assert catalogue.id == catalogue.id.lower()
    assert catalogue.rule_sets
    for rules in catalogue.rule_sets.values():
        assert 2 <= game.seats(rules) <= 7
