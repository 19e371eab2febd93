"""The derivation of chance: the test vectors, every law of it, and that it is uniform."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest

from hakam import chance
from hakam.games.game import ChanceDue, ChanceKind

TOP = Path(__file__).parents[1]
VECTORS: dict[str, Any] = json.loads((TOP / "tests/vectors/chance.json").read_text("ascii"))
PAGE = (TOP / "docs/fairness.md").read_text("utf-8")

THROW = ChanceDue(ChanceKind.THROW, seats=2, asked_by=0)
RULES = b"game=tjau revision=1 rule_set=ur board=ur pieces=7 mark_protects=true first=0"
SEED = bytes(range(32))
KEY = chance.game_key(SEED, RULES, [])


def deal(deck: Sequence[int]) -> ChanceDue:
    return ChanceDue(ChanceKind.DEAL, seats=4, per_seat=len(deck) // 4, deck=tuple(deck))


def test_the_vectors_are_of_this_version() -> None:
    assert VECTORS["chance_version"] == chance.CHANCE_VERSION == 1


@pytest.mark.parametrize("vector", VECTORS["commitments"])
def test_commitments(vector: dict[str, Any]) -> None:
    assert chance.commitment(bytes.fromhex(vector["seed"])).hex() == vector["commitment"]


@pytest.mark.parametrize("vector", VECTORS["keys"])
def test_keys(vector: dict[str, Any]) -> None:
    entropy = [bytes.fromhex(part) for part in vector["entropy"]]
    rules = vector["rules"].encode("ascii")
    assert chance.game_key(bytes.fromhex(vector["seed"]), rules, entropy).hex() == vector["key"]


@pytest.mark.parametrize("vector", VECTORS["streams"])
def test_streams(vector: dict[str, Any]) -> None:
    stream = chance.words(bytes.fromhex(vector["key"]), vector["event"])
    words = [next(stream) for _ in vector["words"]]
    assert words == vector["words"]
    assert b"".join(word.to_bytes(4, "big") for word in words).hex() == "".join(vector["blocks"])


@pytest.mark.parametrize("vector", VECTORS["draws"])
def test_throws_and_seats(vector: dict[str, Any]) -> None:
    due = ChanceDue(ChanceKind[vector["kind"].upper()], seats=vector.get("seats", 2))
    key, first = bytes.fromhex(vector["key"]), vector["first_event"]
    drawn = [chance.draw(key, first + i, due) for i in range(len(vector["outcomes"]))]
    assert drawn == vector["outcomes"]


@pytest.mark.parametrize("vector", VECTORS["shuffles"])
def test_shuffles(vector: dict[str, Any]) -> None:
    key = bytes.fromhex(vector["key"])
    assert chance.draw(key, vector["event"], deal(vector["deck"])) == tuple(vector["outcome"])


@pytest.mark.parametrize("vector", VECTORS["below"])
def test_words_beyond_the_greatest_multiple_are_passed_over(vector: dict[str, Any]) -> None:
    stream = iter(vector["words"])
    assert chance.below(stream, vector["bound"]) == vector["value"]
    assert list(stream) == []


def test_the_vectors_have_rejections_and_words_that_just_pass() -> None:
    for vector in VECTORS["below"]:
        bound, words = vector["bound"], vector["words"]
        limit = bound * (2**32 // bound)
        assert all(word >= limit for word in words[:-1])
        assert words[-1] < limit
    assert {len(vector["words"]) for vector in VECTORS["below"]} >= {1, 2, 5}


def test_a_shuffle_passes_over_words_too_and_takes_no_more_than_it_needs() -> None:
    # For the third card 4294967295 is no multiple's; then 2 and 0 swap, 1 stays.
    stream = iter([2**32 - 1, 3, 1, 99])
    assert chance.shuffled(stream, "abc") == ("c", "b", "a")
    assert list(stream) == [99]


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33), bytes(64)])
def test_a_seed_of_another_length_is_refused(seed: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        chance.commitment(seed)
    with pytest.raises(ValueError, match="32 bytes"):
        chance.game_key(seed, RULES, [])


def test_no_two_games_have_one_key() -> None:
    other = bytes(32)
    keys = [
        chance.game_key(SEED, RULES, []),
        chance.game_key(other, RULES, []),
        chance.game_key(SEED, RULES + b" ", []),
        chance.game_key(SEED, RULES, [b""]),
        chance.game_key(SEED, RULES, [b"", b""]),
        chance.game_key(SEED, RULES, [b"ab"]),
        chance.game_key(SEED, RULES, [b"a", b"b"]),
        chance.game_key(SEED, RULES, [b"b", b"a"]),
        chance.game_key(SEED, RULES + b"\0\0\0\1a", [b"b"]),
        chance.game_key(SEED, RULES + b"\0\0\0\1a\0\0\0\1b", []),
    ]
    assert len(set(keys)) == len(keys)
    assert {len(key) for key in keys} == {32}


def test_events_and_blocks_never_share_words() -> None:
    seen: list[int] = []
    for event in (0, 1, 2, 256, 2**32 - 1):
        stream = chance.words(KEY, event)
        seen += [next(stream) for _ in range(64)]
    assert len(set(seen)) == len(seen)


def test_an_event_depends_on_no_other_event() -> None:
    forwards = [chance.draw(KEY, event, THROW) for event in range(50)]
    backwards = [chance.draw(KEY, event, THROW) for event in reversed(range(50))]
    assert forwards == backwards[::-1]


def test_a_deal_keeps_the_cards_and_leaves_the_deck_alone() -> None:
    deck = tuple(range(1, 53))
    due = deal(deck)
    drawn = chance.draw(KEY, 0, due)
    assert isinstance(drawn, tuple)
    assert drawn != deck
    assert sorted(drawn) == list(deck) == list(due.deck)


def chi_square(counts: Sequence[int], expected: Sequence[float]) -> float:
    return sum((n - e) ** 2 / e for n, e in zip(counts, expected, strict=True))


def assert_plausible(statistic: float, freedom: int) -> None:
    """Within five standard deviations of what chance gives, on both sides."""
    assert abs(statistic - freedom) < 5 * (2 * freedom) ** 0.5


def test_throws_fall_as_four_fair_sticks_do() -> None:
    thrown = Counter(chance.draw(KEY, event, THROW) for event in range(32_000))
    expected = [2000.0, 8000.0, 12000.0, 8000.0, 2000.0]
    assert_plausible(chi_square([thrown[k] for k in range(5)], expected), 4)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_every_seat_is_equally_likely(seats: int) -> None:
    due = ChanceDue(ChanceKind.SEAT, seats=seats)
    drawn = Counter(chance.draw(KEY, event, due) for event in range(12_000))
    assert set(drawn) == set(range(seats))
    counts = [drawn[seat] for seat in range(seats)]
    assert_plausible(chi_square(counts, [12_000 / seats] * seats), seats - 1)


def test_every_order_of_a_small_deck_is_equally_likely() -> None:
    due = deal((1, 2, 3, 4))
    drawn = Counter(chance.draw(KEY, event, due) for event in range(24_000))
    counts = [drawn[order] for order in permutations((1, 2, 3, 4))]
    assert sum(counts) == 24_000
    assert_plausible(chi_square(counts, [1000.0] * 24), 23)


def test_every_card_is_equally_likely_in_every_place() -> None:
    due, places = deal(range(1, 53)), Counter[tuple[int, int]]()
    for event in range(3000):
        order = chance.draw(KEY, event, due)
        assert isinstance(order, tuple)
        places.update(enumerate(order))
    counts = [places[place, card] for place in range(52) for card in range(1, 53)]
    assert_plausible(chi_square(counts, [3000 / 52] * len(counts)), 51 * 51)


def test_throws_that_follow_each_other_are_independent() -> None:
    thrown = [chance.draw(KEY, event, THROW) for event in range(32_001)]
    pairs = Counter(pairwise(thrown))
    chances = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]
    counts = [pairs[a, b] for a in range(5) for b in range(5)]
    expected = [32_000 * p * q for p in chances for q in chances]
    assert_plausible(chi_square(counts, expected), 24)


def test_the_page_shows_vectors_of_the_file() -> None:
    known = {vector["commitment"] for vector in VECTORS["commitments"]}
    known |= {vector["seed"] for vector in VECTORS["commitments"]}
    known |= {vector["key"] for vector in VECTORS["keys"]}
    known |= {block for vector in VECTORS["streams"] for block in vector["blocks"]}
    shown = re.findall(r"\b[0-9a-f]{64}\b", PAGE)
    assert len(shown) >= 5
    assert set(shown) <= known
    assert all(f"`{vector['rules']}`" in PAGE for vector in VECTORS["keys"][:1])


def test_the_verifier_on_the_page_finds_the_vectors() -> None:
    (listing,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(listing, "docs/fairness.md", "exec"), names)  # noqa: S102 - our own page
    for vector in VECTORS["commitments"]:
        assert names["commitment"](bytes.fromhex(vector["seed"])).hex() == vector["commitment"]
    for vector in VECTORS["keys"]:
        entropy = [bytes.fromhex(part) for part in vector["entropy"]]
        key = names["game_key"](bytes.fromhex(vector["seed"]), vector["rules"], entropy)
        assert key.hex() == vector["key"]
    for vector in VECTORS["draws"]:
        key = bytes.fromhex(vector["key"])
        for i, outcome in enumerate(vector["outcomes"]):
            event = vector["first_event"] + i
            if vector["kind"] == "throw":
                assert names["throw"](key, event) == outcome
            else:
                assert names["seat"](key, event, vector["seats"]) == outcome
    for vector in VECTORS["shuffles"]:
        key = bytes.fromhex(vector["key"])
        assert names["shuffle"](key, vector["event"], vector["deck"]) == vector["outcome"]


def test_the_public_names_are_all_there() -> None:
    assert all(hasattr(chance, name) for name in chance.__all__)
