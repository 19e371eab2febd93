"""The machine that a run was made on."""

import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bench.places import LOAD_CORE, SERVER_CORE

__all__ = ["machine"]


def machine() -> dict[str, Any]:
    """What a reader needs to compare figures; the load says who else was at work."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "server_core": SERVER_CORE,
        "load_core": LOAD_CORE,
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "grpcio": version("grpcio"),
        "protobuf": version("protobuf"),
        "load_average": [round(load, 2) for load in os.getloadavg()],
    }


def _cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
