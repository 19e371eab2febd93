"""The figures of a run as plain text: what is measured, what it must reach, beside what."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

__all__ = ["TARGETS", "text"]

# What docs/performance.md sets out to reach; `workers2` is a ceiling, the others are floors.
TARGETS: Final[Mapping[str, Mapping[str, float]]] = {
    "unary": {"tjau": 0.70, "trix": 0.70, "jackaroo": 0.60},
    "batch": {"tjau": 3.0, "trix": 3.0, "jackaroo": 2.3},
    "engine": {"tjau": 5.0, "trix": 1.0, "jackaroo": 1.0},
}
WORKERS_CEILING: Final = 1.15


def text(results: Mapping[str, Any]) -> str:
    """The whole report."""
    raw = results["raw"]
    parts = [
        _machine(raw["machine"]),
        *(_unary(raw["unary"][build], build, ratios) for build, ratios in _builds(results)),
        *(_batch(raw["batch"][build], build, ratios) for build, ratios in _builds(results)),
        _engines(raw["engine"], results),
        _workers(results["workers2"], raw["workers2"]),
        _beside(raw["beside_a_batch"]),
        *([_lifecycle(raw["lifecycle"])] if "lifecycle" in raw else []),
        _sizes(raw["sizes"]),
    ]
    return "\n\n".join(parts) + "\n"


def _builds(results: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield "compiled", results
    yield "pure", results["pure"]


def _rows(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(_cells(row, widths)).rstrip() for row in rows]
    return "\n".join(lines)


def _cells(row: list[str], widths: list[int]) -> Iterator[str]:
    yield row[0].ljust(widths[0])
    for cell, width in zip(row[1:], widths[1:], strict=True):
        yield cell.rjust(width)


def _machine(machine: Mapping[str, Any]) -> str:
    return "\n".join(f"{name}: {value}" for name, value in machine.items())


def _unary(raw: Mapping[str, Any], build: str, results: Mapping[str, Any]) -> str:
    head = ["calls/s", "floor", "transport", "CPU us", "floor", "transport", "p50", "p99 ms", ""]
    rows = [["", "of floor", "target", *head]]
    for game, kinds in raw.items():
        for kind, figures in kinds.items():
            ours, floor, transport = (figures[it] for it in ("hakam", "floor", "transport"))
            three = (ours, floor, transport)
            rows.append(
                [
                    f"{game} {kind}",
                    f"{results['unary'][game][kind]:.2f}",
                    f"{TARGETS['unary'][game]:.2f}",
                    *(f"{it['calls_per_second']:.0f}" for it in three),
                    *(f"{it['cpu_us_per_call']:.0f}" for it in three),
                    *(f"{ours[q]:.1f}" for q in ("p50_ms", "p99_ms")),
                    f"(floor {floor['p50_ms']:.1f}, {floor['p99_ms']:.1f})",
                ]
            )
    return f"One call at a time, {build} build, one core, 64 in flight\n{_rows(rows)}"


def _batch(raw: Mapping[str, Any], build: str, results: Mapping[str, Any]) -> str:
    rows = [["", "of unary", "target", "items/s", "unary/s", "CPU us an item"]]
    for game, figures in raw.items():
        rows.append(
            [
                game,
                f"{results['batch'][game]:.2f}",
                f"{TARGETS['batch'][game]:.2f}",
                f"{figures['items_per_second']:.0f}",
                f"{figures['unary_per_second']:.0f}",
                f"{figures['cpu_us_per_item']:.0f}",
            ]
        )
    return f"BatchApplyMoves, {build} build, one core\n{_rows(rows)}"


def _engines(raw: Mapping[str, Any], results: Mapping[str, Any]) -> str:
    rows = [["", "of peer", "target", "compiled", "pure", "pure of peer", "peer", "decisions/s"]]
    for game, rates in raw.items():
        (peer,) = set(rates) - {"compiled", "pure"}
        rows.append(
            [
                game,
                f"{results['engine'][game]:.2f}",
                f"{TARGETS['engine'][game]:.2f}",
                f"{rates['compiled']:.0f}",
                f"{rates['pure']:.0f}",
                f"{results['pure']['engine'][game]:.2f}",
                peer,
                f"{rates[peer]:.0f}",
            ]
        )
    return f"Engines in process, random play, decisions a second of CPU\n{_rows(rows)}"


def _workers(ratio: float | None, raw: Mapping[str, Any]) -> str:
    if ratio is None:
        return f"Two workers: not measured, {raw['reason']}"
    rows = [["", "CPU us a call", "calls/s"]]
    for name in ("one", "two"):
        figures = raw[name]
        rows.append(
            [name, f"{figures['cpu_us_per_call']:.0f}", f"{figures['calls_per_second']:.0f}"]
        )
    head = f"Workers: CPU of a call with two in that with one {ratio:.2f} (<= {WORKERS_CEILING})"
    return f"{head}; {raw['connections']} connections\n{_rows(rows)}"


def _lifecycle(raw: Mapping[str, Any]) -> str:
    rows = [["", "start to ready s", "SIGTERM to end s"]]
    for build, figures in raw.items():
        rows.append([build, f"{figures['start_seconds']:.2f}", f"{figures['stop_seconds']:.2f}"])
    return f"One worker, otherwise idle\n{_rows(rows)}"


def _beside(raw: Mapping[str, Any]) -> str:
    rows = [["", "p50 ms", "p99 ms"]]
    rows += [
        [name, f"{raw[name]['p50_ms']:.2f}", f"{raw[name]['p99_ms']:.2f}"]
        for name in ("alone", "beside")
    ]
    return f"Small calls beside batches of {raw['items']} items\n{_rows(rows)}"


def _sizes(raw: Mapping[str, Any]) -> str:
    rows = [["bytes", "start", "middle", "end", "sealed", "", "", "record", "moves"]]
    for game, sizes in raw.items():
        states = sizes["state"].values()
        rows.append(
            [
                game,
                *(str(state["plain"]) for state in states),
                *(str(state["sealed"]) for state in states),
                str(sizes["record"]),
                str(sizes["moves"]),
            ]
        )
    return f"States on the wire, plain and sealed, and the record of a whole game\n{_rows(rows)}"
