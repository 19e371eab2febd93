"""The contract Trix (section 5)."""

import pytest

from hakam.games import trix
from hakam.games.cards import DECK
from hakam.games.trix.contracts import Contract
from hakam.games.trix.events import CardPlayed, ContractChosen, DealOver, Passed, WentOut
from hakam.games.trix.layout import NEEDS, layout_cards, lies
from hakam.games.trix.moves import Double
from hakam.games.trix.state import Phase, State
from tests.games.trix.support import (
    STANDARD,
    SUITS,
    card,
    cards,
    dealt,
    in_trix,
    moves,
    owned_by,
    play,
    random_game,
    run,
)

# Seat 0 has no jack, seat 2 has all four, seat 3 is the only one with an ace of clubs.
NO_JACK = (
    "2C3C4C5C6C7C8C9CTC2D3D4D5D",
    "QCKC6D7D8D9DTDQDKDAD2H3H4H",
    "JCJDJHJS5H6H7H8H9HTHQHKHAH",
    "AC2S3S4S5S6S7S8S9STSQSKSAS",
)


def chosen(*hands: str, owner: int = 0) -> State:
    return run(STANDARD, dealt(*hands, owner=owner), "choose trix")[0]


@pytest.mark.clause("T3.5", "T5.1")
def test_the_owner_starts_and_one_card_a_turn_goes_to_the_right() -> None:
    state = chosen(*SUITS, owner=2)
    state, events = run(STANDARD, state, "play JH", "play JS", "play JC", "play JD", "play QH")
    assert [e.seat for e in events if isinstance(e, CardPlayed)] == [2, 3, 0, 1, 2]
    assert not any(state.taken)
    assert state.trick == ()


@pytest.mark.clause("T5.2")
def test_jacks_and_next_cards_up_and_down_are_playable() -> None:
    # Clubs: the jack lies alone. Diamonds lie from 2 to J, hearts from 4 to A, no spades.
    spades = "2S3S4S5S6S7S8S9STSQSKSAS"
    state = in_trix(("QCTC9CKDAD3HJS", "QDKC2C3C4C7C8C2H", "AC6C5C", spades))
    assert moves(STANDARD, state) == ["play QC", "play TC", "play 3H", "play JS"]
    for text, needed in (("9C", "TC"), ("KD", "QD"), ("AD", "KD")):
        refused = trix.violation(STANDARD, state, play(text))
        assert refused is not None
        assert (refused.reason, refused.clause) == ("CARD_NOT_PLAYABLE", "T5.2")
        assert refused.card == card(needed)


@pytest.mark.clause("T5.2")
def test_the_two_directions_are_independent() -> None:
    state = in_trix(("QCTC", "KC9C", "AC8C2C3C", "7C6C5C4C"))
    assert moves(STANDARD, state) == ["play QC", "play TC"]
    up, _ = run(STANDARD, state, "play QC")
    assert moves(STANDARD, up) == ["play KC"]
    down, _ = run(STANDARD, state, "play TC")
    assert moves(STANDARD, down) == ["play 9C"]


@pytest.mark.clause("T5.2")
def test_nothing_wraps_from_the_ace_to_the_two() -> None:
    state = in_trix(("2C2D", "3C3D", "4C4D", "5C5D"), to_act=3)
    assert lies(state.layout, card("AC"))
    assert moves(STANDARD, state) == ["play 5C", "play 5D"]
    after, events = run(STANDARD, state, "play 5C")
    assert [type(e) for e in events] == [CardPlayed, Passed, Passed]
    assert after.to_act == 2


@pytest.mark.clause("T5.2")
def test_every_card_needs_its_neighbour_towards_the_jack() -> None:
    for c in DECK:
        rank = (c - 1) % 13
        assert NEEDS[c] == (0 if rank == 9 else c - 1 if rank > 9 else c + 1)


@pytest.mark.clause("T5.3")
def test_the_first_card_of_the_deal_is_a_jack() -> None:
    state = chosen(*SUITS)
    assert moves(STANDARD, state) == ["play JC"]
    refused = trix.violation(STANDARD, state, play("QC"))
    assert refused is not None
    assert refused.reason == "CARD_NOT_PLAYABLE"


