"""The table of threats in docs/security.md names tests that exist."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
PAGE = (TESTS.parent / "docs" / "security.md").read_text("utf-8")


def rows() -> list[list[str]]:
    """The cells of the tables of threats, without their heads."""
    section = PAGE.split("\n## Threats\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if row[0] != "who" and set(row[0]) != {"-"}]


def known_tests() -> set[str]:
    """The name of every test function in the tree."""
    names: set[str] = set()
    for file in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                names.add(node.name)
    return names


def test_every_threat_has_its_test() -> None:
    known = known_tests()
    assert len(rows()) >= 12
    for who, tries, happens, shown in rows():
        assert who
        assert tries
        assert happens
        named = re.findall(r"`(test_\w+)`", shown)
        assert named, tries
        assert set(named) <= known, tries


def test_what_cannot_be_stopped_has_rows_too() -> None:
    assert sum("not stopped" in row[2].lower() for row in rows()) >= 5


def test_every_concession_is_on_the_page() -> None:
    source = (TESTS / "trust" / "test_concessions.py").read_text("utf-8")
    for name in re.findall(r"^def (test_\w+)", source, re.MULTILINE):
        assert f"`{name}`" in PAGE
