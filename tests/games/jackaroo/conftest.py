"""Positions laid out by hand: the marbles and cards that matter, the rest where it can be."""

from collections.abc import Callable, Mapping, Sequence

import pytest

from hakam.games import jackaroo
from hakam.games.cards import read_cards
from hakam.games.jackaroo.geometry import geometry
from hakam.games.jackaroo.rules import Rules, deck
from hakam.games.jackaroo.state import Phase, Setup, Side, State


def lay_out(
    rules: Rules,
    marbles: Mapping[tuple[int, int], int],
    hands: Sequence[str],
    *,
    to_act: int | None = 0,
    phase: Phase = Phase.PLAY,
    dealer: int = 3,
    last: str = "",
) -> Setup:
    """The last hand of a deal: marbles not named are in their bases, and a hand not given, in
    seat order, is one card. `last` is the card on top of the discard pile."""
    board = geometry(rules)
    given = [read_cards(hand) for hand in hands]
    top = read_cards(last)
    used = {card for hand in given for card in hand} | set(top)
    rest = [card for card in deck(rules) if card not in used]
    while len(given) < rules.seats:
        given.append((rest.pop(0),))
    undealt = 52 - rules.seats * sum(rules.deal)
    sides = tuple(
        Side(tuple(marbles.get((s, m), board.bases + 4 * s + m) for m in range(4)), given[s])
        for s in range(rules.seats)
    )
    piles = (tuple(rest[:undealt]), (*rest[undealt:], *top))
    return Setup(phase, dealer, to_act, sides, *piles)


@pytest.fixture
def lay() -> Callable[..., State]:
    """`lay_out` as a valid state."""

    def make(rules: Rules, *args: object, **options: object) -> State:
        state = jackaroo.validate(rules, lay_out(rules, *args, **options))  # type: ignore[arg-type]
        assert isinstance(state, State), state
        return state

    return make


@pytest.fixture
def lay_setup() -> Callable[..., Setup]:
    """`lay_out` itself, valid or not."""
    return lay_out
