"""Doubling (section 4)."""

from dataclasses import replace

import pytest

from hakam.games import trix
from hakam.games.trix.contracts import Contract
from hakam.games.trix.events import DoublingAnswered, TrickTaken
from hakam.games.trix.rules import Doubling
from hakam.games.trix.state import Phase
from tests.games.trix.support import (
    STANDARD,
    VARIANTS,
    cards,
    dealt,
    double,
    doubled_cards,
    in_tricks,
    moves,
    random_game,
    run,
)

K, Q = Contract.KING_OF_HEARTS, Contract.QUEENS
OFF = replace(STANDARD, doubling=Doubling.OFF)
# Seat 0 holds three queens, seat 1 the king of hearts, seat 2 the last queen.
HANDS = (
    "QS2C3C4C5C6C7C8C9CTCJCQDQC",
    "KHKCAC2D3D4D5D6D7D8D9DTDJD",
    "QHKDAD2H3H4H5H6H7H8H9HTHJH",
    "AH2S3S4S5S6S7S8S9STSJSKSAS",
)


def points_of(contract: Contract, hands: tuple[str, str, str, str], doubled: str) -> object:
    """Taker and points of the trick of each seat's first card, led by seat 0."""
    state = in_tricks(contract, hands, doubled=doubled)
    _, events = run(STANDARD, state, *[f"play {hand[:2]}" for hand in hands])
    (trick,) = [e for e in events if isinstance(e, TrickTaken)]
    return trick.taker, trick.points


@pytest.mark.clause("T4.1", "T4.2")
def test_the_holder_of_the_king_may_double_it_before_the_first_lead() -> None:
    state, _ = run(STANDARD, dealt(*HANDS, owner=1), "choose king_of_hearts")
    assert (state.phase, state.to_act) == (Phase.DOUBLE, 1)
    assert moves(STANDARD, state) == ["double -", "double KH"]


@pytest.mark.clause("T4.1", "T4.2")
def test_a_holder_of_several_queens_may_double_any_of_them() -> None:
    state, _ = run(STANDARD, dealt(*HANDS), "choose queens")
    assert moves(STANDARD, state) == [
        "double -",
        "double QC",
        "double QD",
        "double QS",
        "double QCQD",
        "double QCQS",
        "double QDQS",
        "double QCQDQS",
    ]


@pytest.mark.clause("T4.1")
@pytest.mark.parametrize(
    ("contract", "cards_", "reason"),
    [
        ("queens", "QH", "CARD_NOT_IN_HAND"),
        ("queens", "2C", "CARD_NOT_DOUBLABLE"),
        ("king_of_hearts", "QC", "CARD_NOT_DOUBLABLE"),
        ("king_of_hearts", "KH", "CARD_NOT_IN_HAND"),
    ],
)
def test_nothing_else_may_be_doubled(contract: str, cards_: str, reason: str) -> None:
    state, _ = run(STANDARD, dealt(*HANDS), f"choose {contract}")
    refused = trix.violation(STANDARD, state, double(cards_))
    assert refused is not None
    assert (refused.reason, refused.clause, refused.card) == (reason, "T4.1", cards(cards_)[0])


@pytest.mark.clause("T4.1")
def test_a_doubled_card_is_played_like_any_other() -> None:
    state = in_tricks(K, ("KH2C", "3H3C", "4H4C", "5H6C"), doubled="KH0")
    assert moves(STANDARD, state) == ["play KH", "play 2C"]
    state = in_tricks(K, ("2C", "KH3C", "4H4C", "5H6C"), to_act=1, trick="2H", doubled="KH1")
    assert moves(STANDARD, state) == ["play KH"]


@pytest.mark.clause("T4.1")
def test_doubling_ends_with_the_deal() -> None:
    state = in_tricks(K, ("AH2C", "KH3C", "4H4C", "5H6C"), doubled="KH1")
    state, _ = run(STANDARD, state, "play AH", "play KH", "play 4H", "play 5H")
    assert state.doubled == ()
    assert state.sheet[-1].doubled == doubled_cards("KH1")


@pytest.mark.clause("T4.2")
@pytest.mark.parametrize("contract", ["king_of_hearts", "queens"])
def test_all_four_are_asked_from_the_owner_on_to_the_right(contract: str) -> None:
    state, _ = run(STANDARD, dealt(*HANDS, owner=2), f"choose {contract}")
    asked = []
    while state.phase == Phase.DOUBLE:
        asked.append(state.to_act)
        assert "double -" in moves(STANDARD, state)
        state, events = run(STANDARD, state, "double -")
        assert events == [DoublingAnswered(asked[-1], ())]
    assert asked == [2, 3, 0, 1]
    assert state.phase == Phase.PLAY
    assert state.to_act == 2


@pytest.mark.clause("T4.2")
def test_who_holds_nothing_to_double_is_asked_and_has_one_answer() -> None:
    state, _ = run(STANDARD, dealt(*HANDS, owner=3), "choose king_of_hearts")
    assert (state.to_act, moves(STANDARD, state)) == (3, ["double -"])


@pytest.mark.clause("T4.2")
def test_answers_are_public_at_once() -> None:
    state, _ = run(STANDARD, dealt(*HANDS), "choose queens", "double QCQS")
    for seat in (None, 0, 1, 2, 3):
        assert trix.view(STANDARD, state, seat).doubled == doubled_cards("QC0QS0")
    state, _ = run(STANDARD, state, "double -", "double QH")
    assert trix.view(STANDARD, state, 3).doubled == doubled_cards("QC0QH2QS0")


