import re
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from hakam import texts
from hakam.games.game import Fault, Violation
from hakam.games.reasons import Reason
from hakam.games.registry import GAMES
from hakam.rpc import errors
from hakam.rpc.errors import MAX_FAULTS, Refusal, code_of, invalid, to_call_error, to_status
from hakam.texts import Language, sentence, violation_text
from hakam.v1 import error_pb2

PROTO = Path(__file__).parents[2] / "proto/hakam/v1/error.proto"
TJAU = GAMES["tjau"].CATALOGUE
Code = grpc.StatusCode

# Whatever a client shows of an error must reach it: details of 4 KiB, headers of 8.
DETAILS_BYTES = 4096


def details(status: grpc.Status) -> dict[str, Any]:
    """The details of a status by type, and the rich status itself."""
    raw = dict(status.trailing_metadata or ())["grpc-status-details-bin"]
    assert isinstance(raw, bytes)
    rich = status_pb2.Status.FromString(raw)
    found: dict[str, Any] = {"size": len(raw), "status": rich}
    for kind in ("ErrorInfo", "BadRequest", "LocalizedMessage"):
        message = getattr(error_details_pb2, kind)()
        for packed in rich.details:
            if packed.Unpack(message):
                found[kind] = message
    assert len(rich.details) == len(found) - 2
    return found


def worst_faults(number: int = 2000) -> list[Fault]:
    """Longer in every part than any fault that the service finds."""
    allowed = tuple(f"a_rather_long_choice_of_an_option_{i}" for i in range(12))
    path = "record.outcomes.outcomes[8191].deal.hands[5].cards[51].and.a.little.more"
    detail = "must be " + "1 to 1000000000 of something " * 3
    return [
        Fault(f"{path}[{i}]", Reason.VALUE_OUT_OF_RANGE, detail, "J5.10", allowed)
        for i in range(number)
    ]


def test_the_reasons_are_those_of_the_wire_in_its_order() -> None:
    names = [name.removeprefix("REASON_") for name, number in error_pb2.Reason.items() if number]
    assert sorted(names) == sorted(reason.value for reason in Reason)
    assert all(reason.name == reason.value for reason in Reason)
    by_number = [
        name.removeprefix("REASON_")
        for name, _ in sorted(error_pb2.Reason.items(), key=lambda item: item[1])
    ]
    assert by_number[1:] == [reason.value for reason in Reason]


def test_every_reason_has_exactly_one_code() -> None:
    listed = [reason for reasons in errors._BY_CODE.values() for reason in reasons]
    assert len(listed) == len(set(listed))
    assert Code.FAILED_PRECONDITION not in errors._BY_CODE
    assert {code_of(reason) for reason in Reason} == {*errors._BY_CODE, Code.FAILED_PRECONDITION}


def test_the_reasons_of_games_are_preconditions_and_no_others() -> None:
    unlisted = [reason for reason in Reason if code_of(reason) is Code.FAILED_PRECONDITION]
    order = list(Reason)
    first, last = order.index(Reason.NOT_YOUR_TURN), order.index(Reason.NO_SUCH_MARBLE)
    assert unlisted == order[first : last + 1]


def test_the_code_that_the_contract_names_beside_a_reason_is_its_code() -> None:
    text = PROTO.read_text(encoding="utf-8")
    commented = re.findall(r"((?:  //[^\n]*\n)+)  REASON_(\w+) = \d+;", text)
    named = 0
    for comment, name in commented:
        for code in Code:
            if re.search(rf"\b{code.name}\b", comment) and name != code.name:
                assert code_of(Reason(name)) is code, name
                named += 1
    assert len(commented) == len(Reason) + 1
    assert named >= 15


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("reason", texts._REASONS)
def test_every_error_says_its_reason_to_programs_and_to_people(
    reason: Reason, language: Language
) -> None:
    refusal = Refusal(reason, metadata={"limit": "7"})
    found = details(to_status(refusal, language))
    assert (found["ErrorInfo"].reason, found["ErrorInfo"].domain) == (reason.value, "hakam")
    assert dict(found["ErrorInfo"].metadata) == {"limit": "7"}
    assert found["LocalizedMessage"].locale == ("en", "ar")[language - 1]
    assert found["LocalizedMessage"].message == sentence(reason, language)
    assert found["status"].message == sentence(reason, Language.EN)
    assert found["status"].code == code_of(reason).value[0]
    assert "BadRequest" not in found


