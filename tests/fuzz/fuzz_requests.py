"""Requests of every rpc, bent by a fuzzer that sees which code they reach.

Half of the inputs are raw bytes, half are real requests with some bytes changed, cut or doubled;
of those, half are about plain states and half about sealed ones, with credentials. Whatever comes,
a call ends in an answer that parses or in a typed refusal, and never in a fault of our own. Run by
`make fuzz`; flags are those of libFuzzer.
"""

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "rpc"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

with atheris.instrument_imports(include=["hakam"]):
    import hakam.rpc.server  # noqa: F401 - with all below it, before anybody else imports it

from calls import response_type
from samples import every_request

from tests.trust.direct import answerers, ask, sealed_requests

ANSWERERS = [answerers(), answerers(strict=True)]
RPCS = sorted(ANSWERERS[0])
SAMPLES = [
    [(rpc, request.SerializeToString()) for rpc, request in requests]
    for requests in (every_request(30, 3), sealed_requests(every=60))
]


def bent(data: atheris.FuzzedDataProvider) -> tuple[str, bytes]:
    """An rpc and the bytes that it gets."""
    if data.ConsumeBool():
        return RPCS[data.ConsumeIntInRange(0, len(RPCS) - 1)], data.ConsumeBytes(4096)
    samples = SAMPLES[data.ConsumeBool()]
    rpc, sample = samples[data.ConsumeIntInRange(0, len(samples) - 1)]
    raw = bytearray(sample)
    for _ in range(data.ConsumeIntInRange(1, 6)):
        start = data.ConsumeIntInRange(0, len(raw))
        end = min(len(raw), start + data.ConsumeIntInRange(0, 16))
        raw[start:end] = data.ConsumeBytes(data.ConsumeIntInRange(0, 16))
    return rpc, bytes(raw)


def one_input(data: bytes) -> None:
    """One call."""
    provider = atheris.FuzzedDataProvider(data)
    service = ANSWERERS[provider.ConsumeBool()]
    rpc, raw = bent(provider)
    answer = ask(service[rpc], raw)
    if answer is not None:
        response_type(rpc).FromString(answer)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
