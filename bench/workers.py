"""Two workers beside one: what a call costs of the server's CPU, and how many come through."""

import subprocess
from statistics import median
from typing import Any, Final

from bench import servers
from bench.load import Call, Load, Shape, answer_of, send
from bench.places import LOAD_CORE, PYTHON, SERVER_CORE, SITES, TOP
from bench.positions import apply_request, middle
from bench.process import Running
from bench.rounds import interleaved, paired
from bench.wire import SERVICE

__all__ = ["two_workers"]

# As many connections as give each worker its share of them.
_SHAPE: Final = Shape(calls=12_000, connections=64, in_flight=1)


def two_workers(build: str, rounds: int) -> tuple[float | None, dict[str, Any]]:
    """The CPU of a call with two workers in that with one; None, and why, where it has no sense.

    One worker has the server's core; two have that one and the load generator's, so their rate is
    what is left beside the generator.
    """
    if LOAD_CORE == SERVER_CORE:
        return None, {"reason": "two workers want two cores"}
    if not _has_workers(build):
        return None, {"reason": "this `hakam serve` has no --workers"}
    both = frozenset({SERVER_CORE, LOAD_CORE})
    path = f"{SERVICE}/ApplyMove"
    body = apply_request(middle("trix")).SerializeToString()
    with (
        servers.hakam(build, "--workers", "1") as one,
        servers.hakam(build, "--workers", "2", cores=both) as two,
    ):
        call = Call(path, body, len(answer_of(one, path, body)))
        answer_of(two, path, body)

        def load(server: Running) -> Load:
            return send(server, call, _SHAPE)

        load(one), load(two)
        found = interleaved({"one": lambda: load(one), "two": lambda: load(two)}, rounds)
    cpu = {name: [load.cpu_us for load in loads] for name, loads in found.items()}
    raw = {
        name: {
            "cpu_us_per_call": median(cpu[name]),
            "calls_per_second": median([load.rate for load in loads]),
        }
        for name, loads in found.items()
    }
    return paired(cpu["two"], cpu["one"]), {"connections": _SHAPE.connections, **raw}


def _has_workers(build: str) -> bool:
    told = subprocess.run(
        [PYTHON, "-m", "hakam", "serve", "--help"],
        cwd=TOP,
        env={"PYTHONPATH": str(SITES[build])},
        capture_output=True,
        text=True,
        check=True,
    )
    return "--workers" in told.stdout
