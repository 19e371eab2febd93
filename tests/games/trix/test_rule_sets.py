"""The further rule sets (section 9)."""

from dataclasses import replace

import pytest

from hakam.games import trix
from hakam.games.game import GameOver, Outcome
from hakam.games.trix.contracts import CARD_POINTS, TRIX, Contract, KingdomForm
from hakam.games.trix.events import DealOver, KingdomOver, TrickTaken
from hakam.games.trix.rules import RULE_SETS, Rules
from hakam.games.trix.state import Phase, SheetDeal, State
from hakam.games.trix.tricks import trick_points
from tests.games.trix.support import (
    STANDARD,
    card,
    cards,
    dealt,
    doubled_cards,
    in_tricks,
    moves,
    owned_by,
    play,
    random_game,
    run,
)

PARTNERS = RULE_SETS["partners"]
COMPLEX = RULE_SETS["complex"]
BOTH = RULE_SETS["complex_partners"]
# Seat 0 holds KH and three queens.
HANDS = (
    "QSKH3C4C5C6C7C8C9CTCJCQDQC",
    "2CKCAC2D3D4D5D6D7D8D9DTDJD",
    "QHKDAD2H3H4H5H6H7H8H9HTHJH",
    "AH2S3S4S5S6S7S8S9STSJSKSAS",
)


def over(points: tuple[int, int, int, int]) -> State:
    """A finished game of five-deal kingdoms with these totals, all in one line of Trix."""
    plain = SheetDeal(Contract.TRIX, (), (0, 0, 0, 0))
    return State(Phase.OVER, (replace(plain, points=points), *[plain] * 19), 3)


@pytest.mark.clause("T9.1")
def test_the_pair_with_the_higher_sum_wins() -> None:
    state = over((500, -100, -300, 200))
    assert trix.outcome(STANDARD, state) == Outcome((0,), (500, -100, -300, 200))
    assert trix.outcome(PARTNERS, state) == Outcome((0, 2), (200, 100, 200, 100))
    assert trix.outcome(PARTNERS, over((0, 90, 10, -70))) == Outcome((1, 3), (10, 20, 10, 20))


@pytest.mark.clause("T9.1")
def test_pairs_with_equal_sums_share_the_win() -> None:
    assert trix.outcome(PARTNERS, over((90, -10, -90, 10))) == Outcome((0, 1, 2, 3), (0,) * 4)


@pytest.mark.clause("T9.1")
def test_partners_play_just_as_each_for_itself() -> None:
    alone, pairs = random_game(STANDARD, "same"), random_game(PARTNERS, "same")
    for mine, theirs in zip(alone, pairs, strict=True):
        assert (mine.move, mine.order) == (theirs.move, theirs.order)
        assert mine.after == theirs.after
        if not isinstance(mine.events[-1], GameOver):
            assert mine.events == theirs.events


@pytest.mark.clause("T9.1")
def test_a_partner_sees_no_more_than_anybody() -> None:
    for step in random_game(PARTNERS, "partner"):
        seen = trix.view(PARTNERS, step.after, 0)
        assert seen == trix.view(STANDARD, step.after, 0)


@pytest.mark.clause("T9.2", "T9.7")
@pytest.mark.parametrize("rules", [COMPLEX, BOTH])
def test_a_kingdom_is_a_complex_deal_and_one_of_trix_eight_in_all(rules: Rules) -> None:
    events = [e for step in random_game(rules, "eight") for e in step.events]
    deals = [e for e in events if isinstance(e, DealOver)]
    assert [e.deal for e in deals] == list(range(1, 9))
    for kingdom in range(4):
        assert {e.contract for e in deals[2 * kingdom : 2 * kingdom + 2]} == {5, 6}
    owners = [e.owner for e in events if isinstance(e, KingdomOver)]
    assert owners == [(owners[0] + n) % 4 for n in range(4)]


@pytest.mark.clause("T9.2")
def test_the_owner_chooses_which_comes_first() -> None:
    state = dealt(*HANDS, rules=COMPLEX)
    assert moves(COMPLEX, state) == ["choose trix", "choose complex"]
    for text in ("choose king_of_hearts", "choose slaps"):
        refused = trix.violation(COMPLEX, state, trix.read_move(COMPLEX, text))
        assert refused is not None
        assert (refused.reason, refused.clause) == ("CONTRACT_NOT_IN_GAME", "T1.1")


@pytest.mark.clause("T9.2")
@pytest.mark.parametrize("first", ["complex", "trix"])
def test_the_second_deal_of_a_kingdom_is_announced_all_the_same(first: str) -> None:
    seen = set()
    for step in random_game(COMPLEX, f"second {first}"):
        if step.before.phase == Phase.CONTRACT and len(step.before.sheet) % 2:
            left = trix.legal_moves(COMPLEX, step.before)
            assert len(left) == 1
            seen.add(left[0])
    assert seen <= {
        trix.read_move(COMPLEX, "choose trix"),
        trix.read_move(COMPLEX, "choose complex"),
    }


@pytest.mark.clause("T9.2")
def test_complex_is_no_contract_of_the_five() -> None:
    refused = trix.violation(STANDARD, dealt(), trix.read_move(STANDARD, "choose complex"))
    assert refused is not None
    assert refused.reason == "CONTRACT_NOT_IN_GAME"


