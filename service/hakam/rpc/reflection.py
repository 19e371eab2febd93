"""gRPC's reflection, by the protocol of grpcio's own servicer: what the contract is."""

from collections.abc import Sequence
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError
from grpc_reflection.v1alpha import reflection, reflection_pb2

from hakam.rpc.incoming import Ending, Open

__all__ = ["METHOD", "Reflection"]

METHOD: Final = f"/{reflection.SERVICE_NAME}/ServerReflectionInfo"
_MALFORMED: Final = Ending(grpc.StatusCode.INVALID_ARGUMENT, "the bytes are no such message")


class Reflection:
    """Answers about some services, and about itself."""

    def __init__(self, services: Sequence[str]) -> None:
        names = (*services, reflection.SERVICE_NAME)
        self._servicer: Final[Any] = reflection.ReflectionServicer(names)

    def open(self, call: Open) -> "_Asking":
        """The method."""
        return _Asking(self._servicer, call)


class _Asking:
    """Somebody who asks, each question by itself."""

    def __init__(self, servicer: Any, call: Open) -> None:
        self._servicer: Final = servicer
        self._call: Final = call

    def message(self, raw: bytes) -> None:
        try:
            question = reflection_pb2.ServerReflectionRequest.FromString(raw)
        except DecodeError:
            self._call.end(_MALFORMED)
            return
        for answer in self._servicer.ServerReflectionInfo((question,), None):
            self._call.send(answer.SerializeToString())

    def ended(self) -> bool:
        return True

    def gone(self) -> None:
        """Nothing is kept of it."""
