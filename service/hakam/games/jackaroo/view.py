"""What a seat, or a spectator, may see (J8.1): the state without the hidden cards."""

from dataclasses import dataclass

from hakam.games.jackaroo.rules import Rules
from hakam.games.jackaroo.state import Phase, State, hand_index

__all__ = ["SideView", "View", "view"]


@dataclass(frozen=True)
class SideView:
    """One seat as everybody sees it: its cells by marble number, and how many cards it holds."""

    marbles: tuple[int, ...]
    hand_size: int


@dataclass(frozen=True)
class View:
    """The table as `viewer` sees it; a spectator (None) has an empty `hand`.

    `hand` is in the order dealt, `discard` oldest first, `undealt` a number of cards; `hand_index`
    counts the hands of a shuffle from 0, and is None before the first is dealt.
    """

    viewer: int | None
    phase: Phase
    dealer: int | None
    to_act: int | None
    sides: tuple[SideView, ...]
    hand: tuple[int, ...]
    hand_index: int | None
    undealt: int
    discard: tuple[int, ...]


def view(rules: Rules, state: State, seat: int | None) -> View:
    """What a seat, or a spectator (None), may see."""
    sides = tuple(
        SideView(state.marbles[4 * s : 4 * s + 4], len(state.hands[s])) for s in range(rules.seats)
    )
    return View(
        viewer=seat,
        phase=state.phase,
        dealer=state.dealer,
        to_act=state.to_act,
        sides=sides,
        hand=() if seat is None else state.hands[seat],
        hand_index=_hand_index(rules, state),
        undealt=len(state.deck),
        discard=state.discard,
    )


def _hand_index(rules: Rules, state: State) -> int | None:
    if state.phase in (Phase.DEALER, Phase.DEAL):
        return None
    return hand_index(rules, len(state.deck))
