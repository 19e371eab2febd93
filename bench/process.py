"""Processes under measurement: pinned to cores, with the CPU time and the memory that they take."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.places import BUILD, TOP

__all__ = ["Running", "free_port", "pinned", "started"]

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_START_SECONDS: Final = 30.0


@dataclass(frozen=True)
class Running:
    """A server that answers on a port of this machine."""

    pid: int
    port: int

    def cpu_seconds(self) -> float:
        """The CPU time of the process and of all that it has started, since each began."""
        return sum(_cpu_seconds(pid) for pid in _family(self.pid))

    def resident_bytes(self) -> int:
        """The resident memory of the process and of all that it has started."""
        return sum(_resident_bytes(pid) for pid in _family(self.pid))


def _family(pid: int) -> list[int]:
    pids = [pid]
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            pids += _family(int(child))
    return pids


def _cpu_seconds(pid: int) -> float:
    # The name in brackets may hold spaces; user and system time are fields 14 and 15.
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / _TICKS


def _resident_bytes(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def free_port() -> int:
    """A port that nobody has at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def pinned(command: Sequence[str], cores: set[int]) -> list[str]:
    """The command on these cores only."""
    return ["taskset", "-c", ",".join(map(str, sorted(cores))), *command]


@contextmanager
def started(
    name: str, command: Sequence[str], port: int, cores: set[int], environ: Mapping[str, str]
) -> Iterator[Running]:
    """The command as a process that soon listens on the port; its output goes to a file."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(
            pinned(command, cores),
            cwd=TOP,
            env={**os.environ, **environ},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        try:
            _await_port(name, process, port)
            yield Running(process.pid, port)
        finally:
            process.terminate()
            process.wait()


def _await_port(name: str, process: subprocess.Popen[bytes], port: int) -> None:
    ends = time.monotonic() + _START_SECONDS
    while process.poll() is None and time.monotonic() < ends:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"{name} does not serve; see {BUILD / name}.log")
