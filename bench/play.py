"""Uniformly random play with one engine, in a process of its own.

`python -m bench.play NAME SECONDS` prints the decisions and the CPU seconds that they took. A
decision is a choice of one of the legal moves by a seat: the moves are listed, one is drawn, it is
carried out. Chance (throws, dice, deals) is brought along the way in the quickest way that the
engine offers; its time counts, its events do not. So the throws of Tjau count for neither side, nor
does a throw that leaves nothing to move.
"""

import json
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from random import getrandbits, random
from time import process_time
from typing import Any, Final

__all__ = ["ENGINES", "play"]

# Plays one game to its end; returns the decisions in it.
Game = Callable[[], int]


def play(game: Game, seconds: float) -> tuple[int, float]:
    """The decisions in whole games of so many seconds, and the CPU time that they took."""
    game()
    decisions = 0
    began = process_time()
    while (spent := process_time() - began) < seconds:
        decisions += game()
    return decisions, spent


def _hakam(name: str, rule_set: str) -> Game:
    module: Any = import_module(f"hakam.games.{name}")
    chance: Any = import_module("hakam.games.game").ChanceKind
    rules = module.CATALOGUE.rule_sets[rule_set]
    chance_due, resolve = module.chance_due, module.resolve
    legal_moves, apply = module.legal_moves, module.apply

    def bring(due: Any) -> Any:
        if due.kind is chance.THROW:
            return getrandbits(4).bit_count()
        if due.kind is chance.SEAT:
            return int(random() * due.seats)
        return tuple(sorted(due.deck, key=lambda _: random()))

    def game() -> int:
        decisions = 0
        state = module.initial(rules)
        while True:
            due = chance_due(rules, state)
            if due is not None:
                state, _ = resolve(rules, state, bring(due))
                continue
            moves = legal_moves(rules, state)
            if not moves:
                return decisions
            state, _ = apply(rules, state, moves[int(random() * len(moves))])
            decisions += 1

    return game


def _open_spiel(name: str, *, uniform: bool) -> Game:
    spiel: Any = import_module("pyspiel").load_game(name)

    def bring(state: Any) -> int:
        if uniform:  # the plain list costs less than the one with probabilities
            actions = state.legal_actions()
            return int(actions[int(random() * len(actions))])
        left = random()
        outcomes = state.chance_outcomes()
        for action, probability in outcomes:
            left -= probability
            if left <= 0:
                return int(action)
        return int(outcomes[-1][0])  # the probabilities sum to a little less than 1

    def game() -> int:
        decisions = 0
        state = spiel.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(bring(state))
                continue
            actions = state.legal_actions()
            state.apply_action(actions[int(random() * len(actions))])
            decisions += 1
        return decisions

    return game


def _royalur() -> Game:
    royalur: Any = import_module("royalur")
    states: Any = import_module("royalur.rules.state")
    rules = royalur.Game.create_finkel().rules

    def game() -> int:
        decisions = 0
        state = rules.generate_initial_game_state()
        while True:
            if isinstance(state, states.WaitingForRollGameState):
                state = rules.apply_roll(state, royalur.model.Roll(getrandbits(4).bit_count()))[-1]
            elif isinstance(state, states.WaitingForMoveGameState):
                moves = state.available_moves
                state = rules.apply_move(state, moves[int(random() * len(moves))])[-1]
                decisions += 1
            else:
                return decisions

    return game


# Made only in the process that plays it: each lives in an environment of its own.
ENGINES: Final[dict[str, Callable[[], Game]]] = {
    "tjau": partial(_hakam, "tjau", "ur"),
    "trix": partial(_hakam, "trix", "standard"),
    "jackaroo": partial(_hakam, "jackaroo", "karoti"),
    "royalur": _royalur,
    "hearts": partial(_open_spiel, "hearts", uniform=True),
    "backgammon": partial(_open_spiel, "backgammon", uniform=False),
}


if __name__ == "__main__":
    decisions, seconds = play(ENGINES[sys.argv[1]](), float(sys.argv[2]))
    print(json.dumps({"decisions": decisions, "seconds": seconds}))
