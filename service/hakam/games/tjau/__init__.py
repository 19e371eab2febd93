"""Tjau, or Twenty Squares (تجاو): two seats, four sticks, no secrets. Rules: docs/rules/tjau.md.

The module fulfils `hakam.games.game.Game`; its types are in `rules`, `state`, `moves`, `events` and
`view`. Seat 0 is the cones, seat 1 the spools.
"""

from hakam.games.tjau.legality import legal_moves, violation
from hakam.games.tjau.notation import (
    read_move,
    read_position,
    write_move,
    write_position,
    write_view,
)
from hakam.games.tjau.play import (
    apply,
    chance_due,
    effects,
    initial,
    outcome,
    resolve,
    seats,
    to_act,
)
from hakam.games.tjau.rules import with_options
from hakam.games.tjau.texts import CATALOGUE
from hakam.games.tjau.validate import rules_faults, setup, validate
from hakam.games.tjau.view import board, draw, view

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
