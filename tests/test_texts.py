import re
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache
from itertools import product
from random import Random
from string import Formatter
from typing import Any

import pytest

from hakam import texts
from hakam.games import cards
from hakam.games.game import Catalogue, Text, Violation
from hakam.games.reasons import Reason
from hakam.games.registry import GAMES
from hakam.referee import SUPPLIED, AnyGame
from hakam.texts import Language, isolated, sentence, violation_text
from hakam.v1 import language_pb2
from tests.random_play import VARIANTS, play

ISOLATE, POP = "\u2066", "\u2069"
BIDI_CONTROLS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
PLACEHOLDERS = {"seat", "marble", "cell", "card", "clause"}
ARABIC = re.compile(r"[\u0621-\u064a]")
LATIN = re.compile(r"[A-Za-z]")
# Numbers that no rule knows, among those that some do.
WILD = (-(2**31), -1, 0, 1, 2, 3, 4, 5, 7, 12, 13, 24, 40, 52, 53, 54, 2**31 - 1)

catalogues = pytest.mark.parametrize(
    "catalogue", [game.CATALOGUE for game in GAMES.values()], ids=list(GAMES)
)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def all_texts(catalogue: Catalogue[Any]) -> Iterator[Text]:
    yield catalogue.name
    yield from catalogue.rule_set_texts.values()
    yield from catalogue.reasons.values()
    for option in catalogue.options:
        yield option.text
        yield from (text for _, text in option.choices)


def wild_moves(random: Random, moves: tuple[Any, ...]) -> Iterator[Any]:
    """Legal and illegal moves of the kinds given, some with numbers that cannot be."""
    for move in moves:
        names = [f.name for f in fields(move) if isinstance(getattr(move, f.name), int)]
        yield move
        for _ in range(3):
            changed = random.sample(names, random.randint(1, len(names))) if names else []
            yield replace(move, **{name: random.choice(WILD) for name in changed})


@cache
def violations(name: str) -> tuple[Violation, ...]:
    """What many moves of many random positions of a game are refused for."""
    return tuple(random_violations(GAMES[name]))


def random_violations(game: AnyGame) -> Iterator[Violation]:
    random = Random(41)
    for one, rules in VARIANTS:
        if one is not game:
            continue
        played = play(game, rules, SUPPLIED, random)
        sampled = random.sample(played.states, min(10, len(played.states)))
        every = {
            repr(move): move
            for state in sampled
            for move in game.legal_moves(rules, state.position)
        }
        some = tuple(random.sample(list(every.values()), min(40, len(every))))
        for state in (*sampled, played.end):
            for move in wild_moves(random, some):
                refused = game.violation(rules, state.position, move)
                if refused is not None:
                    yield refused


def test_every_reason_that_no_game_words_has_a_sentence_in_both_languages() -> None:
    worded = {reason for game in GAMES.values() for reason in game.CATALOGUE.reasons}
    for reason in Reason:
        if reason in texts._REASONS:
            assert sentence(reason, Language.EN)
            assert sentence(reason, Language.AR)
        else:
            assert reason in worded or is_of_a_game_to_come(reason)


def is_of_a_game_to_come(reason: Reason) -> bool:
    """Reasons of games that are not registered yet have their words in their own packages."""
    return len(GAMES) < 3 and list(Reason).index(reason) < list(Reason).index(
        Reason.CREDENTIAL_MISSING
    )


def test_the_sentences_are_in_their_languages() -> None:
    for reason, text in texts._REASONS.items():
        assert LATIN.search(text.en), reason
        assert not ARABIC.search(text.en), reason
        assert ARABIC.search(text.ar), reason
        assert not LATIN.search(re.sub(r"\{\w+\}", "", text.ar)), reason


@catalogues
def test_the_texts_of_a_game_are_in_their_languages(catalogue: Catalogue[Any]) -> None:
    for text in all_texts(catalogue):
        assert LATIN.search(text.en), text
        assert not ARABIC.search(text.en), text
        assert ARABIC.search(text.ar), text
        assert text.en == text.en.strip()
        assert text.ar == text.ar.strip()


@catalogues
def test_no_text_is_written_with_bidi_controls(catalogue: Catalogue[Any]) -> None:
    for text in (*all_texts(catalogue), *texts._REASONS.values()):
        assert not set(text.en + text.ar) & set(BIDI_CONTROLS), text


@catalogues
def test_both_languages_fill_in_the_same_values(catalogue: Catalogue[Any]) -> None:
    for text in (*catalogue.reasons.values(), *texts._REASONS.values()):
        assert placeholders(text.en) <= PLACEHOLDERS, text
        assert placeholders(text.en) == placeholders(text.ar), text


@pytest.mark.parametrize("name", GAMES)
def test_no_refusal_of_a_game_leaves_a_gap_in_its_sentence(name: str) -> None:
    game = GAMES[name]
    seen: set[Reason] = set()
    for refused in violations(name):
        text = game.CATALOGUE.reasons[refused.reason]
        empty = {name for name in PLACEHOLDERS if getattr(refused, name) is None}
        assert not placeholders(text.en) & empty, refused
        for language in Language:
            said = violation_text(game.CATALOGUE, refused, language)
            assert said
            assert "{" not in said
        seen.add(refused.reason)
    assert len(seen) > 3


@pytest.mark.parametrize("name", GAMES)
def test_every_refusal_of_the_rules_names_its_clause(name: str) -> None:
    for refused in violations(name):
        assert re.fullmatch(r"[A-Z]\d+\.\w+", refused.clause), refused


def test_values_are_isolated_in_arabic_and_plain_in_english() -> None:
    tjau = GAMES["tjau"].CATALOGUE
    refused = Violation(Reason.MARK_PROTECTS, "W3.5", seat=1, cell=8)
    arabic = violation_text(tjau, refused, Language.AR)
    assert f"{ISOLATE}8{POP}" in arabic
    assert arabic.count(ISOLATE) == arabic.count(POP) == 1
    english = violation_text(tjau, refused, Language.EN)
    assert english == "The piece on square 8 stands on a mark, which protects it."


def test_a_card_is_named_and_isolated() -> None:
    tjau = GAMES["tjau"].CATALOGUE
    refused = Violation(Reason.CARD_NOT_IN_HAND, "T2.1", card=cards.read_card("TH"))
    assert violation_text(tjau, refused, Language.EN) == "The card TH is not in the hand."
    assert isolated("TH") in violation_text(tjau, refused, Language.AR)


@pytest.mark.parametrize("wild", [-(2**31), -1, 0, 54, 99, 2**31 - 1])
def test_a_card_that_does_not_exist_is_not_named(wild: int) -> None:
    tjau = GAMES["tjau"].CATALOGUE
    refused = Violation(Reason.CARD_NOT_IN_HAND, "T2.1", card=wild)
    assert violation_text(tjau, refused, Language.EN) == "The card ? is not in the hand."


def test_every_shared_reason_can_be_said_of_every_game() -> None:
    for game, (reason, text), language in product(GAMES.values(), texts._REASONS.items(), Language):
        if not placeholders(text.en):
            assert violation_text(game.CATALOGUE, Violation(reason, ""), language)


def test_languages_are_numbered_as_on_the_wire() -> None:
    wire = {name.removeprefix("LANGUAGE_"): n for name, n in language_pb2.Language.items() if n}
    assert wire == {language.name: language.value for language in Language}
