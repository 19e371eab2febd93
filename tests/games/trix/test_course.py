"""Kingdoms, deals, and the course of one (sections 1 and 6)."""

from dataclasses import replace

import pytest

from hakam.games import trix
from hakam.games.cards import DECK, order_of_deal
from hakam.games.game import ChanceDue, ChanceKind, Drawn, GameOver, Outcome
from hakam.games.trix.contracts import Contract
from hakam.games.trix.events import ContractChosen, DealOver, Dealt, KingdomOver, OwnerFound
from hakam.games.trix.moves import Choose
from hakam.games.trix.state import NOBODY, Phase, SheetDeal, State
from tests.games.trix.support import (
    STANDARD,
    SUITS,
    at,
    cards,
    dealt,
    in_tricks,
    moves,
    owned_by,
    random_game,
    run,
)

LINES = {
    Contract.KING_OF_HEARTS: (-75, 0, 0, 0),
    Contract.SLAPS: (-60, -45, -45, -45),
    Contract.QUEENS: (-25, -25, -25, -25),
    Contract.DIAMONDS: (-40, -30, -30, -30),
    Contract.TRIX: (200, 150, 100, 50),
}


def line(contract: Contract) -> SheetDeal:
    return SheetDeal(contract, (), LINES[contract])


def sheet(deals: int) -> tuple[SheetDeal, ...]:
    return tuple(line(contract) for contract in list(LINES) * 4)[:deals]


@pytest.mark.clause("T1.1")
def test_a_game_is_four_kingdoms_of_the_five_contracts() -> None:
    steps = list(random_game(STANDARD, "frame"))
    over = [e for step in steps for e in step.events if isinstance(e, DealOver)]
    assert [e.deal for e in over] == list(range(1, 21))
    for kingdom in range(4):
        contracts = {e.contract for e in over[5 * kingdom : 5 * kingdom + 5]}
        assert contracts == {1, 2, 3, 4, 5}


@pytest.mark.clause("T1.1")
def test_the_owner_chooses_among_the_contracts_left_after_seeing_his_cards() -> None:
    state = dealt(sheet=sheet(2), owner=3)
    assert state.to_act == 3
    assert len(trix.view(STANDARD, state, 3).hand) == 13
    assert moves(STANDARD, state) == ["choose queens", "choose diamonds", "choose trix"]


@pytest.mark.clause("T1.2")
@pytest.mark.parametrize("owner", range(4))
def test_the_seat_dealt_the_seven_of_hearts_in_the_first_deal_owns(owner: int) -> None:
    hands = [cards(suit) for suit in (SUITS[2], SUITS[0], SUITS[1], SUITS[3])]
    hands = hands[-owner:] + hands[:-owner]
    start = trix.initial(STANDARD)
    assert start.owner == NOBODY
    state, events = trix.resolve(STANDARD, start, order_of_deal(hands, (), 0))
    assert state.owner == state.to_act == owner
    assert events == (Dealt(1, 0), OwnerFound(owner))
    # The deal that found the owner is itself the first of the twenty.
    assert state.phase == Phase.CONTRACT
    assert state.sheet == ()


@pytest.mark.clause("T1.2", "T8.1")
@pytest.mark.parametrize("owner", range(4))
def test_a_named_first_owner_owns_whoever_has_the_seven_of_hearts(owner: int) -> None:
    rules = owned_by(owner)
    start = trix.initial(rules)
    assert start.owner == owner
    due = trix.chance_due(rules, start)
    assert due is not None
    assert due.first == 0
    state, events = trix.resolve(rules, start, DECK)
    assert state.to_act == owner
    assert events == (Dealt(1, 0),)


@pytest.mark.clause("T1.2")
def test_the_first_deal_begins_with_seat_0_and_later_ones_right_of_the_owner() -> None:
    def first(state: State) -> ChanceDue | None:
        return trix.chance_due(STANDARD, state)

    assert first(trix.initial(STANDARD)) == ChanceDue(ChanceKind.DEAL, 4, None, 0, 13, DECK)
    one = at("deal K=0/-75/0/0 3 - - /// - - /// - -")
    assert first(one) == ChanceDue(ChanceKind.DEAL, 4, None, 0, 13, DECK)
    two = at("deal K=0/-75/0/0 1 - - /// - - /// - -")
    assert first(two) == ChanceDue(ChanceKind.DEAL, 4, None, 2, 13, DECK)
    state, events = trix.resolve(STANDARD, two, DECK)
    assert events == (Dealt(2, 2),)
    assert [hand[:2] for hand in state.hands] == [(3, 7), (4, 8), (1, 5), (2, 6)]


@pytest.mark.clause("T1.3")
def test_the_next_owner_sits_to_the_right() -> None:
    owners = [
        (e.kingdom, e.owner)
        for step in random_game(owned_by(2), "owners")
        for e in step.events
        if isinstance(e, KingdomOver)
    ]
    assert owners == [(1, 2), (2, 3), (3, 0), (4, 1)]


