from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from hakam.rpc.metrics import Metrics
from hakam.rpc.tally import Count, Tally, Times

BOUNDS = (0.25, 0.5, 1.0, inf)
# On bounds, between them and above all.
SECONDS = st.lists(st.sampled_from((0.0, 0.000005, 0.000006, 0.001, 0.1, 0.9, 1.0, 1.1, 50.0)))


def shown(registry: CollectorRegistry, name: str) -> list[Any]:
    return [
        (sample.name, sample.labels, sample.value)
        for family in registry.collect()
        for sample in family.samples
        if family.name == name and not sample.name.endswith("_created")
    ]


@given(rounds=st.lists(SECONDS))
def test_times_show_as_if_each_had_been_observed_by_itself(rounds: list[list[float]]) -> None:
    metrics, plain = Metrics(CollectorRegistry()), CollectorRegistry()
    histogram = Histogram(
        "hakam_engine_seconds",
        "Seconds.",
        ("game", "operation"),
        registry=plain,
        buckets=metrics.engine._upper_bounds,
    )
    times, each = metrics.engine_of("tjau", "apply"), histogram.labels("tjau", "apply")
    for seconds in rounds:
        for one in seconds:
            times.observe(one)
            each.observe(one)
        metrics.tally.write()
    theirs = shown(plain, "hakam_engine_seconds")
    ours = shown(metrics.registry, "hakam_engine_seconds")
    ours = [sample for sample in ours if (sample[0], sample[1]) in names(theirs)]
    assert [(name, labels, pytest.approx(value)) for name, labels, value in theirs] == ours


def names(samples: list[Any]) -> list[Any]:
    return [(name, labels) for name, labels, _ in samples]


@given(rounds=st.lists(st.integers(0, 5)))
def test_counts_are_written_once(rounds: list[int]) -> None:
    registry = CollectorRegistry()
    counter = Counter("moves", "Moves.", registry=registry)
    tally = Tally()
    count = Count(tally, counter.inc)
    for i, number in enumerate(rounds):
        for _ in range(number):
            count.inc()
        assert shown(registry, "moves") == [("moves_total", {}, sum(rounds[:i]))]
        tally.write()
        tally.write()
    assert f"moves_total {float(sum(rounds))}" in generate_latest(registry).decode()


def test_what_cannot_be_written_is_lost_and_nothing_else() -> None:
    written: list[Any] = []
    full = True

    def add(*what: Any) -> None:
        if full:
            raise OSError
        written.append(what)

    tally = Tally()
    bad, good, times = Count(tally, add), Count(tally, written.append), Times(tally, BOUNDS, add)
    for _ in range(2):
        good.inc()
        bad.inc()
        times.observe(0.3)
        for _ in range(2):
            with pytest.raises(OSError):  # noqa: PT011 - it has no text
                tally.write()
        tally.write()
        assert not tally.changed
    full = False
    for each in (good, bad, good):
        each.inc()
    times.observe(7.0)
    tally.write()
    assert sorted(map(str, written)) == sorted(map(str, (1, 1, 2, (1,), ({3: 1}, 7.0))))
