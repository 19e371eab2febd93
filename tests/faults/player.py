"""A client process: plays games through all replicas, and reports what its application noticed.

`python -m tests.faults.player TARGET THREADS SHARE SHARES GAME=COUNT …` plays its share of so many
games, then further ones of the first kind until its standard input is closed, and prints a Report
as JSON. Its channel has what every client is told to use, and nothing else.
"""

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import count
from threading import Event, Lock, Thread
from typing import Any

import grpc
from grpc._cython import cygrpc  # type: ignore[attr-defined] # what a channel counts: no public door

from hakam.client import channel_options
from hakam.rpc.server import SERVICE
from hakam.v1 import game_service_pb2 as pb
from tests.faults.games import Plan, served, undisturbed

_ANSWERS: dict[str, Any] = {"NewGame": pb.NewGameResponse, "ApplyMove": pb.ApplyMoveResponse}


@dataclass
class Report:
    """What became of the games; times in seconds."""

    games: dict[str, int] = field(default_factory=dict)
    calls: int = 0
    # Attempts beyond the first of each call.
    retries: int = 0
    longest: float = 0.0
    # Calls that took longer than a player at a table would overlook.
    stalls: int = 0
    different: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


class Player:
    """Threads that take one game after the other, over one channel."""

    def __init__(self, target: str, plans: Iterator[Plan]) -> None:
        options = [*channel_options(wait=True), ("grpc.enable_channelz", 1)]
        self._channel = grpc.insecure_channel(target, options)
        self._calls: dict[str, Any] = {
            name: self._channel.unary_unary(
                f"/{SERVICE}/{name}",
                request_serializer=lambda message: message.SerializeToString(),
                response_deserializer=answer.FromString,
            )
            for name, answer in _ANSWERS.items()
        }
        self._plans = plans
        self._lock = Lock()
        self.report = Report()

    def play(self) -> None:
        """Games until there are no more; a thread of its own each time."""
        while True:
            with self._lock:
                plan = next(self._plans, None)
            if plan is None:
                return
            self._play(plan)

    def _play(self, plan: Plan) -> None:
        try:
            same = served(plan, self._call) == undisturbed(plan)
        except grpc.RpcError as error:
            self.report.failed.append(f"{plan}: {error.code().name}: {error.details()}")
            return
        with self._lock:
            self.report.games[plan.game] = self.report.games.get(plan.game, 0) + 1
        if not same:
            self.report.different.append(str(plan))

    def _call(self, name: str, request: Any) -> Any:
        began = time.monotonic()
        try:
            return self._calls[name](request)
        finally:
            self._note(time.monotonic() - began)

    def _note(self, seconds: float) -> None:
        with self._lock:
            report = self.report
            report.calls += 1
            report.longest = max(report.longest, seconds)
            report.stalls += seconds > 1

    def end(self) -> Report:
        self.report.retries = _attempts() - self.report.calls
        self._channel.close()
        return self.report


def _attempts() -> int:
    """The calls that the connections of this process's channels have seen."""
    top = json.loads(cygrpc.channelz_get_top_channels(0))
    below = [each for channel in top["channel"] for each in channel.get("subchannelRef", ())]
    data = [json.loads(cygrpc.channelz_get_subchannel(int(s["subchannelId"]))) for s in below]
    return sum(int(one["subchannel"]["data"].get("callsStarted", 0)) for one in data)


def plans(wanted: dict[str, int], share: int, shares: int, done: Event) -> Iterator[Plan]:
    """This process's share of the games, the long ones first; then more until `done`."""
    for game, games in sorted(wanted.items(), key=lambda one: one[1]):
        yield from (Plan(game, number) for number in range(share, games, shares))
    for number in count():
        if done.is_set():
            return
        yield Plan(next(iter(wanted)), 1_000_000 + number * shares + share)


def main(target: str, threads: str, share: str, shares: str, *games: str) -> None:
    done = Event()

    def listen() -> None:
        sys.stdin.read()
        done.set()

    Thread(target=listen, daemon=True).start()
    wanted = {name: int(games) for name, games in (game.split("=") for game in games)}
    player = Player(target, plans(wanted, int(share), int(shares), done))
    hands = [Thread(target=player.play) for _ in range(int(threads))]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    print(json.dumps(asdict(player.end())))


if __name__ == "__main__":
    main(*sys.argv[1:])
