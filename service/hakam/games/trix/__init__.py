"""Trix (تركس): four seats, four kingdoms, every clause of docs/rules/trix.md.

The module is a `hakam.games.game.Game`; `state.py` says what a position holds.
"""

from hakam.games.trix.drawing import draw
from hakam.games.trix.judge import legal_moves, violation
from hakam.games.trix.notation import (
    read_move,
    read_position,
    write_move,
    write_position,
    write_view,
)
from hakam.games.trix.play import apply, chance_due, effects, initial, outcome, resolve, to_act
from hakam.games.trix.rules import SEATS, Rules, rules_faults, with_options
from hakam.games.trix.texts import CATALOGUE
from hakam.games.trix.validate import setup, validate
from hakam.games.trix.view import board, view

__all__ = [
    "CATALOGUE",
    "apply",
    "board",
    "chance_due",
    "draw",
    "effects",
    "initial",
    "legal_moves",
    "outcome",
    "read_move",
    "read_position",
    "resolve",
    "rules_faults",
    "seats",
    "setup",
    "to_act",
    "validate",
    "view",
    "violation",
    "with_options",
    "write_move",
    "write_position",
    "write_view",
]


def seats(_rules: Rules) -> int:
    """Four, in every rule set."""
    return SEATS
