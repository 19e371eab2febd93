"""The recorded exchanges of `proto/testdata/wire`, as this client reads and writes them."""

import json
from base64 import b64decode
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import json_format
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.status_pb2 import Status

from hakam.client import (
    HakamError,
    IllegalMoveError,
    InvalidRequestError,
    LimitExceededError,
    ServiceFaultError,
    StaleMoveError,
    from_rpc_error,
)
from hakam.v1 import game_service_pb2 as pb
from tests.client.failures import CLASSES, Call

DATA = Path(__file__).resolve().parents[2] / "proto/testdata/wire"
METHODS = pb.DESCRIPTOR.services_by_name["GameService"].methods_by_name
EXCHANGES: dict[str, list[dict[str, Any]]] = {
    rpc: json.loads((DATA / f"{rpc}.json").read_text("ascii")) for rpc in METHODS
}
ERRORS = [
    pytest.param(exchange["error"], id=f"{rpc} {exchange['name']}")
    for rpc, exchanges in EXCHANGES.items()
    for exchange in exchanges
    if "error" in exchange
]


def assert_read_and_written(kind: type[Message], recorded: dict[str, Any]) -> None:
    """Binary and JSON are the same message, which is written as it was read."""
    binary = b64decode(recorded["binary"])
    message = kind.FromString(binary)
    assert message.SerializeToString(deterministic=True) == binary
    assert json_format.MessageToDict(message) == recorded["json"]
    assert json_format.ParseDict(recorded["json"], kind()) == message


@pytest.mark.parametrize("rpc", METHODS)
def test_every_message_is_read_and_written(rpc: str) -> None:
    method = METHODS[rpc]
    assert EXCHANGES[rpc]
    for exchange in EXCHANGES[rpc]:
        if "json" in exchange["request"]:
            assert_read_and_written(GetMessageClass(method.input_type), exchange["request"])
        if "answer" in exchange:
            assert_read_and_written(GetMessageClass(method.output_type), exchange["answer"])


@pytest.mark.parametrize("recorded", ERRORS)
def test_every_error_is_typed(recorded: dict[str, Any]) -> None:
    code = grpc.StatusCode[recorded["code"]]
    status = b64decode(recorded["status"])
    error = from_rpc_error(Call(code, (("grpc-status-details-bin", status),)))
    details = {detail["@type"].rpartition(".")[2]: detail for detail in recorded["json"]["details"]}
    metadata = details["ErrorInfo"].get("metadata", {})
    late = recorded["reason"] == "PLY_MISMATCH"
    assert type(error) is (StaleMoveError if late else CLASSES[code])
    assert error.status == Status.FromString(status)
    assert (error.reason, error.metadata) == (recorded["reason"], metadata)
    assert error.text == details["LocalizedMessage"]["message"]
    assert_has(error, metadata, details.get("BadRequest", {}).get("fieldViolations", []))


def assert_has(error: HakamError, metadata: dict[str, str], fields: list[dict[str, str]]) -> None:
    """What an error of a kind says, and what it was recorded to say."""
    if isinstance(error, IllegalMoveError):
        numbers = (error.ply, error.seat, error.marble, error.cell)
        names = ("ply", "seat", "marble", "cell")
        assert numbers == tuple(number(metadata.get(name)) for name in names)
        assert error.clause == metadata.get("clause", "")
        assert error.card == metadata.get("card")
    if isinstance(error, StaleMoveError):
        assert error.expected_ply == number(metadata["expected_ply"])
    if isinstance(error, LimitExceededError):
        assert error.limit == number(metadata["limit"])
    if isinstance(error, ServiceFaultError):
        assert error.id == metadata["id"] != ""
    if isinstance(error, InvalidRequestError):
        found = [(fault.path, fault.reason, fault.text) for fault in error.faults]
        assert found == [(f.get("field", ""), f["reason"], f["description"]) for f in fields]
        assert error.fault_count == int(metadata["faults"])


def number(digits: str | None) -> int | None:
    return None if digits is None else int(digits)
