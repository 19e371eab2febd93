"""A plot of a few panels side by side as SVG, written out by hand: no library is worth it here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

__all__ = ["Panel", "svg"]

Point = tuple[float, float]

_WIDTH: Final = 300
_HEIGHT: Final = 260
_LEFT: Final = 46
_TOP: Final = 24
_GAP: Final = 24
_LEGEND: Final = 22
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#555555")
_FONT: Final = 'font-family="sans-serif" font-size="11"'


@dataclass(frozen=True)
class Panel:
    """One plot: what its horizontal axis counts, and the points of each series."""

    label: str
    series: Mapping[str, Sequence[Point]]


def svg(title: str, unit: str, panels: Sequence[Panel]) -> str:
    """The panels in a row, each with scales of its own from zero, and one legend below."""
    names = sorted({name for panel in panels for name in panel.series})
    width = _LEFT + len(panels) * (_WIDTH + _LEFT + _GAP)
    height = _TOP + _HEIGHT + 50 + _LEGEND
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {_FONT}>',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for i, panel in enumerate(panels):
        left = _LEFT + i * (_WIDTH + _LEFT + _GAP)
        parts += [f'<g transform="translate({left} {_TOP})">', *_panel(panel, unit, names), "</g>"]
    parts += [*_legend(names, height - _LEGEND / 2), "</svg>"]
    return "\n".join(parts) + "\n"


def _panel(panel: Panel, unit: str, names: Sequence[str]) -> Iterator[str]:
    points = [point for series in panel.series.values() for point in series]
    right, top = _round_up(max(x for x, _ in points)), _round_up(max(y for _, y in points))
    yield f'<path d="M0 0V{_HEIGHT}H{_WIDTH}" fill="none" stroke="black"/>'
    for part in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _HEIGHT * (1 - part)
        yield f'<path d="M0 {y:g}H{_WIDTH}" stroke="#dddddd"/>'
        yield f'<text x="-6" y="{y + 4:g}" text-anchor="end">{top * part:g}</text>'
        x = _WIDTH * part
        yield f'<text x="{x:g}" y="{_HEIGHT + 16}" text-anchor="middle">{right * part:g}</text>'
    yield f'<text x="0" y="-10">{escape(unit)}</text>'
    yield (
        f'<text x="{_WIDTH / 2:g}" y="{_HEIGHT + 34}" text-anchor="middle">'
        f"{escape(panel.label)}</text>"
    )
    for name, series in panel.series.items():
        colour = _COLOURS[names.index(name) % len(_COLOURS)]
        placed = [(x / right * _WIDTH, _HEIGHT * (1 - y / top)) for x, y in series]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
        for x, y in placed:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.2" fill="{colour}"/>'


def _round_up(value: float) -> float:
    """The next of 1, 2, 4, 6, 8, 10 and their tenfolds."""
    scale = 1.0
    while scale * 10 < value:
        scale *= 10
    return next(scale * step for step in (1, 2, 4, 6, 8, 10) if scale * step >= value)


def _legend(names: Sequence[str], y: float) -> Iterator[str]:
    x = _LEFT
    for i, name in enumerate(names):
        colour = _COLOURS[i % len(_COLOURS)]
        yield f'<rect x="{x}" y="{y - 8:g}" width="10" height="10" fill="{colour}"/>'
        yield f'<text x="{x + 15}" y="{y + 1:g}">{escape(name)}</text>'
        x += 40 + 7 * len(name)
