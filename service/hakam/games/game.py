"""The vocabulary that every game shares, and the protocol that a game module fulfils.

Laws:
- Everything here and below `games/` is pure: standard library only, no I/O, no clock, no
  `random`, no logging. The same arguments give the same result in every process.
- Chance is explicit. A game never draws: a state in which chance is due says so through
  `chance_due`, and `resolve` takes the outcome that somebody else drew or brought.
- A legality question is answered by a `Violation`, never by an exception.
- Numbers of enums, cards, seats and cells are those of the wire contract.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

from hakam.games.reasons import Reason

__all__ = [
    "Board",
    "BoardCell",
    "BoardPath",
    "Catalogue",
    "CellKind",
    "ChanceDue",
    "ChanceKind",
    "ChanceOutcome",
    "Drawn",
    "Fault",
    "Game",
    "GameOver",
    "NotationError",
    "Option",
    "OptionKind",
    "OptionValue",
    "Outcome",
    "Text",
    "Violation",
]


R = TypeVar("R")


@dataclass(frozen=True)
class Text:
    """One text in both languages of the project. Arabic is written without bidi controls."""

    en: str
    ar: str


@dataclass(frozen=True)
class Violation:
    """Why a move is refused: the first clause that forbids it, and what stands in the way.

    `seat` and `marble` name the piece (or the player) in the way, `cell` its place in the game's
    own numbering, `card` the card concerned; each is None where it says nothing.
    """

    reason: Reason
    clause: str
    seat: int | None = None
    marble: int | None = None
    cell: int | None = None
    card: int | None = None


@dataclass(frozen=True)
class Fault:
    """One fault of a decoded state or of rules.

    `path` is the field at fault, spelled as on the wire and relative to the message that was
    validated (`sides[1].squares[2]`); `detail` is a short English fact for the developer who wrote
    the state, built from field names and numbers only; `allowed` lists the allowed values, if few.
    """

    path: str
    reason: Reason
    detail: str
    clause: str = ""
    allowed: tuple[str, ...] = ()


class ChanceKind(IntEnum):
    """What nobody decides."""

    THROW = 1  # four two-sided sticks: an int 0..4, the number of light faces
    SEAT = 2  # one seat out of `seats`, each equally likely: an int
    DEAL = 3  # a shuffle of `deck`: a tuple, front first


@dataclass(frozen=True)
class ChanceDue:
    """The chance event that a state waits for.

    For a DEAL the shuffled `deck` is dealt one card at a time, round the table from seat `first`,
    `per_seat` cards to each of `seats` seats; what is left over stays at the end of the deck.
    `asked_by` is the seat that asks for the event by a move of its own where the service draws
    (the throw of Tjau), None where the event simply happens.
    """

    kind: ChanceKind
    seats: int
    asked_by: int | None = None
    first: int = 0
    per_seat: int = 0
    deck: tuple[int, ...] = ()


# The value of a chance event: a throw, a seat, or the order of a deck (front first).
ChanceOutcome: TypeAlias = int | tuple[int, ...]


class Drawn(Enum):
    """How the first seat is found where no seat is named. No int, so it equals no seat."""

    CHANCE = 1
    SEVEN_OF_HEARTS = 2


# The value of a rule option: choices are IntEnums, seats plain ints, lists tuples.
OptionValue: TypeAlias = bool | int | IntEnum | Drawn | tuple[int, ...]


@dataclass(frozen=True)
class Outcome:
    """The end of a game: the seats that won, ascending, and every seat's score if it has one."""

    winners: tuple[int, ...]
    scores: tuple[int, ...] = ()


@dataclass(frozen=True)
class GameOver:
    """Event: the game has ended. Always the last event of its game, in every game."""

    outcome: Outcome


class OptionKind(IntEnum):
    """The type of a rule option."""

    BOOL = 1
    INT = 2
    CHOICE = 3  # one of `choices`
    SEAT = 4  # a seat, or one of `choices`
    INT_LIST = 5


@dataclass(frozen=True)
class Option:
    """A rule option as the catalogue shows it. Defaults stand in the rule sets.

    `choices` pairs each value's name (lower snake case) with its text; `low` and `high` bound
    integers and the items of lists; `max_items` bounds lists.
    """

    name: str
    kind: OptionKind
    clause: str
    text: Text
    choices: tuple[tuple[str, Text], ...] = ()
    low: int = 0
    high: int = 0
    max_items: int = 0


@dataclass(frozen=True)
class Catalogue(Generic[R]):
    """What a game tells about itself before anybody plays it.

    `revision` is raised by any change of a legal list, an outcome, an event or a draw. The first
    rule set is the default. `rule_sets` and `rule_set_texts` have the same keys in the same order;
    `reasons` words every reason that the game's own violations give.
    """

    id: str
    revision: int
    name: Text
    rule_sets: Mapping[str, R]
    rule_set_texts: Mapping[str, Text]
    options: Sequence[Option]
    reasons: Mapping[Reason, Text]


