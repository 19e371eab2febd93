"""The load: h2load, a generator in C, on a core of its own, and the check that it did load.

h2load takes a gRPC error for a success. So every measurement begins with one real call by gRPC's
own client, and afterwards the bytes that came back must be those of so many answers of that length.
"""

import re
import shutil
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Final

import grpc

from bench.places import BUILD, LOAD_CORE
from bench.process import Running, pinned

__all__ = ["Call", "Load", "Shape", "answer_of", "command", "missing", "send"]

_FRAME_BYTES: Final = 5
_RATE: Final = re.compile(r"finished in [\d.]+\w+, ([\d.]+) req/s")
_DONE: Final = re.compile(r"(\d+) succeeded, 0 failed, 0 errored, 0 timeout")
_DATA: Final = re.compile(r"\((\d+)\) data")


@dataclass(frozen=True)
class Call:
    """One request to a method, and the length of its answer."""

    path: str
    body: bytes
    answer_bytes: int


@dataclass(frozen=True)
class Shape:
    """How the calls come: so many, over connections with so many in flight on each."""

    calls: int
    connections: int = 8
    in_flight: int = 8


@dataclass(frozen=True)
class Load:
    """What came of it: calls a second, the server's CPU a call, and two quantiles of latency."""

    rate: float
    cpu_us: float
    p50_ms: float
    p99_ms: float


def missing() -> str | None:
    """What to do where there is no h2load."""
    if shutil.which("h2load") is not None:
        return None
    return "h2load is missing; Debian and Ubuntu have it: apt-get install nghttp2-client"


def answer_of(server: Running, path: str, body: bytes) -> bytes:
    """The answer that gRPC's own client gets; raises grpc.RpcError for an error."""
    with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(path)
        return call(body, timeout=30, wait_for_ready=True)


def command(server: Running, call: Call, shape: Shape, log: Path | None = None) -> list[str]:
    """The generator's command line; its body file is written."""
    BUILD.mkdir(parents=True, exist_ok=True)
    body = BUILD / f"{call.path.strip('/').replace('/', '-')}-{len(call.body)}.bin"
    body.write_bytes(struct.pack(">BI", 0, len(call.body)) + call.body)
    options = [
        *("--no-tls-proto=h2c", "-t", "1", "-w", "24", "-W", "24"),
        *("-c", str(shape.connections), "-m", str(shape.in_flight), "-n", str(shape.calls)),
        *("-d", str(body), "-H", "content-type: application/grpc", "-H", "te: trailers"),
    ]
    if log is not None:
        log.unlink(missing_ok=True)
        options.append(f"--log-file={log}")
    url = f"http://127.0.0.1:{server.port}{call.path}"
    return pinned(["h2load", *options, url], {LOAD_CORE})


def send(server: Running, call: Call, shape: Shape) -> Load:
    """Load the server; raises RuntimeError where an answer was not the one expected."""
    log = BUILD / "latencies.tsv"
    before = server.cpu_seconds()
    done = subprocess.run(
        command(server, call, shape, log), capture_output=True, text=True, check=True
    )
    cpu = server.cpu_seconds() - before
    _check(done.stdout, call, shape)
    cuts = quantiles(_latencies(log), n=100)
    rate = float(_found(_RATE, done.stdout))
    return Load(rate, cpu / shape.calls * 1e6, cuts[49], cuts[98])


def _latencies(log: Path) -> list[float]:
    """Milliseconds of every call."""
    return [int(line.split("\t")[2]) / 1000 for line in log.read_text().splitlines()]


def _check(output: str, call: Call, shape: Shape) -> None:
    expected = shape.calls * (_FRAME_BYTES + call.answer_bytes)
    if int(_found(_DONE, output)) != shape.calls or int(_found(_DATA, output)) != expected:
        raise RuntimeError(f"{call.path}: not {shape.calls} answers of the right length\n{output}")


def _found(pattern: re.Pattern[str], output: str) -> str:
    match = pattern.search(output)
    if match is None:
        raise RuntimeError(f"h2load says nothing of {pattern.pattern}:\n{output}")
    return match[1]
