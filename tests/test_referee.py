from dataclasses import replace
from hashlib import sha256
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hakam import chance, referee
from hakam.games import cards, tjau
from hakam.games.cards import DECK
from hakam.games.game import ChanceDue, ChanceKind, Drawn
from hakam.games.options import rules_text
from hakam.games.reasons import Reason
from hakam.referee import SUPPLIED, AnyGame, Chance, GameState, Seeded
from tests.random_play import (
    RULE_SETS,
    VARIANTS,
    case_ids,
    drawn_outcome,
    play,
    random_chance,
    seeded,
    supply,
)

every_rule_set = pytest.mark.parametrize(("game", "rules"), RULE_SETS, ids=case_ids(RULE_SETS))
every_variant = pytest.mark.parametrize(("game", "rules"), VARIANTS, ids=case_ids(VARIANTS))

EGYPTIAN = tjau.CATALOGUE.rule_sets["egyptian"]
DRAWN_FIRST = replace(EGYPTIAN, first=Drawn.CHANCE)
THROW = ChanceDue(ChanceKind.THROW, seats=2, asked_by=0)
SEAT = ChanceDue(ChanceKind.SEAT, seats=3)
DEAL = ChanceDue(ChanceKind.DEAL, seats=4, first=2, per_seat=12, deck=DECK)


def tjau_state(
    text: str, source: referee.ChanceSource = SUPPLIED, *, ply: int = 9, rules: Any = EGYPTIAN
) -> GameState:
    position = tjau.validate(rules, tjau.read_position(rules, text))
    assert not isinstance(position, tuple), position
    return GameState(tjau, rules, source, ply, position)


def drawn(events: int) -> Seeded:
    return replace(seeded(Random(4)), events=events)


def in_every_state(game: AnyGame, rules: Any, source: referee.ChanceSource) -> list[GameState]:
    return list(play(game, rules, source, Random(7)).states)


@every_rule_set
def test_seeded_chance_is_settled_at_once(game: AnyGame, rules: Any) -> None:
    for state in in_every_state(game, rules, seeded(Random(1))):
        due = game.chance_due(state.rules, state.position)
        assert due is None or due.asked_by is not None
        assert referee.chance_due(state) is None
        assert (referee.to_act(state) is None) == (referee.outcome(state) is not None)
        assert bool(referee.legal_moves(state)) == (referee.outcome(state) is None)
        assert referee.source_faults(state) == ()


@every_rule_set
def test_supplied_chance_waits_for_its_outcome(game: AnyGame, rules: Any) -> None:
    waited = 0
    any_move = referee.legal_moves(play(game, rules, seeded(Random(2)), Random(2)).states[0])[0]
    for state in in_every_state(game, rules, SUPPLIED):
        due = referee.chance_due(state)
        assert due == game.chance_due(state.rules, state.position)
        if due is None:
            continue
        waited += 1
        assert referee.to_act(state) is None
        assert referee.legal_moves(state) == ()
        refused = referee.violation(state, any_move)
        assert refused is not None
        assert refused.reason is Reason.CHANCE_IS_DUE
    assert waited


@every_rule_set
def test_ply_counts_moves_and_chance_events_but_no_passes(game: AnyGame, rules: Any) -> None:
    played = play(game, rules, SUPPLIED, Random(3))
    assert [state.ply for state in played.states] == list(range(len(played.moves) + 1))


@every_rule_set
def test_a_seeded_throw_counts_once(game: AnyGame, rules: Any) -> None:
    played = play(game, rules, seeded(Random(3)), Random(3))
    asked = 0
    for state, after in zip(played.states, played.states[1:], strict=False):
        assert isinstance(state.chance, Seeded)
        assert isinstance(after.chance, Seeded)
        draws = after.chance.events - state.chance.events
        is_asked = game.chance_due(state.rules, state.position) is not None
        assert draws >= is_asked
        assert after.ply - state.ply == draws + (not is_asked)
        asked += is_asked
    assert isinstance(played.end.chance, Seeded)
    assert played.end.ply == len(played.moves) - asked + played.end.chance.events