class CellKind(IntEnum):
    """What a cell of a board is."""

    TRACK = 1
    START = 2
    ENTRANCE = 3
    GOAL = 4
    BASE = 5
    SQUARE = 6
    MARK = 7


@dataclass(frozen=True)
class BoardCell:
    """One cell: `x` grows to the right, `y` downwards, in units of one cell.

    `owner` is the seat whose cell it is, None where it is everybody's.
    """

    id: int
    kind: CellKind
    owner: int | None
    x: float
    y: float


@dataclass(frozen=True)
class BoardPath:
    """The cells that a seat's pieces run through, in order."""

    seat: int
    cells: tuple[int, ...]


@dataclass(frozen=True)
class Board:
    """A board as data: enough to draw and animate it with no knowledge of the game."""

    cells: tuple[BoardCell, ...]
    paths: tuple[BoardPath, ...]


class NotationError(ValueError):
    """A text that is no move or position of this game: `position` is the offset of the fault."""

    def __init__(self, message: str, position: int = 0) -> None:
        super().__init__(message)
        self.position: Final = position


S = TypeVar("S")
P = TypeVar("P")
M = TypeVar("M")
V = TypeVar("V")


class Game(Protocol[R, P, S, M, V]):
    """What a game's package offers: R rules, P setup (decoded), S state (valid), M move, V view.

    A move or a state is judged under the rules given beside it, which `rules_faults` has passed.
    """

    @property
    def CATALOGUE(self) -> Catalogue[R]:  # noqa: N802 - a constant of the module
        """The game's id, revision, rule sets, options and texts."""

    def with_options(self, rule_set: str, options: Mapping[str, OptionValue], /) -> R:
        """The rules of a known rule set with some options replaced, not yet judged."""

    def rules_faults(self, rules: R, /) -> tuple[Fault, ...]:
        """Every option out of range and every combination without sense; paths are option names."""

    def seats(self, rules: R, /) -> int:
        """The number of seats at the table."""

    def initial(self, rules: R, /) -> S:
        """The state before any move and any chance."""

    def validate(self, rules: R, setup: P, /) -> S | tuple[Fault, ...]:
        """The setup as a state, or every fault that it has."""

    def setup(self, rules: R, state: S, /) -> P:
        """The state as plain fields: the inverse of `validate`."""

    def chance_due(self, rules: R, state: S, /) -> ChanceDue | None:
        """The chance event that must come next, if one must."""

    def resolve(self, rules: R, state: S, outcome: ChanceOutcome, /) -> tuple[S, tuple[Any, ...]]:
        """The state after the chance event that is due, and what happened. Trusts the outcome."""

    def to_act(self, rules: R, state: S, /) -> int | None:
        """The seat that must move; None once the game is over or while plain chance is due."""

    def legal_moves(self, rules: R, state: S, /) -> tuple[M, ...]:
        """Every legal move of the seat to act once, in a fixed order; a safe one first."""

    def violation(self, rules: R, state: S, move: M, /) -> Violation | None:
        """Why the move is illegal for the seat to act, or None. Any value of M may be asked."""

    def apply(self, rules: R, state: S, move: M, /) -> tuple[S, tuple[Any, ...]]:
        """The next state and the events, automatic passes included. Trusts the move."""

    def effects(self, rules: R, state: S, move: M, /) -> tuple[Any, ...]:
        """What a legal move does, short of chance, of hidden cards and of what follows them."""

    def outcome(self, rules: R, state: S, /) -> Outcome | None:
        """The result once the game is over, else None."""

    def view(self, rules: R, state: S, seat: int | None, /) -> V:
        """What a seat, or a spectator (None), may see."""

    def board(self, rules: R, /) -> Board:
        """The board as data; no cells for a game of cards alone."""

    def write_move(self, rules: R, move: M, /) -> str:
        """One line of ASCII text for a move."""

    def read_move(self, rules: R, text: str, /) -> M:
        """The inverse of `write_move`, and of nothing else; raises NotationError."""

    def write_position(self, rules: R, state: S, /) -> str:
        """One line of ASCII text for a whole state, hidden cards included."""

    def read_position(self, rules: R, text: str, /) -> P:
        """The inverse of `write_position`, not yet validated; raises NotationError."""

    def write_view(self, rules: R, view: V, /) -> str:
        """One line of ASCII text for what a viewer sees: a position with the hidden left out."""

    def draw(self, rules: R, view: V, /) -> str:
        """The view as a drawing of a few lines of plain text, for terminals."""
