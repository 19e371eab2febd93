"""HTTP/2 by hand: what no client of gRPC would do."""

import socket
import time
from collections.abc import Callable, Sequence
from typing import Self

__all__ = ["PREFACE", "Reluctant", "frame", "until"]

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def frame(kind: int, payload: bytes, stream: int = 0, flags: int = 0) -> bytes:
    """A frame of HTTP/2."""
    return len(payload).to_bytes(3) + bytes([kind, flags]) + stream.to_bytes(4) + payload


def until(condition: Callable[[], bool]) -> None:
    """Wait for something that must come."""
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it never came")


class Reluctant:
    """A caller who asks, and has no room for the answers: its windows are of no bytes."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        no_window = (4).to_bytes(2) + bytes(4)
        self._socket.sendall(PREFACE + frame(4, no_window))
        self._stream = -1

    def ask(self, path: str, messages: Sequence[bytes], *, end: bool = True) -> None:
        """One call with these messages."""
        self._stream += 2
        fields = {
            ":method": "POST",
            ":scheme": "http",
            ":path": path,
            ":authority": "x",
            "te": "trailers",
            "content-type": "application/grpc",
        }
        headers = b"".join(
            b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()
            for name, value in fields.items()
        )
        body = b"".join(bytes(1) + len(raw).to_bytes(4) + raw for raw in messages)
        data = frame(0, body, self._stream, int(end))
        self._socket.sendall(frame(1, headers, self._stream, 4) + data)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
