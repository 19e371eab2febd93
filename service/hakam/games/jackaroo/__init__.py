"""Jackaroo (جكارو): the complete rules of Karoti and of Bordaga, and every option between them.

The package fulfils `hakam.games.game.Game`. Source: docs/rules/jackaroo.md, whose clause ids (J...)
are cited throughout.
"""

from hakam.games.jackaroo.board import board
from hakam.games.jackaroo.drawing import draw
from hakam.games.jackaroo.legal import legal_moves
from hakam.games.jackaroo.notation import (
    read_move,
    read_position,
    write_move,
    write_position,
    write_view,
)
from hakam.games.jackaroo.play import apply, chance_due, effects, initial, outcome, resolve, to_act
from hakam.games.jackaroo.refusal import violation
from hakam.games.jackaroo.rules import rules_faults, seats, with_options
from hakam.games.jackaroo.state import setup
from hakam.games.jackaroo.texts import CATALOGUE
from hakam.games.jackaroo.validate import validate
from hakam.games.jackaroo.view import view

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
