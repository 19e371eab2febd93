"""gRPC's health protocol: whether the server, and each of its services, serves."""

from collections.abc import Iterable
from threading import Lock
from typing import Final

import grpc
from google.protobuf.message import DecodeError
from grpc_health.v1 import health_pb2 as pb

from hakam.rpc.call import Call
from hakam.rpc.incoming import Ending, Open

__all__ = ["SERVICE", "Health"]

SERVICE: Final = pb.DESCRIPTOR.services_by_name["Health"].full_name
_MALFORMED: Final = Ending(grpc.StatusCode.INVALID_ARGUMENT, "the bytes are no message of health")


class Health:
    """Says of some services, all or none of which serve; others it does not know."""

    def __init__(self, services: Iterable[str]) -> None:
        self._services: Final = frozenset(services)
        self._lock: Final = Lock()
        self._watchers: Final[set[_Watcher]] = set()
        self._serving = False

    @property
    def serving(self) -> bool:
        """Whether they serve."""
        return self._serving

    @serving.setter
    def serving(self, serving: bool) -> None:
        with self._lock:
            self._serving = serving
            for watcher in self._watchers:
                watcher.tell()

    def check(self, raw: bytes, _call: Call) -> bytes | Ending:
        """The method `Check`."""
        service = _service(raw)
        if service is None:
            return _MALFORMED
        if service not in self._services:
            return Ending(grpc.StatusCode.NOT_FOUND)
        return self.status(service)

    def watch(self, call: Open) -> "_Watcher":
        """The method `Watch`."""
        return _Watcher(self, call)

    def status(self, service: str) -> bytes:
        """The answer about a service."""
        response = pb.HealthCheckResponse
        known = response.SERVING if self._serving else response.NOT_SERVING
        status = known if service in self._services else response.SERVICE_UNKNOWN
        return response(status=status).SerializeToString()

    def join(self, watcher: "_Watcher") -> None:
        """Tell somebody the status now, and whenever it changes."""
        with self._lock:
            self._watchers.add(watcher)
            watcher.tell()

    def leave(self, watcher: "_Watcher") -> None:
        """Tell him no more."""
        with self._lock:
            self._watchers.discard(watcher)


class _Watcher:
    """Somebody who watches one service."""

    def __init__(self, health: Health, call: Open) -> None:
        self._health: Final = health
        self._call: Final = call
        self._service = ""
        self._told = b""

    def tell(self) -> None:
        status = self._health.status(self._service)
        if status != self._told:
            self._told = status
            self._call.send(status)

    def message(self, raw: bytes) -> None:
        service = _service(raw)
        if service is None:
            self._call.end(_MALFORMED)
            return
        self._service = service
        self._health.join(self)

    def ended(self) -> bool:
        return False

    def gone(self) -> None:
        self._health.leave(self)


def _service(raw: bytes) -> str | None:
    """The service that is asked about, or None where that cannot be read."""
    try:
        return pb.HealthCheckRequest.FromString(raw).service
    except DecodeError:
        return None
