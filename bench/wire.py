"""What calls cost on the wire: one by one beside the floor, and many in one call."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any, Final

from bench import floor, servers
from bench.load import Call, Load, Shape, answer_of, send
from bench.places import SITES
from bench.positions import RULE_SETS, apply_request, batch_request, middle, validate_request
from bench.process import Running
from bench.rounds import interleaved, paired

__all__ = ["BATCH_ITEMS", "SERVICE", "batches", "loads", "unary"]

SERVICE: Final = "/hakam.v1.GameService"
BATCH_ITEMS: Final = 100
_UNARY: Final = Shape(calls=6_000)
_BATCH: Final = Shape(calls=100, connections=4, in_flight=1)
# The empty handlers: on grpcio's server, and on Hakam's transport.
_FLOOR: Final = "floor"
_TRANSPORT: Final = "transport"

# The rounds of every (game, what is called, server).
Loads = dict[tuple[str, str, str], list[Load]]


@dataclass(frozen=True)
class _Subject:
    game: str
    kind: str
    path: str
    body: bytes
    shape: Shape


def _subjects() -> Iterator[_Subject]:
    for game in RULE_SETS:
        position = middle(game)
        apply = apply_request(position).SerializeToString()
        validate = validate_request(position).SerializeToString()
        batch = batch_request(position, BATCH_ITEMS).SerializeToString()
        yield _Subject(game, "apply", f"{SERVICE}/ApplyMove", apply, _UNARY)
        yield _Subject(game, "validate", f"{SERVICE}/ValidateMove", validate, _UNARY)
        yield _Subject(game, "batch", f"{SERVICE}/BatchApplyMoves", batch, _BATCH)


def loads(rounds: int) -> Loads:
    """Every call to the empty handlers and to both builds, and every batch to both builds.

    All servers run all the time, on one core; only the one that is loaded works.
    """
    with ExitStack() as stack:
        builds = {name: stack.enter_context(servers.hakam(name)) for name in SITES}
        lengths = {subject: _answer_bytes(subject, builds) for subject in _subjects()}
        empty = {
            _FLOOR: stack.enter_context(servers.floor()),
            _TRANSPORT: stack.enter_context(servers.transport(lengths.values())),
        }
        tasks: dict[tuple[str, str, str], Callable[[], Load]] = {}
        for subject, length in lengths.items():
            for name, server, call in _targets(subject, length, builds, empty):
                tasks[subject.game, subject.kind, name] = partial(send, server, call, subject.shape)
        for warm_up in tasks.values():
            warm_up()
        return interleaved(tasks, rounds)


def _answer_bytes(subject: _Subject, builds: dict[str, Running]) -> int:
    answers = {answer_of(server, subject.path, subject.body) for server in builds.values()}
    (answer,) = answers  # both builds say the same, byte for byte
    return len(answer)


def _targets(
    subject: _Subject, length: int, builds: dict[str, Running], empty: dict[str, Running]
) -> Iterator[tuple[str, Running, Call]]:
    """Where a request goes; an empty handler takes and returns as many bytes."""
    if subject.kind != "batch":
        path = floor.method(length)
        for name, server in empty.items():
            answer_of(server, path, subject.body)
            yield name, server, Call(path, subject.body, length)
    for name, server in builds.items():
        yield name, server, Call(subject.path, subject.body, length)


def unary(found: Loads, build: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """By game and kind of call: our rate in that of the floor, and the figures of both."""
    ratios: dict[str, Any] = {game: {} for game in RULE_SETS}
    raw: dict[str, Any] = {game: {} for game in RULE_SETS}
    for game in RULE_SETS:
        for kind in ("apply", "validate"):
            ours, theirs = found[game, kind, build], found[game, kind, _FLOOR]
            ratios[game][kind] = paired(_rates(ours), _rates(theirs))
            raw[game][kind] = {
                "hakam": _figures(ours),
                "floor": _figures(theirs),
                "transport": _figures(found[game, kind, _TRANSPORT]),
            }
    return ratios, raw


def batches(found: Loads, build: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """By game: items a second in the rate of the same call one by one, and both rates."""
    ratios, raw = {}, {}
    for game in RULE_SETS:
        items = [load.rate * BATCH_ITEMS for load in found[game, "batch", build]]
        single = _rates(found[game, "apply", build])
        cpu = median([load.cpu_us for load in found[game, "batch", build]]) / BATCH_ITEMS
        ratios[game] = paired(items, single)
        raw[game] = {
            "items_per_second": median(items),
            "unary_per_second": median(single),
            "cpu_us_per_item": cpu,
        }
    return ratios, raw


def _rates(rounds: list[Load]) -> list[float]:
    return [load.rate for load in rounds]


def _figures(rounds: list[Load]) -> dict[str, float]:
    return {
        "calls_per_second": median(_rates(rounds)),
        "cpu_us_per_call": median([load.cpu_us for load in rounds]),
        "p50_ms": median([load.p50_ms for load in rounds]),
        "p99_ms": median([load.p99_ms for load in rounds]),
    }
