"""The floor: grpcio's synchronous server with an empty handler, raw bytes in and out.

`python -m bench.floor PORT` answers `/bench.Floor/N` with N bytes, whatever it is asked: four
threads, no interceptors, no message classes. What Hakam takes more than this is its own.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import grpc

__all__ = ["method", "serve"]

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


if __name__ == "__main__":
    serve(int(sys.argv[1]))
