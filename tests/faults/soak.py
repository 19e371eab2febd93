"""Minutes of steady load on one process: `make soak`.

Games of every kind are played at a fixed rate, each over a connection of its own, so that whatever
a connection leaves behind adds up. What a process has when the load begins is not counted: caches
fill and pools grow in the first third, and only after it nothing may grow.
"""

import sys
import time
from argparse import ArgumentParser
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from threading import Event, Lock, Thread
from typing import Any

import grpc

from hakam.client import channel_options
from hakam.rpc.server import SERVICE
from hakam.v1 import game_service_pb2 as pb
from tests.e2e.processes import servers
from tests.faults.games import RULE_SETS, Plan, served

_ANSWERS: dict[str, Any] = {"NewGame": pb.NewGameResponse, "ApplyMove": pb.ApplyMoveResponse}
_MIB = 1024 * 1024
# What the allocator may do without anything being kept.
_SLACK_MIB, _SLACK_FILES = 3.0, 4


@dataclass(frozen=True)
class Sample:
    """What a process has at a moment: resident memory in MiB, open files."""

    memory: float
    files: int


def sample(pid: int) -> Sample:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return Sample(pages * 4096 / _MIB, len(list(Path(f"/proc/{pid}/fd").iterdir())))


@dataclass
class Load:
    """Threads that play, all together at so many calls a second, until `ended`."""

    address: str
    rate: float
    latencies: list[float] = field(default_factory=list)
    late: int = 0
    ended: Event = field(default_factory=Event)
    _turns: "count[int]" = field(default_factory=count)
    _games: "count[int]" = field(default_factory=count)
    _lock: Lock = field(default_factory=Lock)
    _began: float = field(default_factory=time.monotonic)

    def play(self) -> None:
        while not self.ended.is_set():
            with self._lock:
                number = next(self._games)
            plan = Plan(sorted(RULE_SETS)[number % len(RULE_SETS)], number)
            options = [*channel_options(wait=True), ("grpc.use_local_subchannel_pool", 1)]
            with grpc.insecure_channel(self.address, options) as channel:
                try:
                    served(plan, lambda name, request, on=channel: self._call(on, name, request))  # type: ignore[misc]
                except _EndedError:
                    return

    def _call(self, channel: grpc.Channel, name: str, request: Any) -> Any:
        if self.ended.is_set():
            raise _EndedError
        self._pace()
        began = time.perf_counter()
        answer = channel.unary_unary(
            f"/{SERVICE}/{name}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=_ANSWERS[name].FromString,
        )(request)
        self.latencies.append(time.perf_counter() - began)
        return answer

    def _pace(self) -> None:
        """Wait for the moment of the next call; count it where that has passed long ago."""
        with self._lock:
            due = self._began + next(self._turns) / self.rate
        left = due - time.monotonic()
        if left > 0:
            time.sleep(left)
        self.late += left < -1


class _EndedError(Exception):
    """The time is up in the middle of a game."""


@dataclass(frozen=True)
class Soaked:
    """What was measured: the samples after the first third, and the load."""

    samples: list[Sample]
    load: Load

    def faults(self) -> list[str]:
        """What has grown."""
        fifth = max(1, len(self.samples) // 5)
        first, last = self.samples[:fifth], self.samples[-fifth:]
        memory = median(s.memory for s in last) - median(s.memory for s in first)
        files = max(s.files for s in last) - max(s.files for s in first)
        found = [f"memory grew by {memory:.1f} MiB"] if memory > _SLACK_MIB else []
        return found + ([f"open files grew by {files}"] if files > _SLACK_FILES else [])

    def text(self) -> str:
        cuts = [1000 * cut for cut in quantiles(self.load.latencies, n=1000)]
        memory = [s.memory for s in self.samples]
        files = [s.files for s in self.samples]
        return (
            f"calls {len(self.load.latencies)}, asked for {self.load.rate:.0f} a second, "
            f"{self.load.late} over a second late\n"
            f"milliseconds: p50 {cuts[499]:.2f}, p90 {cuts[899]:.2f}, p99 {cuts[989]:.2f}, "
            f"p99.9 {cuts[998]:.2f}, longest {1000 * max(self.load.latencies):.1f}\n"
            f"memory after warm-up: {memory[0]:.1f} MiB, then {min(memory):.1f} to "
            f"{max(memory):.1f}, at the end {memory[-1]:.1f}\n"
            f"open files: {files[0]}, then {min(files)} to {max(files)}, at the end {files[-1]}"
        )


def soak(seconds: float, rate: float, threads: int = 4) -> Soaked:
    with servers() as start:
        serving = start(HAKAM_ACCESS_LOG="sample")
        load = Load(serving.address, rate)
        hands = [Thread(target=load.play) for _ in range(threads)]
        for hand in hands:
            hand.start()
        samples = []
        for _ in range(int(seconds)):
            time.sleep(1)
            samples.append(sample(serving.process.pid))
        load.ended.set()
        for hand in hands:
            hand.join()
        return Soaked(samples[len(samples) // 3 :], load)


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--rate", type=float, default=400, help="calls a second")
    args = parser.parse_args()
    soaked = soak(args.seconds, args.rate)
    print(soaked.text())
    faults = soaked.faults()
    print(*(faults or ["nothing grew"]), sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
