"""What holds for every test: hypothesis repeats itself, and a clause that is named exists."""

import pytest
from hypothesis import settings

from tools import clauses

# The same examples on every run and every machine, however slow; `--hypothesis-profile=explore`
# looks further.
settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None, max_examples=2_000)
settings.load_profile("repeatable")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    known = set(clauses.clauses(clauses.pages()))
    for item in items:
        named = {clause for mark in item.iter_markers("clause") for clause in mark.args}
        if unknown := sorted(map(str, named - known)):
            raise pytest.UsageError(f"{item.nodeid} names {', '.join(unknown)}, which no page has")
