"""How long a worker takes from its start to a connection, and from SIGTERM to its end."""

import time
from statistics import median

from bench.servers import hakam

__all__ = ["lifecycle"]


def lifecycle(build: str, rounds: int) -> dict[str, float]:
    """Medians in seconds of wall time, with an otherwise idle server."""
    starts, stops = [], []
    for _ in range(rounds):
        began = time.monotonic()
        with hakam(build):
            starts.append(time.monotonic() - began)
            told = time.monotonic()
        stops.append(time.monotonic() - told)
    return {"start_seconds": median(starts), "stop_seconds": median(stops)}
