"""The state of a game of Jackaroo, and the untrusted setup that may become one.

A `State` is made only by `initial`, `validate`, `resolve` and `apply`, and never changes. A
marble's place is a cell id (see geometry.py). Which hand of the deal schedule is being played
follows from the number of undealt cards, so it is not stored.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from hakam.games.jackaroo.rules import Rules

__all__ = ["Phase", "Setup", "Side", "State", "hand_index", "setup"]


class Phase(IntEnum):
    """What the game waits for; the numbers are the wire's."""

    DEALER = 1  # J2.9: chance draws the first dealer
    DEAL = 2  # J2.2: a shuffle is due
    PLAY = 3
    ANSWER = 4  # J5.10: the seat hit by a Ten burns a card of its choice
    OVER = 5


@dataclass(frozen=True)
class Side:
    """One seat's cells by marble number, and its hand in the order dealt."""

    marbles: tuple[int, ...]
    hand: tuple[int, ...]


@dataclass(frozen=True)
class Setup:
    """A state as decoded: any number may stand anywhere."""

    phase: int
    dealer: int | None
    to_act: int | None
    sides: tuple[Side, ...]
    deck: tuple[int, ...]
    discard: tuple[int, ...]


class State:
    """A valid state. Marbles and hands are in seat order; `marbles[4 * seat + number]` is a cell.

    `dealer` is None until drawn; `to_act` is None unless a seat must move. `deck` holds the undealt
    cards, front first, and `discard` the played ones, oldest first.
    """

    __slots__ = ("dealer", "deck", "discard", "hands", "marbles", "phase", "to_act")

    def __init__(
        self,
        *,
        phase: Phase,
        dealer: int | None,
        to_act: int | None,
        marbles: tuple[int, ...],
        hands: tuple[tuple[int, ...], ...],
        deck: tuple[int, ...],
        discard: tuple[int, ...],
    ) -> None:
        self.phase: Final[Phase] = phase
        self.dealer: Final[int | None] = dealer
        self.to_act: Final[int | None] = to_act
        self.marbles: Final[tuple[int, ...]] = marbles
        self.hands: Final[tuple[tuple[int, ...], ...]] = hands
        self.deck: Final[tuple[int, ...]] = deck
        self.discard: Final[tuple[int, ...]] = discard

    def _key(self) -> tuple[object, ...]:
        return (
            self.phase,
            self.dealer,
            self.to_act,
            self.marbles,
            self.hands,
            self.deck,
            self.discard,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"State{self._key()!r}"


def setup(rules: Rules, state: State) -> Setup:
    """The state as plain fields: the inverse of `validate`."""
    sides = tuple(
        Side(state.marbles[4 * s : 4 * s + 4], state.hands[s]) for s in range(rules.seats)
    )
    return Setup(int(state.phase), state.dealer, state.to_act, sides, state.deck, state.discard)


def hand_index(rules: Rules, undealt: int) -> int | None:
    """J2.2: the hand of the schedule after which so many cards are undealt, if there is one."""
    left = 52
    for index, cards in enumerate(rules.deal):
        left -= cards * rules.seats
        if left == undealt:
            return index
    return None
