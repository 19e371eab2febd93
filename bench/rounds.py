"""Interleaved rounds: in each, everything is measured once, so that noise meets all alike."""

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import TypeVar

__all__ = ["interleaved", "paired"]

K = TypeVar("K")
T = TypeVar("T")


def interleaved(tasks: Mapping[K, Callable[[], T]], rounds: int) -> dict[K, list[T]]:
    """The results of every task, one a round, in the order of the rounds."""
    results: dict[K, list[T]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, task in tasks.items():
            results[name].append(task())
    return results


def paired(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of the ratios of each round."""
    return median([mine / other for mine, other in zip(ours, theirs, strict=True)])