def test_a_refused_move_names_its_clause_and_what_is_in_the_way() -> None:
    refused = Violation(Reason.MARK_PROTECTS, "W3.5", seat=0, marble=3, cell=8, card=13)
    refusal = Refusal(refused.reason, violation=refused, catalogue=TJAU, metadata={"ply": "4"})
    found = details(to_status(refusal, Language.AR))
    assert dict(found["ErrorInfo"].metadata) == {
        "ply": "4",
        "clause": "W3.5",
        "seat": "0",
        "marble": "3",
        "cell": "8",
        "card": "CARD_ACE_OF_CLUBS",
    }
    assert found["LocalizedMessage"].message == violation_text(TJAU, refused, Language.AR)
    assert found["status"].message == violation_text(TJAU, refused, Language.EN)
    error = to_call_error(refusal, Language.AR)
    assert error.violation.clause == "W3.5"
    assert (error.violation.seat, error.violation.marble) == (0, 3)
    assert error.message == error.violation.text == violation_text(TJAU, refused, Language.AR)


@pytest.mark.parametrize("card", [None, 0, -1, 54, 2**31 - 1, -(2**31)])
def test_no_card_and_a_card_that_does_not_exist_are_left_out(card: int | None) -> None:
    refused = Violation(Reason.CARD_NOT_IN_HAND, "", card=card)
    refusal = Refusal(refused.reason, violation=refused, catalogue=TJAU)
    assert dict(details(to_status(refusal, Language.EN))["ErrorInfo"].metadata) == {}


def test_a_refused_field_is_named_with_what_is_allowed() -> None:
    faults = [
        Fault("rules.tjau.board", Reason.VALUE_UNKNOWN, "unknown value", allowed=("ur", "egyptian"))
    ]
    found = details(to_status(invalid(faults), Language.EN))
    field = found["BadRequest"].field_violations[0]
    assert (field.field, field.reason) == ("rules.tjau.board", "VALUE_UNKNOWN")
    assert field.description == "unknown value (allowed: ur, egyptian)"
    assert dict(found["ErrorInfo"].metadata) == {"faults": "1"}


def test_at_most_thirty_two_faults_are_listed_and_all_are_counted() -> None:
    faults = [Fault(f"a[{i}]", Reason.DUPLICATE, "twice") for i in range(100)]
    found = details(to_status(invalid(faults), Language.EN))
    assert [f.field for f in found["BadRequest"].field_violations] == [
        f"a[{i}]" for i in range(MAX_FAULTS)
    ]
    assert found["ErrorInfo"].metadata["faults"] == "100"
    error = to_call_error(invalid(faults), Language.EN)
    assert [fault.path for fault in error.faults] == [f"a[{i}]" for i in range(MAX_FAULTS)]
    assert error.fault_count == 100


@pytest.mark.parametrize("language", Language)
def test_the_longest_error_stays_under_four_kibibytes(language: Language) -> None:
    faults = worst_faults()
    found = details(to_status(invalid(faults), language))
    assert found["size"] < DETAILS_BYTES
    assert 1 < len(found["BadRequest"].field_violations) < MAX_FAULTS
    assert found["ErrorInfo"].metadata["faults"] == "2000"


@pytest.mark.parametrize("language", Language)
def test_the_longest_error_of_an_item_stays_under_four_kibibytes(language: Language) -> None:
    error = to_call_error(invalid(worst_faults()), language)
    assert error.ByteSize() < DETAILS_BYTES
    assert 1 < len(error.faults) < MAX_FAULTS
    assert error.fault_count == 2000


def test_an_item_gets_the_error_that_it_would_get_alone() -> None:
    refusal = invalid(worst_faults(3))
    alone = details(to_status(refusal, Language.AR))
    error = to_call_error(refusal, Language.AR)
    assert error.code == alone["status"].code
    assert error_pb2.Reason.Name(error.reason) == f"REASON_{alone['ErrorInfo'].reason}"
    assert error.message == alone["LocalizedMessage"].message
    assert [f.path for f in error.faults] == [f.field for f in alone["BadRequest"].field_violations]
