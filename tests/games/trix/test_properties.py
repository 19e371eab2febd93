"""What must hold in every state of every game: random games of every rule set."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from hakam.games import trix
from hakam.games.cards import DECK
from hakam.games.game import GameOver
from hakam.games.reasons import Reason
from hakam.games.trix.contracts import QUEENS
from hakam.games.trix.events import DealOver, Event, KingdomOver
from hakam.games.trix.moves import Choose, Double, Move, Play
from hakam.games.trix.rules import Rules
from hakam.games.trix.state import Phase, State
from tests.games.trix.support import VARIANTS, Step, card, random_game

GAMES = 3
KING = card("KH")
SOME = (*QUEENS, KING, card("2C"))
# Every move there can be, and some that there cannot.
UNIVERSE: tuple[Move, ...] = (
    *[Choose(c) for c in range(-1, 9)],
    *[Play(c) for c in range(-1, 55)],
    *[Double(cards) for n in range(6) for cards in combinations(sorted(SOME), n)],
    Double((KING, KING)),
    Double(QUEENS[::-1]),
    Double((0,)),
    Double((99, -1)),
)


def each(name: str, games: int = GAMES) -> list[Step]:
    rules = VARIANTS[name]
    return [step for n in range(games) for step in random_game(rules, f"{name} {n}")]


def cards_of(state: State) -> Counter[int]:
    laid = [c for c in DECK if state.layout >> c & 1]
    held = [c for hand in state.hands for c in hand]
    return Counter([*held, *laid, *state.trick, *[c for pile in state.taken for c in pile]])


@pytest.mark.parametrize("name", VARIANTS)
def test_fifty_two_cards_are_each_somewhere_once_while_a_deal_is_under_way(name: str) -> None:
    for step in each(name):
        between = step.after.phase in (Phase.DEAL, Phase.OVER)
        assert cards_of(step.after) == (Counter() if between else Counter(DECK))


@pytest.mark.clause("T5.4", "T6.1")
@pytest.mark.parametrize("name", VARIANTS)
def test_no_state_is_stuck(name: str) -> None:
    rules = VARIANTS[name]
    for step in each(name):
        state = step.after
        over = trix.outcome(rules, state) is not None
        due = trix.chance_due(rules, state) is not None
        seat = trix.to_act(rules, state)
        assert [over, due, seat is not None].count(True) == 1
        assert bool(trix.legal_moves(rules, state)) == (seat is not None)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_legal_list_and_the_validator_are_one_truth(name: str) -> None:
    rules = VARIANTS[name]
    for step in each(name)[::5]:
        assert_one_truth(rules, step.after)


def assert_one_truth(rules: Rules, state: State) -> None:
    legal = trix.legal_moves(rules, state)
    assert len(set(legal)) == len(legal)
    assert set(legal) <= set(UNIVERSE)
    for move in UNIVERSE:
        refused = trix.violation(rules, state, move)
        assert (refused is None) == (move in legal)
        if refused is not None:
            assert refused.reason in trix.CATALOGUE.reasons
            assert refused.clause.startswith("T")


def test_every_worded_refusal_occurs() -> None:
    seen: set[Reason] = set()
    for name, rules in VARIANTS.items():
        for step in random_game(rules, f"refusals {name}"):
            refused = [trix.violation(rules, step.after, move) for move in UNIVERSE]
            seen |= {r.reason for r in refused if r is not None}
    assert seen == set(trix.CATALOGUE.reasons)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_state_is_valid_and_comes_back(name: str) -> None:
    rules = VARIANTS[name]
    for step in each(name):
        assert trix.validate(rules, trix.setup(rules, step.after)) == step.after


@pytest.mark.clause("T1.1", "T9.2")
@pytest.mark.parametrize("name", VARIANTS)
def test_a_game_has_exactly_its_deals_and_ends_once(name: str) -> None:
    events: list[Event] = [
        event for step in random_game(VARIANTS[name], f"ends {name}") for event in step.events
    ]
    deals = 8 if name.startswith("complex") else 20
    assert [e.deal for e in events if isinstance(e, DealOver)] == list(range(1, deals + 1))
    assert [e.kingdom for e in events if isinstance(e, KingdomOver)] == [1, 2, 3, 4]
    assert [isinstance(e, GameOver) for e in events].count(True) == 1
    assert isinstance(events[-1], GameOver)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_automatic_move_brings_every_game_to_its_end(name: str) -> None:
    rules = VARIANTS[name]
    rng = Random(name)
    state = trix.initial(rules)
    while trix.outcome(rules, state) is None:
        due = trix.chance_due(rules, state)
        if due is not None:
            state, _ = trix.resolve(rules, state, tuple(rng.sample(due.deck, 52)))
            continue
        move = trix.legal_moves(rules, state)[0]
        assert not isinstance(move, Double) or move.cards == ()
        state, _ = trix.apply(rules, state, move)
    assert not any(line.doubled for line in state.sheet)


def test_states_are_values() -> None:
    rules = VARIANTS["standard"]
    first, second = list(random_game(rules, "values")), list(random_game(rules, "values"))
    assert first == second
    assert len({hash(step.after) for step in first}) > 0.99 * len(first)
    assert first[0].after != first[1].after
    assert first[0].after != "state"
    assert repr(first[0].after).startswith("State(2, (), ")


@pytest.mark.long
@pytest.mark.parametrize("name", VARIANTS)
def test_all_of_it_in_many_games(name: str) -> None:
    rules = VARIANTS[name]
    for step in each(name, games=20):
        state = step.after
        assert_one_truth(rules, state)
        assert trix.validate(rules, trix.setup(rules, state)) == state
        between = state.phase in (Phase.DEAL, Phase.OVER)
        assert cards_of(state) == (Counter() if between else Counter(DECK))
        if state.phase not in (Phase.DEAL, Phase.OVER):
            assert trix.legal_moves(rules, state)
