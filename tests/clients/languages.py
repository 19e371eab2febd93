"""The clients by language: how the program `games` of each is run, once `make` has built it."""

import sys

__all__ = ["LANGUAGES"]

_KOTLIN = "clients/kotlin/target"
_CLASSES = f"{_KOTLIN}/test-classes:{_KOTLIN}/classes:$(cat {_KOTLIN}/classpath)"

LANGUAGES: dict[str, tuple[str, ...]] = {
    "go": ("build/clients/go/games",),
    "kotlin": ("sh", "-c", f'exec java -cp {_CLASSES} org.hakam.client.GamesKt "$@"', "games"),
    "python": (sys.executable, "clients/python/games.py"),
    "python-asyncio": (sys.executable, "clients/python/games.py", "--asyncio"),
    "typescript": ("node", "clients/typescript/dist-test/test/games.js"),
}
