"""Mistakes that other programs of this game make, each refuted."""

import pytest

from hakam.games import trix
from hakam.games.trix.contracts import Contract
from hakam.games.trix.events import CardPlayed, Passed, TrickTaken
from hakam.games.trix.moves import Choose, Double, Play
from tests.games.trix.support import STANDARD, dealt, in_tricks, in_trix, moves, play, run


def points(contract: Contract, *hands: str) -> tuple[int, ...]:
    """What the trick of each seat's first card scores, led by seat 0; nobody doubled."""
    filler = ("2S", "3S", "4S", "5S")
    held = tuple(hand + more for hand, more in zip(hands, filler, strict=True))
    state = in_tricks(contract, held[:4])  # type: ignore[arg-type]
    _, events = run(STANDARD, state, *[f"play {hand}" for hand in hands])
    (trick,) = [e for e in events if isinstance(e, TrickTaken)]
    return trick.points


@pytest.mark.clause("T3.1")
def test_the_king_is_paid_by_the_taker_of_the_trick_not_by_who_was_dealt_it() -> None:
    assert points(Contract.KING_OF_HEARTS, "AH", "KH", "2H", "3H") == (-75, 0, 0, 0)
    assert points(Contract.KING_OF_HEARTS, "2C", "KH", "AC", "3C") == (0, 0, -75, 0)


@pytest.mark.clause("T3.3", "T3.4")
def test_so_are_queens_and_diamonds() -> None:
    assert points(Contract.QUEENS, "AH", "QH", "QC", "QS") == (-75, 0, 0, 0)
    assert points(Contract.DIAMONDS, "2C", "KD", "QD", "AC") == (0, 0, 0, -20)


@pytest.mark.clause("T1.1")
def test_only_the_owner_chooses() -> None:
    state = dealt(owner=2)
    assert trix.to_act(STANDARD, state) == 2
    after, _ = run(STANDARD, state, "choose queens")
    for contract in range(8):
        refused = trix.violation(STANDARD, after, Choose(contract))
        assert refused is not None
        assert refused.reason == "WRONG_PHASE"


@pytest.mark.clause("T1.1")
def test_no_contract_is_chosen_twice() -> None:
    after_slaps = trix.read_position(STANDARD, "deal S=-195/0/0/0 0 - - /// - - /// - -")
    state = trix.validate(STANDARD, after_slaps)
    assert not isinstance(state, tuple)
    due = trix.chance_due(STANDARD, state)
    assert due is not None
    state, _ = trix.resolve(STANDARD, state, due.deck)
    assert "choose slaps" not in moves(STANDARD, state)
    refused = trix.violation(STANDARD, state, Choose(Contract.SLAPS))
    assert refused is not None
    assert (refused.reason, refused.clause) == ("CONTRACT_ALREADY_PLAYED", "T1.1")


@pytest.mark.clause("T2.3")
def test_an_ace_of_another_suit_never_takes() -> None:
    assert points(Contract.SLAPS, "2C", "AD", "AH", "AS") == (-15, 0, 0, 0)


@pytest.mark.clause("T2.1", "T4.1", "T5.1")
@pytest.mark.parametrize("card", [1, 52, 0, 53, -1, 10**30])
def test_a_card_not_in_the_hand_is_a_refusal_and_no_crash(card: int) -> None:
    tricks = in_tricks(Contract.SLAPS, ("9C", "KC", "TC", "3C"))
    layout = in_trix(("QCTC", "KC9C", "AC8C2C3C", "7C6C5C4C"))
    for state in (tricks, layout):
        refused = trix.violation(STANDARD, state, Play(card))
        assert refused is not None
        assert refused.reason == "CARD_NOT_IN_HAND"
        assert refused.card == (card if 1 <= card <= 52 else None)
    asked, _ = run(STANDARD, dealt(owner=2), "choose queens")
    refused = trix.violation(STANDARD, asked, Double((card,)))
    assert refused is not None
    assert refused.reason == "CARD_NOT_IN_HAND"


@pytest.mark.clause("T5.6")
def test_a_seat_that_is_out_is_passed_over() -> None:
    state = in_trix(("AC2H3H", "", "AH2C", "AS3C"), out=(1,))
    after, events = run(STANDARD, state, "play AC")
    assert events == [CardPlayed(0, play("AC").card)]
    assert Passed(1) not in events
    assert after.to_act == 2
