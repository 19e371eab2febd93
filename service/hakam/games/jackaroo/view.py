"""What a seat, or a spectator, may see (J8.1): the state without the hidden cards."""

from dataclasses import dataclass

from hakam.games.jackaroo.rules import Rules
from hakam.games.jackaroo.state import Phase, State

__all__ = ["SideView", "View", "view"]


@dataclass(frozen=True)
class SideView:
    """One seat as everybody sees it: its cells by marble number, and how many cards it holds."""

    marbles: tuple[int, ...]
    hand_size: int


@dataclass(frozen=True)
class View:
    """The table as `seat` sees it; a spectator (None) has an empty `hand`.

    `hand` is in the order dealt, `discard` oldest first, `undealt` a number of cards.
    """

    seat: int | None
    phase: Phase
    dealer: int | None
    to_act: int | None
    sides: tuple[SideView, ...]
    hand: tuple[int, ...]
    undealt: int
    discard: tuple[int, ...]


def view(rules: Rules, state: State, seat: int | None) -> View:
    """What a seat, or a spectator (None), may see."""
    sides = tuple(
        SideView(state.marbles[4 * s : 4 * s + 4], len(state.hands[s])) for s in range(rules.seats)
    )
    return View(
        seat,
        state.phase,
        state.dealer,
        state.to_act,
        sides,
        () if seat is None else state.hands[seat],
        len(state.deck),
        state.discard,
    )