@pytest.mark.clause("T4.2")
@pytest.mark.parametrize("text", ["QSQC", "QCQC", "QDQCQS"])
def test_an_answer_names_each_card_once_in_the_order_c_d_h_s(text: str) -> None:
    state, _ = run(STANDARD, dealt(*HANDS), "choose queens")
    refused = trix.violation(STANDARD, state, double(text))
    assert refused is not None
    assert (refused.reason, refused.clause) == ("CARDS_OUT_OF_ORDER", "T4.2")


@pytest.mark.clause("T4.2")
@pytest.mark.parametrize("contract", ["slaps", "diamonds", "trix"])
def test_nobody_is_asked_in_the_other_contracts(contract: str) -> None:
    state, _ = run(STANDARD, dealt(*HANDS), f"choose {contract}")
    assert state.phase == Phase.PLAY


@pytest.mark.clause("T4.2", "T8.1")
@pytest.mark.parametrize("contract", ["king_of_hearts", "queens"])
def test_nobody_is_asked_where_doubling_is_off(contract: str) -> None:
    state, _ = run(OFF, dealt(*HANDS, rules=OFF), f"choose {contract}")
    assert (state.phase, state.to_act) == (Phase.PLAY, 0)


@pytest.mark.clause("T4.3")
def test_the_taker_of_a_doubled_king_loses_150_and_its_doubler_gains_75() -> None:
    assert points_of(K, ("AH2C", "KH3C", "4H4C", "5H6C"), "KH1") == (0, (-150, 75, 0, 0))
    assert points_of(K, ("2D2C", "9D3C", "KH4C", "5D6C"), "KH2") == (1, (0, -150, 75, 0))


@pytest.mark.clause("T4.3")
def test_the_taker_of_a_doubled_queen_loses_50_and_its_doubler_gains_25() -> None:
    queens = ("AH2C", "QH3C", "4H4C", "5HQS")
    assert points_of(Q, queens, "QH1") == (0, (-50, 25, 0, 0))
    assert points_of(Q, queens, "QS3") == (0, (-25, 0, 0, 0))


@pytest.mark.clause("T4.3")
def test_doubled_queens_of_several_seats_each_pay_their_own_doubler() -> None:
    hands = ("AH2C", "QH3C", "QD4C", "QSQC")
    assert points_of(Q, hands, "QH1QS3") == (0, (-125, 25, 0, 25))
    assert points_of(Q, hands, "QD2QH1QS3") == (0, (-150, 25, 25, 25))


@pytest.mark.clause("T4.4")
def test_a_doubler_that_takes_its_own_king_leaves_the_bonus_to_the_leader() -> None:
    assert points_of(K, ("QH2C", "KH3C", "4H4C", "5H6C"), "KH1") == (1, (75, -150, 0, 0))
    assert points_of(K, ("QH2C", "3H3C", "4H4C", "KH6C"), "KH3") == (3, (75, 0, 0, -150))


@pytest.mark.clause("T4.4")
def test_the_bonus_goes_to_the_leader_of_the_trick_not_to_the_owner() -> None:
    state = in_tricks(K, ("4H2C", "QH3C", "KH4C", "5H6C"), to_act=1, doubled="KH2")
    assert state.owner == 0
    _, events = run(STANDARD, state, "play QH", "play KH", "play 5H", "play 4H")
    (trick,) = [e for e in events if isinstance(e, TrickTaken)]
    assert (trick.leader, trick.taker, trick.points) == (1, 2, (0, 75, -150, 0))


@pytest.mark.clause("T4.4")
def test_leader_doubler_and_taker_in_one_nets_the_plain_penalty() -> None:
    assert points_of(K, ("KH2C", "3H3C", "4H4C", "5H6C"), "KH0") == (0, (-75, 0, 0, 0))
    assert points_of(Q, ("QS2C", "3S3C", "4S4C", "5SQH"), "QS0") == (0, (-25, 0, 0, 0))


@pytest.mark.clause("T4.4")
def test_it_is_judged_card_by_card() -> None:
    # Seat 1 takes its own QH and the doubled QD of seat 2; QC is nobody's.
    hands = ("TH2C", "QH3C", "QD4C", "QCQS")
    assert points_of(Q, hands, "QD2QH1") == (1, (25, -125, 25, 0))
    assert points_of(Q, hands, "QC3QD2QH1") == (1, (25, -150, 25, 25))


@pytest.mark.clause("T4.5")
@pytest.mark.parametrize("name", VARIANTS)
def test_every_deal_sums_to_its_total_and_every_kingdom_to_0(name: str) -> None:
    rules = VARIANTS[name]
    sums = {1: -75, 2: -195, 3: -100, 4: -130, 5: 500, 6: -500}
    for seed in range(8):
        *_, last = random_game(rules, f"sums {seed}")
        sheet = last.after.sheet
        assert all(sum(line.points) == sums[line.contract] for line in sheet)
        length = len(sheet) // 4
        for kingdom in range(4):
            lines = sheet[kingdom * length : (kingdom + 1) * length]
            assert sum(sum(line.points) for line in lines) == 0


@pytest.mark.clause("T4.5")
@pytest.mark.long
@pytest.mark.parametrize("name", VARIANTS)
def test_thousands_of_games_sum_to_0(name: str) -> None:
    rules = VARIANTS[name]
    for seed in range(1000):
        *_, last = random_game(rules, f"thousands {seed}")
        assert sum(sum(line.points) for line in last.after.sheet) == 0
        assert len(last.after.sheet) == (8 if name.startswith("complex") else 20)
