"""Several workers behind one port: started, watched, rolled and stopped together.

Laws:
- A worker is a fresh interpreter with a server of its own; nothing is shared but the port, by
  SO_REUSEPORT, and the files of prometheus_client's multi-process mode.
- The supervisor itself never has a gRPC object, so it can start workers at any time.
- A worker that dies is replaced; one that dies again and again is replaced more and more slowly.
- SIGTERM and SIGINT drain all; SIGHUP rolls them one by one, the new one first.
"""

import os
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from structlog.typing import FilteringBoundLogger

from hakam.rpc.pages import Pages
from hakam.rpc.server import address_text
from hakam.settings import Settings

__all__ = ["METRICS_DIR_VARIABLE", "Supervisor", "WorkerMain"]

METRICS_DIR_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"

# What a worker runs: settings with the real port, its slot, and where to say that it serves.
WorkerMain: TypeAlias = "Callable[[Settings, int, Connection], None]"

# How long a worker may take from its start to its word that it serves.
_START_SECONDS: Final = 60.0
# What is waited before a worker that died at once is replaced, doubled each time.
_FIRST_PAUSE: Final = 0.2
_LONGEST_PAUSE: Final = 10.0
# A worker that lived so long did not die of its start.
_SETTLED_SECONDS: Final = 10.0


@dataclass
class _Worker:
    slot: int
    process: SpawnProcess
    said: Connection
    started: float = field(default_factory=time.monotonic)
    ready: bool = False


class Supervisor:
    """Runs `settings.workers` workers until a signal ends them."""

    def __init__(self, settings: Settings, log: FilteringBoundLogger, main: WorkerMain) -> None:
        self._context: Final = get_context("spawn")
        self._log: Final = log
        self._main: Final = main
        self._place: Final = _reserve(settings.host, settings.port)
        self._settings: Final[Settings] = settings.with_place(
            self._place.getsockname()[1], settings.workers
        )
        self._workers: Final[dict[int, _Worker]] = {}
        self._pauses: Final[dict[int, float]] = {}
        self._due: Final[dict[int, float]] = {}
        self._ending: bool = False
        self._rolling: bool = False

    def run(self) -> int:
        """Serve until SIGTERM or SIGINT; the exit code."""
        with TemporaryDirectory(prefix="hakam-metrics-") as folder:
            os.environ[METRICS_DIR_VARIABLE] = folder
            registry = CollectorRegistry()
            MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
            settings = self._settings
            pages = Pages(settings.metrics_host, settings.metrics_port, registry, self._is_ready)
            try:
                return self._serve(pages.port)
            finally:
                pages.stop()
                self._place.close()

    def _serve(self, metrics_port: int) -> int:
        signal.signal(signal.SIGTERM, self._end)
        signal.signal(signal.SIGINT, self._end)
        signal.signal(signal.SIGHUP, self._roll)
        for slot in range(self._settings.workers):
            self._start(slot)
        told = False
        while not self._ending:
            self._look()
            if not told and self._is_ready():
                told = True
                self._tell(metrics_port)
            if self._rolling:
                self._rolling = False
                self._roll_all()
        return self._stop_all()

    def _tell(self, metrics_port: int) -> None:
        settings = self._settings
        self._log.info("serving", address=address_text(settings.host, settings.port))
        self._log.info("metrics", address=address_text(settings.metrics_host, metrics_port))

    def _end(self, *_: object) -> None:
        self._ending = True

    def _roll(self, *_: object) -> None:
        self._rolling = True

    def _is_ready(self) -> bool:
        workers = list(self._workers.values())
        serving = sum(worker.ready for worker in workers)
        return not self._ending and serving == self._settings.workers

    def _start(self, slot: int) -> _Worker:
        hear, say = self._context.Pipe(duplex=False)
        process = self._context.Process(
            target=self._main, args=(self._settings, slot, say), name=f"hakam-worker-{slot}"
        )
        process.start()
        say.close()
        worker = self._workers[slot] = _Worker(slot, process, hear)
        return worker

    def _look(self) -> None:
        """Wait a little for a worker to speak or to die, and replace those whose pause is over."""
        now = time.monotonic()
        for slot in [slot for slot, due in self._due.items() if due <= now]:
            del self._due[slot]
            self._start(slot)
        workers = list(self._workers.values())
        ends = [w.process.sentinel for w in workers] + [w.said for w in workers if not w.ready]
        wait(ends, timeout=0.1)
        for worker in workers:
            self._hear(worker)
            if not worker.process.is_alive():
                self._bury(worker)

    def _hear(self, worker: _Worker) -> None:
        if worker.ready or not worker.said.poll():
            return
        try:
            worker.said.recv()
        except EOFError:
            return  # it died before it served
        worker.ready = True
        self._log.info("worker serving", slot=worker.slot, pid=worker.process.pid)

    def _bury(self, worker: _Worker) -> None:
        """Note that a worker died, and when it is to be replaced."""
        process = worker.process
        process.join()
        self._log.error("worker died", slot=worker.slot, pid=process.pid, code=process.exitcode)
        self._forget(worker)
        del self._workers[worker.slot]
        settled = time.monotonic() - worker.started > _SETTLED_SECONDS
        pause = 0.0 if settled else self._pauses.get(worker.slot, 0.0)
        self._pauses[worker.slot] = min(max(2 * pause, _FIRST_PAUSE), _LONGEST_PAUSE)
        self._due[worker.slot] = time.monotonic() + pause

    def _forget(self, worker: _Worker) -> None:
        worker.said.close()
        mark_process_dead(worker.process.pid)  # type: ignore[no-untyped-call]

    def _roll_all(self) -> None:
        """Replace every worker, the new one serving before the old one is told to stop."""
        for slot, old in sorted(self._workers.items()):
            if self._ending:
                return
            new = self._start(slot)
            if not self._await(new):
                self._log.error("worker did not serve", slot=slot, pid=new.process.pid)
                new.process.kill()
                new.process.join()
                self._forget(new)
                self._workers[slot] = old
                return
            self._finish([old])
            self._log.info("worker replaced", slot=slot, pid=new.process.pid)

    def _await(self, worker: _Worker) -> bool:
        ends = worker.started + _START_SECONDS
        while time.monotonic() < ends and worker.process.is_alive() and not self._ending:
            wait([worker.said, worker.process.sentinel], timeout=0.1)
            self._hear(worker)
            if worker.ready:
                return True
        return False

    def _stop_all(self) -> int:
        workers = list(self._workers.values())
        self._log.info("draining")
        self._finish(workers)
        self._log.info("stopped")
        return 0 if all(worker.process.exitcode == 0 for worker in workers) else 1

    def _finish(self, workers: list[_Worker]) -> None:
        """Ask workers to stop, and see that they do within their time."""
        for worker in workers:
            worker.process.terminate()
        settings = self._settings
        ends = time.monotonic() + settings.drain_seconds + settings.grace_seconds + 5
        for worker in workers:
            worker.process.join(max(0.0, ends - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            self._forget(worker)


def _reserve(host: str, port: int) -> socket.socket:
    """A socket that holds the port for workers to share; it never listens. Raises OSError.

    The first look is for somebody else who would share the port, which nobody would notice.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as alone:
        alone.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        alone.bind((host, port))
    place = socket.socket(family, socket.SOCK_STREAM)
    place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    place.bind((host, port))
    return place
