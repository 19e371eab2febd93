from dataclasses import fields, replace
from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hakam.games.game import Drawn, Option, OptionKind
from hakam.games.options import choices, option_text, option_value, rules_text
from hakam.games.registry import GAMES
from hakam.referee import AnyGame
from tests.random_play import RULE_SETS, VARIANTS, case_ids

# A seed is bound to these bytes: a line may be added, none may change within a revision.
TEXTS = {
    "tjau": [
        "game=tjau revision=1 rule_set=egyptian board=egyptian pieces=7 mark_protects=true first=0",
        "game=tjau revision=1 rule_set=babylon board=egyptian pieces=5 mark_protects=true first=0",
        (
            "game=tjau revision=1 rule_set=throw_only board=egyptian pieces=7 mark_protects=false"
            " first=0"
        ),
        "game=tjau revision=1 rule_set=ur board=ur pieces=7 mark_protects=true first=0",
    ],
    "trix": [
        (
            "game=trix revision=1 rule_set=standard doubling=optional play_out=false"
            " first_owner=seven_of_hearts partnership=false kingdom_form=five_deals"
        ),
        (
            "game=trix revision=1 rule_set=partners doubling=optional play_out=false"
            " first_owner=seven_of_hearts partnership=true kingdom_form=five_deals"
        ),
        (
            "game=trix revision=1 rule_set=complex doubling=optional play_out=false"
            " first_owner=seven_of_hearts partnership=false kingdom_form=two_deals"
        ),
        (
            "game=trix revision=1 rule_set=complex_partners doubling=optional play_out=false"
            " first_owner=seven_of_hearts partnership=true kingdom_form=two_deals"
        ),
    ],
    "jackaroo": [
        (
            "game=jackaroo revision=1 rule_set=karoti seats=4 dealer=chance deal=4,4,5"
            " cells_per_seat=19 entrance_distance=2 exit_with_jack=false burn=any ten=skip_blind"
            " jack=swap_own queen=plain joker=none"
        ),
        (
            "game=jackaroo revision=1 rule_set=bordaga seats=4 dealer=chance deal=13"
            " cells_per_seat=19 entrance_distance=2 exit_with_jack=false burn=special_first"
            " ten=skip_choice jack=black_swap_any queen=take joker=none"
        ),
    ],
}

OPTIONS = [(game, option) for game in GAMES.values() for option in game.CATALOGUE.options]
every_option = pytest.mark.parametrize(
    ("game", "option"), OPTIONS, ids=[f"{g.CATALOGUE.id}-{o.name}" for g, o in OPTIONS]
)
every_variant = pytest.mark.parametrize(("game", "rules"), VARIANTS, ids=case_ids(VARIANTS))


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_canonical_text_of_every_rule_set_is_pinned(game: AnyGame) -> None:
    rule_sets = game.CATALOGUE.rule_sets.values()
    texts = [rules_text(game.CATALOGUE, rules) for rules in rule_sets]
    assert texts == TEXTS[game.CATALOGUE.id]


@every_variant
def test_every_option_comes_back_from_its_text(game: AnyGame, rules: Any) -> None:
    for option in game.CATALOGUE.options:
        value = getattr(rules, option.name)
        read = option_value(game.CATALOGUE, option, option_text(value))
        assert read == value
        assert type(read) is type(value)


@every_variant
def test_the_canonical_text_tells_rules_apart_and_can_be_read(game: AnyGame, rules: Any) -> None:
    text = rules_text(game.CATALOGUE, rules)
    assert text.isascii()
    words = dict(word.split("=") for word in text.split(" "))
    assert list(words)[:3] == ["game", "revision", "rule_set"]
    read = game.CATALOGUE.rule_sets[words["rule_set"]]
    for option in game.CATALOGUE.options:
        value = option_value(game.CATALOGUE, option, words[option.name])
        read = replace(read, **{option.name: value})
    assert repr(read) == repr(rules)


def test_no_two_rules_have_one_canonical_text() -> None:
    texts = {rules_text(game.CATALOGUE, rules) for game, rules in VARIANTS}
    assert len(texts) == len({repr((game.CATALOGUE.id, rules)) for game, rules in VARIANTS})


@every_option
@given(text=st.text(max_size=12) | st.text(alphabet="0123456789,-+_ truefals", max_size=8))
def test_a_text_is_the_canonical_one_of_its_value_or_none_at_all(
    game: AnyGame, option: Option, text: str
) -> None:
    value = option_value(game.CATALOGUE, option, text)
    assert value is None or option_text(value) == text


@every_option
@pytest.mark.parametrize(
    "text", ["", " ", "01", "00", "+1", "-1", "1.0", "1_0", "٣", "True", "1,", ",1", "unspecified"]
)
def test_a_text_that_is_no_value_gives_none(game: AnyGame, option: Option, text: str) -> None:
    assert option_value(game.CATALOGUE, option, text) is None


@every_option
def test_choices_have_the_names_and_the_order_of_the_catalogue(
    game: AnyGame, option: Option
) -> None:
    known = choices(game.CATALOGUE, option)
    assert list(known) == [name for name, _ in option.choices]
    assert all(isinstance(choice, IntEnum | Drawn) for choice in known.values())
    assert all(option_text(choice) == name for name, choice in known.items())
    if option.kind is OptionKind.CHOICE:
        assert [choice.value for choice in known.values()] == list(range(1, len(known) + 1))


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_catalogue_lists_every_option_of_the_rules_once(game: AnyGame) -> None:
    for rules in game.CATALOGUE.rule_sets.values():
        names = [field.name for field in fields(rules)]
        assert sorted(names) == sorted(["rule_set", *(o.name for o in game.CATALOGUE.options)])


@pytest.mark.parametrize(("game", "rules"), RULE_SETS, ids=case_ids(RULE_SETS))
def test_a_rule_set_is_known_by_its_name_and_has_no_fault(game: AnyGame, rules: Any) -> None:
    assert game.CATALOGUE.rule_sets[rules.rule_set] == rules
    assert game.rules_faults(rules) == ()
    assert list(game.CATALOGUE.rule_sets) == list(game.CATALOGUE.rule_set_texts)


def accepted(game: AnyGame, option: Option, value: Any) -> bool:
    """Whether any rules take the value."""
    return any(
        not game.rules_faults(replace(rules, **{option.name: value}))
        for one, rules in VARIANTS
        if one is game
    )


@every_option
def test_the_range_that_the_catalogue_gives_is_the_one_that_rules_have(
    game: AnyGame, option: Option
) -> None:
    if option.kind in (OptionKind.INT, OptionKind.SEAT):
        assert accepted(game, option, option.low)
        assert accepted(game, option, option.high)
        assert not accepted(game, option, option.low - 1)
        assert not accepted(game, option, option.high + 1)
    if option.kind is OptionKind.INT_LIST:
        assert accepted(game, option, (option.low,))
        assert accepted(game, option, (option.high,))
        assert accepted(game, option, (option.low,) * option.max_items)
        assert not accepted(game, option, (option.low - 1,))
        assert not accepted(game, option, (option.high + 1,))
        assert not accepted(game, option, (option.low,) * (option.max_items + 1))
