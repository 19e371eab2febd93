"""The house rules of Tjau as data, and the four rule sets. Source: clause W4.3."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from hakam.games.game import Drawn, OptionValue
from hakam.games.tjau.board import TjauBoard

__all__ = ["MAX_PIECES", "RULE_SETS", "Rules", "with_options"]

MAX_PIECES: Final = 7


@dataclass(frozen=True)
class Rules:
    """The options of one game; they combine freely."""

    rule_set: str  # W4.3: where the defaults came from; nothing is decided by it
    board: TjauBoard  # W1.1, W1.2
    pieces: int  # W1.4: 1 to 7 a seat
    mark_protects: bool  # W3.5
    first: int | Drawn  # W4.2: 0, 1 or Drawn.CHANCE


RULE_SETS: Final[dict[str, Rules]] = {
    "egyptian": Rules("egyptian", TjauBoard.EGYPTIAN, 7, mark_protects=True, first=0),
    "babylon": Rules("babylon", TjauBoard.EGYPTIAN, 5, mark_protects=True, first=0),
    "throw_only": Rules("throw_only", TjauBoard.EGYPTIAN, 7, mark_protects=False, first=0),
    "ur": Rules("ur", TjauBoard.UR, 7, mark_protects=True, first=0),
}


def with_options(rule_set: str, options: Mapping[str, OptionValue]) -> Rules:
    """The rules of a known rule set with some options replaced, not yet judged."""
    return replace(RULE_SETS[rule_set], **options)  # type: ignore[arg-type] # judged afterwards
