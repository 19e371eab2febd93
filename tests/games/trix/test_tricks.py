"""Trick play and what the trick contracts score (sections 2 and 3)."""

from dataclasses import replace

import pytest

from hakam.games import trix
from hakam.games.trix.contracts import Contract
from hakam.games.trix.events import CardPlayed, DealOver, Event, TrickTaken
from hakam.games.trix.state import Phase
from hakam.games.trix.tricks import winning_place
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
    run,
)

K, S, Q, D = (
    Contract.KING_OF_HEARTS,
    Contract.SLAPS,
    Contract.QUEENS,
    Contract.DIAMONDS,
)
PLAYED_OUT = replace(STANDARD, play_out=True)


def taken(events: list[Event]) -> list[tuple[int, tuple[int, ...]]]:
    return [(e.taker, e.points) for e in events if isinstance(e, TrickTaken)]


@pytest.mark.clause("T2.1")
@pytest.mark.parametrize("contract", ["slaps", "diamonds"])
def test_the_owner_leads_and_play_goes_to_the_right(contract: str) -> None:
    state, _ = run(STANDARD, dealt(owner=2), f"choose {contract}")
    assert (state.phase, state.to_act) == (Phase.PLAY, 2)
    seats = []
    for text in ("play 2H", "play 3S", "play 4C"):
        seats.append(state.to_act)
        state, _ = run(STANDARD, state, text)
    assert [*seats, state.to_act] == [2, 3, 0, 1]


@pytest.mark.clause("T2.1")
def test_each_seat_plays_one_card() -> None:
    state, events = run(
        STANDARD, dealt(owner=0), "choose slaps", "play 2C", "play 2D", "play 2H", "play 2S"
    )
    assert [len(hand) for hand in state.hands] == [12, 12, 12, 12]
    assert [e.seat for e in events if isinstance(e, CardPlayed)] == [0, 1, 2, 3]


@pytest.mark.clause("T2.2")
def test_the_suit_led_must_be_followed_by_who_has_it() -> None:
    state = in_tricks(S, ("2S3S", "7CAH3C", "4H5H6H", "4D5D6D"), to_act=1, trick="2C")
    assert moves(STANDARD, state) == ["play 7C", "play 3C"]
    refused = trix.violation(STANDARD, state, play("AH"))
    assert refused is not None
    assert (refused.reason, refused.clause) == ("MUST_FOLLOW_SUIT", "T2.2")
    assert refused.card == card("2C")


@pytest.mark.clause("T2.2")
def test_who_has_none_of_the_suit_led_may_play_any_card() -> None:
    state = in_tricks(S, ("2S3S", "KH7DAS", "4H5H6H", "4D5D6D"), to_act=1, trick="2C")
    assert moves(STANDARD, state) == ["play KH", "play 7D", "play AS"]


@pytest.mark.clause("T2.2")
def test_a_discard_is_not_to_be_followed() -> None:
    state = in_tricks(S, ("2S3S", "2D3D", "4HTC6H", "4D5D6D"), to_act=2, trick="2CAH")
    assert moves(STANDARD, state) == ["play TC"]


@pytest.mark.clause("T2.2")
@pytest.mark.parametrize("contract", [K, S, Q, D])
def test_anything_may_be_led(contract: Contract) -> None:
    state = in_tricks(contract, ("KHQD2C", "3C4C5C", "QS3H4H", "2S3S4S"))
    assert moves(STANDARD, state) == ["play KH", "play QD", "play 2C"]


@pytest.mark.clause("T2.3")
def test_the_highest_card_of_the_suit_led_takes_and_its_player_leads() -> None:
    state = in_tricks(S, ("9C2S", "KC3S", "TC4S", "3C5S"))
    state, events = run(STANDARD, state, "play 9C", "play KC", "play TC", "play 3C")
    assert taken(events) == [(1, (0, -15, 0, 0))]
    assert state.to_act == 1
    assert state.taken[1] == cards("9CKCTC3C")


@pytest.mark.clause("T2.3")
@pytest.mark.parametrize(
    ("trick", "place"),
    [
        ("2CADAHAS", 0),  # no off-suit ace takes a trick
        ("2C3CAHAS", 1),
        ("KDACQDAD", 3),
        ("TSJSQS9S", 2),
        ("AS2S3S4S", 0),
        ("2HAC3H4D", 2),
    ],
)
def test_only_the_suit_led_takes(trick: str, place: int) -> None:
    assert winning_place(cards(trick)) == place


@pytest.mark.clause("T2.4")
def test_the_king_of_hearts_ends_its_deal_when_the_trick_is_complete() -> None:
    state = in_tricks(K, ("AH2C", "KH3C", "4H4C", "5H6C"))
    state, events = run(STANDARD, state, "play AH", "play KH", "play 4H")
    assert state.phase == Phase.PLAY
    state, events = run(STANDARD, state, "play 5H")
    assert state.phase == Phase.DEAL
    assert events[-1] == DealOver(1, K, (-75, 0, 0, 0), (-75, 0, 0, 0))


@pytest.mark.clause("T2.4")
def test_the_fourth_queen_ends_its_deal() -> None:
    state = in_tricks(Q, ("2S5C", "3SQC", "4S4C", "QS6C"))
    state, _ = run(STANDARD, state, "play 2S", "play 3S", "play 4S", "play QS")
    assert state.phase == Phase.PLAY
    state, _ = run(STANDARD, state, "play 6C", "play 5C", "play QC", "play 4C")
    assert state.phase == Phase.DEAL
    assert state.sheet[-1].points == (-50, -25, 0, -25)


