"""What a call can fail with: a class a gRPC code, with all that the error says.

HakamError
├── InvalidRequestError     INVALID_ARGUMENT     mend the request: the fields are named
├── IllegalMoveError        FAILED_PRECONDITION  tell the player: the clause is named
│   └── StaleMoveError      … PLY_MISMATCH       the game has moved on; nothing was played
├── UnauthenticatedError    UNAUTHENTICATED      bring the credential, or the token
├── NotAllowedError         PERMISSION_DENIED    it is not yours to ask
├── LimitExceededError      RESOURCE_EXHAUSTED   send less
├── UnavailableError        UNAVAILABLE          no replica answers, after all retries
├── DeadlineExceededError   DEADLINE_EXCEEDED    nobody answered in time
├── UnsupportedError        UNIMPLEMENTED        another release has it
└── ServiceFaultError       INTERNAL             report the id

Any other code is a plain HakamError. An error of somebody in between, a proxy or gRPC itself, has
no reason and no details; its class follows from its code all the same.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

__all__ = [
    "DeadlineExceededError",
    "FieldFault",
    "HakamError",
    "IllegalMoveError",
    "InvalidRequestError",
    "LimitExceededError",
    "NotAllowedError",
    "ServiceFaultError",
    "StaleMoveError",
    "UnauthenticatedError",
    "UnavailableError",
    "UnsupportedError",
    "from_rpc_error",
    "from_status",
]

D = TypeVar("D")

_DOMAIN: Final = "hakam"
_TRAILER: Final = "grpc-status-details-bin"
_STALE: Final = "PLY_MISMATCH"


class HakamError(Exception):
    """A call that was refused or not answered.

    Branch on the class, then on `reason`; texts may change in any release.
    """

    def __init__(self, code: grpc.StatusCode, status: status_pb2.Status) -> None:
        super().__init__(code, status)
        self._info: Final = _detail(status, error_details_pb2.ErrorInfo)
        self._localized: Final = _detail(status, error_details_pb2.LocalizedMessage)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __str__(self) -> str:
        return f"{self.reason or self.code.name}: {self.text}"

    @property
    def code(self) -> grpc.StatusCode:
        """The gRPC code."""
        code: grpc.StatusCode = self.args[0]
        return code

    @property
    def status(self) -> status_pb2.Status:
        """The whole error as it came, with its details packed."""
        status: status_pb2.Status = self.args[1]
        return status

    @property
    def reason(self) -> str:
        """A name of the enum `Reason` without its prefix, such as `MUST_FOLLOW_SUIT`.

        A newer service may have others; empty where the error is not Hakam's own.
        """
        reason: str = self._info.reason
        return reason if self._info.domain == _DOMAIN else ""

    @property
    def text(self) -> str:
        """The same for people, in the language asked for; gRPC's own English where it has none."""
        text: str = self._localized.message or self.status.message
        return text

    @property
    def metadata(self) -> Mapping[str, str]:
        """Ids and numbers that belong to the reason."""
        return dict(self._info.metadata) if self.reason else {}

    def _number(self, name: str) -> int | None:
        digits = self.metadata.get(name, "")
        return int(digits) if digits.isascii() and digits.isdigit() else None


@dataclass(frozen=True, slots=True)
class FieldFault:
    """One field at fault.

    `path` leads from the request down, such as `state.trix.hands[1].cards[2]`; `text` is a short
    fact in English, for the developer.
    """

    path: str
    reason: str
    text: str


class InvalidRequestError(HakamError):
    """The request, its state or its seal is at fault."""

    @property
    def faults(self) -> tuple[FieldFault, ...]:
        """The fields at fault, at most 32."""
        request = _detail(self.status, error_details_pb2.BadRequest)
        return tuple(
            FieldFault(fault.field, fault.reason, fault.description)
            for fault in request.field_violations
        )

    @property
    def fault_count(self) -> int:
        """The number of all faults that were found."""
        count = self._number("faults")
        return len(self.faults) if count is None else count


