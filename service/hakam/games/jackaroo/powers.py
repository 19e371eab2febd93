"""What each card can do under the options in force: one table a combination of options.

A label names what a move is played with: a card of the deck by its own number, a joker by
53 + the card that it stands for. Source: docs/rules/jackaroo.md, sections 2.8 and 5.
"""

from enum import IntEnum
from typing import Final

from hakam.games.cards import ACE, DIAMONDS, HEARTS, JACK, JOKER, KING, QUEEN, TEN, rank, suit
from hakam.games.jackaroo.rules import Jack, Queen, Rules

__all__ = ["LABELS", "STEPS", "Kind", "Power", "Powers", "label", "powers", "unlabel"]

_FOUR: Final = 2
_FIVE: Final = 3
_SEVEN: Final = 5
LABELS: Final = range(1, 53 + 53)


class Kind(IntEnum):
    """The way in which a card moves; whether it also brings out is said apart."""

    FORWARD = 0
    FOUR = 1
    FIVE = 2
    SEVEN = 3
    TEN = 4  # forward, or a hit
    SWAP_OWN = 5
    SWAP_ANY = 6
    TAKE = 7  # forward, or a take
    KING = 8


class Power:
    """What one face can do: its kind, whether it brings out, whether it burns first, its clause."""

    __slots__ = ("clause", "exits", "kind", "special")

    def __init__(self, kind: Kind, clause: str, *, exits: bool, special: bool) -> None:
        self.kind: Final[Kind] = kind
        self.clause: Final[str] = clause
        self.exits: Final[bool] = exits
        self.special: Final[bool] = special


class Powers:
    """The powers of the cards 1 ... 52 by number (index 0 is nothing), and a joker's faces.

    `faces` are the cards as which a joker may be played (J5.X): of each rank the first suit with
    the same powers.
    """

    __slots__ = ("by_card", "faces")

    def __init__(self, by_card: tuple[Power, ...]) -> None:
        self.by_card: Final[tuple[Power, ...]] = by_card
        seen: dict[tuple[int, Kind], int] = {}
        for card in range(1, 53):
            seen.setdefault((rank(card), by_card[card].kind), card)
        self.faces: Final[tuple[int, ...]] = tuple(
            sorted(seen.values(), key=lambda card: (rank(card), suit(card)))
        )

    def proper(self, face: int) -> int | None:
        """The name that a joker's face goes by (J5.X), None for what is no card of the 52."""
        if not 1 <= face < JOKER:
            return None
        kind = self.by_card[face].kind
        alike = [f for f in self.faces if rank(f) == rank(face) and self.by_card[f].kind == kind]
        return alike[0]


def label(card: int, face: int) -> int:
    """The label of a card, or of a joker played as `face`."""
    return card + face


def unlabel(label_: int) -> tuple[int, int]:
    """The card and the face of a label; the face is 0 unless the card is a joker."""
    return (label_, 0) if label_ < JOKER else (JOKER, label_ - JOKER)


def _steps(rank_: int) -> tuple[int, ...]:
    """Section 5: the counts that a rank may step, as far as its kind steps at all."""
    if rank_ == ACE:
        return (1, 11)
    if rank_ == _FOUR:
        return (-4,)
    return (11, 12, 13)[rank_ - JACK : rank_ - JACK + 1] if rank_ >= JACK else (rank_ + 2,)


# By label: the counts of the face.
STEPS: Final = (
    (),
    *(_steps(rank(c)) for c in range(1, 53)),
    (),
    *(_steps(rank(c)) for c in range(1, 53)),
)

_RANKS: Final = {
    _FOUR: (Kind.FOUR, "J5.4"),
    _FIVE: (Kind.FIVE, "J5.5"),
    _SEVEN: (Kind.SEVEN, "J5.7"),
    TEN: (Kind.TEN, "J5.10"),
    KING: (Kind.KING, "J5.K"),
    ACE: (Kind.FORWARD, "J5.A"),
}


def _power(card: int, *, jack: Jack, takes: bool, exit_with_jack: bool) -> Power:
    rank_ = rank(card)
    red = suit(card) in (DIAMONDS, HEARTS)
    if rank_ == JACK:
        swaps = Kind.SWAP_ANY if jack == Jack.BLACK_SWAP_ANY else Kind.SWAP_OWN
        kind = Kind.FORWARD if red and swaps == Kind.SWAP_ANY else swaps
        clause = "J5.Jb" if swaps == Kind.SWAP_ANY else "J5.J"
        special = exit_with_jack or kind != Kind.FORWARD
        return Power(kind, clause, exits=exit_with_jack, special=special)
    if rank_ == QUEEN:
        kind = Kind.TAKE if takes and red else Kind.FORWARD
        return Power(kind, "J5.Q", exits=False, special=kind == Kind.TAKE)
    kind, clause = _RANKS.get(rank_, (Kind.FORWARD, "J5.2"))
    return Power(kind, clause, exits=rank_ in (ACE, KING), special=rank_ in _RANKS)


_NOTHING: Final = Power(Kind.FORWARD, "", exits=False, special=False)
_TABLES: Final = {
    (jack, takes, exits): Powers(
        (
            _NOTHING,
            *(_power(card, jack=jack, takes=takes, exit_with_jack=exits) for card in range(1, 53)),
        )
    )
    for jack in Jack
    for takes in (False, True)
    for exits in (False, True)
}


def powers(rules: Rules) -> Powers:
    """The table of these rules."""
    return _TABLES[rules.jack, rules.queen != Queen.PLAIN, rules.exit_with_jack]
