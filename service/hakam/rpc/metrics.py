"""Prometheus metrics: the gRPC family by its usual names, and Hakam's own.

Labels come from closed sets only: method names, codes, game ids, rule sets and reasons. Children
that a call needs are bound once; what a dashboard may ask for exists from the start, at zero. What
is counted shows once the tally has been written down.
"""

from collections.abc import Mapping
from typing import Final

import grpc
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from hakam import __version__
from hakam.games.reasons import Reason
from hakam.games.registry import GAMES
from hakam.rpc.tally import Count, Tally, Times

__all__ = ["CODE_NAMES", "MethodMetrics", "Metrics"]

# gRPC's own spelling in metrics: CamelCase.
CODE_NAMES: Final = {
    code: "OK" if code is grpc.StatusCode.OK else code.name.title().replace("_", "")
    for code in grpc.StatusCode
}
_CALL_SECONDS: Final = (
    0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
)  # fmt: skip
_ENGINE_SECONDS: Final = (
    0.000005, 0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.005, 0.025, 0.1, 1.0,
)  # fmt: skip
# The reasons that say something of the service or of who calls, not of what is asked.
_LIMITS: Final = (
    Reason.ADMISSION_REFUSED,
    Reason.REQUEST_TOO_LARGE,
    Reason.ANSWER_TOO_LARGE,
    Reason.TOO_MANY_ITEMS,
    Reason.RECORD_TOO_LONG,
    Reason.OVERLOADED,
    Reason.DRAINING,
    Reason.DEADLINE_EXCEEDED,
    Reason.SEAL_MALFORMED,
    Reason.SEAL_VERSION_UNSUPPORTED,
    Reason.SEAL_KEY_UNKNOWN,
    Reason.SEAL_REFUSED,
)
_OPERATIONS: Final = ("apply", "legal_moves", "new_game", "replay", "view", "violation")


class _Seconds(Histogram):
    """A histogram that takes many at once."""

    def gathered(self, tally: Tally) -> Times:
        """The same, gathered in a tally."""
        return Times(tally, tuple(self._upper_bounds), self.add)

    def add(self, buckets: Mapping[int, int], seconds: float) -> None:
        """Observe so many in each bucket, which took so long together."""
        for bucket, number in buckets.items():
            self._buckets[bucket].inc(number)
        self._sum.inc(seconds)


class MethodMetrics:
    """The children of one method, bound once."""

    __slots__ = ("handled", "handling", "received", "sent", "started")

    def __init__(self, metrics: "Metrics", service: str, method: str) -> None:
        labels, count = ("unary", service, method), metrics.count
        self.started: Final = count(metrics.started, *labels)
        self.received: Final = count(metrics.received, *labels)
        self.sent: Final = count(metrics.sent, *labels)
        self.handling: Final = metrics.handling.labels(*labels).gathered(metrics.tally)
        self.handled: Final = {
            code: count(metrics.handled, *labels, name) for code, name in CODE_NAMES.items()
        }


class Metrics:
    """Every metric of one server, in a registry of its own."""

    def __init__(self, registry: CollectorRegistry) -> None:
        call = ("grpc_type", "grpc_service", "grpc_method")
        self.registry: Final = registry
        self.tally: Final = Tally()
        self.started: Final = Counter(
            "grpc_server_started_total", "Calls begun.", call, registry=registry
        )
        self.handled: Final = Counter(
            "grpc_server_handled_total", "Calls ended.", (*call, "grpc_code"), registry=registry
        )
        self.received: Final = Counter(
            "grpc_server_msg_received_total", "Requests received.", call, registry=registry
        )
        self.sent: Final = Counter(
            "grpc_server_msg_sent_total", "Answers sent.", call, registry=registry
        )
        self.handling: Final = _Seconds(
            "grpc_server_handling_seconds",
            "Seconds from a call's start to its end.",
            call,
            registry=registry,
            buckets=_CALL_SECONDS,
        )
        self.moves: Final = Counter(
            "hakam_moves_total",
            "Moves judged, by verdict; reason is empty where legal.",
            ("game", "rule_set", "verdict", "reason"),
            registry=registry,
        )
        self.refused: Final = Counter(
            "hakam_refused_total",
            "Calls refused at a door, by a limit or for their seal.",
            ("reason",),
            registry=registry,
        )
        self.refusals: Final[dict[str, Count]] = {
            reason: self.count(self.refused, reason) for reason in _LIMITS
        }
        self.engine: Final = _Seconds(
            "hakam_engine_seconds",
            "Seconds spent in the rules.",
            ("game", "operation"),
            registry=registry,
            buckets=_ENGINE_SECONDS,
        )
        build = Gauge(
            "hakam_build_info",
            "Always 1.",
            ("version",),
            registry=registry,
            multiprocess_mode="max",  # workers of one release show as one
        )
        build.labels(__version__).set(1)
        self._engines: Final[dict[tuple[str, str], Times]] = {}
        self._moves: Final[dict[tuple[str, str, str, str], Count]] = {}
        self._start_at_zero()

    def _start_at_zero(self) -> None:
        for game in GAMES.values():
            for operation in _OPERATIONS:
                self.engine_of(game.CATALOGUE.id, operation)
            for rule_set in game.CATALOGUE.rule_sets:
                self.moves_of(game.CATALOGUE.id, rule_set, "legal", "")

    def count(self, counter: Counter, *labels: str) -> Count:
        """The child of a counter, gathered in the tally."""
        return Count(self.tally, counter.labels(*labels).inc)

    def engine_of(self, game: str, operation: str) -> Times:
        """The child of one operation, bound once."""
        key = (game, operation)
        child = self._engines.get(key)
        if child is None:
            child = self._engines[key] = self.engine.labels(*key).gathered(self.tally)
        return child

    def moves_of(self, game: str, rule_set: str, verdict: str, reason: str) -> Count:
        """The child of one kind of verdict, bound once."""
        key = (game, rule_set, verdict, reason)
        child = self._moves.get(key)
        if child is None:
            child = self._moves[key] = self.count(self.moves, *key)
        return child

    def of(self, service: str, method: str) -> MethodMetrics:
        """The children of a method."""
        return MethodMetrics(self, service, method)
