"""Whole games, kept as text: they replay to the letter, and show what is rare."""

from collections.abc import Iterator
from itertools import groupby

import pytest

from hakam.games import trix
from hakam.games.trix.contracts import KING_OF_HEARTS, QUEENS, TRIX, Contract
from hakam.games.trix.events import ContractChosen, Passed, TrickTaken, WentOut
from hakam.games.trix.state import Phase
from tests.games.trix.record import FILES, GOLDENS, replayed, written
from tests.games.trix.support import VARIANTS, Step


def text_of(name: str) -> str:
    return (GOLDENS / f"{name}.txt").read_text("ascii")


@pytest.fixture(scope="module")
def steps() -> list[Step]:
    """Every step of every golden."""
    return [
        step
        for name, (variant, _) in FILES.items()
        for step in replayed(VARIANTS[variant], text_of(name))
    ]


@pytest.mark.parametrize("name", FILES)
def test_a_golden_replays_to_the_letter(name: str) -> None:
    rules = VARIANTS[FILES[name][0]]
    played = list(replayed(rules, text_of(name)))
    assert written(rules, iter(played)) == text_of(name)
    assert trix.outcome(rules, played[-1].after) is not None


def test_there_is_a_test_for_every_golden() -> None:
    assert {path.stem for path in GOLDENS.iterdir()} == set(FILES)


def doubled_taken(steps: list[Step]) -> Iterator[tuple[int, int, int, TrickTaken]]:
    """Contract, card, doubler and trick of every doubled card that was taken."""
    for step in steps:
        for event in step.events:
            if isinstance(event, TrickTaken):
                for d in step.before.doubled:
                    if d.card in event.cards:
                        yield step.before.contract, d.card, d.seat, event


@pytest.mark.clause("T4.3", "T4.4")
@pytest.mark.parametrize("contract", [Contract.KING_OF_HEARTS, Contract.QUEENS, Contract.COMPLEX])
def test_doubled_cards_are_taken_in_every_way(contract: Contract, steps: list[Step]) -> None:
    ways = {
        "another" if taken.taker != doubler else "led" if taken.leader == doubler else "own"
        for played, _, doubler, taken in doubled_taken(steps)
        if played == contract
    }
    assert ways == {"another", "own", "led"}


@pytest.mark.clause("T4.4")
def test_a_doubled_king_is_taken_by_its_own_holder_on_anothers_lead(steps: list[Step]) -> None:
    assert any(
        card == KING_OF_HEARTS
        and taken.taker == doubler != taken.leader
        and taken.points[taken.leader] == 75
        and taken.points[taken.taker] == -150
        for contract, card, doubler, taken in doubled_taken(steps)
        if contract == Contract.KING_OF_HEARTS
    )


@pytest.mark.clause("T4.3")
def test_queens_are_doubled_by_no_seat_one_and_several(steps: list[Step]) -> None:
    sheets = [step.after.sheet for step in steps if step.after.phase == Phase.OVER]
    lines = [line for sheet in sheets for line in sheet if line.contract == Contract.QUEENS]
    doublers = [[d.seat for d in line.doubled] for line in lines]
    assert {min(len(set(seats)), 2) for seats in doublers} == {0, 1, 2}
    assert any(len(seats) > len(set(seats)) for seats in doublers)


@pytest.mark.clause("T9.4")
def test_king_and_queens_are_doubled_in_one_complex_deal(steps: list[Step]) -> None:
    sheets = [step.after.sheet for step in steps if step.after.phase == Phase.OVER]
    lines = [line for sheet in sheets for line in sheet if line.contract == Contract.COMPLEX]
    cards = [{d.card for d in line.doubled} for line in lines]
    assert any(KING_OF_HEARTS in doubled and doubled & {*QUEENS} for doubled in cards)


@pytest.mark.clause("T5.3")
def test_an_owner_without_a_jack_passes(steps: list[Step]) -> None:
    assert any(
        isinstance(step.events[0], ContractChosen)
        and step.events[0].contract == TRIX
        and step.events[1:2] == (Passed(step.events[0].seat),)
        for step in steps
    )


@pytest.mark.clause("T5.4")
def test_three_seats_pass_in_a_row(steps: list[Step]) -> None:
    longest = [
        len(list(group))
        for step in steps
        for passed, group in groupby(step.events, lambda e: isinstance(e, Passed))
        if passed
    ]
    assert max(longest) == 3


@pytest.mark.clause("T5.5", "T5.6")
def test_seats_go_out_and_are_passed_over(steps: list[Step]) -> None:
    out = [e.place for step in steps for e in step.events if isinstance(e, WentOut)]
    assert set(out) == {1, 2, 3, 4}
    assert any(len(step.before.out) == 2 for step in steps)


@pytest.mark.clause("T2.4")
def test_deals_end_early_and_late(steps: list[Step]) -> None:
    def left(contract: Contract) -> set[bool]:
        ends = [s for s in steps if s.before.contract == contract != s.after.contract]
        return {any(len(hand) > 1 for hand in s.before.hands) for s in ends}

    for contract in (Contract.KING_OF_HEARTS, Contract.QUEENS, Contract.DIAMONDS):
        assert left(contract) == {True, False}
    for contract in (Contract.SLAPS, Contract.COMPLEX):
        assert left(contract) == {False}
