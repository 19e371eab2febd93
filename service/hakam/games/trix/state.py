"""What a game of Trix is made of: `Setup`, plain decoded fields, and `State`, known to be valid.

Nothing is kept that follows from the rest. The tricks of a pile stand in it in the order taken,
four cards each in the order played, so the winning card of a trick tells its leader: the points
of the deal under way and the last trick follow from the piles (`tricks.py`), and the leader of
the trick on the table from the seat to act. Source: docs/rules/trix.md.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

__all__ = [
    "CONTRACT",
    "DEAL",
    "DOUBLE",
    "EMPTY",
    "NOBODY",
    "NO_CARDS",
    "OVER",
    "PLAY",
    "Phase",
    "SeatCard",
    "Setup",
    "SheetDeal",
    "State",
]


class Phase(IntEnum):
    """What the game waits for (T6.1)."""

    DEAL = 1
    CONTRACT = 2
    DOUBLE = 3
    PLAY = 4
    OVER = 5


DEAL: Final = int(Phase.DEAL)
CONTRACT: Final = int(Phase.CONTRACT)
DOUBLE: Final = int(Phase.DOUBLE)
PLAY: Final = int(Phase.PLAY)
OVER: Final = int(Phase.OVER)

NOBODY: Final = -1
NO_CARDS: Final[tuple[tuple[int, ...], ...]] = ((), (), (), ())
# The layout without cards: bit 0 is the bare table, on which a jack may be laid.
EMPTY: Final = 1


@dataclass(frozen=True)
class SeatCard:
    """A card and a seat: who doubled it, or who took it."""

    card: int
    seat: int


@dataclass(frozen=True)
class SheetDeal:
    """A line of the score sheet: a finished deal. `doubled` ascends by card; points by seat."""

    contract: int
    doubled: tuple[SeatCard, ...]
    points: tuple[int, ...]


@dataclass(frozen=True)
class Setup:
    """A state as decoded, field by field as on the wire; anything may be wrong with it.

    `owner` and `to_act` are None, and `contract` is 0, where absent. `hands` stand in the order
    dealt, `trick` in the order played, `taken` a pile a seat in the order taken, `doubled` and
    `layout` ascending by card, `out` in the order in which the seats went out.
    """

    phase: int
    sheet: tuple[SheetDeal, ...]
    owner: int | None
    contract: int
    to_act: int | None
    hands: tuple[tuple[int, ...], ...]
    doubled: tuple[SeatCard, ...]
    trick: tuple[int, ...]
    taken: tuple[tuple[int, ...], ...]
    layout: tuple[int, ...]
    out: tuple[int, ...]


class State:
    """A valid state; made only by `initial`, `validate`, `resolve` and `apply`.

    As `Setup`, but `owner` and `to_act` are NOBODY where absent, and `layout` is a set of bits:
    bit c is set if card c lies on the table, bit 0 always.
    """

    __slots__ = (
        "contract",
        "doubled",
        "hands",
        "layout",
        "out",
        "owner",
        "phase",
        "sheet",
        "taken",
        "to_act",
        "trick",
    )

    def __init__(
        self,
        phase: int,
        sheet: tuple[SheetDeal, ...],
        owner: int,
        *,
        contract: int = 0,
        to_act: int = NOBODY,
        hands: tuple[tuple[int, ...], ...] = NO_CARDS,
        doubled: tuple[SeatCard, ...] = (),
        trick: tuple[int, ...] = (),
        taken: tuple[tuple[int, ...], ...] = NO_CARDS,
        layout: int = EMPTY,
        out: tuple[int, ...] = (),
    ) -> None:
        self.phase: Final = phase
        self.sheet: Final = sheet
        self.owner: Final = owner
        self.contract: Final = contract
        self.to_act: Final = to_act
        self.hands: Final = hands
        self.doubled: Final = doubled
        self.trick: Final = trick
        self.taken: Final = taken
        self.layout: Final = layout
        self.out: Final = out

    def _key(self) -> tuple[object, ...]:
        return (
            self.phase,
            self.sheet,
            self.owner,
            self.contract,
            self.to_act,
            self.hands,
            self.doubled,
            self.trick,
            self.taken,
            self.layout,
            self.out,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"State{self._key()!r}"