@every_variant
def test_a_seeded_game_is_the_game_with_its_outcomes_supplied(game: AnyGame, rules: Any) -> None:
    played = play(game, rules, seeded(Random(5)), Random(5))
    source = played.states[0].chance
    assert isinstance(source, Seeded)
    again = supply(game, rules, source, played.moves)
    assert again.events == played.events
    by_ply = {state.ply: state for state in again.states}
    for state in played.states:
        assert by_ply[state.ply].position == state.position
    assert again.end.ply == played.end.ply
    assert referee.outcome(again.end) == referee.outcome(played.end)
    assert referee.view_digest(again.end) == referee.view_digest(played.end)


@every_rule_set
def test_the_same_arguments_give_the_same_result(game: AnyGame, rules: Any) -> None:
    for source in (seeded(Random(8)), SUPPLIED):
        assert play(game, rules, source, Random(8)) == play(game, rules, source, Random(8))


@every_rule_set
def test_no_question_and_no_move_changes_a_state(game: AnyGame, rules: Any) -> None:
    played = play(game, rules, seeded(Random(9)), Random(9))
    for state, move in zip(played.states, played.moves, strict=False):
        before = (hash(state), game.setup(rules, state.position), state.chance, state.ply)
        assert referee.violation(state, move) is None
        referee.legal_moves(state)
        game.effects(rules, state.position, move)
        referee.view_digest(state)
        assert referee.apply(state, move) == referee.apply(state, move)
        assert (hash(state), game.setup(rules, state.position), state.chance, state.ply) == before


@every_rule_set
def test_another_seed_or_entropy_or_rule_gives_another_game(game: AnyGame, rules: Any) -> None:
    source = seeded(Random(6))
    chosen = play(game, rules, source, Random(6))
    for other in (
        replace(source, seed=bytes(32)),
        replace(source, entropy=source.entropy[::-1]),
        replace(source, entropy=()),
    ):
        assert play(game, rules, other, Random(6)).events != chosen.events


def test_credentials_stay_with_the_game() -> None:
    credentials = (bytes(32), bytes([1]) * 32)
    state, _ = referee.new_game(tjau, DRAWN_FIRST, seeded(Random(1)), credentials=credentials)
    assert state.ply == 1
    assert state.credentials == credentials
    after, _ = referee.apply(state, referee.legal_moves(state)[0])
    assert after.credentials == credentials


def test_states_are_equal_by_all_that_they_hold() -> None:
    state = tjau_state("throw seat=0 cones=5/0 spools=-/0")
    same = tjau_state("throw seat=0 cones=5/0 spools=-/0")
    assert state == same
    assert hash(state) == hash(same)
    others: list[object] = [
        tjau_state("throw seat=1 cones=5/0 spools=-/0"),
        tjau_state("throw seat=0 cones=5/0 spools=-/0", ply=8),
        tjau_state("throw seat=0 cones=5/0 spools=-/0", drawn(3)),
        tjau_state("throw seat=0 cones=5/0 spools=-/0", rules=replace(EGYPTIAN, pieces=6)),
        GameState(tjau, EGYPTIAN, SUPPLIED, 9, state.position, credentials=(b"x",)),
        state.position,
    ]
    assert all(state != other for other in others)


def test_the_events_of_a_seed_are_numbered_from_nought() -> None:
    source = seeded(Random(11))
    start = referee.new_game(tjau, DRAWN_FIRST, SUPPLIED)[0]
    rules = rules_text(tjau.CATALOGUE, DRAWN_FIRST).encode()
    key = chance.game_key(source.seed, rules, source.entropy)
    assert drawn_outcome(start, source, 0).value == chance.below(chance.words(key, 0), 2)
    state, events = referee.new_game(tjau, DRAWN_FIRST, source)
    assert state.chance == replace(source, events=1)
    assert events[0].seat == drawn_outcome(start, source, 0).value


MOVING = "move seat=1 throw=2 cones=5/0 spools=3/0"
THROWING = "throw seat=1 cones=5/0 spools=3/0"
OVER = "over cones=5/0 spools=-/7"
LEGAL = tjau.read_move(EGYPTIAN, "3")
A_THROW = Chance(ChanceKind.THROW, 2)
A_SEAT = Chance(ChanceKind.SEAT, 1)
ASK = tjau.read_move(EGYPTIAN, "throw")