@pytest.mark.clause("T1.3")
def test_within_a_kingdom_the_owner_stays() -> None:
    for step in random_game(owned_by(0), "stays"):
        if step.before.phase not in (Phase.DEAL, Phase.OVER):
            assert step.before.owner == len(step.before.sheet) // 5


def last_trick(before: tuple[SheetDeal, ...]) -> State:
    """Deal 20, all that is left is one card of seat 2 on a trick that seat 3 led with KH."""
    rules = owned_by(0)
    held = ("", "", "2H", "")
    state = in_tricks(Contract.KING_OF_HEARTS, held, to_act=2, trick="KH3H4H")
    setup = trix.setup(rules, state)
    found = trix.validate(rules, replace(setup, sheet=before, owner=3))
    assert isinstance(found, State), found
    return found


@pytest.mark.clause("T1.4")
def test_after_deal_20_the_highest_total_wins() -> None:
    before = sheet(15) + tuple(line(c) for c in list(LINES)[1:])
    state, events = run(owned_by(0), last_trick(before), "play 2H")
    # Seat 3 takes the king: 3 x (0, 50, 0, -50), then (75, 50, 0, -50) and -75.
    assert state.phase == Phase.OVER
    assert trix.view(STANDARD, state, None).totals == (75, 200, 0, -275)
    assert trix.outcome(STANDARD, state) == Outcome((1,), (75, 200, 0, -275))
    assert events[-1] == GameOver(Outcome((1,), (75, 200, 0, -275)))
    assert trix.to_act(STANDARD, state) is None
    assert trix.chance_due(STANDARD, state) is None
    assert trix.legal_moves(STANDARD, state) == ()


@pytest.mark.clause("T1.4")
def test_equal_highest_totals_share_the_win() -> None:
    # As above, but 125 points of seat 1 are scored by seat 0 instead.
    before = list(sheet(15) + tuple(line(c) for c in list(LINES)[1:]))
    before[4] = SheetDeal(Contract.TRIX, (), (200, 100, 150, 50))
    before[9] = SheetDeal(Contract.TRIX, (), (200, 100, 150, 50))
    before[2] = SheetDeal(Contract.QUEENS, (), (0, -50, -25, -25))
    state, events = run(owned_by(0), last_trick(tuple(before)), "play 2H")
    totals = trix.view(STANDARD, state, None).totals
    assert totals == (100, 75, 100, -275)
    assert trix.outcome(STANDARD, state) == Outcome((0, 2), totals)
    assert events[-1] == GameOver(Outcome((0, 2), totals))


@pytest.mark.clause("T1.4")
def test_all_scores_start_at_0() -> None:
    start = trix.initial(STANDARD)
    assert trix.view(STANDARD, start, None).totals == (0, 0, 0, 0)
    assert trix.outcome(STANDARD, start) is None


@pytest.mark.clause("T1.5")
def test_the_last_contract_is_announced_by_the_owner_all_the_same() -> None:
    state = dealt(sheet=sheet(4), owner=2)
    assert moves(STANDARD, state) == ["choose trix"]
    after, events = run(STANDARD, state, "choose trix")
    assert events[0] == ContractChosen(2, Contract.TRIX)
    assert after.phase == Phase.PLAY


@pytest.mark.clause("T6.1")
def test_a_deal_goes_from_the_cards_to_the_contract_to_doubling_to_play_to_the_sheet() -> None:
    phases: list[int] = []
    for step in random_game(STANDARD, "order"):
        if not phases or phases[-1] != step.before.phase:
            phases.append(step.before.phase)
    names = "".join({1: "d", 2: "c", 3: "x", 4: "p"}[phase] for phase in phases)
    assert names.replace("dcxp", "A").replace("dcp", "B").strip("AB") == ""
    assert (names.count("dcxp"), names.count("dcp")) == (8, 12)


@pytest.mark.clause("T6.1")
def test_a_deal_that_is_due_waits_for_the_cards() -> None:
    start = trix.initial(STANDARD)
    assert start.phase == Phase.DEAL
    assert trix.to_act(STANDARD, start) is None
    assert trix.legal_moves(STANDARD, start) == ()
    refused = trix.violation(STANDARD, start, Choose(1))
    assert refused is not None
    assert (refused.reason, refused.clause) == ("CHANCE_IS_DUE", "T6.1")


@pytest.mark.clause("T6.1")
def test_nothing_of_a_deal_is_kept_but_its_line_on_the_sheet() -> None:
    ends = [
        step.after
        for step in random_game(STANDARD, "kept")
        if any(isinstance(e, DealOver) for e in step.events)
    ]
    assert len(ends) == 20
    for state in ends:
        bare = State(state.phase, state.sheet, state.owner)
        assert state == bare


def test_drawn_is_the_default_first_owner() -> None:
    assert STANDARD.first_owner is Drawn.SEVEN_OF_HEARTS
