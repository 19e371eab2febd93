"""Where the things stand that are measured, and which core does what."""

import os
import sys
from pathlib import Path
from typing import Final

__all__ = ["BUILD", "LATEST", "LOAD_CORE", "PEER_PYTHON", "PYTHON", "SERVER_CORE", "SITES", "TOP"]

TOP: Final = Path(__file__).resolve().parent.parent
BUILD: Final = TOP / "build/bench"
LATEST: Final = TOP / "bench/latest.json"

PYTHON: Final = sys.executable
# The environment of the public engines and of the profiler, see requirements/bench.in.
PEER_PYTHON: Final = str(TOP / "build/bench-venv/bin/python")
# The two builds of the package, by the folder that Python finds them in.
SITES: Final = {"compiled": TOP / "build/fast/site", "pure": TOP / "service"}

_CORES: Final = sorted(os.sched_getaffinity(0))
SERVER_CORE: Final = _CORES[0]
LOAD_CORE: Final = _CORES[-1]
