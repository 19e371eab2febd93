"""Bent requests by the thousand, about plain and sealed states: typed answers, and no growth."""

import gc
import tracemalloc
from collections import Counter
from random import Random

import pytest
from calls import METHODS, response_type
from samples import every_request

from tests.trust.direct import Answerer, answerers, ask, sealed_requests

Sample = tuple[str, bytes]
# What may be left over for caches that are filled late; a leak of 100 bytes a call is far above.
SLACK = 96 * 1024


def plain_samples() -> list[Sample]:
    return [(rpc, request.SerializeToString()) for rpc, request in every_request(60, 20)]


def sealed_samples() -> list[Sample]:
    return [(rpc, request.SerializeToString()) for rpc, request in sealed_requests(every=150)]


def bent(raw: bytes, rng: Random) -> bytes:
    edited = bytearray(raw)
    for _ in range(rng.randrange(4)):
        start = rng.randrange(len(edited) + 1)
        end = min(len(edited), start + rng.randrange(8))
        edited[start:end] = rng.randbytes(rng.randrange(8))
    return bytes(edited)


def bombard(ask_of: dict[str, Answerer], samples: list[Sample], calls: int) -> Counter[bool]:
    """The same calls every time; whether each was answered."""
    rng = Random(9)
    seen: Counter[bool] = Counter()
    for _ in range(calls):
        rpc, raw = rng.choice(samples)
        if rng.random() < 0.1:
            rpc = rng.choice(sorted(METHODS))
        answer = ask(ask_of[rpc], bent(raw, rng))
        if answer is not None:
            response_type(rpc).FromString(answer)
        seen[answer is not None] += 1
    return seen


@pytest.mark.parametrize("strict", [False, True], ids=["anyone", "keeper"])
@pytest.mark.parametrize("samples", [plain_samples, sealed_samples], ids=["plain", "sealed"])
def test_thousands_of_bent_calls_leave_nothing_behind(samples: object, strict: bool) -> None:
    assert callable(samples)
    ask_of, given = answerers(strict=strict), samples()
    seen = bombard(ask_of, given, 1200)
    assert seen[True]
    assert seen[False]
    gc.collect()
    tracemalloc.start()
    try:
        bombard(ask_of, given, 200)  # what tracing itself keeps
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        bombard(ask_of, given, 1200)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < SLACK


@pytest.mark.long
@pytest.mark.parametrize("samples", [plain_samples, sealed_samples], ids=["plain", "sealed"])
def test_resident_memory_stays_where_it_is(samples: object) -> None:
    """What the C++ parts hold is not traced, but it is resident."""
    assert callable(samples)
    ask_of, given = answerers(), samples()
    bombard(ask_of, given, 20_000)
    before = resident()
    bombard(ask_of, given, 40_000)
    assert resident() - before < 8 * 1024 * 1024


def resident() -> int:
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
        return int(file.read().split()[1]) * 4096
