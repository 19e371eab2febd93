"""The package as a `Game`: its protocol, its catalogue and its texts."""

from dataclasses import fields
from string import Formatter

import pytest

from hakam.games import tjau
from hakam.games.game import Drawn, Game, OptionKind, Text
from hakam.games.tjau.board import TjauBoard
from hakam.games.tjau.moves import Move
from hakam.games.tjau.rules import RULE_SETS, Rules
from hakam.games.tjau.state import Setup, State
from hakam.games.tjau.view import View

GAME: Game[Rules, Setup, State, Move, View] = tjau
CATALOGUE = tjau.CATALOGUE


def texts() -> list[Text]:
    options = [o.text for o in CATALOGUE.options]
    choices = [text for o in CATALOGUE.options for _, text in o.choices]
    named = [CATALOGUE.name, *CATALOGUE.rule_set_texts.values(), *CATALOGUE.reasons.values()]
    return [*named, *options, *choices]


def test_the_package_exports_what_a_game_must_have() -> None:
    wanted = {name for name in vars(Game) if not name.startswith("_")}
    assert set(tjau.__all__) == wanted
    assert GAME.seats(RULE_SETS["egyptian"]) == 2


@pytest.mark.clause("W4.3")
def test_the_rule_sets_are_those_of_the_clause() -> None:
    def values(name: str) -> tuple[TjauBoard, int, bool, int | Drawn]:
        rules = RULE_SETS[name]
        return rules.board, rules.pieces, rules.mark_protects, rules.first

    assert list(RULE_SETS) == ["egyptian", "babylon", "throw_only", "ur"]
    assert values("egyptian") == (TjauBoard.EGYPTIAN, 7, True, 0)
    assert values("babylon") == (TjauBoard.EGYPTIAN, 5, True, 0)
    assert values("throw_only") == (TjauBoard.EGYPTIAN, 7, False, 0)
    assert values("ur") == (TjauBoard.UR, 7, True, 0)
    assert all(name == rules.rule_set for name, rules in RULE_SETS.items())
    assert not any(isinstance(rules.first, Drawn) for rules in RULE_SETS.values())


@pytest.mark.clause("W4.3")
def test_the_options_are_the_fields_of_the_rules_in_order() -> None:
    assert CATALOGUE.id == "tjau"
    assert CATALOGUE.revision == 1
    assert list(CATALOGUE.rule_set_texts) == list(CATALOGUE.rule_sets) == list(RULE_SETS)
    assert ["rule_set", *(o.name for o in CATALOGUE.options)] == [f.name for f in fields(Rules)]
    kinds = [OptionKind.CHOICE, OptionKind.INT, OptionKind.BOOL, OptionKind.SEAT]
    assert [o.kind for o in CATALOGUE.options] == kinds
    board, pieces, _, first = CATALOGUE.options
    assert [name for name, _ in board.choices] == [b.name.lower() for b in TjauBoard]
    assert (pieces.low, pieces.high) == (1, 7)
    assert [name for name, _ in first.choices] == [Drawn.CHANCE.name.lower()]


def test_every_text_is_there_in_both_languages() -> None:
    for text in texts():
        assert text.en.isascii()
        assert text.en.strip()
        assert any("\u0600" <= letter <= "\u06ff" for letter in text.ar)
        assert not set(text.ar) & set("\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069")
        assert not any("a" <= letter <= "z" for letter in text.ar.replace("{cell}", ""))


def test_both_languages_fill_in_the_same_fields() -> None:
    for text in texts():
        english = [name for _, name, _, _ in Formatter().parse(text.en) if name]
        arabic = [name for _, name, _, _ in Formatter().parse(text.ar) if name]
        assert english == arabic
        assert set(english) <= {"seat", "cell", "clause"}
