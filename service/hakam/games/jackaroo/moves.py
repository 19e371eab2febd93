"""The kinds of move, and every move of each kind made once at import.

Every move names its card, and the card that a joker stands for (`face`, 0 for none: J5.X). A
marble is named by its seat and its number, a card of a hidden hand by its position (J6.1). The
tables are by label (see powers.py) and by marble, 4 x seat + number.

Source: docs/rules/jackaroo.md, section 6.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from hakam.games.cards import DECK, JOKER, rank
from hakam.games.jackaroo.powers import LABELS, STEPS, unlabel

__all__ = [
    "BRING_OUTS",
    "BURNS",
    "HITS",
    "SPLITS",
    "STEP_MOVES",
    "SWAPS",
    "TAKES",
    "BringOut",
    "Burn",
    "Hit",
    "Move",
    "Split",
    "Step",
    "Swap",
    "Take",
]


@dataclass(frozen=True)
class BringOut:
    """J5.O: the commander's lowest marble in the base goes to its start."""

    card: int
    face: int = 0


@dataclass(frozen=True)
class Step:
    """A marble goes `steps` cells; -4 for a Four, 13 for a King's bulldozer."""

    card: int
    seat: int
    marble: int
    steps: int
    face: int = 0


@dataclass(frozen=True)
class Split:
    """J5.7: a Seven over two marbles, carried out in this order."""

    card: int
    seat: int
    marble: int
    steps: int
    other_seat: int
    other_marble: int
    other_steps: int
    face: int = 0


@dataclass(frozen=True)
class Swap:
    """J5.J: one's own marble first. J5.Jb: the lower (seat, marble) first."""

    card: int
    seat: int
    marble: int
    other_seat: int
    other_marble: int
    face: int = 0


@dataclass(frozen=True)
class Hit:
    """J5.10: the next seat loses a card; its position only where it is picked blind."""

    card: int
    position: int | None = None
    face: int = 0


@dataclass(frozen=True)
class Take:
    """J5.Q: the card at a position of the next seat's hand is burnt."""

    card: int
    position: int
    face: int = 0


@dataclass(frozen=True)
class Burn:
    """J2.8, and the answer to a Ten (J5.10): a card is discarded without effect.

    `face` is there to be refused: a joker's burn names none (J5.X).
    """

    card: int
    face: int = 0


Move: TypeAlias = BringOut | Step | Split | Swap | Hit | Take | Burn

_MARBLES: Final = range(24)
_POSITIONS: Final = range(13)
_SEVEN: Final = 5
_JACK: Final = 9


def _faced(label: int) -> int:
    """The rank of a label's face; a bare joker has none."""
    card, face = unlabel(label)
    return rank(face or card) if label != JOKER else -1


def _step_moves(label: int) -> tuple[tuple[int, tuple[Step, ...]], ...]:
    card, face = unlabel(label)
    return tuple(
        (steps, tuple([Step(card, i >> 2, i & 3, steps, face) for i in _MARBLES]))
        for steps in STEPS[label]
    )


def _splits(label: int, first: int, second: int) -> tuple[Split, ...]:
    card, face = unlabel(label)
    return tuple(
        Split(card, first >> 2, first & 3, a, second >> 2, second & 3, 7 - a, face)
        for a in range(1, 7)
    )


def _own_splits(label: int) -> tuple[tuple[tuple[Split, ...], ...], ...]:
    if _faced(label) != _SEVEN:
        return ()
    return tuple(
        tuple(_splits(label, first, first & ~3 | n) if first & 3 != n else () for n in range(4))
        for first in _MARBLES
    )


def _swaps(label: int) -> tuple[tuple[Swap, ...], ...]:
    card, face = unlabel(label)
    if _faced(label) != _JACK:
        return ()
    return tuple(
        tuple([Swap(card, i >> 2, i & 3, j >> 2, j & 3, face) for j in _MARBLES]) for i in _MARBLES
    )


# By label.
BRING_OUTS: Final = (BringOut(0), *(BringOut(*unlabel(label)) for label in LABELS))
# By label: each count with the moves by marble.
STEP_MOVES: Final = ((), *(_step_moves(label) for label in LABELS))
# By label, first marble, number of the second (of the same seat), steps of the first less one.
SPLITS: Final = ((), *(_own_splits(label) for label in LABELS))
# By label, first marble, other marble.
SWAPS: Final = ((), *(_swaps(label) for label in LABELS))
# By label: the position, and last the hit that names none.
HITS: Final = (
    (),
    *((*(Hit(c, p, f) for p in _POSITIONS), Hit(c, None, f)) for c, f in map(unlabel, LABELS)),
)
# By label and position.
TAKES: Final = ((), *(tuple(Take(c, p, f) for p in _POSITIONS) for c, f in map(unlabel, LABELS)))
# By card.
BURNS: Final = (Burn(0), *(Burn(c) for c in (*DECK, JOKER)))
