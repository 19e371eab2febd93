"""Hakam as a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

SERVICE = Path(__file__).resolve().parents[2] / "service"
# What a process gets to do whatever it is asked; longer than it ever takes.
PATIENCE = 60


def environment(**variables: str) -> dict[str, str]:
    """This one without what would set Hakam up, and with the package on the path."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HAKAM_")}
    return {**kept, "PYTHONPATH": str(SERVICE), **variables}


def run(*args: object, **variables: str) -> "subprocess.CompletedProcess[str]":
    """One command to its end."""
    command = [sys.executable, "-m", "hakam", *map(str, args)]
    return subprocess.run(  # noqa: S603
        command,
        env=environment(**variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


class Serving:
    """A server process on free ports, and the log that it has written."""

    # What is run; a server with a fault of its own is another.
    module = "hakam"

    def __init__(self, *args: str, **variables: str) -> None:
        command = [sys.executable, "-m", self.module, "serve", *args]
        free = {
            "HAKAM_PORT": "0",
            "HAKAM_METRICS_PORT": "0",
            "HAKAM_WORKERS": "1",
            "HAKAM_ACCESS_LOG": "all",
        }
        variables = free | variables
        self.process = subprocess.Popen(  # noqa: S603
            command, env=environment(**variables), stderr=subprocess.PIPE, text=True
        )
        self.log: list[dict[str, Any]] = []
        self.addresses: dict[str, str] = {}
        self._reader = Thread(target=self._read)

    def ready(self) -> None:
        """Read the log up to the lines that say where it serves."""
        for line in self.process.stderr or ():
            entry = json.loads(line)
            self.log.append(entry)
            if entry["event"] in ("serving", "metrics"):
                self.addresses[entry["event"]] = entry["address"]
            if len(self.addresses) == 2:
                self._reader.start()
                return
        raise AssertionError(f"ended with {self.process.wait(PATIENCE)} before it was ready")

    def _read(self) -> None:
        """Read the rest of the log, so that the process never waits for a reader."""
        for line in self.process.stderr or ():
            if line.startswith("{"):  # gRPC's core has lines of its own
                self.log.append(json.loads(line))

    @property
    def address(self) -> str:
        return self.addresses["serving"]

    def ended(self) -> int:
        """The exit code, once the process has ended and its log is read."""
        code = self.process.wait(PATIENCE)
        if self._reader.ident is not None:
            self._reader.join(PATIENCE)
        if self.process.stderr is not None:
            self.process.stderr.close()
        return code


@contextmanager
def servers() -> Iterator[Callable[..., Serving]]:
    """Starts servers that are ready; ends those that are left."""
    started: list[Serving] = []

    def start(*args: str, **variables: str) -> Serving:
        serving = Serving(*args, **variables)
        started.append(serving)
        serving.ready()
        return serving

    try:
        yield start
    finally:
        for serving in started:
            serving.process.kill()
            serving.ended()
