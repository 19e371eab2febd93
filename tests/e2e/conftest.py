from collections.abc import Callable, Iterator

import pytest

from tests.e2e.processes import Serving, servers


@pytest.fixture
def serve() -> Iterator[Callable[..., Serving]]:
    """Starts servers that are ready."""
    with servers() as start:
        yield start


@pytest.fixture(scope="session")
def serving() -> Iterator[Serving]:
    """A server for all who leave it as it was."""
    with servers() as start:
        yield start()
