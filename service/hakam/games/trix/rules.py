"""The options of Trix and its rule sets. Source: docs/rules/trix.md, sections 8 and 9."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final

from hakam.games.game import Drawn, Fault, OptionValue
from hakam.games.reasons import Reason
from hakam.games.trix.contracts import CONTRACTS, KingdomForm

__all__ = [
    "KINGDOMS",
    "RULE_SETS",
    "SEATS",
    "Doubling",
    "Rules",
    "contracts",
    "deals",
    "rules_faults",
    "with_options",
]

SEATS: Final = 4
KINGDOMS: Final = 4


class Doubling(IntEnum):
    """Whether the holder of a penalty card may double it (T4.1)."""

    OPTIONAL = 1
    OFF = 2


@dataclass(frozen=True)
class Rules:
    """The rules of one game; a rule set is a value of this type."""

    rule_set: str
    doubling: Doubling = Doubling.OPTIONAL  # T4.1, T4.2
    play_out: bool = False  # T2.4: trick deals run to the last card
    first_owner: int | Drawn = Drawn.SEVEN_OF_HEARTS  # T1.2
    partnership: bool = False  # T9.1: seats 0 and 2 against 1 and 3
    kingdom_form: KingdomForm = KingdomForm.FIVE_DEALS  # T1.1, T9.2


RULE_SETS: Final[dict[str, Rules]] = {
    "standard": Rules("standard"),
    "partners": Rules("partners", partnership=True),
    "complex": Rules("complex", kingdom_form=KingdomForm.TWO_DEALS),
    "complex_partners": Rules(
        "complex_partners", partnership=True, kingdom_form=KingdomForm.TWO_DEALS
    ),
}


def contracts(rules: Rules) -> tuple[int, ...]:
    """The contracts of every kingdom, ascending; as many as a kingdom has deals."""
    return CONTRACTS[rules.kingdom_form]


def deals(rules: Rules) -> int:
    """The number of deals of a game: twenty (T1.1) or eight (T9.2)."""
    return KINGDOMS * len(CONTRACTS[rules.kingdom_form])


def rules_faults(rules: Rules) -> tuple[Fault, ...]:
    """Every option out of range. All combinations of options make sense."""
    return tuple(_faults(rules))


def _faults(rules: Rules) -> Iterator[Fault]:
    if rules.rule_set not in RULE_SETS:
        yield _unknown("rule_set", tuple(RULE_SETS), "T8.1")
    if rules.doubling not in tuple(Doubling):
        yield _unknown("doubling", tuple(d.name.lower() for d in Doubling), "T4.2")
    if not _is_first_owner(rules.first_owner):
        yield Fault(
            "first_owner",
            Reason.VALUE_OUT_OF_RANGE,
            "a seat 0 to 3, or seven_of_hearts",
            "T1.2",
            ("0", "1", "2", "3", "seven_of_hearts"),
        )
    if rules.kingdom_form not in tuple(KingdomForm):
        yield _unknown("kingdom_form", tuple(f.name.lower() for f in KingdomForm), "T9.2")


def _is_first_owner(value: int | Drawn) -> bool:
    if isinstance(value, Drawn):
        return value is Drawn.SEVEN_OF_HEARTS
    return 0 <= value < SEATS


def _unknown(path: str, allowed: tuple[str, ...], clause: str) -> Fault:
    return Fault(path, Reason.VALUE_UNKNOWN, "not a known value", clause, allowed)


def with_options(rule_set: str, options: Mapping[str, OptionValue]) -> Rules:
    """The rules of a known rule set with some options replaced, not yet judged."""
    return replace(RULE_SETS[rule_set], **options)  # type: ignore[arg-type] # judged afterwards
