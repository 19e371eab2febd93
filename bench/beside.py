"""Small calls while a large batch is worked on: how long they wait, and how long without it."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any, Final

from bench import servers
from bench.load import Call, Load, Shape, answer_of, command, send
from bench.positions import batch_request, middle, validate_request
from bench.process import Running
from bench.rounds import interleaved
from bench.wire import SERVICE

__all__ = ["beside_a_batch"]

_LARGE_ITEMS: Final = 1_000
# Few in flight: what is looked at is the wait, not the throughput.
_SMALL: Final = Shape(calls=3_000, connections=4, in_flight=1)
# More than are worked on before the small calls have ended.
_LARGE: Final = Shape(calls=10_000, connections=1, in_flight=1)


def beside_a_batch(build: str, rounds: int) -> dict[str, Any]:
    """The quantiles of small calls alone and beside one batch after the other."""
    small_body = validate_request(middle("tjau")).SerializeToString()
    large_body = batch_request(middle("trix"), _LARGE_ITEMS).SerializeToString()
    with servers.hakam(build) as server:
        small = _call(server, "ValidateMove", small_body)
        large = _call(server, "BatchApplyMoves", large_body)

        def alone() -> Load:
            return send(server, small, _SMALL)

        def beside() -> Load:
            with _batches(server, large):
                return send(server, small, _SMALL)

        found = interleaved({"alone": alone, "beside": beside}, rounds)
    return {"items": _LARGE_ITEMS, **{name: _quantiles(loads) for name, loads in found.items()}}


def _call(server: Running, method: str, body: bytes) -> Call:
    path = f"{SERVICE}/{method}"
    return Call(path, body, len(answer_of(server, path, body)))


@contextmanager
def _batches(server: Running, call: Call) -> Iterator[None]:
    process = subprocess.Popen(command(server, call, _LARGE), stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def _quantiles(loads: list[Load]) -> dict[str, float]:
    return {
        "p50_ms": median([load.p50_ms for load in loads]),
        "p99_ms": median([load.p99_ms for load in loads]),
    }
