"""The clients by language: how their programs are run, once `make` has built them."""

import sys

__all__ = ["GAMES", "TOURS"]

_KOTLIN = "clients/kotlin/target"
_CLASSES = f"{_KOTLIN}/test-classes:{_KOTLIN}/classes:$(cat {_KOTLIN}/classpath)"


def _java(main: str) -> tuple[str, ...]:
    return ("sh", "-c", f'exec java -cp {_CLASSES} {main} "$@"', main)


GAMES: dict[str, tuple[str, ...]] = {
    "go": ("build/clients/go/games",),
    "kotlin": _java("org.hakam.client.GamesKt"),
    "python": (sys.executable, "clients/python/games.py"),
    "python-asyncio": (sys.executable, "clients/python/games.py", "--asyncio"),
    "typescript": ("node", "clients/typescript/dist-test/test/games.js"),
}
TOURS: dict[str, tuple[str, ...]] = {
    "go": ("build/clients/go/tour",),
    "kotlin": _java("TourKt"),
    "python": (sys.executable, "clients/python/examples/tour.py"),
    "typescript": ("node", "clients/typescript/dist-test/examples/tour.js"),
}