@pytest.mark.clause("T2.4")
def test_the_last_diamond_ends_its_deal() -> None:
    state = in_tricks(D, ("2S5C", "3SQC", "4S4C", "QDKD"))
    state, _ = run(STANDARD, state, "play 2S", "play 3S", "play 4S", "play QD")
    assert state.phase == Phase.PLAY
    state, _ = run(STANDARD, state, "play 4C", "play KD", "play 5C", "play QC")
    assert state.phase == Phase.DEAL
    assert state.sheet[-1].points == (-110, -10, -10, 0)


@pytest.mark.clause("T2.4", "T3.2")
def test_slaps_always_runs_thirteen_tricks() -> None:
    state = in_tricks(S, ("2S5C", "3SQC", "4S4C", "5S6C"))
    state, _ = run(STANDARD, state, "play 2S", "play 3S", "play 4S", "play 5S")
    assert state.phase == Phase.PLAY
    state, _ = run(STANDARD, state, "play 6C", "play 5C", "play QC", "play 4C")
    assert state.phase == Phase.DEAL
    assert state.sheet[-1].points == (-165, -15, 0, -15)


@pytest.mark.clause("T2.4", "T8.1")
@pytest.mark.parametrize("contract", [K, Q, D])
def test_played_out_a_trick_deal_goes_on_to_the_last_card(contract: Contract) -> None:
    hands = {
        K: ("AH2C", "KH3C", "4H4C", "5H6C"),
        Q: ("AS2C", "QS3C", "4S4C", "5S6C"),
        D: ("AS2C", "QS3C", "4S4C", "5D6C"),
    }[contract]
    rules = replace(PLAYED_OUT, first_owner=0)
    state = in_tricks(contract, hands, rules=rules)
    first = [f"play {hand[:2]}" for hand in hands]
    state, _ = run(rules, state, *first)
    assert state.phase == Phase.PLAY
    state, more = run(rules, state, *[f"play {hand[2:]}" for hand in hands])
    assert state.phase == Phase.DEAL
    assert taken(more) == [(3, (0, 0, 0, 0))]
    short, _ = run(owned_by(0), in_tricks(contract, hands), *first)
    assert short.sheet == state.sheet


@pytest.mark.clause("T2.4", "T7.1")
def test_unplayed_cards_of_a_deal_stay_hidden() -> None:
    state = in_tricks(K, ("AH2C", "KH3C", "4H4C", "5H6C"))
    state, _ = run(STANDARD, state, "play AH", "play KH", "play 4H", "play 5H")
    for seat in (None, 0, 1, 2, 3):
        seen = trix.view(STANDARD, state, seat)
        assert (seen.hand, seen.hand_sizes, seen.last_trick) == ((), (0, 0, 0, 0), None)


@pytest.mark.clause("T3.1")
def test_the_king_of_hearts_costs_its_taker_75_whoever_was_dealt_it() -> None:
    state = in_tricks(K, ("9C2S", "KH3S", "TC4S", "3C5S"))
    state, events = run(STANDARD, state, "play 9C", "play KH", "play TC", "play 3C")
    assert taken(events) == [(2, (0, 0, -75, 0))]


@pytest.mark.clause("T3.2")
def test_each_trick_costs_its_taker_15_in_slaps_and_no_card_more() -> None:
    state = in_tricks(S, ("9H2S", "KH3S", "QH4S", "QD5S"))
    _, events = run(STANDARD, state, "play 9H", "play KH", "play QH", "play QD")
    assert taken(events) == [(1, (0, -15, 0, 0))]


@pytest.mark.clause("T3.3")
def test_each_queen_costs_its_taker_25() -> None:
    state = in_tricks(Q, ("QHQS", "QD3S", "KH4S", "QC5S"))
    state, events = run(STANDARD, state, "play QH", "play QD", "play KH", "play QC")
    assert taken(events) == [(2, (0, 0, -75, 0))]


@pytest.mark.clause("T3.3", "T7.1")
def test_taken_queens_lie_face_up_before_their_taker() -> None:
    state = in_tricks(Q, ("QHQS", "3H3S", "KH4S", "5H5S"))
    before = trix.view(STANDARD, state, 1).queens
    assert before == doubled_cards("QC0QD0")
    state, _ = run(STANDARD, state, "play QH", "play 3H", "play KH", "play 5H")
    assert trix.view(STANDARD, state, None).queens == doubled_cards("QC0QD0QH2")


@pytest.mark.clause("T3.4")
@pytest.mark.parametrize(
    ("trick", "points"),
    [("2D3D4D5D", -40), ("2D3D4D5S", -30), ("2S3D4S5S", -10), ("2S3S4S5S", 0)],
)
def test_each_diamond_costs_its_taker_10(trick: str, points: int) -> None:
    names = [trick[n : n + 2] for n in range(0, 8, 2)]
    clubs = ("2C", "3C", "4C", "5C")
    hands = [name + club for name, club in zip(names, clubs, strict=True)]
    hands[0] += "KD"
    hands = [hand + extra for hand, extra in zip(hands, ("", "6C", "7C", "8C"), strict=True)]
    state = in_tricks(D, (hands[0], hands[1], hands[2], hands[3]))
    _, events = run(STANDARD, state, *[f"play {name}" for name in names])
    assert [sum(points) for _, points in taken(events)] == [points]
