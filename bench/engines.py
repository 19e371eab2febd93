"""The engines in process beside public engines of the same family, each with one core to itself."""

import json
import os
import subprocess
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any, Final

from bench.places import PEER_PYTHON, PYTHON, SERVER_CORE, SITES, TOP
from bench.process import pinned
from bench.rounds import interleaved, paired

__all__ = ["PEERS", "engines"]

# Ur with the same board and dice; a trick game of four; a race with dice and captures.
PEERS: Final = {"tjau": "royalur", "trix": "hearts", "jackaroo": "backgammon"}
_SECONDS: Final = 0.7


def engines(rounds: int) -> tuple[dict[str, dict[str, float]], dict[str, Any]]:
    """By build and game: our decisions a second in the peer's; and the figures of all."""
    tasks: dict[tuple[str, str], Callable[[], float]] = {}
    for game, peer in PEERS.items():
        for build, site in SITES.items():
            tasks[game, build] = partial(_rate, PYTHON, game, str(site))
        tasks[game, peer] = partial(_rate, PEER_PYTHON, peer, "")
    found = interleaved(tasks, rounds)
    ratios = {
        build: {game: paired(found[game, build], found[game, peer]) for game, peer in PEERS.items()}
        for build in SITES
    }
    return ratios, {
        game: {name: median(found[game, name]) for name in (*SITES, peer)}
        for game, peer in PEERS.items()
    }


def _rate(python: str, engine: str, site: str) -> float:
    """Decisions a second of CPU time."""
    command = [python, "-m", "bench.play", engine, str(_SECONDS)]
    environ = {**os.environ, "PYTHONPATH": site}
    done = subprocess.run(
        pinned(command, {SERVER_CORE}), cwd=TOP, env=environ, capture_output=True, check=True
    )
    told = json.loads(done.stdout)
    return float(told["decisions"] / told["seconds"])
