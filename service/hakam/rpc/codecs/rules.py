"""Rules on the wire and in the games: one codec for all games, driven by their catalogues.

An option has the same name in a game's `Rules`, in its catalogue and in its message; a choice has
the same number. An option that is a seat or drawn is a oneof of `NAME` and `NAME_drawn_by`.
"""

from dataclasses import replace
from enum import IntEnum
from functools import lru_cache
from typing import Any, Final

from google.protobuf.message import Message

from hakam.games.game import Catalogue, Drawn, Fault, Option, OptionKind, OptionValue
from hakam.games.options import choices
from hakam.games.reasons import Reason
from hakam.games.registry import GAMES
from hakam.referee import AnyGame
from hakam.rpc.codecs.common import choose
from hakam.v1 import rules_pb2

__all__ = ["read_rules", "write_rules"]

# How many rules are kept read and written; there are a dozen in use anywhere.
_RULES_KEPT: Final = 256


def read_rules(
    message: rules_pb2.Rules, path: str, faults: list[Fault], *, complete: bool
) -> tuple[AnyGame, Any] | None:
    """The game and its rules; None, and faults, where they are wrong.

    Absent options get the defaults of the rule set, unless the rules must be `complete`.
    """
    read, found = _read(message.SerializeToString(), complete=complete)
    faults += [_below(path, fault) for fault in found]
    return read


@lru_cache(maxsize=_RULES_KEPT)
def _read(wire: bytes, *, complete: bool) -> tuple[tuple[AnyGame, Any] | None, tuple[Fault, ...]]:
    """A function of its arguments alone, kept because rules are half the cost of a small state."""
    message = rules_pb2.Rules.FromString(wire)
    found: list[Fault] = []
    name = choose(message, "game", "", found)
    if name is None:
        return None, tuple(found)
    game = GAMES[name]
    _check_revision(message, game, found, complete=complete)
    rules = _read_options(getattr(message, name), name, game, found, complete=complete)
    if not found:
        found += [_below(name, fault) for fault in game.rules_faults(rules)]
    return None if found else (game, rules), tuple(found)


def _below(path: str, fault: Fault) -> Fault:
    return replace(fault, path=f"{path}.{fault.path}" if fault.path else path)


def _check_revision(
    message: rules_pb2.Rules, game: AnyGame, faults: list[Fault], *, complete: bool
) -> None:
    served = game.CATALOGUE.revision
    where = "revision"
    if not message.HasField("revision"):
        if complete:
            faults.append(Fault(where, Reason.FIELD_MISSING, "required"))
    elif message.revision != served:
        detail = "this revision is not served"
        faults.append(Fault(where, Reason.REVISION_UNSUPPORTED, detail, allowed=(str(served),)))


def _read_options(
    message: Any, path: str, game: AnyGame, faults: list[Fault], *, complete: bool
) -> Any:
    catalogue = game.CATALOGUE
    rule_set = _read_rule_set(message, path, catalogue, faults, complete=complete)
    overrides: dict[str, OptionValue] = {}
    for option in catalogue.options:
        field = _field_of(message, option)
        if field is not None:
            known = _known(catalogue, option, field)
            value = _read_value(getattr(message, field), known, f"{path}.{field}", faults)
            if value is not None:
                overrides[option.name] = value
        elif complete:
            faults.append(Fault(f"{path}.{option.name}", Reason.FIELD_MISSING, "required"))
    return game.with_options(rule_set, overrides)


def _read_rule_set(
    message: Any, path: str, catalogue: Catalogue[Any], faults: list[Fault], *, complete: bool
) -> str:
    """The name of the rule set; that of the first one, and a fault, where there is none."""
    names = tuple(catalogue.rule_sets)
    number = message.rule_set
    if number == 0 and not complete:
        return names[0]
    name = _rule_sets(message).get(number, "") if number else ""
    if name not in catalogue.rule_sets:
        reason = Reason.VALUE_UNKNOWN if number else Reason.FIELD_MISSING
        faults.append(Fault(f"{path}.rule_set", reason, "must be a rule set", allowed=names))
        return names[0]
    return name


def _field_of(message: Any, option: Option) -> str | None:
    """The field that holds the option, if it is present."""
    if option.kind is OptionKind.INT_LIST:
        return option.name if len(getattr(message, option.name)) else None
    if message.HasField(option.name):
        return option.name
    drawn = f"{option.name}_drawn_by"
    if option.kind is OptionKind.SEAT and message.HasField(drawn):
        return drawn
    return None


def _known(catalogue: Catalogue[Any], option: Option, field: str) -> dict[str, IntEnum | Drawn]:
    """The choices that the field may hold; none where it holds plain numbers."""
    is_choice = option.kind is OptionKind.CHOICE or field != option.name
    return choices(catalogue, option) if is_choice else {}


def _read_value(
    raw: Any, known: dict[str, IntEnum | Drawn], path: str, faults: list[Fault]
) -> OptionValue | None:
    if not known:
        return raw if isinstance(raw, bool | int) else tuple(raw)
    found = next((choice for choice in known.values() if choice.value == raw), None)
    if found is None:
        faults.append(Fault(path, Reason.VALUE_UNKNOWN, "unknown value", allowed=tuple(known)))
    return found


def write_rules(game: AnyGame, rules: Any, out: rules_pb2.Rules) -> None:
    """The complete rules, with their revision."""
    out.MergeFromString(_write(game.CATALOGUE.id, rules))


@lru_cache(maxsize=_RULES_KEPT)
def _write(name: str, rules: Any) -> bytes:
    """A function of its arguments alone, kept because every answer repeats the rules."""
    catalogue = GAMES[name].CATALOGUE
    out = rules_pb2.Rules(revision=catalogue.revision)
    message = getattr(out, name)
    numbers = {text: number for number, text in _rule_sets(message).items()}
    message.rule_set = numbers[rules.rule_set]
    for option in catalogue.options:
        value = getattr(rules, option.name)
        if isinstance(value, tuple):
            getattr(message, option.name).extend(value)
        elif isinstance(value, Drawn):
            setattr(message, f"{option.name}_drawn_by", value.value)
        else:
            setattr(message, option.name, int(value) if isinstance(value, IntEnum) else value)
    return out.SerializeToString()


def _rule_sets(message: Message) -> dict[int, str]:
    """The rule sets of the wire enum: numbers to names in lower case, without their prefix."""
    enum = message.DESCRIPTOR.fields_by_name["rule_set"].enum_type
    if enum is None:
        raise TypeError("rule_set is an enum in every game")
    prefix = len(enum.values_by_number[0].name) - len("UNSPECIFIED")
    return {v.number: v.name[prefix:].lower() for v in enum.values}
