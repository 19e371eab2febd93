"""The table of clauses and the tests that show them.

Clauses are the bold ids of docs/rules/*.md (**W3.5**); tests name them by the mark
`@pytest.mark.clause("W3.5", …)` on a function, a class, a module (`pytestmark`) or a parameter set.
The tests are read, not run; one that is marked to be skipped or to fail shows nothing.

`python -m tools.clauses` prints the table and fails where a clause has no test, or a test names a
clause that no page has.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

TOP: Final = Path(__file__).resolve().parent.parent
CLAUSE: Final = re.compile(r"^- \*\*([A-Z]\d+\.\w+)\b", re.MULTILINE)
SHOWS_NOTHING: Final = {"skip", "skipif", "xfail"}

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def clauses(pages: Iterable[Path]) -> list[str]:
    """The ids of all clauses, in the order of the pages."""
    return [clause for page in pages for clause in CLAUSE.findall(page.read_text("utf-8"))]


def tests_by_clause(files: Iterable[Path], top: Path) -> dict[str, list[str]]:
    """For each clause named by a test the names of its tests, `file::Class::function`."""
    table: dict[str, list[str]] = {}
    for file in files:
        tree = ast.parse(file.read_text("utf-8"), str(file))
        name = file.relative_to(top).as_posix()
        for test, marks in _tests(tree, name, _module_marks(tree)):
            for clause in _named(marks):
                table.setdefault(clause, []).append(test)
    return table


def faults(known: list[str], table: dict[str, list[str]]) -> list[str]:
    """What is wrong, a line each; empty when every clause has a test and every test a clause."""
    twice = sorted({clause for clause in known if known.count(clause) > 1})
    return [
        *(f"{clause} is defined twice" for clause in twice),
        *(f"{clause} has no test" for clause in known if clause not in table),
        *(f"{', '.join(table[c])} names {c}, which no page has" for c in table if c not in known),
    ]


def _tests(
    node: ast.Module | ast.ClassDef, name: str, marks: list[ast.expr]
) -> Iterator[tuple[str, list[ast.expr]]]:
    """Every test below a node, with its own marks and those of what it stands in."""
    for child in node.body:
        if not isinstance(child, Definition):
            continue
        within = [*marks, *child.decorator_list]
        if _names(within) & SHOWS_NOTHING:
            continue
        if isinstance(child, ast.ClassDef):
            own = [*within, *_module_marks(child)]
            yield from _tests(child, f"{name}::{child.name}", own)
        elif child.name.startswith("test"):
            yield f"{name}::{child.name}", within


def _module_marks(node: ast.Module | ast.ClassDef) -> list[ast.expr]:
    """The value of `pytestmark` in a module or a class."""
    return [
        child.value
        for child in node.body
        if isinstance(child, ast.Assign)
        and any(
            isinstance(target, ast.Name) and target.id == "pytestmark" for target in child.targets
        )
    ]


def _names(marks: list[ast.expr]) -> set[str]:
    """The names of the marks that stand by themselves, not within a parameter set."""
    calls = (mark.func if isinstance(mark, ast.Call) else mark for mark in marks)
    return {call.attr for call in calls if isinstance(call, ast.Attribute)}


def _named(marks: list[ast.expr]) -> list[str]:
    """The clause ids within the marks, each once, in order."""
    calls = (node for mark in marks for node in ast.walk(mark) if isinstance(node, ast.Call))
    arguments = (
        argument
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr == "clause"
        for argument in call.args
    )
    ids = (argument.value for argument in arguments if isinstance(argument, ast.Constant))
    return list(dict.fromkeys(str(value) for value in ids))


def pages() -> list[Path]:
    """The rules pages of this repository."""
    return sorted(path for path in (TOP / "docs/rules").glob("*.md") if path.stem != "README")


def test_files() -> list[Path]:
    """The test files of this repository."""
    return sorted((TOP / "tests").rglob("test_*.py"))


def main() -> int:
    """Print the table, then what is wrong with it."""
    known = clauses(pages())
    table = tests_by_clause(test_files(), TOP)
    for clause in known:
        print(
            "\n       ".join([f"{clause:<6} {len(table.get(clause, []))}", *table.get(clause, [])])
        )
    wrong = faults(known, table)
    print(f"{len(known)} clauses, {sum(clause in table for clause in known)} with tests")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
