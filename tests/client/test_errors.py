"""Every error is typed by its code, whoever sent it."""

import asyncio
import pickle
from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from google.rpc.status_pb2 import Status

import hakam.client
from hakam.client import (
    AsyncClient,
    Client,
    FieldFault,
    HakamError,
    IllegalMoveError,
    InvalidRequestError,
    LimitExceededError,
    ServiceFaultError,
    StaleMoveError,
    from_rpc_error,
    from_status,
)
from hakam.v1 import game_service_pb2 as pb
from tests.client.conftest import Connect
from tests.client.failures import CLASSES, Call

REFUSED = grpc.StatusCode.FAILED_PRECONDITION


def status(*details: Message, message: str = "") -> Status:
    made = Status(message=message)
    for detail in details:
        made.details.add().Pack(detail)
    return made


def info(reason: str, domain: str = "hakam", **metadata: str) -> Message:
    return error_details_pb2.ErrorInfo(reason=reason, domain=domain, metadata=metadata)


class TestByCode:
    @pytest.mark.parametrize("code", [code for code in grpc.StatusCode if code.value[0]])
    @pytest.mark.parametrize(
        "trailers", [None, (), (("grpc-status-details-bin", b"\xff"),), (("x", "y"),)]
    )
    def test_without_details_that_can_be_read(self, code: grpc.StatusCode, trailers: Any) -> None:
        error = from_rpc_error(Call(code, trailers))
        assert type(error) is CLASSES.get(code, HakamError)
        assert (error.code, error.reason, error.metadata) == (code, "", {})
        assert error.text == "of the core"
        assert str(error) == f"{code.name}: of the core"

    def test_each_class_has_a_code_and_is_public(self) -> None:
        named = {name for name in hakam.client.__all__ if name.endswith("Error")}
        assert named == {kind.__name__ for kind in (HakamError, StaleMoveError, *CLASSES.values())}


class TestDetails:
    def test_an_illegal_move_has_what_stands_in_the_way(self) -> None:
        metadata = {"clause": "J3.7", "ply": "0", "seat": "2", "marble": "0", "cell": "17"}
        error = from_status(REFUSED, status(info("X", card="CARD_JOKER", **metadata)))
        assert isinstance(error, IllegalMoveError)
        assert (error.clause, error.ply, error.seat) == ("J3.7", 0, 2)
        assert (error.marble, error.cell, error.card) == (0, 17, "CARD_JOKER")
        bare = from_status(REFUSED, status(info("X")))
        assert isinstance(bare, IllegalMoveError)
        assert (bare.clause, bare.ply, bare.seat, bare.card) == ("", None, None, None)

    def test_a_late_move_is_an_illegal_one_of_its_own_kind(self) -> None:
        late = from_status(REFUSED, status(info("PLY_MISMATCH", ply="3", expected_ply="2")))
        assert isinstance(late, StaleMoveError)
        assert isinstance(late, IllegalMoveError)
        assert (late.ply, late.expected_ply) == (3, 2)
        other = from_status(grpc.StatusCode.UNKNOWN, status(info("PLY_MISMATCH")))
        assert type(other) is HakamError

    def test_a_request_has_its_faults(self) -> None:
        request = error_details_pb2.BadRequest()
        request.field_violations.add(field="rules", reason="FIELD_MISSING", description="required")
        error = from_status(
            grpc.StatusCode.INVALID_ARGUMENT, status(info("FIELD_MISSING", faults="40"), request)
        )
        assert isinstance(error, InvalidRequestError)
        assert error.faults == (FieldFault("rules", "FIELD_MISSING", "required"),)
        assert error.fault_count == 40
        uncounted = from_status(grpc.StatusCode.INVALID_ARGUMENT, status(request))
        assert isinstance(uncounted, InvalidRequestError)
        assert uncounted.fault_count == 1

    def test_a_limit_and_the_id_of_a_fault(self) -> None:
        limited = from_status(
            grpc.StatusCode.RESOURCE_EXHAUSTED, status(info("TOO_MANY_ITEMS", limit="1000"))
        )
        assert isinstance(limited, LimitExceededError)
        assert limited.limit == 1000
        fault = from_status(grpc.StatusCode.INTERNAL, status(info("INTERNAL", id="a1")))
        assert isinstance(fault, ServiceFaultError)
        assert fault.id == "a1"

    def test_the_text_is_that_of_the_language(self) -> None:
        localized = error_details_pb2.LocalizedMessage(locale="ar", message="انتهت")
        error = from_status(REFUSED, status(info("GAME_OVER"), localized, message="It is over."))
        assert error.text == "انتهت"
        assert str(error) == "GAME_OVER: انتهت"
        assert repr(error) == "IllegalMoveError('GAME_OVER: انتهت')"


class TestOfTheFuture:
    def test_a_reason_that_is_not_known_is_told_as_it_is(self) -> None:
        error = from_status(REFUSED, status(info("OF_THE_FUTURE", clause="Z1.1", new="x")))
        assert type(error) is IllegalMoveError
        assert (error.reason, error.metadata) == ("OF_THE_FUTURE", {"clause": "Z1.1", "new": "x"})

    def test_numbers_that_are_none_are_none(self) -> None:
        error = from_status(REFUSED, status(info("X", seat="-", cell="", marble="٣")))
        assert isinstance(error, IllegalMoveError)
        assert (error.seat, error.cell, error.marble) == (None, None, None)

    def test_details_of_others_are_not_taken_for_ours(self) -> None:
        broken = Packed(type_url="type.googleapis.com/google.rpc.ErrorInfo", value=b"\xff")
        strange = Packed(type_url="type.googleapis.com/of.the.Future", value=b"x")
        foreign = status(info("PLY_MISMATCH", domain="proxy.example", clause="Z1.1"))
        for found in (foreign, Status(details=[broken, strange])):
            error = from_status(REFUSED, found)
            assert type(error) is IllegalMoveError
            assert (error.reason, error.metadata, error.clause) == ("", {}, "")


class TestAsExceptions:
    def test_one_can_be_sent_to_another_process(self) -> None:
        error = from_status(REFUSED, status(info("PLY_MISMATCH", ply="3"), message="late"))
        again = pickle.loads(pickle.dumps(error))  # noqa: S301
        assert isinstance(again, StaleMoveError)
        assert (again.status, again.ply, str(again)) == (error.status, 3, str(error))

    def test_the_error_of_grpc_is_its_cause(self, connect: Connect, address: str) -> None:
        with pytest.raises(InvalidRequestError) as refused:
            connect(address).board({})
        assert isinstance(refused.value.__cause__, grpc.RpcError)

    def test_those_of_the_stub_can_be_typed(self, address: str) -> None:
        async def refused_async() -> None:
            async with AsyncClient(address) as client:
                await client.stub.BatchApplyMoves(pb.BatchApplyMovesRequest())

        def refused() -> None:
            with Client(address) as client:
                client.stub.BatchApplyMoves(pb.BatchApplyMovesRequest())

        for call in (refused, lambda: asyncio.run(refused_async())):
            with pytest.raises(grpc.RpcError) as failed:
                call()
            error = from_rpc_error(failed.value)
            assert isinstance(error, InvalidRequestError)
            assert [fault.path for fault in error.faults] == ["items"]