@pytest.mark.clause("T5.3", "T5.4")
def test_an_owner_without_a_jack_passes() -> None:
    state, events = run(STANDARD, dealt(*NO_JACK), "choose trix")
    assert events == [ContractChosen(0, Contract.TRIX), Passed(0), Passed(1)]
    assert state.to_act == 2
    assert len(state.hands[0]) == 13


@pytest.mark.clause("T5.4")
def test_a_seat_with_one_playable_card_must_play_it_and_is_asked() -> None:
    state = in_trix(("QC2D", "KC3D", "AC4D", "5D6D"))
    assert moves(STANDARD, state) == ["play QC"]
    refused = trix.violation(STANDARD, state, Double(()))
    assert refused is not None
    assert refused.reason == "WRONG_PHASE"


@pytest.mark.clause("T5.4")
def test_passes_are_automatic_and_told() -> None:
    state = in_trix(("QCKC", "AC2D", "3D4D", "5D2H"))
    state, events = run(STANDARD, state, "play QC")
    assert events == [CardPlayed(0, card("QC")), Passed(1), Passed(2)]
    assert state.to_act == 3


@pytest.mark.clause("T5.4")
def test_the_turn_comes_back_after_three_passes() -> None:
    state = in_trix(("QCKC5D3H", "AC2D", "3D4D", "2H"))
    state, events = run(STANDARD, state, "play QC")
    assert events == [CardPlayed(0, card("QC")), Passed(1), Passed(2), Passed(3)]
    assert state.to_act == 0
    assert moves(STANDARD, state) == ["play KC", "play 5D", "play 3H"]


@pytest.mark.clause("T5.5")
def test_places_score_200_150_100_and_50() -> None:
    state = in_trix(("AC", "AD", "AH", "ASKS"))
    state, events = run(STANDARD, state, "play AC", "play AD", "play AH")
    assert [e for e in events if not isinstance(e, CardPlayed)] == [
        WentOut(0, 1, 200),
        WentOut(1, 2, 150),
        WentOut(2, 3, 100),
        WentOut(3, 4, 50),
        DealOver(1, Contract.TRIX, (200, 150, 100, 50), (200, 150, 100, 50)),
    ]
    # The fourth seat still held two cards; nobody sees them.
    assert state == State(Phase.DEAL, state.sheet, 0)


@pytest.mark.clause("T5.5")
def test_out_seats_are_kept_in_their_order_and_shown() -> None:
    state = in_trix(("ACKC", "AD", "AH", "ASKS"), to_act=1)
    state, _ = run(STANDARD, state, "play AD", "play AH")
    assert state.out == (1, 2)
    seen = trix.view(STANDARD, state, None)
    assert (seen.out, seen.points) == ((1, 2), (0, 200, 150, 0))


@pytest.mark.clause("T5.6")
def test_a_seat_that_is_out_is_passed_over_without_an_event() -> None:
    state = in_trix(("AC2H3H", "", "AH2C", "AS3C"), to_act=0, out=(1,))
    state, events = run(STANDARD, state, "play AC")
    assert state.to_act == 2
    assert events == [CardPlayed(0, card("AC"))]


@pytest.mark.clause("T5.4", "T5.6")
def test_passing_over_and_passing_mix() -> None:
    state = in_trix(("QC2D", "", "AC2S", "KC3S"), to_act=0, out=(1,))
    state, events = run(STANDARD, state, "play QC")
    assert events == [CardPlayed(0, card("QC")), Passed(2)]
    assert state.to_act == 3


def test_the_layout_is_listed_ascending() -> None:
    state = in_trix(("QCTC", "KC9C", "AC8C2C3C", "7C6C5C4C"))
    assert layout_cards(state.layout) == cards("JC" + "".join(SUITS[1:]))


@pytest.mark.clause("T5.4")
@pytest.mark.parametrize("owner", range(4))
def test_only_seats_with_nothing_playable_pass(owner: int) -> None:
    for step in random_game(owned_by(owner), f"passes {owner}"):
        for event in step.events:
            if isinstance(event, Passed):
                hand, layout = step.after.hands[event.seat], step.after.layout
                assert hand
                assert not any(lies(layout, NEEDS[c]) for c in hand)
