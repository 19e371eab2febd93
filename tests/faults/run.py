"""Games through two replicas while these are killed, drained, paused, slowed and rolled.

`python -m tests.faults.run --tjau 2000 --trix 50 --jackaroo 50` is `make faults`. The replicas are
processes on loopback, the players too. Faults follow each other until every game has ended, and
every kind of them happens at least once while games are played.
"""

import json
import socket
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from signal import SIGCONT, SIGKILL, SIGSTOP, SIGTERM, SIGUSR1, Signals

from tests.e2e.processes import SERVICE, Serving, environment
from tests.faults.player import Report

TOP = SERVICE.parent
PATHS = f"{SERVICE}:{TOP}"


class SlowServing(Serving):
    """A replica that can be made slow."""

    module = "tests.faults.slow"


@dataclass
class Replica:
    """A place where a replica stands; its process comes and goes."""

    kind: type[Serving]
    port: int
    serving: Serving

    def send(self, number: Signals) -> None:
        self.serving.process.send_signal(number)

    def start(self) -> None:
        """A new process in the place of the one that has ended."""
        self.serving = launch(self.kind, self.port)
        self.serving.ready()

    def end(self, number: Signals) -> int:
        """The exit code of the process after a signal."""
        self.send(number)
        return self.serving.ended()


def launch(kind: type[Serving], port: int) -> Serving:
    return kind(HAKAM_PORT=str(port), HAKAM_ACCESS_LOG="sample", PYTHONPATH=PATHS)


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def kill(first: Replica, _: Replica) -> None:
    first.end(SIGKILL)
    first.start()


def drain(_: Replica, second: Replica) -> None:
    code = second.end(SIGTERM)
    assert code == 0, code
    second.start()


def pause(first: Replica, _: Replica) -> None:
    first.send(SIGSTOP)
    time.sleep(3)
    first.send(SIGCONT)


def slow(_: Replica, second: Replica) -> None:
    second.send(SIGUSR1)
    time.sleep(3)
    second.send(SIGUSR1)


def roll(*replicas: Replica) -> None:
    """A full rolling restart: each drains and is there again before the next one."""
    for replica in replicas:
        drain(replica, replica)


FAULTS: dict[str, Callable[[Replica, Replica], None]] = {
    "killed (SIGKILL) and restarted": kill,
    "drained (SIGTERM) and restarted": drain,
    "paused (SIGSTOP) for 3 s": pause,
    "slow for 3 s": slow,
    "all restarted, one by one": roll,
}


@dataclass(frozen=True)
class Players:
    """Client processes that play until they are told that nothing further will happen."""

    processes: tuple["subprocess.Popen[str]", ...]

    def tell(self) -> None:
        """No further fault is waited for: end with the games that were asked for."""
        for process in self.processes:
            if process.stdin is not None and not process.stdin.closed:
                process.stdin.close()

    def playing(self) -> bool:
        return any(process.poll() is None for process in self.processes)

    def reports(self) -> list[Report]:
        return [_report(process) for process in self.processes]


def _report(process: "subprocess.Popen[str]") -> Report:
    assert process.stdout is not None
    with process.stdout as said:
        text = said.read()
    assert process.wait() == 0
    return Report(**json.loads(text))


def players(target: str, games: dict[str, int], shares: int, threads: int) -> Players:
    wanted = [f"{name}={number}" for name, number in games.items()]
    common = [sys.executable, "-m", "tests.faults.player", target, str(threads)]
    return Players(
        tuple(
            subprocess.Popen(  # noqa: S603
                [*common, str(share), str(shares), *wanted],
                cwd=TOP,
                env=environment(PYTHONPATH=PATHS),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for share in range(shares)
        )
    )


@dataclass(frozen=True)
class Outcome:
    """What all players noticed together, and what happened meanwhile."""

    report: Report
    happened: dict[str, int]
    seconds: float

    def text(self) -> str:
        report = self.report
        games = ", ".join(f"{number} of {name}" for name, number in sorted(report.games.items()))
        faults = "\n".join(f"  {number} x {name}" for name, number in self.happened.items())
        return (
            f"games ended: {games}\nin {self.seconds:.0f} s, with replicas\n{faults}\n"
            f"calls {report.calls}, retries {report.retries}, "
            f"longest stall {report.longest:.2f} s, calls over 1 s {report.stalls}\n"
            f"failed calls {len(report.failed)}, games with another end {len(report.different)}"
        )


def together(reports: Iterable[Report]) -> Report:
    total = Report()
    for one in reports:
        for game, number in one.games.items():
            total.games[game] = total.games.get(game, 0) + number
        total.calls += one.calls
        total.retries += one.retries
        total.longest = max(total.longest, one.longest)
        total.stalls += one.stalls
        total.different += one.different
        total.failed += one.failed
    return total


def run(games: dict[str, int], *, rest: float, shares: int = 2, threads: int = 4) -> Outcome:
    """The whole: `rest` is the seconds between one fault and the next."""
    with ExitStack() as stack:
        replicas = []
        for kind in (Serving, SlowServing):
            port = free_port()
            replica = Replica(kind, port, launch(kind, port))
            stack.callback(lambda r=replica: r.end(SIGKILL))  # type: ignore[misc]
            replicas.append(replica)
        for replica in replicas:
            replica.serving.ready()
        target = "ipv4:" + ",".join(replica.serving.address for replica in replicas)
        began = time.monotonic()
        playing = players(target, games, shares, threads)
        happened = disturb(replicas[0], replicas[1], playing, rest)
        report = together(playing.reports())
        return Outcome(report, happened, time.monotonic() - began)


def disturb(first: Replica, second: Replica, playing: Players, rest: float) -> dict[str, int]:
    """One fault after the other while games are played; how often each happened."""
    happened = dict.fromkeys(FAULTS, 0)
    while playing.playing():
        for name, fault in FAULTS.items():
            time.sleep(rest)
            if not playing.playing():
                break
            fault(first, second)
            happened[name] += 1
        playing.tell()
    return happened


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    for game, number in (("tjau", 2000), ("trix", 50), ("jackaroo", 50)):
        parser.add_argument(f"--{game}", type=int, default=number)
    parser.add_argument("--rest", type=float, default=12.0, help="seconds between faults")
    args = parser.parse_args()
    games = {"tjau": args.tjau, "trix": args.trix, "jackaroo": args.jackaroo}
    outcome = run(games, rest=args.rest)
    print(outcome.text())
    for line in [*outcome.report.failed, *outcome.report.different]:
        print(line, file=sys.stderr)
    return 1 if outcome.report.failed or outcome.report.different else 0


if __name__ == "__main__":
    sys.exit(main())
