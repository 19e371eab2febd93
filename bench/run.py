"""Everything that is measured, in one run: `make bench`.

Prints a table and writes bench/latest.json: the ratios under `unary`, `workers2`, `batch` and
`engine` are those of the compiled build, `pure` has the same of the pure package, `raw` the
absolute figures. Instead, `--show FILE` prints the table of a run again, `--soak` looks at the
memory over a million calls, `--profile GAME` at where the time goes, `--plot FILE` draws how the
engines' cost grows.
"""

import json
import os
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any, Final

from bench.beside import beside_a_batch
from bench.engines import engines
from bench.growth import PANELS
from bench.lifecycle import lifecycle
from bench.load import missing
from bench.machine import machine
from bench.places import LATEST, PYTHON, SERVER_CORE, SITES, TOP
from bench.plot import Panel, svg
from bench.process import pinned
from bench.profile import profile
from bench.report import text
from bench.sizes import sizes
from bench.soak import soak
from bench.wire import batches, loads, unary
from bench.workers import two_workers

__all__ = ["main", "measured"]

# The build whose figures are the ratios at the top.
_BUILD: Final = "compiled"


def measured(rounds: int) -> dict[str, Any]:
    """The results of a whole run; a line on standard error says what is at work."""
    about = machine()
    _say("engines in process")
    engine, engine_raw = engines(rounds)
    _say("calls and batches")
    found = loads(rounds)
    _say("small calls beside large batches")
    beside = beside_a_batch(_BUILD, rounds)
    _say("two workers")
    workers2, workers_raw = two_workers(_BUILD, rounds)
    _say("start and stop")
    cycle = {build: lifecycle(build, rounds) for build in SITES}
    unaries = {build: unary(found, build) for build in SITES}
    batched = {build: batches(found, build) for build in SITES}
    ratios = {
        build: {"unary": unaries[build][0], "batch": batched[build][0], "engine": engine[build]}
        for build in SITES
    }
    return {
        **ratios[_BUILD],
        "workers2": workers2,
        "pure": ratios["pure"],
        "raw": {
            "machine": about,
            "rounds": rounds,
            "unary": {build: raw for build, (_, raw) in unaries.items()},
            "batch": {build: raw for build, (_, raw) in batched.items()},
            "engine": engine_raw,
            "workers2": workers_raw,
            "beside_a_batch": beside,
            "lifecycle": cycle,
            "sizes": sizes(),
        },
    }


def _say(what: str) -> None:
    print(f"measuring {what} ...", file=sys.stderr)


def _plot(file: Path) -> None:
    """Draw the growth of the compiled engines' cost."""
    environ = {**os.environ, "PYTHONPATH": str(SITES[_BUILD])}
    done = subprocess.run(
        pinned([PYTHON, "-m", "bench.growth"], {SERVER_CORE}),
        cwd=TOP,
        env=environ,
        capture_output=True,
        check=True,
    )
    found: dict[str, dict[str, list[tuple[float, float]]]] = json.loads(done.stdout)
    panels = [Panel(label, found[name]) for name, label in PANELS.items()]
    title = "What a decision costs: its moves listed, one carried out; compiled engines"
    file.write_text(svg(title, "microseconds", panels), "utf-8")


def _profile(game: str) -> None:
    print(f"{'own':>6} {'below':>6}")
    for name, own, below in profile(_BUILD, game):
        print(f"{own:6.1%} {below:6.1%} {name}")


def _arguments() -> Namespace:
    parser = ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds (5)")
    parser.add_argument("--show", metavar="FILE", type=Path, help="the table of a run")
    parser.add_argument("--soak", action="store_true", help="memory over a million calls")
    parser.add_argument("--profile", metavar="GAME", help="where ApplyMove spends its time")
    parser.add_argument("--plot", metavar="FILE", type=Path, help="how the engines' cost grows")
    return parser.parse_args()


def main() -> int:
    """Measure what is asked for."""
    arguments = _arguments()
    if arguments.show:
        print(text(json.loads(arguments.show.read_text("utf-8"))), end="")
        return 0
    told = missing()
    if told is not None:
        print(told, file=sys.stderr)
        return 2
    if arguments.soak:
        print(json.dumps(soak(_BUILD), indent=2))
    elif arguments.profile:
        _profile(arguments.profile)
    elif arguments.plot:
        _plot(arguments.plot)
    else:
        results = measured(arguments.rounds)
        LATEST.write_text(json.dumps(results, indent=2) + "\n", "utf-8")
        print(text(results), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