@pytest.mark.parametrize(
    ("state", "move", "seat", "ply", "reason"),
    [
        # Each row breaks every rule from its own on; the first one broken is named.
        (tjau_state(OVER), LEGAL, 0, 8, Reason.PLY_MISMATCH),
        (tjau_state(OVER), A_THROW, 0, 10, Reason.PLY_MISMATCH),
        (tjau_state(OVER), LEGAL, 0, 9, Reason.GAME_OVER),
        (tjau_state(OVER), A_THROW, None, None, Reason.GAME_OVER),
        (tjau_state(OVER, drawn(1)), A_THROW, None, None, Reason.GAME_OVER),
        (tjau_state(THROWING), LEGAL, 0, 9, Reason.CHANCE_IS_DUE),
        (tjau_state(THROWING), ASK, 1, 9, Reason.CHANCE_IS_DUE),
        (tjau_state(MOVING), ASK, 0, 9, Reason.NOT_YOUR_TURN),
        (tjau_state(MOVING), ASK, 1, 9, Reason.WRONG_PHASE),
        (tjau_state(MOVING), ASK, None, None, Reason.WRONG_PHASE),
        (tjau_state(MOVING, drawn(1)), A_THROW, 0, 9, Reason.CHANCE_IS_SEEDED),
        (tjau_state(THROWING, drawn(1)), A_THROW, 1, 9, Reason.CHANCE_IS_SEEDED),
        (tjau_state(THROWING, drawn(1)), LEGAL, 0, 9, Reason.NOT_YOUR_TURN),
        (tjau_state(THROWING, drawn(1)), LEGAL, 1, 9, Reason.WRONG_PHASE),
        (tjau_state(MOVING), A_THROW, 0, 9, Reason.NO_CHANCE_IS_DUE),
        (tjau_state(THROWING), A_SEAT, 1, 9, Reason.NOT_YOUR_TURN),
        (tjau_state(THROWING), A_SEAT, None, 9, Reason.WRONG_PHASE),
        (tjau_state(THROWING), A_THROW, None, 9, None),
        (tjau_state(THROWING, drawn(1)), ASK, 1, 9, None),
        (tjau_state(MOVING), LEGAL, 1, 9, None),
        (tjau_state(MOVING), LEGAL, None, None, None),
    ],
)
def test_the_first_refusal_in_the_order_of_the_contract_is_given(
    state: GameState, move: Any, seat: int | None, ply: int | None, reason: Reason | None
) -> None:
    refused = referee.violation(state, move, seat, ply)
    assert (None if refused is None else refused.reason) == reason


def test_a_refused_turn_names_the_seat_to_act() -> None:
    for state in (tjau_state(MOVING), tjau_state(THROWING, drawn(1))):
        refused = referee.turn_violation(state, 0)
        assert refused is not None
        assert (refused.reason, refused.seat) == (Reason.NOT_YOUR_TURN, 1)
        assert referee.turn_violation(state, 1) is None
        assert referee.turn_violation(state, None) is None


def test_the_value_of_an_outcome_is_not_judged_by_violation() -> None:
    assert referee.violation(tjau_state(THROWING), Chance(ChanceKind.THROW, 99)) is None


@given(st.integers(-(2**31), 2**31 - 1))
def test_a_throw_is_nought_to_four_and_a_seat_is_at_the_table(value: int) -> None:
    for due, high in ((THROW, 4), (SEAT, 2)):
        faults = referee.chance_faults(due, Chance(due.kind, value))
        expected = [] if 0 <= value <= high else [(due.kind.name.lower(), "VALUE_OUT_OF_RANGE")]
        assert [(f.path, f.reason) for f in faults] == expected


@given(st.integers())
def test_every_deal_of_the_shape_that_is_due_is_without_fault(number: int) -> None:
    assert referee.chance_faults(DEAL, random_chance(Random(number), DEAL)) == ()


