"""The package as a game among games: the protocol, the catalogue, the texts."""

import ast
from dataclasses import fields
from pathlib import Path
from string import Formatter

import pytest

from hakam.games import jackaroo
from hakam.games.game import Drawn, Game, OptionKind, Text
from hakam.games.jackaroo.moves import Move
from hakam.games.jackaroo.rules import Rules
from hakam.games.jackaroo.state import Setup, State
from hakam.games.jackaroo.view import View
from hakam.games.options import choices
from hakam.games.reasons import Reason

GAME: Game[Rules, Setup, State, Move, View] = jackaroo
SOURCE = Path(str(jackaroo.__file__)).parent


def test_the_package_offers_the_protocol_and_nothing_else() -> None:
    names = {name for name in dir(Game) if not name.startswith("_")}
    assert set(jackaroo.__all__) == names
    assert all(callable(getattr(jackaroo, name)) for name in names - {"CATALOGUE"})


def test_identity() -> None:
    assert (GAME.CATALOGUE.id, GAME.CATALOGUE.revision) == ("jackaroo", 1)
    assert list(GAME.CATALOGUE.rule_sets) == list(GAME.CATALOGUE.rule_set_texts)
    assert list(GAME.CATALOGUE.rule_sets) == ["karoti", "bordaga"]
    for name, rules in GAME.CATALOGUE.rule_sets.items():
        assert rules.rule_set == name
        assert GAME.rules_faults(rules) == ()


@pytest.mark.clause("J9.1")
def test_the_options_are_the_fields_of_the_rules_in_the_order_of_the_page() -> None:
    names = [field.name for field in fields(Rules)]
    assert ["rule_set", *[option.name for option in jackaroo.CATALOGUE.options]] == names
    rules = jackaroo.CATALOGUE.rule_sets["karoti"]
    for option in jackaroo.CATALOGUE.options:
        value = getattr(rules, option.name)
        if option.kind in (OptionKind.CHOICE, OptionKind.SEAT):
            known = choices(jackaroo.CATALOGUE, option)
            assert value in known.values()
            wanted = [m for m in type(value) if m is not Drawn.SEVEN_OF_HEARTS]
            assert list(known.values()) == wanted
            assert [choice.value for choice in known.values()] == list(range(1, len(known) + 1))


def texts() -> list[Text]:
    found = [jackaroo.CATALOGUE.name, *jackaroo.CATALOGUE.rule_set_texts.values()]
    for option in jackaroo.CATALOGUE.options:
        found += [option.text, *[text for _, text in option.choices]]
    return found + list(jackaroo.CATALOGUE.reasons.values())


def test_every_text_is_there_in_both_languages() -> None:
    for text in texts():
        assert text.en.isascii()
        assert any("\u0600" <= letter <= "\u06ff" for letter in text.ar)
        assert not set(text.ar) & set("\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069")


def test_every_refusal_has_a_text_with_known_places() -> None:
    tree = ast.parse((SOURCE / "refusal.py").read_text("utf-8"))
    ground = ast.parse((SOURCE / "ground.py").read_text("utf-8"))
    used = {
        node.attr
        for node in (*ast.walk(tree), *ast.walk(ground))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "Reason"
    }
    assert {reason.name for reason in jackaroo.CATALOGUE.reasons} == used
    for reason, text in jackaroo.CATALOGUE.reasons.items():
        assert reason in Reason
        places = [
            {name for _, name, _, _ in Formatter().parse(t) if name} for t in (text.en, text.ar)
        ]
        assert places[0] == places[1] <= {"seat", "marble", "cell", "card", "clause"}
