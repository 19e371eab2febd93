"""What holds in every state of every game, under options that cover every pair of choices."""

import random
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hakam.games import jackaroo
from hakam.games.cards import DECK, JOKER
from hakam.games.game import ChanceKind, Drawn, GameOver
from hakam.games.jackaroo.events import Captured, CardLost, Dealt, Event
from hakam.games.jackaroo.moves import BringOut, Burn, Hit, Move, Split, Step, Swap, Take
from hakam.games.jackaroo.powers import powers
from hakam.games.jackaroo.rules import Burn as BurnOption
from hakam.games.jackaroo.rules import Jack, Joker, Queen, Rules, Ten, deck, with_options
from hakam.games.jackaroo.state import Phase, State

PRESETS = [
    with_options("karoti", {}),
    with_options("bordaga", {}),
    with_options("bordaga", {"seats": 6}),
]
FACTORS: dict[str, tuple[Any, ...]] = {
    "seats": (4, 6),
    "dealer": (Drawn.CHANCE, 0, 3),
    "deal": ((4, 4), (8,), (1,), (1, 2, 5)),
    "cells_per_seat": (10, 19, 40),
    "entrance_distance": (1, 2, 4),
    "exit_with_jack": (False, True),
    "burn": tuple(BurnOption),
    "ten": tuple(Ten),
    "jack": tuple(Jack),
    "queen": tuple(Queen),
    "joker": tuple(Joker),
}
Pair = tuple[tuple[str, Any], tuple[str, Any]]


def pairs_of(row: dict[str, Any]) -> set[Pair]:
    return set(combinations(row.items(), 2))


def every_pair() -> set[Pair]:
    return {
        ((a, x), (b, y))
        for a, b in combinations(FACTORS, 2)
        for x, y in product(FACTORS[a], FACTORS[b])
    }


def covering() -> list[Rules]:
    """Rows that hold every pair of choices, each the best of some random ones."""
    rng = random.Random(2)
    missing = every_pair()
    rows: list[Rules] = []
    while missing:
        (a, x), (b, y) = min(missing, key=repr)
        tries = [
            {name: rng.choice(choices) for name, choices in FACTORS.items()} | {a: x, b: y}
            for _ in range(40)
        ]
        best = max(tries, key=lambda row: len(pairs_of(row) & missing))
        missing -= pairs_of(best)
        rows.append(Rules(rule_set="karoti" if best["seats"] == 4 else "bordaga", **best))
    return rows


COVER = covering()
ALL = [*PRESETS, *COVER]


def name_of(rules: Rules) -> str:
    return f"{rules.rule_set}{rules.seats}-{ALL.index(rules)}"


EVERY = pytest.mark.parametrize("rules", ALL, ids=name_of)


def drawn(rules: Rules, state: State, rng: random.Random) -> tuple[State, tuple[Event, ...]]:
    due = jackaroo.chance_due(rules, state)
    assert due is not None
    if due.kind is ChanceKind.SEAT:
        return jackaroo.resolve(rules, state, rng.randrange(due.seats))
    return jackaroo.resolve(rules, state, tuple(rng.sample(due.deck, 52)))


def game(rules: Rules, rng: random.Random, plies: int) -> Iterator[State]:
    """Every state of random play; a new game follows one that is over."""
    state = jackaroo.initial(rules)
    for _ in range(plies):
        yield state
        if state.phase is Phase.OVER:
            state = jackaroo.initial(rules)
        elif state.to_act is None:
            state = drawn(rules, state, rng)[0]
        else:
            move = rng.choice(jackaroo.legal_moves(rules, state))
            state = jackaroo.apply(rules, state, move)[0]


def test_the_options_cover_every_pair() -> None:
    assert all(jackaroo.rules_faults(rules) == () for rules in ALL)
    held = [{name: getattr(rules, name) for name in FACTORS} for rules in COVER]
    assert set().union(*map(pairs_of, held)) == every_pair()
    assert len(COVER) < 40


@pytest.mark.clause("J2.7", "J2.8")
@EVERY
def test_every_state_is_valid_goes_on_and_comes_back_from_its_notation(rules: Rules) -> None:
    for state in game(rules, random.Random(11), 700):
        setup = jackaroo.setup(rules, state)
        assert jackaroo.validate(rules, setup) == state
        text = jackaroo.write_position(rules, state)
        assert text.isascii()
        assert jackaroo.read_position(rules, text) == setup
        waits = jackaroo.chance_due(rules, state) is not None
        moves = jackaroo.legal_moves(rules, state)
        over = jackaroo.outcome(rules, state) is not None
        assert (waits, bool(moves), over).count(True) == 1
        assert (jackaroo.to_act(rules, state) is None) == (not moves)
        assert len(set(moves)) == len(moves)
        for move in moves:
            assert jackaroo.read_move(rules, jackaroo.write_move(rules, move)) == move


@EVERY
def test_cards_and_marbles_are_conserved_and_moves_do_what_their_events_say(rules: Rules) -> None:
    rng = random.Random(12)
    for state in game(rules, rng, 500):
        if state.to_act is None:
            continue
        move = rng.choice(jackaroo.legal_moves(rules, state))
        before = repr(state)
        after, events = jackaroo.apply(rules, state, move)
        assert repr(state) == before
        assert jackaroo.apply(rules, state, move) == (after, events)
        held = sorted([*after.deck, *after.discard, *(c for hand in after.hands for c in hand)])
        assert held == sorted(deck(rules))
        assert len(set(after.marbles)) == 4 * rules.seats
        for event in events:
            if isinstance(event, Captured):
                assert after.marbles[4 * event.seat + event.marble] == event.to_cell
                assert state.marbles[4 * event.seat + event.marble] != event.to_cell
        foreseen = jackaroo.effects(rules, state, move)
        assert [type(e) for e in foreseen] == [type(e) for e in events if type(e) is not Dealt]
        same = [a == b or isinstance(a, CardLost) for a, b in zip(foreseen, events, strict=False)]
        assert all(same)


