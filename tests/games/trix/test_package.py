"""The package as a `Game`: its protocol, its catalogue and its texts."""

from dataclasses import fields
from string import Formatter

import pytest

from hakam.games import trix
from hakam.games.game import Drawn, Game, OptionKind, Text
from hakam.games.reasons import Reason
from hakam.games.trix.contracts import (
    CARD_POINTS,
    CONTRACTS,
    DOUBLABLE,
    GRAIN,
    QUEENS_FACE_UP,
    TOTAL,
    TRICK_POINTS,
    Contract,
    KingdomForm,
)
from hakam.games.trix.moves import Move
from hakam.games.trix.rules import RULE_SETS, Doubling, Rules
from hakam.games.trix.state import Phase, Setup, State
from hakam.games.trix.view import View
from tests.loosened import loosened

GAME: Game[Rules, Setup, State, Move, View] = trix
CATALOGUE = trix.CATALOGUE
STANDARD = RULE_SETS["standard"]


def texts() -> list[Text]:
    options = [o.text for o in CATALOGUE.options]
    choices = [text for o in CATALOGUE.options for _, text in o.choices]
    named = [CATALOGUE.name, *CATALOGUE.rule_set_texts.values(), *CATALOGUE.reasons.values()]
    return [*named, *options, *choices]


def test_the_package_exports_what_a_game_must_have() -> None:
    wanted = {name for name in vars(Game) if not name.startswith("_")}
    assert set(trix.__all__) == wanted
    assert GAME.seats(STANDARD) == 4
    assert (CATALOGUE.id, CATALOGUE.revision) == ("trix", 1)


@pytest.mark.clause("T8.1", "T9.1", "T9.2", "T9.7")
def test_the_rule_sets_are_presets_of_the_options() -> None:
    assert list(RULE_SETS) == ["standard", "partners", "complex", "complex_partners"]
    assert list(CATALOGUE.rule_set_texts) == list(RULE_SETS)
    for name, rules in RULE_SETS.items():
        assert rules.rule_set == name
        assert rules.doubling is Doubling.OPTIONAL
        assert rules.play_out is False
        assert rules.first_owner is Drawn.SEVEN_OF_HEARTS
        assert rules.partnership == ("partners" in name)
        form = KingdomForm.TWO_DEALS if "complex" in name else KingdomForm.FIVE_DEALS
        assert rules.kingdom_form is form
        assert trix.rules_faults(rules) == ()


@pytest.mark.clause("T8.1")
def test_the_options_are_the_fields_of_the_rules_in_order() -> None:
    assert [o.name for o in CATALOGUE.options] == [f.name for f in fields(Rules)][1:]
    kinds = {o.name: o.kind for o in CATALOGUE.options}
    assert kinds == {
        "doubling": OptionKind.CHOICE,
        "play_out": OptionKind.BOOL,
        "first_owner": OptionKind.SEAT,
        "partnership": OptionKind.BOOL,
        "kingdom_form": OptionKind.CHOICE,
    }
    choices = {o.name: [name for name, _ in o.choices] for o in CATALOGUE.options}
    assert choices["doubling"] == [d.name.lower() for d in Doubling]
    assert choices["kingdom_form"] == [f.name.lower() for f in KingdomForm]
    assert choices["first_owner"] == ["seven_of_hearts"]


@pytest.mark.clause("T8.1")
@pytest.mark.parametrize(
    ("changes", "path", "reason"),
    [
        ({"rule_set": "kingdom"}, "rule_set", Reason.VALUE_UNKNOWN),
        ({"doubling": 0}, "doubling", Reason.VALUE_UNKNOWN),
        ({"doubling": 3}, "doubling", Reason.VALUE_UNKNOWN),
        ({"first_owner": 4}, "first_owner", Reason.VALUE_OUT_OF_RANGE),
        ({"first_owner": -1}, "first_owner", Reason.VALUE_OUT_OF_RANGE),
        ({"first_owner": Drawn.CHANCE}, "first_owner", Reason.VALUE_OUT_OF_RANGE),
        ({"kingdom_form": 0}, "kingdom_form", Reason.VALUE_UNKNOWN),
    ],
)
def test_options_out_of_range_are_faults(
    changes: dict[str, object], path: str, reason: Reason
) -> None:
    (fault,) = trix.rules_faults(loosened(STANDARD, **changes))
    assert (fault.path, fault.reason) == (path, reason)
    assert fault.allowed


def test_all_faults_of_rules_are_named_at_once() -> None:
    wild = loosened(STANDARD, rule_set="", doubling=9, first_owner=9, kingdom_form=9)
    assert [f.path for f in trix.rules_faults(wild)] == [
        "rule_set",
        "doubling",
        "first_owner",
        "kingdom_form",
    ]


def test_every_text_is_there_in_both_languages() -> None:
    for text in texts():
        assert text.en.strip() == text.en != ""
        assert text.ar.strip() == text.ar != ""
        assert text.en.isascii()
        assert any("\u0600" <= letter <= "\u06ff" for letter in text.ar)
        assert not set(text.ar) & {*"\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2069"}


def test_both_languages_of_a_refusal_have_the_same_places() -> None:
    for text in CATALOGUE.reasons.values():
        places = [
            [name for _, name, _, _ in Formatter().parse(t) if name] for t in (text.en, text.ar)
        ]
        assert sorted(places[0]) == sorted(places[1])
        assert {*places[0]} <= {"card"}


def test_the_tables_of_the_contracts_are_complete() -> None:
    for table in (CARD_POINTS, TRICK_POINTS, DOUBLABLE, QUEENS_FACE_UP, TOTAL, GRAIN):
        assert len(table) == len(Contract) + 1
    assert [TOTAL[c] for c in Contract] == [-75, -195, -100, -130, 500, -500]
    for contract in set(Contract) - {Contract.TRIX}:
        assert sum(CARD_POINTS[contract]) + 13 * TRICK_POINTS[contract] == TOTAL[contract]
    assert CONTRACTS[KingdomForm.FIVE_DEALS] == tuple(set(Contract) - {Contract.COMPLEX})
    assert CONTRACTS[KingdomForm.TWO_DEALS] == (Contract.TRIX, Contract.COMPLEX)
    for form in KingdomForm:
        assert sum(TOTAL[c] for c in CONTRACTS[form]) == 0


def test_the_phases_are_numbered_as_on_the_wire() -> None:
    assert [(p.name, p.value) for p in Phase] == [
        ("DEAL", 1),
        ("CONTRACT", 2),
        ("DOUBLE", 3),
        ("PLAY", 4),
        ("OVER", 5),
    ]
