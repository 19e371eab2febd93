"""What calls fail with, and the class that each code has."""

from typing import Any

import grpc

from hakam.client import (
    DeadlineExceededError,
    IllegalMoveError,
    InvalidRequestError,
    LimitExceededError,
    NotAllowedError,
    ServiceFaultError,
    UnauthenticatedError,
    UnavailableError,
    UnsupportedError,
)

CLASSES = {
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


class Call(grpc.RpcError):
    """An error as gRPC gives it."""

    def __init__(self, code: grpc.StatusCode, trailers: Any) -> None:
        super().__init__()
        self._code = code
        self._trailers = trailers

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return "of the core"

    def trailing_metadata(self) -> Any:
        return self._trailers