def universe(rules: Rules, state: State, rng: random.Random) -> Iterator[Move]:
    """Every naming of every card of the hand, with numbers a little out of range, and some more."""
    assert state.to_act is not None
    hand = state.hands[state.to_act]
    marbles = [*product(range(rules.seats), range(4)), (-1, 0), (rules.seats, 0), (0, 4), (1, -1)]
    others = [card for card in (0, *DECK, JOKER, 99) if card not in hand]
    for card in (*hand, rng.choice(others)):
        faces = [0, rng.choice(DECK), rng.choice(powers(rules).faces)]
        for face in faces if card == JOKER else [0, *faces[1:2]]:
            yield from (BringOut(card, face), Burn(card, face), Hit(card, None, face))
            yield from (kind(card, p, face) for kind in (Hit, Take) for p in range(-1, 15))
            yield from (Step(card, *m, n, face) for m in marbles for n in range(-5, 15))
            pairs = [(rng.choice(marbles), rng.choice(marbles)) for _ in range(60)]
            yield from (Swap(card, *a, *b, face) for a, b in pairs)
            yield from (
                Split(card, *a, n, *b, m, face)
                for a, b in pairs
                for n, m in ((1, 6), (2, 5), (3, 4), (4, 3), (5, 2), (6, 1), (7, 0), (3, 3))
            )


@pytest.mark.clause("J2.7", "J6.1")
@EVERY
def test_the_list_and_the_validator_are_one_truth(rules: Rules) -> None:
    rng = random.Random(13)
    for n, state in enumerate(game(rules, rng, 640)):
        if state.to_act is None:
            continue
        moves = set(jackaroo.legal_moves(rules, state))
        assert all(jackaroo.violation(rules, state, move) is None for move in moves)
        if n % 64:
            continue
        for move in universe(rules, state, rng):
            refusal = jackaroo.violation(rules, state, move)
            assert (refusal is None) == (move in moves), jackaroo.write_position(rules, state)
            if refusal is not None:
                assert refusal.reason in jackaroo.CATALOGUE.reasons
                assert refusal.clause.startswith("J")


wild = st.one_of(st.integers(-2, 60), st.integers(-(2**31), 2**31 - 1))
moves_at_all = st.one_of(
    st.builds(BringOut, wild, wild),
    st.builds(Step, wild, wild, wild, wild, wild),
    st.builds(Split, wild, wild, wild, wild, wild, wild, wild, wild),
    st.builds(Swap, wild, wild, wild, wild, wild, wild),
    st.builds(Hit, wild, st.none() | wild, wild),
    st.builds(Take, wild, wild, wild),
    st.builds(Burn, wild, wild),
)


@given(move=moves_at_all, seed=st.integers(0, 20))
def test_any_move_of_any_numbers_is_judged(move: Move, seed: int) -> None:
    rules = COVER[seed % len(COVER)]
    *_, state = game(rules, random.Random(seed), 30 + seed)
    refusal = jackaroo.violation(rules, state, move)
    assert (refusal is None) == (move in jackaroo.legal_moves(rules, state))


@EVERY
def test_a_marble_in_its_goal_never_leaves_it(rules: Rules) -> None:
    length = rules.cells_per_seat * rules.seats
    before = jackaroo.initial(rules)
    for state in game(rules, random.Random(14), 900):
        if before.phase is not Phase.OVER:
            for old, new in zip(before.marbles, state.marbles, strict=True):
                assert not length <= old < length + 4 * rules.seats or new >= old
        before = state


def play_out(rules: Rules, seed: int, most: int) -> tuple[int, Event]:
    """The moves of a whole random game, and its last event."""
    rng = random.Random(seed)
    state = jackaroo.initial(rules)
    events: tuple[Event, ...] = ()
    for n in range(most):
        if state.phase is Phase.OVER:
            return n, events[-1]
        if state.to_act is None:
            state, events = drawn(rules, state, rng)
        else:
            moves = jackaroo.legal_moves(rules, state)
            state, events = jackaroo.apply(rules, state, moves[int(rng.random() * len(moves))])
    raise AssertionError(f"not over after {most} plies")


@pytest.mark.clause("J1.9")
@EVERY
def test_random_games_end_with_a_winning_team(rules: Rules) -> None:
    for seed in range(2):
        _, last = play_out(rules, seed, 60_000)
        assert isinstance(last, GameOver)
        winners = last.outcome.winners
        assert winners[1] - winners[0] == rules.seats // 2


@pytest.mark.long
@EVERY
def test_many_random_games_end(rules: Rules) -> None:
    for seed in range(10, 22):
        play_out(rules, seed, 100_000)


@pytest.mark.parametrize("rules", PRESETS, ids=name_of)
def test_always_the_first_move_makes_a_game_that_ends(rules: Rules) -> None:
    rng = random.Random(3)
    state = jackaroo.initial(rules)
    for _ in range(20_000):
        if state.phase is Phase.OVER:
            return
        if state.to_act is None:
            state = drawn(rules, state, rng)[0]
        else:
            state = jackaroo.apply(rules, state, jackaroo.legal_moves(rules, state)[0])[0]
    pytest.fail("not over")


def test_states_compare_by_value() -> None:
    one, other = jackaroo.initial(PRESETS[0]), jackaroo.initial(PRESETS[0])
    assert one == other
    assert hash(one) == hash(other)
    assert one != jackaroo.initial(PRESETS[2])
    assert one != "state"
    assert repr(one).startswith("State(")
