"""The floor: grpcio's synchronous server with an empty handler, raw bytes in and out.

`python -m bench.floor PORT` answers `/bench.Floor/N` with N bytes, whatever it is asked: four
threads, no interceptors, no message classes. `python -m bench.floor PORT N…` does it on Hakam's own
transport, for these N: what Hakam takes more than that is not the transport's.
"""

import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import grpc

from hakam.rpc.incoming import Begin, Ending, Incoming
from hakam.rpc.loop import Loop

__all__ = ["method", "serve", "serve_on_loop"]

_SERVICE: Final = "/bench.Floor/"
_THREADS: Final = 4


def method(answer_bytes: int) -> str:
    """The path of the method with such an answer."""
    return f"{_SERVICE}{answer_bytes}"


class _Handlers(grpc.GenericRpcHandler):
    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> "grpc.RpcMethodHandler[bytes, bytes]":
        answer = bytes(int(handler_call_details.method.removeprefix(_SERVICE)))
        return grpc.unary_unary_rpc_method_handler(lambda _request, _context: answer)


def serve(port: int) -> None:
    """Serve on a port of this machine until the process is ended."""
    server = grpc.server(ThreadPoolExecutor(_THREADS), options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers((_Handlers(),))
    server.add_insecure_port(f"127.0.0.1:{port}")
    server.start()
    server.wait_for_termination()


class _Empty:
    """No work at all."""

    def __init__(self, answer: bytes) -> None:
        self._answer: Final = answer

    def work(self, _raw: bytes) -> bytes:
        return self._answer

    def nothing(self, *, late: bool) -> Ending:
        del late
        return Ending(grpc.StatusCode.INVALID_ARGUMENT)

    def gone(self, *, cancelled: bool) -> None:
        """Nothing is kept of it."""


def serve_on_loop(port: int, lengths: Sequence[int]) -> None:
    """The same with answers of these lengths, on Hakam's transport."""
    methods = {method(length): _begin(bytes(length)) for length in lengths}
    loop = Loop(methods, {}, [("grpc.so_reuseport", 0)], 60, settle=_nothing, fault=_nothing)
    loop.bind(f"127.0.0.1:{port}")
    loop.start()
    threading.Event().wait()


def _nothing() -> None:
    """An empty handler has nothing to settle, and no faults."""


def _begin(answer: bytes) -> Begin:
    def begin(_incoming: Incoming) -> _Empty:
        return _Empty(answer)

    return begin


if __name__ == "__main__":
    if len(sys.argv) > 2:
        serve_on_loop(int(sys.argv[1]), list(map(int, sys.argv[2:])))
    else:
        serve(int(sys.argv[1]))
