"""The page on clients shows what is run, and names what there is."""

import re

import pytest

from tests.clients.runner import TOP
from tests.clients.tours import TOURS, region, regions

PAGE = (TOP / "docs/clients.md").read_text("utf-8")
SHOWN = re.findall(
    r"^<!-- tour: (\w+) -->\n((?:```\w+\n.*?^```\n\n?)+)", PAGE, re.MULTILINE | re.DOTALL
)
SOURCES = {
    "Python": "service/hakam/client/*.py",
    "TypeScript": "clients/typescript/src/*.ts",
    "Go": "clients/go/*.go",
    "Kotlin": "clients/kotlin/src/main/kotlin/**/*.kt",
}


@pytest.mark.parametrize(("name", "blocks"), SHOWN, ids=[name for name, _ in SHOWN])
def test_what_is_shown_is_part_of_the_programs(name: str, blocks: str) -> None:
    assert blocks.rstrip("\n") == region(name).rstrip("\n")


def test_every_region_is_shown_once() -> None:
    names = [name for name, _ in SHOWN]
    for language in TOURS:
        assert sorted(regions(language)) == sorted(names)


@pytest.mark.parametrize("language", SOURCES)
def test_every_name_of_the_tables_is_one_of_the_client(language: str) -> None:
    named = {word for cell in cells(language) for word in re.findall(r"`([\w.]+)`", cell)}
    assert len(named) > 25
    sources = "".join(path.read_text("utf-8") for path in TOP.glob(SOURCES[language]))
    words = set(re.findall(r"\w+", sources))
    assert {name for name in named if not words.issuperset(name.split("."))} == set()


def cells(language: str) -> list[str]:
    """What the tables with a column for the language have in it."""
    found = []
    for table in re.findall(r"(?:^\|.*\n)+", PAGE, re.MULTILINE):
        head, _, *rows = [line.strip("|\n").split("|") for line in table.splitlines()]
        columns = [n for n, title in enumerate(head) if title.strip().startswith(language)]
        found += [row[n] for row in rows for n in columns]
    return found
