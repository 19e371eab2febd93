"""The programs `tour`, one a language: each does every task that docs/clients.md shows.

    tour ADDRESSES TLS CA TOKEN

calls services at addresses without TLS (commas between them) and one at TLS, whose authority is in
the file CA and which wants the TOKEN. What the page shows are regions of these programs.
"""

import re
from textwrap import dedent

from tests.clients.runner import TOP

__all__ = ["TOURS", "region", "regions"]

# By the name that code blocks of the page have.
TOURS = {
    "python": TOP / "clients/python/examples/tour.py",
    "ts": TOP / "clients/typescript/examples/tour.ts",
    "go": TOP / "clients/go/examples/tour/main.go",
    "kotlin": TOP / "clients/kotlin/examples/kotlin/Tour.kt",
}
_REGION = re.compile(
    r"^[ \t]*(?:#|//) region (\w+)\n(.*?)^[ \t]*(?:#|//) endregion$", re.MULTILINE | re.DOTALL
)


def regions(language: str) -> dict[str, str]:
    """The regions of a program by name, each without its indentation."""
    text = TOURS[language].read_text("utf-8")
    return {name: dedent(code) for name, code in _REGION.findall(text)}


def region(name: str) -> str:
    """A region as the page shows it: in every language."""
    return "\n".join(f"```{language}\n{regions(language)[name]}```\n" for language in TOURS)
