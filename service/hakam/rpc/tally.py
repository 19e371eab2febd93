"""Counts and times that are gathered, and written down together.

To write one down costs more than to judge a move, and each call has eight. A worker works on many
calls before it answers any: what they all count is written once. prometheus_client keeps it.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import Final

__all__ = ["Count", "Tally", "Times"]


class Tally:
    """Everything that was counted and is not written down yet."""

    def __init__(self) -> None:
        self.changed: Final[list[Count | Times]] = []

    def write(self) -> None:
        """Write it down. What cannot be written is lost, and is no reason to keep the rest."""
        while self.changed:
            self.changed.pop().write()


class Count:
    """A counter; `add` writes so many down."""

    def __init__(self, tally: Tally, add: Callable[[float], None]) -> None:
        self._tally: Final = tally
        self._add: Final = add
        self._number = 0

    def inc(self) -> None:
        """Count one."""
        if self._number == 0:
            self._tally.changed.append(self)
        self._number += 1

    def write(self) -> None:
        """Write down what was counted since the last time."""
        number, self._number = self._number, 0
        self._add(number)


class Times:
    """A histogram with these upper bounds, ascending, the last infinite.

    `add` writes down how many there are by the index of their bucket, and their sum.
    """

    def __init__(
        self,
        tally: Tally,
        bounds: Sequence[float],
        add: Callable[[Mapping[int, int], float], None],
    ) -> None:
        self._tally: Final = tally
        self._bounds: Final = bounds
        self._add: Final = add
        self._buckets: dict[int, int] = {}
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        """Count one that took so long."""
        if not self._buckets:
            self._tally.changed.append(self)
        bucket = bisect_left(self._bounds, seconds)
        self._buckets[bucket] = self._buckets.get(bucket, 0) + 1
        self._sum += seconds

    def write(self) -> None:
        """Write down what was counted since the last time."""
        buckets, self._buckets = self._buckets, {}
        seconds, self._sum = self._sum, 0.0
        self._add(buckets, seconds)