@pytest.mark.clause("T9.3")
def test_everything_counts_together_in_a_complex_deal() -> None:
    values = CARD_POINTS[Contract.COMPLEX]
    assert values[card("KH")] == -75
    assert values[card("QC")] == values[card("QH")] == values[card("QS")] == -25
    assert values[card("QD")] == -35
    assert values[card("KD")] == values[card("2D")] == -10
    assert values[card("AS")] == values[card("KC")] == 0
    assert trick_points(Contract.COMPLEX, cards("2H5HKHQD"), 1, ()) == (0, 0, 0, -125)


@pytest.mark.clause("T9.3", "T8.1")
def test_a_complex_deal_always_runs_thirteen_tricks() -> None:
    for rules in (COMPLEX, replace(COMPLEX, play_out=True)):
        tricks: dict[int, int] = {}
        for step in random_game(rules, "thirteen"):
            taken = sum(isinstance(e, TrickTaken) for e in step.events)
            deal = len(step.before.sheet)
            tricks[deal] = tricks.get(deal, 0) + taken
        assert sorted(tricks.values()) == [0, 0, 0, 0, 13, 13, 13, 13]


@pytest.mark.clause("T9.4")
def test_king_and_queens_may_be_doubled_in_one_answer() -> None:
    state, _ = run(COMPLEX, dealt(*HANDS, rules=COMPLEX), "choose complex")
    assert state.phase == Phase.DOUBLE
    answers = moves(COMPLEX, state)
    assert len(answers) == 16
    assert answers[:5] == ["double -", "double QC", "double QD", "double KH", "double QS"]
    assert answers[-1] == "double QCQDKHQS"
    state, _ = run(COMPLEX, state, "double QDKH", "double -", "double QH", "double -")
    assert state.doubled == doubled_cards("QD0QH2KH0")
    assert (state.phase, state.to_act) == (Phase.PLAY, 0)


@pytest.mark.clause("T9.4")
def test_nobody_doubles_in_trix_nor_a_card_that_is_no_king_or_queen() -> None:
    state, _ = run(COMPLEX, dealt(*HANDS, rules=COMPLEX), "choose trix")
    assert state.phase == Phase.PLAY
    state, _ = run(COMPLEX, dealt(*HANDS, rules=COMPLEX), "choose complex")
    refused = trix.violation(COMPLEX, state, trix.read_move(COMPLEX, "double JC"))
    assert refused is not None
    assert refused.reason == "CARD_NOT_DOUBLABLE"


@pytest.mark.clause("T9.4")
def test_doubled_cards_pay_as_in_their_own_contracts() -> None:
    def points(trick: str, doubled: str) -> tuple[int, ...]:
        return trick_points(Contract.COMPLEX, cards(trick), 0, doubled_cards(doubled))

    assert points("AHKH2H3H", "") == (-90, 0, 0, 0)
    assert points("AHKH2H3H", "KH1") == (-165, 75, 0, 0)
    assert points("QHKH2H3H", "KH1") == (75, -190, 0, 0)
    # Of the queen of diamonds only the 25 are doubled.
    assert points("AD2CQD2S", "") == (-60, 0, 0, 0)
    assert points("AD2CQD2S", "QD2") == (-85, 0, 25, 0)


@pytest.mark.clause("T9.5")
def test_taken_queens_lie_face_up_in_a_complex_deal_and_the_king_does_not() -> None:
    hands = ("AH2C", "KH3C", "QH4C", "5H6C")
    state = in_tricks(Contract.COMPLEX, hands, rules=COMPLEX)
    state, _ = run(COMPLEX, state, "play AH", "play KH", "play QH", "play 5H")
    seen = trix.view(COMPLEX, state, 3)
    assert seen.queens == doubled_cards("QC0QD0QH0QS0")


@pytest.mark.clause("T9.6")
@pytest.mark.parametrize("rules", [COMPLEX, BOTH])
def test_a_complex_deal_sums_to_minus_500_and_trix_to_500(rules: Rules) -> None:
    for seed in range(10):
        *_, last = random_game(rules, f"complex {seed}")
        for line in last.after.sheet:
            assert sum(line.points) == (500 if line.contract == TRIX else -500)


@pytest.mark.clause("T9.7")
def test_complex_partners_is_both() -> None:
    assert BOTH.partnership
    assert BOTH.kingdom_form is KingdomForm.TWO_DEALS
    *_, last = random_game(BOTH, "both")
    totals = trix.view(BOTH, last.after, None).totals
    outcome = trix.outcome(BOTH, last.after)
    assert outcome is not None
    assert outcome.scores == tuple(totals[s] + totals[s - 2] for s in range(4))


@pytest.mark.clause("T8.1")
def test_options_can_be_set_by_themselves() -> None:
    rules = replace(owned_by(1), partnership=True, kingdom_form=KingdomForm.TWO_DEALS)
    assert trix.rules_faults(rules) == ()
    state = dealt(*HANDS, rules=rules, owner=1)
    assert moves(rules, state) == ["choose trix", "choose complex"]
    assert trix.violation(rules, state, play("2C")) is not None
