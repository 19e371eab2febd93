"""Rule options by name, and the canonical text of rules.

The canonical text of rules is ASCII, one `name=value` an option in catalogue order, with one space
between; it is what a seed is bound to (docs/fairness.md), so it never changes within a revision.
"""

from enum import IntEnum
from typing import Any

from hakam.games.game import Catalogue, Drawn, Option, OptionKind, OptionValue

__all__ = [
    "choices",
    "option_text",
    "option_value",
    "rules_text",
]


def choices(catalogue: Catalogue[Any], option: Option) -> dict[str, IntEnum | Drawn]:
    """The choices of an option by name, in the order of the catalogue; numbers are the wire's."""
    default = getattr(next(iter(catalogue.rule_sets.values())), option.name)
    kind: type[IntEnum | Drawn] = Drawn if option.kind is OptionKind.SEAT else type(default)
    return {name: kind[name.upper()] for name, _ in option.choices}


def option_text(value: OptionValue) -> str:
    """`true`, `7`, `4,4,5` or a choice's name in lower case."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, IntEnum | Drawn):
        return value.name.lower()
    if isinstance(value, tuple):
        return ",".join([str(item) for item in value])
    return str(value)


def rules_text(catalogue: Catalogue[Any], rules: Any) -> str:
    """The canonical text: `game=tjau revision=1 rule_set=egyptian board=egyptian ...`."""
    options = [f"{o.name}={option_text(getattr(rules, o.name))}" for o in catalogue.options]
    head = f"game={catalogue.id} revision={catalogue.revision} rule_set={rules.rule_set}"
    return " ".join([head, *options])


def option_value(catalogue: Catalogue[Any], option: Option, text: str) -> OptionValue | None:
    """The inverse of `option_text` for one option; None where the text is no value of it."""
    if option.kind is OptionKind.BOOL:
        return {"true": True, "false": False}.get(text)
    found = choices(catalogue, option).get(text)
    if found is not None or option.kind is OptionKind.CHOICE:
        return found
    items = text.split(",") if option.kind is OptionKind.INT_LIST else [text]
    if not all(_is_number(item) for item in items):
        return None
    numbers = tuple(int(item) for item in items)
    return numbers if option.kind is OptionKind.INT_LIST else numbers[0]


def _is_number(text: str) -> bool:
    """Whether the text is the one spelling of a small natural number."""
    return text.isascii() and text.isdigit() and len(text) < 10 and str(int(text)) == text
