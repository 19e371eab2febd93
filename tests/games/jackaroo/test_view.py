"""What a seat may see, and that nothing else reaches it."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from hakam.games import jackaroo
from hakam.games.jackaroo.events import CardLost
from hakam.games.jackaroo.moves import Hit, Move, Take
from hakam.games.jackaroo.rules import Joker, Rules, with_options
from hakam.games.jackaroo.state import Setup, Side, State
from hakam.games.jackaroo.view import SideView, View

KAROTI = with_options("karoti", {})
BORDAGA = with_options("bordaga", {})
SIX = with_options("bordaga", {"seats": 6})


def reached(rules: Rules, seed: int, moves: int) -> Iterator[State]:
    """The states of a random game."""
    rng = random.Random(seed)
    state = jackaroo.initial(rules)
    for _ in range(moves):
        due = jackaroo.chance_due(rules, state)
        if due is not None:
            order = tuple(rng.sample(due.deck, len(due.deck)))
            outcome = order or rng.randrange(rules.seats)
            state = jackaroo.resolve(rules, state, outcome)[0]
            continue
        if state.to_act is None:
            return
        yield state
        state = jackaroo.apply(rules, state, rng.choice(jackaroo.legal_moves(rules, state)))[0]


def redealt(rules: Rules, state: State, seat: int | None, rng: random.Random) -> State:
    """The same table with all that the viewer cannot know dealt anew; sizes stay."""
    setup = jackaroo.setup(rules, state)
    hidden = [c for s, side in enumerate(setup.sides) if s != seat for c in side.hand]
    hidden += setup.deck
    rng.shuffle(hidden)
    sides = []
    for s, side in enumerate(setup.sides):
        taken = side.hand if s == seat else tuple(hidden.pop() for _ in side.hand)
        sides.append(Side(side.marbles, taken))
    other = jackaroo.validate(rules, replace(setup, sides=tuple(sides), deck=tuple(hidden)))
    assert isinstance(other, State), other
    return other


def without_cards_picked(events: tuple[object, ...]) -> tuple[object, ...]:
    """A card picked blind lies face up afterwards: of what was done it is the one thing learned."""
    return tuple(replace(e, card=None) if isinstance(e, CardLost) else e for e in events)


@pytest.mark.clause("J8.1")
def test_a_view_shows_the_table_and_ones_own_hand() -> None:
    state = next(iter(reached(KAROTI, 4, 30)))
    for seat in (0, 1, 2, 3, None):
        seen = jackaroo.view(KAROTI, state, seat)
        own = () if seat is None else state.hands[seat]
        sides = tuple(
            SideView(state.marbles[4 * s : 4 * s + 4], len(state.hands[s])) for s in range(4)
        )
        assert seen == View(
            seat, state.phase, state.dealer, state.to_act, sides, own, 0, 36, state.discard
        )


@pytest.mark.clause("J8.1")
def test_a_hand_keeps_the_order_in_which_it_was_dealt() -> None:
    order = tuple(random.Random(3).sample(range(1, 53), 52))
    rules = replace(KAROTI, dealer=3)
    state = jackaroo.resolve(rules, jackaroo.initial(rules), order)[0]
    assert jackaroo.view(rules, state, 2).hand == order[2:16:4]


@pytest.mark.clause("J8.1", "J5.10", "J5.Q")
@pytest.mark.parametrize(
    "rules",
    [KAROTI, BORDAGA, SIX, replace(KAROTI, joker=Joker.WILD), replace(SIX, joker=Joker.WILD)],
)
def test_what_a_seat_cannot_know_changes_nothing_that_it_sees(rules: Rules) -> None:
    rng = random.Random(8)
    for n, state in enumerate(reached(rules, 17, 700)):
        if n % 3:
            continue
        for seat in (*range(rules.seats), None):
            other = redealt(rules, state, seat, rng)
            seen = jackaroo.view(rules, state, seat)
            assert jackaroo.view(rules, other, seat) == seen
            shown = jackaroo.draw(rules, seen), jackaroo.write_view(rules, seen)
            mirror = jackaroo.view(rules, other, seat)
            assert (jackaroo.draw(rules, mirror), jackaroo.write_view(rules, mirror)) == shown
            if seat == state.to_act:
                same_for_the_mover(rules, state, other)


def same_for_the_mover(rules: Rules, state: State, other: State) -> None:
    moves = jackaroo.legal_moves(rules, state)
    assert jackaroo.legal_moves(rules, other) == moves
    for move in moves[:12]:
        foreseen = jackaroo.effects(rules, state, move)
        assert jackaroo.effects(rules, other, move) == foreseen
        events = jackaroo.apply(rules, state, move)[1]
        assert without_cards_picked(jackaroo.apply(rules, other, move)[1]) == (
            without_cards_picked(events)
        )
        if not isinstance(move, Hit | Take):
            assert jackaroo.apply(rules, other, move)[1] == events


def test_effects_tell_the_position_of_a_pick_and_not_the_card() -> None:
    picked: list[Move] = []
    for state in reached(KAROTI, 11, 400):
        for move in jackaroo.legal_moves(KAROTI, state):
            if isinstance(move, Hit):
                lost = [e for e in jackaroo.effects(KAROTI, state, move) if isinstance(e, CardLost)]
                assert lost == [CardLost((state.to_act or 0) + 1 & 3, move.position or 0, None)]
                picked.append(move)
    assert picked


def test_a_setup_keeps_what_is_hidden_and_a_view_has_no_place_for_it() -> None:
    assert {"hand", "undealt"} <= set(View.__dataclass_fields__)
    assert not {"deck", "hands"} & set(View.__dataclass_fields__)
    assert "deck" in Setup.__dataclass_fields__