def a_deal() -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    return cards.deal(DECK, DEAL.seats, DEAL.first, DEAL.per_seat)


def deal_faults(hands: tuple[tuple[int, ...], ...], rest: tuple[int, ...]) -> list[tuple[str, str]]:
    faults = referee.chance_faults(DEAL, Chance(ChanceKind.DEAL, hands=hands, rest=rest))
    return [(fault.path, fault.reason.value) for fault in faults]


def test_a_deal_of_another_shape_names_every_length() -> None:
    hands, rest = a_deal()
    assert deal_faults((), ()) == [
        ("deal.hands", "LENGTH_OUT_OF_RANGE"),
        ("deal.rest", "LENGTH_OUT_OF_RANGE"),
    ]
    assert deal_faults((*hands, ()), rest) == [
        ("deal.hands", "LENGTH_OUT_OF_RANGE"),
    ]
    assert deal_faults((hands[0], hands[1][:-1], (), hands[3]), rest[1:]) == [
        ("deal.hands[1].cards", "LENGTH_OUT_OF_RANGE"),
        ("deal.hands[2].cards", "LENGTH_OUT_OF_RANGE"),
        ("deal.rest", "LENGTH_OUT_OF_RANGE"),
    ]


@pytest.mark.parametrize("wrong", [0, -1, cards.JOKER, 54, 2**31 - 1, -(2**31)])
def test_a_dealt_card_is_one_of_the_deck(wrong: int) -> None:
    hands, rest = a_deal()
    spoiled = (hands[0], (wrong, *hands[1][1:]), *hands[2:])
    assert deal_faults(spoiled, (*rest[:-1], wrong)) == [
        ("deal.hands[1].cards[0]", "VALUE_UNKNOWN"),
        ("deal.rest[3]", "VALUE_UNKNOWN"),
    ]


def test_a_dealt_card_is_dealt_once() -> None:
    hands, rest = a_deal()
    twice = hands[0][0]
    assert deal_faults((hands[0], (twice, *hands[1][1:]), *hands[2:]), (twice, *rest[1:])) == [
        ("deal.hands[1].cards[0]", "DUPLICATE"),
        ("deal.rest[0]", "DUPLICATE"),
    ]


def test_a_deal_that_is_far_too_long_is_judged_by_its_length_alone() -> None:
    hands, _ = a_deal()
    assert deal_faults(hands, (1,) * 100_000) == [("deal.rest", "LENGTH_OUT_OF_RANGE")]
    assert deal_faults(((),) * 100_000, ())[0] == ("deal.hands", "LENGTH_OUT_OF_RANGE")
    assert len(deal_faults(((),) * 100_000, ())) == 1 + DEAL.seats + 1


def test_more_chance_events_than_plies_are_refused() -> None:
    text = "throw seat=0 cones=-/0 spools=-/0"
    assert referee.source_faults(tjau_state(text, drawn(9))) == ()
    faults = referee.source_faults(tjau_state(text, drawn(10)))
    assert [(f.path, f.reason.value) for f in faults] == [
        ("chance.seeded.events", "VALUE_OUT_OF_RANGE")
    ]


def test_a_seeded_state_in_which_chance_is_due_is_refused() -> None:
    text = "first cones=-/0 spools=-/0"
    faults = referee.source_faults(tjau_state(text, drawn(0), ply=0, rules=DRAWN_FIRST))
    assert [(f.path, f.reason.value) for f in faults] == [("chance.seeded", "PHASE_INCONSISTENT")]
    assert referee.source_faults(tjau_state(text, ply=0, rules=DRAWN_FIRST)) == ()


@every_rule_set
def test_the_digest_is_that_of_the_text_that_a_spectator_sees(game: AnyGame, rules: Any) -> None:
    played = play(game, rules, seeded(Random(12)), Random(12))
    for state in (played.states[0], played.end):
        view = game.view(rules, state.position, None)
        text = f"{rules_text(game.CATALOGUE, rules)} ply={state.ply} | "
        assert referee.view_text(state, view).startswith(text)
        expected = sha256(b"hakam/view/v1" + referee.view_text(state, view).encode()).digest()
        assert referee.view_digest(state) == expected
