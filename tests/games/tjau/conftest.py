from collections.abc import Callable

import pytest

from hakam.games import tjau
from hakam.games.tjau.rules import Rules
from hakam.games.tjau.state import State


@pytest.fixture
def at() -> Callable[[Rules, str], State]:
    """The state that a position text spells; fails where it is not valid."""

    def read(rules: Rules, text: str) -> State:
        state = tjau.validate(rules, tjau.read_position(rules, text))
        assert isinstance(state, State), state
        return state

    return read
