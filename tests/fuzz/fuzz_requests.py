"""Requests of every rpc, bent by a fuzzer that sees which code they reach.

Half of the inputs are raw bytes, half are real requests with some bytes changed, cut or doubled.
Whatever comes, a call ends in an answer that parses or in a typed refusal, and never in a fault of
our own. Run by `make fuzz`; flags are those of libFuzzer.
"""

import sys
from pathlib import Path
from typing import Any, NoReturn

import atheris

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "rpc"))

with atheris.instrument_imports(include=["hakam"]):
    from hakam.rpc.call import CURRENT, Call
    from hakam.rpc.endpoint import Door
    from hakam.rpc.metrics import Metrics
    from hakam.rpc.pool import CountingPool
    from hakam.rpc.server import handlers
    from hakam.rpc.servicer import GameServicer

from calls import response_type
from prometheus_client import CollectorRegistry
from samples import every_request

DOOR = Door(3 << 20, 3 << 20, 256, CountingPool(1))
SERVICER = GameServicer(Metrics(CollectorRegistry()), DOOR, 1000, lambda: bytes(32))
ANSWERERS: dict[str, Any] = {r: h.unary_unary for r, h in handlers(DOOR, SERVICER).items()}
RPCS = sorted(ANSWERERS)
SAMPLES = [(rpc, request.SerializeToString()) for rpc, request in every_request(30, 3)]


class Refused(Exception):  # noqa: N818 - the end that most inputs should have
    """The call was refused, with a status."""


class Context:
    """As much of a call's context as an endpoint uses."""

    def is_active(self) -> bool:
        """The caller waits."""
        return True

    def time_remaining(self) -> None:
        """No deadline."""

    def abort_with_status(self, status: Any) -> NoReturn:
        """End the call; every refusal must carry details."""
        assert any(key == "grpc-status-details-bin" for key, _ in status.trailing_metadata)
        raise Refused


def bent(data: atheris.FuzzedDataProvider) -> tuple[str, bytes]:
    """An rpc and the bytes that it gets."""
    if data.ConsumeBool():
        return RPCS[data.ConsumeIntInRange(0, len(RPCS) - 1)], data.ConsumeBytes(4096)
    rpc, sample = SAMPLES[data.ConsumeIntInRange(0, len(SAMPLES) - 1)]
    raw = bytearray(sample)
    for _ in range(data.ConsumeIntInRange(1, 6)):
        start = data.ConsumeIntInRange(0, len(raw))
        end = min(len(raw), start + data.ConsumeIntInRange(0, 16))
        raw[start:end] = data.ConsumeBytes(data.ConsumeIntInRange(0, 16))
    return rpc, bytes(raw)


def one_input(data: bytes) -> None:
    """One call."""
    rpc, raw = bent(atheris.FuzzedDataProvider(data))
    context: Any = Context()
    CURRENT.set(Call(context))
    try:
        answer = ANSWERERS[rpc](raw, context)
    except Refused:
        return
    response_type(rpc).FromString(answer)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
