"""What the terminal shows."""

import pytest

from hakam.cli import show
from hakam.v1 import card_pb2, error_pb2, event_pb2, jackaroo_pb2, tjau_pb2, trix_pb2


class TestLabels:
    def test_numbers_begin_with_one(self) -> None:
        assert show.numbers(3) == ["1", "2", "3"]
        assert show.numbers(0) == []

    def test_letters_go_on_after_z(self) -> None:
        names = show.letters(26 + 26 * 26 + 1)
        assert (names[0], names[25], names[26], names[-1]) == ("a", "z", "aa", "aaa")
        assert len(set(names)) == len(names)


class TestColumns:
    def test_as_many_as_fit_stand_in_a_row(self) -> None:
        assert show.columns(["one", "two", "three", "four"], 16) == "one    two\nthree  four"

    @pytest.mark.parametrize("width", [1, 10, 40, 80, 200])
    def test_no_line_is_wider_than_the_terminal_if_the_items_are_not(self, width: int) -> None:
        items = [f"{i}) play TH" for i in range(1, 41)]
        lines = show.columns(items, width).splitlines()
        assert max(map(len, lines)) <= max(width, len(items[-1]))
        assert " ".join(" ".join(lines).split()) == " ".join(items)

    def test_nothing_is_nothing(self) -> None:
        assert show.columns([], 80) == ""


class TestLines:
    def test_an_event_names_its_fields(self) -> None:
        moved = tjau_pb2.TjauMoved(seat=0, from_square=3, to_square=7)
        event = event_pb2.Event(tjau=tjau_pb2.TjauEvent(moved=moved))
        assert show.event_line(event) == "moved seat=0 from_square=3 to_square=7"

    def test_cards_and_choices_have_their_short_names(self) -> None:
        chosen = trix_pb2.TrixContractChosen(seat=1, contract=trix_pb2.TRIX_CONTRACT_SLAPS)
        event = event_pb2.Event(trix=trix_pb2.TrixEvent(contract_chosen=chosen))
        assert show.event_line(event) == "contract_chosen seat=1 contract=slaps"

    def test_what_is_not_said_is_left_out(self) -> None:
        played = jackaroo_pb2.JackarooPlayed(seat=2, card=card_pb2.CARD_ACE_OF_CLUBS)
        event = event_pb2.Event(jackaroo=jackaroo_pb2.JackarooEvent(played=played))
        assert show.event_line(event) == "played seat=2 card=AC"

    def test_the_end_names_winners_and_scores(self) -> None:
        outcome = event_pb2.Outcome(winners=[0, 2], scores=[10, -10, 10, -10])
        event = event_pb2.Event(game_over=event_pb2.GameOver(outcome=outcome))
        assert show.event_line(event) == "game over, won by 0, 2; scores 10, -10, 10, -10"

    def test_a_refusal_names_its_clause(self) -> None:
        violation = error_pb2.Violation(text="Your own piece is there.", clause="W3.3")
        assert show.refusal_line(violation) == "Your own piece is there. W3.3"

    def test_a_refusal_of_no_clause_ends_with_its_text(self) -> None:
        assert show.refusal_line(error_pb2.Violation(text="It is over.")) == "It is over."

    def test_arabic_is_an_isolate_with_the_clause_isolated_in_it(self) -> None:
        violation = error_pb2.Violation(text="ليس دورك.", clause="W3.3")
        assert show.refusal_line(violation) == "\u2067ليس دورك. \u2066W3.3\u2069\u2069"
        assert show.directed("ليس دورك.") == "\u2067ليس دورك.\u2069"
        assert show.directed("It is over.") == "It is over."