class IllegalMoveError(HakamError):
    """The move may not be played, or nobody may move now."""

    @property
    def clause(self) -> str:
        """The clause of the rules, such as `T2.2`; empty where none of a game forbids the move."""
        return self.metadata.get("clause", "")

    @property
    def ply(self) -> int | None:
        """The ply of the state."""
        return self._number("ply")

    @property
    def seat(self) -> int | None:
        """Whose piece stands in the way, or whose turn it is."""
        return self._number("seat")

    @property
    def marble(self) -> int | None:
        """The marble concerned."""
        return self._number("marble")

    @property
    def cell(self) -> int | None:
        """The cell concerned: a cell id in Jackaroo, a path square in Tjau."""
        return self._number("cell")

    @property
    def card(self) -> str | None:
        """The card concerned by its name in the enum `Card`, such as `CARD_KING_OF_HEARTS`."""
        return self.metadata.get("card")


class StaleMoveError(IllegalMoveError):
    """The game has moved on since the ply that the move was meant for; nothing was played."""

    @property
    def expected_ply(self) -> int | None:
        """The ply that the move was meant for."""
        return self._number("expected_ply")


class UnauthenticatedError(HakamError):
    """A credential or the token that admits is missing."""


class NotAllowedError(HakamError):
    """The credential is another seat's, or the service gives this to its keeper alone."""


class LimitExceededError(HakamError):
    """The request, or its answer, would be too large."""

    @property
    def limit(self) -> int | None:
        """What is allowed."""
        return self._number("limit")


class UnavailableError(HakamError):
    """No replica answers, or all that do are busy or stopping; every call may be sent again."""


class DeadlineExceededError(HakamError):
    """Nobody answered in time; every call may be sent again."""


class UnsupportedError(HakamError):
    """The service has no such call, or not all of it."""


class ServiceFaultError(HakamError):
    """A fault of the service."""

    @property
    def id(self) -> str:
        """What the service's log has the fault by."""
        return self.metadata.get("id", "")


_CLASSES: Final[Mapping[grpc.StatusCode, type[HakamError]]] = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidRequestError,
    grpc.StatusCode.FAILED_PRECONDITION: IllegalMoveError,
    grpc.StatusCode.UNAUTHENTICATED: UnauthenticatedError,
    grpc.StatusCode.PERMISSION_DENIED: NotAllowedError,
    grpc.StatusCode.RESOURCE_EXHAUSTED: LimitExceededError,
    grpc.StatusCode.UNAVAILABLE: UnavailableError,
    grpc.StatusCode.DEADLINE_EXCEEDED: DeadlineExceededError,
    grpc.StatusCode.UNIMPLEMENTED: UnsupportedError,
    grpc.StatusCode.INTERNAL: ServiceFaultError,
}


def from_status(code: grpc.StatusCode, status: status_pb2.Status) -> HakamError:
    """The typed error of a code and of what stands beside it."""
    error = _CLASSES.get(code, HakamError)(code, status)
    stale = isinstance(error, IllegalMoveError) and error.reason == _STALE
    return StaleMoveError(code, status) if stale else error


def from_rpc_error(error: grpc.RpcError) -> HakamError:
    """The typed error of a call by the generated stub, blocking or not."""
    status = _packed(error.trailing_metadata() or ())
    if status is None:
        status = status_pb2.Status(code=error.code().value[0], message=error.details() or "")
    return from_status(error.code(), status)


def _packed(trailers: Iterable[Any]) -> status_pb2.Status | None:
    """The status with its details, or None where whoever answered sent none that can be read."""
    for name, value in trailers:
        if name == _TRAILER:
            try:
                return status_pb2.Status.FromString(value)
            except DecodeError:
                return None
    return None


def _detail(status: status_pb2.Status, kind: type[D]) -> D:
    """The detail of a type; an empty one where there is none that can be read."""
    found: Any = kind()
    for detail in status.details:
        if detail.Is(found.DESCRIPTOR):
            try:
                detail.Unpack(found)
            except DecodeError:
                return kind()
    return found  # type: ignore[no-any-return] # a message, which the stubs of google.rpc do not say
