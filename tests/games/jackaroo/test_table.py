"""Sections 1 and 2: the table, the deal, the turn, the burn, the end."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from hakam.games import jackaroo
from hakam.games.cards import DECK, JOKER, read_card, read_cards
from hakam.games.game import ChanceDue, ChanceKind, Drawn, GameOver, Outcome
from hakam.games.jackaroo.events import (
    Burnt,
    DealerDrawn,
    Dealt,
    EnteredGoal,
    Moved,
    Passed,
    Played,
    SeatHome,
    Shuffled,
    Skipped,
)
from hakam.games.jackaroo.geometry import geometry, partner
from hakam.games.jackaroo.legal import burnable
from hakam.games.jackaroo.moves import Burn
from hakam.games.jackaroo.rules import Burn as BurnOption
from hakam.games.jackaroo.rules import Jack, Joker, Queen, Rules, Ten, with_options
from hakam.games.jackaroo.state import Phase, State
from hakam.games.reasons import Reason
from tests.loosened import loosened

Lay = Callable[..., State]
KAROTI = with_options("karoti", {})
BORDAGA = with_options("bordaga", {})
SIX = with_options("bordaga", {"seats": 6})
HOME = {0: 76, 1: 77, 2: 78, 3: 79}


def legal(rules: Rules, state: State) -> set[str]:
    return {jackaroo.write_move(rules, move) for move in jackaroo.legal_moves(rules, state)}


def done(rules: Rules, state: State, text: str) -> tuple[State, tuple[object, ...]]:
    move = jackaroo.read_move(rules, text)
    assert jackaroo.violation(rules, state, move) is None
    return jackaroo.apply(rules, state, move)


def fresh(rules: Rules, dealer: int, order: tuple[int, ...] = DECK) -> State:
    state = jackaroo.initial(replace(rules, dealer=dealer))
    return jackaroo.resolve(rules, state, order)[0]


@pytest.mark.clause("J1.1")
def test_karoti_is_for_four_and_partners_sit_opposite() -> None:
    faults = jackaroo.rules_faults(replace(KAROTI, seats=6, deal=(8,)))
    assert [(f.path, f.clause, f.allowed) for f in faults] == [("seats", "J1.1", ("4",))]
    assert [partner(s, 4) for s in range(4)] == [2, 3, 0, 1]


@pytest.mark.clause("J1.2")
def test_bordaga_is_for_four_or_six_and_partners_sit_opposite() -> None:
    assert jackaroo.rules_faults(BORDAGA) == jackaroo.rules_faults(SIX) == ()
    faults = jackaroo.rules_faults(replace(BORDAGA, seats=5))
    assert (faults[0].path, faults[0].clause) == ("seats", "J1.2")
    assert [partner(s, 6) for s in range(6)] == [3, 4, 5, 0, 1, 2]


@pytest.mark.clause("J1.3")
@pytest.mark.parametrize("rules", [KAROTI, SIX])
def test_all_marbles_start_in_their_bases(rules: Rules) -> None:
    state = jackaroo.initial(rules)
    bases = rules.cells_per_seat * rules.seats + 4 * rules.seats
    assert state.marbles == tuple(range(bases, bases + 4 * rules.seats))


@pytest.mark.clause("J1.5", "J1.6", "J1.7")
def test_the_ring_has_19_cells_a_seat_and_starts_run_against_the_turn() -> None:
    four, six = geometry(KAROTI), geometry(SIX)
    assert (four.length, six.length) == (76, 114)
    assert four.starts == (0, 57, 38, 19)
    assert six.starts == (0, 95, 76, 57, 38, 19)
    assert four.entrances == (74, 55, 36, 17)
    for board in (four, six):
        for seat in range(board.seats):
            before = (seat - 1) % board.seats
            assert (board.starts[before] - board.starts[seat]) % board.length == 19


@pytest.mark.clause("J1.5")
def test_the_geometry_is_two_options() -> None:
    small = geometry(replace(KAROTI, cells_per_seat=10, entrance_distance=4))
    assert (small.length, small.starts, small.entrances) == (40, (0, 30, 20, 10), (36, 26, 16, 6))
    for name, low, high in (("cells_per_seat", 10, 40), ("entrance_distance", 1, 4)):
        for value, faults in ((low - 1, 1), (low, 0), (high, 0), (high + 1, 1)):
            found = jackaroo.rules_faults(replace(KAROTI, **{name: value}))  # type: ignore[arg-type]
            assert [f.path for f in found] == [name] * faults


@pytest.mark.clause("J1.9")
def test_a_winning_pair_ends_the_game_in_the_middle_of_a_hand(lay: Lay) -> None:
    marbles = {(0, 0): 72, (0, 1): 77, (0, 2): 78, (0, 3): 79}
    marbles |= {(2, m): 84 + m for m in range(4)}
    state = lay(KAROTI, marbles, ["3C2C", "4C", "5C", "6C"])
    over, events = done(KAROTI, state, "3C 0.0+3")
    assert events[-3:] == (EnteredGoal(0, 0, 76), SeatHome(0), GameOver(Outcome((0, 2))))
    assert (over.phase, over.to_act) == (Phase.OVER, None)
    assert over.hands == (read_cards("2C"), read_cards("4C"), read_cards("5C"), read_cards("6C"))
    assert jackaroo.outcome(KAROTI, over) == Outcome((0, 2))
    assert jackaroo.outcome(KAROTI, state) is None
    assert jackaroo.legal_moves(KAROTI, over) == ()
    assert jackaroo.chance_due(KAROTI, over) is None
    refusal = jackaroo.violation(KAROTI, over, Burn(read_card("2C")))
    assert refusal is not None
    assert (refusal.reason, refusal.clause) == (Reason.GAME_OVER, "J1.9")


@pytest.mark.clause("J1.9", "J5.7")
def test_a_split_is_judged_when_both_parts_are_done(lay: Lay) -> None:
    marbles = {(0, 0): 72, (0, 1): 77, (0, 2): 78, (0, 3): 79}
    marbles |= {(2, 0): 33, (2, 1): 85, (2, 2): 86, (2, 3): 87}
    state = lay(KAROTI, marbles, ["7C", "4C", "5C", "6C"])
    over, events = done(KAROTI, state, "7C 0.0+3 2.0+4")
    homes = [e for e in events if isinstance(e, SeatHome)]
    assert homes == [SeatHome(0), SeatHome(2)]
    assert events[-1] == GameOver(Outcome((0, 2)))
    assert over.phase is Phase.OVER


@pytest.mark.clause("J1.9")
def test_one_seat_at_home_does_not_win(lay: Lay) -> None:
    marbles = {(0, 0): 72, (0, 1): 77, (0, 2): 78, (0, 3): 79}
    after, events = done(KAROTI, lay(KAROTI, marbles, ["3C2C"]), "3C 0.0+3")
    assert events[-1] == SeatHome(0)
    assert after.phase is Phase.PLAY


@pytest.mark.clause("J2.1", "J2.9")
def test_the_dealer_is_drawn_and_then_52_cards_without_joker_are_shuffled() -> None:
    state = jackaroo.initial(KAROTI)
    assert jackaroo.chance_due(KAROTI, state) == ChanceDue(ChanceKind.SEAT, 4)
    state, events = jackaroo.resolve(KAROTI, state, 2)
    assert events == (DealerDrawn(2),)
    due = jackaroo.chance_due(KAROTI, state)
    assert due == ChanceDue(ChanceKind.DEAL, 4, first=3, per_seat=13, deck=DECK)
    assert JOKER not in due.deck
    assert jackaroo.to_act(KAROTI, state) is None
    assert jackaroo.legal_moves(KAROTI, state) == ()


@pytest.mark.clause("J2.9")
def test_the_option_names_the_first_dealer() -> None:
    rules = replace(KAROTI, dealer=1)
    due = jackaroo.chance_due(rules, jackaroo.initial(rules))
    assert due is not None
    assert (due.kind, due.first) == (ChanceKind.DEAL, 2)


@pytest.mark.clause("J2.2", "J2.4")
def test_karoti_deals_one_card_at_a_time_from_the_seat_after_the_dealer() -> None:
    rules = replace(KAROTI, dealer=2)
    state, events = jackaroo.resolve(rules, jackaroo.initial(rules), DECK)
    assert events == (Shuffled(2), Dealt(2, 0, 4))
    assert state.hands[3] == DECK[0:16:4]
    assert state.hands[0] == DECK[1:16:4]
    assert state.hands[2] == DECK[3:16:4]
    assert state.deck == DECK[16:]
    assert state.to_act == 3


def burn_through(rules: Rules, state: State) -> tuple[State, tuple[object, ...]]:
    """Burn, or play, the first legal move until the hand is over."""
    events: tuple[object, ...] = ()
    held = sum(map(len, state.hands))
    while state.phase is not Phase.DEAL and 0 < sum(map(len, state.hands)) <= held:
        held = sum(map(len, state.hands))
        state, events = jackaroo.apply(rules, state, jackaroo.legal_moves(rules, state)[0])
    return state, events


@pytest.mark.clause("J2.2", "J2.4")
def test_three_hands_go_on_from_one_deck_and_then_the_deal_passes() -> None:
    state = fresh(KAROTI, 3)
    undealt = state.deck
    state, events = burn_through(KAROTI, state)
    assert events[-1] == Dealt(3, 1, 4)
    assert state.to_act == 0
    assert state.hands[0] == undealt[0:16:4]
    state, events = burn_through(KAROTI, state)
    assert events[-1] == Dealt(3, 2, 5)
    assert state.deck == ()
    assert state.hands[3] == undealt[16 + 3 :: 4]
    state, events = burn_through(KAROTI, state)
    assert not isinstance(events[-1], Dealt)
    assert (state.phase, state.dealer, state.to_act) == (Phase.DEAL, 0, None)
    assert sorted(state.discard) == list(DECK)
    state, events = jackaroo.resolve(KAROTI, state, DECK)
    assert events == (Shuffled(0), Dealt(0, 0, 4))
    assert (state.to_act, state.discard) == (1, ())


@pytest.mark.clause("J2.3")
def test_bordaga_deals_all_and_six_leave_four_cards_out() -> None:
    four = fresh(BORDAGA, 0)
    assert [len(hand) for hand in four.hands] == [13] * 4
    assert four.deck == ()
    six = fresh(SIX, 5)
    assert [len(hand) for hand in six.hands] == [8] * 6
    assert six.deck == DECK[48:]
    after, _ = burn_through(SIX, six)
    assert (after.phase, after.dealer, after.deck) == (Phase.DEAL, 0, DECK[48:])
    assert len(after.discard) == 48


@pytest.mark.clause("J2.3")
def test_the_schedule_is_an_option() -> None:
    rules = replace(KAROTI, deal=(1, 2))
    state = fresh(rules, 3)
    assert [len(hand) for hand in state.hands] == [1] * 4
    state, events = burn_through(rules, state)
    assert events[-1] == Dealt(3, 1, 2)
    assert len(state.discard) == 4
    for deal, paths in (((), ["deal"]), ((4, 0), ["deal[1]"]), ((7, 7), ["deal"]), ((13,), [])):
        assert [f.path for f in jackaroo.rules_faults(replace(KAROTI, deal=deal))] == paths


@pytest.mark.clause("J2.5")
def test_a_turn_is_one_card_and_then_the_next_seats(lay: Lay) -> None:
    state = lay(KAROTI, {(0, 0): 20}, ["2C3C"])
    after, events = done(KAROTI, state, "2C 0.0+2")
    assert events == (Played(0, read_card("2C"), 0), Moved(0, 0, 20, (21, 22)))
    assert after.to_act == 1
    assert after.hands[0] == read_cards("3C")
    assert after.discard[-1] == read_card("2C")


@pytest.mark.clause("J2.6")
def test_a_seat_without_cards_is_passed_over(lay: Lay) -> None:
    state = lay(KAROTI, {(0, 0): 20}, ["2C3C", "", "4C", ""])
    after, events = done(KAROTI, state, "2C 0.0+2")
    assert events[-1] == Passed(1)
    assert after.to_act == 2
    state = lay(KAROTI, {(0, 0): 20}, ["2C3C", "", "", ""])
    after, events = done(KAROTI, state, "2C 0.0+2")
    assert events[-3:] == (Passed(1), Passed(2), Passed(3))
    assert after.to_act == 0


@pytest.mark.clause("J2.6")
def test_a_lost_turn_is_spent_in_its_own_hand() -> None:
    rules = replace(KAROTI, deal=(1, 2))
    order = read_cards("3CTC2D2H") + tuple(c for c in DECK if c not in read_cards("3CTC2D2H"))
    state = fresh(rules, 3, order)
    state, _ = done(rules, state, "3C burn")
    state, events = done(rules, state, "TC hit 0")
    assert Skipped(2) in events
    assert state.to_act == 3
    state, events = done(rules, state, "2H burn")
    assert events == (Burnt(3, read_card("2H")), Dealt(3, 1, 2))
    assert state.to_act == 0


@pytest.mark.clause("J2.6", "J5.10")
def test_the_skipped_seat_is_not_passed_too_when_its_hand_is_empty(lay: Lay) -> None:
    state = lay(KAROTI, {}, ["TC2C", "3C", "4C", "5C"])
    after, events = done(KAROTI, state, "TC hit 0")
    assert [type(e) for e in events[2:]] == [Skipped]
    assert after.to_act == 2


@pytest.mark.clause("J2.6", "J2.7")
def test_an_only_move_is_asked_for_and_cannot_be_refused(lay: Lay) -> None:
    state = lay(KAROTI, {(0, 0): 10, (2, 0): 12}, ["2C", "4C"])
    assert state.to_act == 0
    assert legal(KAROTI, state) == {"2C 0.0+2"}
    refusal = jackaroo.violation(KAROTI, state, Burn(read_card("2C")))
    assert refusal is not None
    assert (refusal.reason, refusal.clause) == (Reason.BURN_NOT_ALLOWED, "J2.7")
    assert refusal.card == read_card("2C")


@pytest.mark.clause("J2.7")
def test_one_playable_card_forbids_every_burn(lay: Lay) -> None:
    state = lay(KAROTI, {}, ["2C3CKS"])
    assert legal(KAROTI, state) == {"KS out"}
    for name in ("2C", "3C", "KS"):
        refusal = jackaroo.violation(KAROTI, state, Burn(read_card(name)))
        assert refusal is not None
        assert (refusal.reason, refusal.card) == (Reason.BURN_NOT_ALLOWED, read_card("KS"))


@pytest.mark.clause("J2.8")
def test_karoti_burns_any_card(lay: Lay) -> None:
    state = lay(KAROTI, {}, ["2C7C9D"])
    assert legal(KAROTI, state) == {"2C burn", "7C burn", "9D burn"}
    after, events = done(KAROTI, state, "7C burn")
    assert events == (Burnt(0, read_card("7C")),)
    assert after.hands[0] == read_cards("2C9D")
    assert after.discard[-1] == read_card("7C")


SPECIALS = [
    (BORDAGA, "4C5C7CJCJSQDQH", "2C3C6C8C9CJDJHQCQS"),
    (replace(BORDAGA, queen=Queen.PLAIN), "JC", "QDQHJD"),
    (replace(BORDAGA, jack=Jack.SWAP_OWN), "JDJHJCJS", "2C"),
    (replace(BORDAGA, exit_with_jack=True, queen=Queen.TAKE_AND_SKIP), "QD", "2C"),
]


@pytest.mark.clause("J2.8")
@pytest.mark.parametrize(("rules", "special", "plain"), SPECIALS)
def test_bordaga_burns_a_special_card_first(
    lay: Lay, rules: Rules, special: str, plain: str
) -> None:
    # With the next hand empty a Queen has nobody to take from.
    state = lay(rules, {}, [special + plain[:12], "", "AC"])
    specials = read_cards(special)
    moves = jackaroo.legal_moves(rules, state)
    assert moves == tuple(Burn(card) for card in specials)
    refusal = jackaroo.violation(rules, state, Burn(read_cards(plain)[0]))
    assert refusal is not None
    assert (refusal.reason, refusal.clause) == (Reason.BURN_SPECIAL_FIRST, "J2.8")
    assert refusal.card == specials[0]
    state = lay(rules, {}, [plain, "", "AC"])
    assert jackaroo.legal_moves(rules, state) == tuple(Burn(card) for card in read_cards(plain))


@pytest.mark.clause("J2.8")
def test_ace_king_ten_and_joker_are_special(lay: Lay) -> None:
    # The only marble out stands before a protected one; the next hand is empty.
    marbles = {(0, 0): 18, (0, 1): 77, (0, 2): 78, (0, 3): 79, (3, 0): 19}
    state = lay(BORDAGA, marbles, ["2DACKCTC", "", "3D"])
    assert legal(BORDAGA, state) == {"AC burn", "KC burn", "TC burn"}
    # A joker can hardly be stuck, so it is asked for by itself.
    wild = replace(BORDAGA, joker=Joker.WILD)
    assert burnable(wild, read_cards("2DXX3D")) == (JOKER,)


@pytest.mark.clause("J2.8", "J9.1")
def test_each_rule_set_may_burn_by_the_others_rule(lay: Lay) -> None:
    state = lay(replace(BORDAGA, burn=BurnOption.ANY), {}, ["2C7C"])
    assert legal(replace(BORDAGA, burn=BurnOption.ANY), state) == {"2C burn", "7C burn"}
    strict = replace(KAROTI, burn=BurnOption.SPECIAL_FIRST)
    assert legal(strict, lay(strict, {}, ["2C7C"])) == {"7C burn"}


@pytest.mark.clause("J9.1")
def test_the_rule_sets_are_bundles_of_options() -> None:
    assert Rules("karoti") == KAROTI
    assert (KAROTI.deal, KAROTI.burn, KAROTI.ten) == ((4, 4, 5), BurnOption.ANY, Ten.SKIP_BLIND)
    assert (KAROTI.jack, KAROTI.queen, KAROTI.joker) == (Jack.SWAP_OWN, Queen.PLAIN, Joker.NONE)
    assert (BORDAGA.deal, SIX.deal) == ((13,), (8,))
    assert with_options("bordaga", {"seats": 6, "deal": (4, 4)}).deal == (4, 4)
    assert with_options("bordaga", {"seats": 4, "joker": Joker.WILD}).deal == (13,)
    assert (BORDAGA.burn, BORDAGA.ten) == (BurnOption.SPECIAL_FIRST, Ten.SKIP_CHOICE)
    assert (BORDAGA.jack, BORDAGA.queen) == (Jack.BLACK_SWAP_ANY, Queen.TAKE)
    for rules in (KAROTI, BORDAGA, SIX):
        assert (rules.cells_per_seat, rules.entrance_distance) == (19, 2)
        assert (rules.exit_with_jack, rules.dealer) == (False, Drawn.CHANCE)


@pytest.mark.clause("J9.1")
def test_every_option_out_of_range_is_named() -> None:
    wild = loosened(
        KAROTI,
        rule_set="nobody",
        seats=5,
        dealer=7,
        deal=(0, -1),
        cells_per_seat=9,
        entrance_distance=0,
        burn=0,
        ten=3,
        jack=-1,
        queen=4,
        joker=99,
    )
    paths = [f.path for f in jackaroo.rules_faults(wild)]
    assert paths == [
        *("rule_set", "seats", "dealer", "deal[0]", "deal[1]", "cells_per_seat"),
        *("entrance_distance", "burn", "ten", "jack", "queen", "joker"),
    ]
    drawn = jackaroo.rules_faults(replace(KAROTI, dealer=Drawn.SEVEN_OF_HEARTS))
    assert [(f.path, f.reason) for f in drawn] == [("dealer", Reason.VALUE_UNKNOWN)]
    assert [f.path for f in jackaroo.rules_faults(replace(KAROTI, dealer=-1))] == ["dealer"]
    assert jackaroo.rules_faults(replace(KAROTI, dealer=3)) == ()
