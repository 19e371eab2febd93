"""The small HTTP server beside gRPC: `/metrics`, `/readyz`, `/healthz`."""

from collections.abc import Callable, Iterable
from socket import AF_INET6
from socketserver import ThreadingMixIn
from threading import Thread
from typing import Any, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, make_wsgi_app

__all__ = ["Pages"]

_POLL_SECONDS: Final = 0.05
_PLAIN: Final = [("Content-Type", "text/plain; charset=utf-8")]


class Pages:
    """Serves from construction until `stop`; port 0 is any free one, `port` the one it has."""

    def __init__(
        self, host: str, port: int, registry: CollectorRegistry, is_ready: Callable[[], bool]
    ) -> None:
        self._metrics: Final = make_wsgi_app(registry)
        self._is_ready: Final = is_ready
        kind = _server_for(host)
        self._server: Final = make_server(host, port, self._answer, kind, _SilentHandler)
        self.port: Final = self._server.server_port
        self._thread: Final = Thread(
            target=self._server.serve_forever,
            args=(_POLL_SECONDS,),
            name="hakam-pages",
            daemon=True,
        )
        self._thread.start()

    def _answer(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path in ("/", "/metrics"):
            return self._metrics(environ, start_response)  # type: ignore[no-any-return] # untyped
        if path == "/healthz":
            return _say(start_response, "200 OK", b"alive\n")
        if path == "/readyz" and self._is_ready():
            return _say(start_response, "200 OK", b"ready\n")
        if path == "/readyz":
            return _say(start_response, "503 Service Unavailable", b"not ready\n")
        return _say(start_response, "404 Not Found", b"/metrics, /readyz, /healthz\n")

    def stop(self) -> None:
        """Close the port."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def _say(start_response: Any, status: str, body: bytes) -> list[bytes]:
    start_response(status, _PLAIN)
    return [body]


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _ServerV6(_Server):
    address_family = AF_INET6


def _server_for(host: str) -> type[_Server]:
    return _ServerV6 if ":" in host else _Server


class _SilentHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Log nothing: probes and scrapes would fill the log."""
