"""The house rules of Jackaroo as data: one field an option, a rule set a named bundle of them.

Source: docs/rules/jackaroo.md, section 9; every field names its clause. `rules_faults` is the only
door: everything else in this package trusts rules that it has passed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from types import MappingProxyType
from typing import Final

from hakam.games.cards import CLUBS, DECK, JOKER, card
from hakam.games.game import Drawn, Fault, OptionValue
from hakam.games.reasons import Reason

__all__ = [
    "RULE_SETS",
    "SEATS",
    "Burn",
    "Jack",
    "Joker",
    "Queen",
    "Rules",
    "Ten",
    "deck",
    "rules_faults",
    "seats",
    "with_options",
]


class Burn(IntEnum):
    """J2.8: which card may be burnt when no card has a legal move."""

    ANY = 1
    SPECIAL_FIRST = 2


class Ten(IntEnum):
    """J5.10: how the Ten hits the next seat."""

    SKIP_BLIND = 1
    SKIP_CHOICE = 2


class Jack(IntEnum):
    """J5.J and J5.Jb: what a Jack exchanges."""

    SWAP_OWN = 1
    BLACK_SWAP_ANY = 2


class Queen(IntEnum):
    """J5.Q: what a red Queen may do beside 12 steps."""

    PLAIN = 1
    TAKE = 2
    TAKE_AND_SKIP = 3


class Joker(IntEnum):
    """J5.X: whether a joker replaces the two of clubs."""

    NONE = 1
    WILD = 2


@dataclass(frozen=True)
class Rules:
    """Every option in force (J9.1)."""

    rule_set: str  # the bundle that the options started from: J1.1, J1.2
    seats: int = 4  # J1.1, J1.2
    dealer: int | Drawn = Drawn.CHANCE  # J2.9: the first dealer, a seat or drawn
    deal: tuple[int, ...] = (4, 4, 5)  # J2.2, J2.3: cards a seat in each hand of a cycle
    cells_per_seat: int = 19  # J1.5
    entrance_distance: int = 2  # J1.5, J1.7
    exit_with_jack: bool = False  # J5.O
    burn: Burn = Burn.ANY  # J2.8
    ten: Ten = Ten.SKIP_BLIND  # J5.10
    jack: Jack = Jack.SWAP_OWN  # J5.J, J5.Jb
    queen: Queen = Queen.PLAIN  # J5.Q
    joker: Joker = Joker.NONE  # J5.X


_BORDAGA: Final = Rules(
    rule_set="bordaga",
    deal=(13,),
    burn=Burn.SPECIAL_FIRST,
    ten=Ten.SKIP_CHOICE,
    jack=Jack.BLACK_SWAP_ANY,
    queen=Queen.TAKE,
)
RULE_SETS: Final[Mapping[str, Rules]] = MappingProxyType(
    {"karoti": Rules(rule_set="karoti"), "bordaga": _BORDAGA}
)
# J1.1, J1.2: the tables that a rule set knows.
SEATS: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType({"karoti": (4,), "bordaga": (4, 6)})
# J2.3: the deals of a rule set at tables of another number of seats than its own.
_DEALS: Final[Mapping[tuple[str, object], tuple[int, ...]]] = MappingProxyType(
    {("bordaga", 6): (8,)}
)
_DECK_WITH_JOKER: Final = (*(c for c in DECK if c != card(0, CLUBS)), JOKER)


def with_options(rule_set: str, options: Mapping[str, OptionValue]) -> Rules:
    """The rules of a known rule set with some options replaced, not yet judged.

    Where the deal is not among them, it follows the seats (J2.3).
    """
    rules = RULE_SETS[rule_set]
    deal = _DEALS.get((rule_set, options.get("seats")), rules.deal)
    return replace(rules, **({"deal": deal} | dict(options)))  # type: ignore[arg-type] # judged later


def seats(rules: Rules) -> int:
    """The number of seats at the table."""
    return rules.seats


def deck(rules: Rules) -> tuple[int, ...]:
    """The 52 cards in force, ascending (J2.1, J5.X)."""
    return _DECK_WITH_JOKER if rules.joker == Joker.WILD else DECK


def rules_faults(rules: Rules) -> tuple[Fault, ...]:
    """Every option out of range and every combination without sense; paths are option names."""
    found = [
        *_rule_set_and_seats(rules),
        *_dealer(rules),
        *_deal(rules),
        *_range("cells_per_seat", rules.cells_per_seat, 10, 40),
        *_range("entrance_distance", rules.entrance_distance, 1, 4),
    ]
    for name, kind, clause in _CHOICES:
        value: int = getattr(rules, name)
        if value not in tuple(kind):
            allowed = tuple(choice.name.lower() for choice in kind)
            found.append(Fault(name, Reason.VALUE_UNKNOWN, "not a choice", clause, allowed))
    return tuple(found)


_CHOICES: Final[tuple[tuple[str, type[IntEnum], str], ...]] = (
    ("burn", Burn, "J2.8"),
    ("ten", Ten, "J5.10"),
    ("jack", Jack, "J5.J"),
    ("queen", Queen, "J5.Q"),
    ("joker", Joker, "J5.X"),
)


def _rule_set_and_seats(rules: Rules) -> list[Fault]:
    known = SEATS.get(rules.rule_set)
    if known is None:
        unknown = Fault(
            "rule_set", Reason.VALUE_UNKNOWN, "no such rule set", "J9.1", tuple(RULE_SETS)
        )
        return [unknown, *_seats(rules, (4, 6), "J1.2")]
    return _seats(rules, known, "J1.1" if known == (4,) else "J1.2")


def _seats(rules: Rules, known: tuple[int, ...], clause: str) -> list[Fault]:
    if rules.seats in known:
        return []
    allowed = tuple(str(n) for n in known)
    if rules.seats in (4, 6):
        return [Fault("seats", Reason.RULES_INVALID, "not in this rule set", clause, allowed)]
    return [Fault("seats", Reason.VALUE_OUT_OF_RANGE, "no such table", clause, allowed)]


def _dealer(rules: Rules) -> list[Fault]:
    allowed = ("chance", *(str(s) for s in range(rules.seats if rules.seats in (4, 6) else 0)))
    if isinstance(rules.dealer, Drawn):
        if rules.dealer == Drawn.CHANCE:
            return []
        return [Fault("dealer", Reason.VALUE_UNKNOWN, "not a way to draw it", "J2.9", allowed)]
    if 0 <= rules.dealer < rules.seats:
        return []
    return [Fault("dealer", Reason.VALUE_OUT_OF_RANGE, "no such seat", "J2.9", allowed)]


def _deal(rules: Rules) -> list[Fault]:
    if not rules.deal:
        return [Fault("deal", Reason.LENGTH_OUT_OF_RANGE, "no hands", "J2.3")]
    found = [
        Fault(f"deal[{i}]", Reason.VALUE_OUT_OF_RANGE, "a hand has at least 1 card", "J2.3")
        for i, cards in enumerate(rules.deal)
        if cards < 1
    ]
    if not found and sum(rules.deal) * rules.seats > len(DECK):
        detail = f"{sum(rules.deal)} cards for each of {rules.seats} seats are more than 52"
        found.append(Fault("deal", Reason.RULES_INVALID, detail, "J2.3"))
    return found


def _range(name: str, value: int, low: int, high: int) -> list[Fault]:
    if low <= value <= high:
        return []
    return [Fault(name, Reason.VALUE_OUT_OF_RANGE, f"not from {low} to {high}", "J1.5")]
