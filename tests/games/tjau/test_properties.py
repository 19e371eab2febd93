"""Random games under every combination of options: what must hold in every state of every game."""

import random
from collections.abc import Callable, Iterator
from itertools import product

import pytest

from hakam.games import tjau
from hakam.games.game import Drawn, GameOver
from hakam.games.tjau.board import TjauBoard
from hakam.games.tjau.events import Event
from hakam.games.tjau.moves import THROW, Move, MovePiece
from hakam.games.tjau.rules import Rules
from hakam.games.tjau.state import Phase, Setup, State

FIRSTS: tuple[int | Drawn, ...] = (0, 1, Drawn.CHANCE)
COMBINATIONS = [
    Rules("egyptian", board, pieces, mark_protects=protects, first=first)
    for board, pieces, protects, first in product(TjauBoard, range(1, 8), (True, False), FIRSTS)
]
GAMES = 2
# Random games of seven pieces take about 400 plies; none has come near this.
ENDLESS = 6000

Step = tuple[State, tuple[Event, ...], State]


def game(rules: Rules, rng: random.Random) -> Iterator[Step]:
    """A random game: each state, what happened in it, and the next state."""
    state = tjau.initial(rules)
    while tjau.outcome(rules, state) is None:
        if state.phase is Phase.FIRST:
            after, events = tjau.resolve(rules, state, rng.randrange(2))
        elif state.phase is Phase.THROW:
            after, events = tjau.resolve(rules, state, rng.randrange(16).bit_count())
        else:
            after, events = tjau.apply(rules, state, rng.choice(tjau.legal_moves(rules, state)))
        yield state, events, after
        state = after


def games(rules: Rules) -> Iterator[Step]:
    name = f"{rules.board} {rules.pieces} {rules.mark_protects} {isinstance(rules.first, Drawn)}"
    for number in range(GAMES):
        yield from game(rules, random.Random(f"{name} {number}"))


def every_step(check: Callable[[Rules, State, tuple[Event, ...], State], None]) -> None:
    for rules in COMBINATIONS:
        for state, events, after in games(rules):
            check(rules, state, events, after)


@pytest.mark.clause("W4.3")
def test_every_combination_of_options_is_played_to_its_end() -> None:
    assert len(COMBINATIONS) == 84
    for rules in COMBINATIONS:
        for ply, (_, events, after) in enumerate(game(rules, random.Random(7))):
            assert ply < ENDLESS
            over = [event for event in events if isinstance(event, GameOver)]
            assert len(over) == (tjau.outcome(rules, after) is not None)
            assert not over or over == [events[-1]]


def test_the_list_and_the_refusals_are_one_truth() -> None:
    asked: list[Move] = [THROW, *(MovePiece(p) for p in range(-2, 20))]

    def check(rules: Rules, state: State, _events: object, _after: object) -> None:
        moves = tjau.legal_moves(rules, state)
        assert len(set(moves)) == len(moves)
        legal = [move for move in asked if tjau.violation(rules, state, move) is None]
        assert legal == list(moves)

    every_step(check)


def test_no_state_is_stuck_and_chance_and_turn_agree() -> None:
    def check(rules: Rules, state: State, _events: object, after: State) -> None:
        for each in (state, after):
            seat = tjau.to_act(rules, each)
            due = tjau.chance_due(rules, each)
            over = tjau.outcome(rules, each)
            assert bool(tjau.legal_moves(rules, each)) == (seat is not None)
            assert (due is not None) == (each.phase in {Phase.FIRST, Phase.THROW})
            assert sum([seat is not None, due is not None and seat is None, over is not None]) == 1
            assert due is None or due.asked_by == seat

    every_step(check)


@pytest.mark.clause("W1.4", "W3.4")
def test_pieces_are_neither_lost_nor_made_and_never_share_a_square() -> None:
    def check(rules: Rules, _state: object, _events: object, after: State) -> None:
        sides = tjau.view(rules, after, None).sides
        for side in sides:
            assert len(side.squares) + side.in_hand + side.borne_off == rules.pieces
            assert min(side.in_hand, side.borne_off) >= 0
        corridor = range(5, 17 if rules.board is TjauBoard.EGYPTIAN else 13)
        assert not set(sides[0].squares) & set(sides[1].squares) & set(corridor)

    every_step(check)


def test_setup_and_notation_give_every_state_back() -> None:
    def check(rules: Rules, _state: object, _events: object, after: State) -> None:
        decoded = tjau.setup(rules, after)
        text = tjau.write_position(rules, after)
        assert tjau.validate(rules, decoded) == after
        assert tjau.read_position(rules, text) == decoded
        assert text.isascii()
        for move in tjau.legal_moves(rules, after):
            assert tjau.read_move(rules, tjau.write_move(rules, move)) == move

    every_step(check)


@pytest.mark.clause("W1.1", "W1.2", "W6.1")
def test_the_seats_are_mirror_images_and_every_viewer_sees_the_same() -> None:
    def check(rules: Rules, state: State, _events: object, _after: object) -> None:
        decoded = tjau.setup(rules, state)
        turn = None if decoded.turn is None else 1 - decoded.turn
        mirrored = tjau.validate(
            rules, Setup(decoded.phase, turn, decoded.throw, decoded.sides[::-1])
        )
        assert isinstance(mirrored, State)
        assert tjau.legal_moves(rules, mirrored) == tjau.legal_moves(rules, state)
        views = [tjau.view(rules, state, seat) for seat in (0, 1, None)]
        assert views[0] == views[1] == views[2]
        assert {tjau.write_view(rules, view) for view in views} == {
            tjau.write_position(rules, state)
        }

    every_step(check)


def test_states_are_equal_when_their_fields_are() -> None:
    rules = COMBINATIONS[0]
    left, right = tjau.initial(rules), tjau.initial(rules)
    assert left == right
    assert hash(left) == hash(right)
    kinds = [
        State(phase, turn, throw, cones, spools)
        for phase, turn, throw, cones, spools in product(
            (Phase.THROW, Phase.MOVE), (0, 1), (0, 1), (0, 2), (0, 2)
        )
    ]
    assert len(set(kinds)) == len(kinds)
    assert sum(one == other for one in kinds for other in kinds) == len(kinds)
    assert left != "throw seat=0 cones=-/0 spools=-/0"
    assert repr(left) == "State(<Phase.THROW: 2>, turn=0, throw=0, cones=0x0, spools=0x0)"
