"""Positions of random games that show something new, and moves that may not be played in them."""

from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import zip_longest
from random import Random
from typing import Any, Final

from samples import Position

from hakam import referee
from hakam.games.game import Fault
from hakam.games.reasons import Reason
from hakam.games.registry import GAMES
from hakam.referee import SUPPLIED, AnyGame, ChanceSource, GameState, Move
from hakam.rpc.codecs import game as wire
from hakam.v1 import move_pb2
from tests.random_play import RULE_SETS, VARIANTS, play, seeded

__all__ = ["each_refusal", "telling_positions"]

# Moves tried in each position that is asked for what it refuses.
_TRIED: Final = 100


def telling_positions() -> Iterator[Position]:
    """Those whose move, events or view have a kind or a field that none before them had.

    So with drawn chance, and once more with supplied. A game that is over has its last move again.
    """
    seen: set[tuple[Any, ...]] = set()
    for source, cases in ((None, VARIANTS), (SUPPLIED, RULE_SETS)):
        for game, rules in cases:
            for position, events in _steps(game, rules, source):
                told = set(_told(position, events))
                if told - seen:
                    seen |= told
                    yield position


def _steps(
    game: AnyGame, rules: Any, source: ChanceSource | None
) -> Iterator[tuple[Position, tuple[Any, ...]]]:
    rng = Random(f"{game.CATALOGUE.id} {rules}")
    played = play(game, rules, source or seeded(rng), rng)
    for state, move in zip_longest(played.states, played.moves):
        if move is None:
            yield Position(state, played.moves[-1]), ()
        else:
            yield Position(state, move), referee.apply(state, move)[1]


def _told(position: Position, events: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    state = position.state
    what = (state.game.CATALOGUE.id, type(state.chance))
    yield (*what, state.position.phase)
    yield (*what, state.rules.rule_set)
    yield (*what, type(position.move), getattr(position.move, "kind", None))
    view = state.game.view(state.rules, state.position, None)
    for part in (view, *events):
        yield (*what, type(part))
        yield from ((*what, type(part), f.name) for f in fields(part) if getattr(part, f.name))


def each_refusal() -> Iterator[tuple[Reason, Position]]:
    """A move for every reason for which the games refuse one, and the position it is refused in."""
    for game in GAMES.values():
        cases = [case for case in VARIANTS if case[0] is game]
        played = [play(*case, seeded(Random(1)), Random(2)) for case in cases]
        known = sorted({move for one in played for move in one.moves}, key=repr)
        seen: set[tuple[Reason, bool]] = set()
        rng = Random(3)
        for state in (state for one in played for state in one.states[::23]):
            for move in _tries(known, rng):
                refused = referee.violation(state, move)
                if refused is None or not _is_sendable(state, move):
                    continue
                told = (refused.reason, refused.cell == 0)
                if told not in seen:
                    seen.add(told)
                    yield refused.reason, Position(state, move)


def _tries(known: list[Move], rng: Random) -> Iterator[Move]:
    for move in rng.choices(known, k=_TRIED):
        yield move
        changed = rng.choice(fields(move)).name if fields(move) else ""
        value = getattr(move, changed, None)
        if isinstance(value, int):
            yield replace(move, **{changed: value + rng.choice((-1, 1))})
        elif isinstance(value, tuple):
            yield replace(move, **{changed: value[::-1]})


def _is_sendable(state: GameState, move: Move) -> bool:
    """Whether the wire lets the move through to the rules."""
    message, faults = move_pb2.Move(), list[Fault]()
    wire.write_move(state.game, move, message)
    read = wire.read_move(message, "", state.game, state.rules, faults)
    return not faults and read == move
