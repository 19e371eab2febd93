"""The engine against a second one, slow and read straight off the clauses, with no shared code."""

import random
from dataclasses import dataclass, field
from itertools import product

import pytest

from hakam.games import tjau
from hakam.games.game import GameOver
from hakam.games.tjau.board import TjauBoard
from hakam.games.tjau.events import Captured, Event, ExtraThrow, Moved, Passed, Thrown
from hakam.games.tjau.moves import MovePiece
from hakam.games.tjau.rules import Rules
from hakam.games.tjau.state import Phase, State


@dataclass
class Table:
    """A game on a table: pieces in hand, squares occupied, pieces borne off, all by seat."""

    last: int
    corridor: range
    marks: tuple[int, ...]
    mark_protects: bool
    hand: list[int]
    squares: list[list[int]] = field(default_factory=lambda: [[], []])
    off: list[int] = field(default_factory=lambda: [0, 0])

    def allowed(self, seat: int, throw: int, origin: int) -> bool:
        target = origin + throw
        if self.hand[seat] == 0 if origin == 0 else origin not in self.squares[seat]:
            return False
        if target in self.squares[seat] or target > self.last + 1:
            return False
        return not (self.met(seat, target) and target in self.marks and self.mark_protects)

    def met(self, seat: int, target: int) -> bool:
        return target in self.corridor and target in self.squares[1 - seat]

    def move(self, seat: int, throw: int, origin: int) -> list[Event]:
        target = origin + throw
        events: list[Event] = [Moved(seat, origin, target)]
        if origin == 0:
            self.hand[seat] -= 1
        else:
            self.squares[seat].remove(origin)
        if target > self.last:
            self.off[seat] += 1
            return events
        if self.met(seat, target):
            self.squares[1 - seat].remove(target)
            self.hand[1 - seat] += 1
            events.append(Captured(1 - seat, target))
        self.squares[seat].append(target)
        if target in self.marks:
            events.append(ExtraThrow(seat))
        return events


def table(rules: Rules) -> Table:
    hand = [rules.pieces, rules.pieces]
    if rules.board is TjauBoard.EGYPTIAN:
        return Table(16, range(5, 17), (4, 8, 12, 16), rules.mark_protects, hand)
    return Table(14, range(5, 13), (4, 8, 14), rules.mark_protects, hand)


def assert_same(rules: Rules, state: State, book: Table, seat: int) -> None:
    sides = tjau.view(rules, state, None).sides
    assert [list(side.squares) for side in sides] == [sorted(s) for s in book.squares]
    assert [side.in_hand for side in sides] == book.hand
    assert [side.borne_off for side in sides] == book.off
    assert state.phase is Phase.OVER or state.turn == seat


def play_both(rules: Rules, rng: random.Random) -> None:
    book, seat, state = table(rules), 0, tjau.initial(rules)
    while rules.pieces not in book.off:
        throw = rng.randrange(16).bit_count()
        state, events = tjau.resolve(rules, state, throw)
        allowed = [p for p in range(20) if throw and book.allowed(seat, throw, p)]
        if not allowed:
            assert events == (Thrown(seat, throw), Passed(seat))
            seat = 1 - seat
            assert_same(rules, state, book, seat)
            continue
        assert events == (Thrown(seat, throw),)
        assert list(tjau.legal_moves(rules, state)) == [MovePiece(p) for p in allowed]
        origin = rng.choice(allowed)
        state, events = tjau.apply(rules, state, MovePiece(origin))
        happened = [event for event in events if not isinstance(event, GameOver)]
        assert happened == book.move(seat, throw, origin)
        seat = seat if ExtraThrow(seat) in happened else 1 - seat
        assert_same(rules, state, book, seat)
    assert state.phase is Phase.OVER
    won = tjau.outcome(rules, state)
    assert won is not None
    assert won.winners == (book.off.index(rules.pieces),)


@pytest.mark.clause("W2.2", "W3.1", "W3.2", "W3.3", "W3.4", "W3.5", "W3.6", "W3.7", "W4.1")
@pytest.mark.parametrize("board", list(TjauBoard))
@pytest.mark.parametrize("protects", [True, False])
def test_the_engine_plays_as_the_clauses_read(board: TjauBoard, *, protects: bool) -> None:
    for pieces, number in product(range(1, 8), range(6)):
        rules = Rules("egyptian", board, pieces, mark_protects=protects, first=0)
        play_both(rules, random.Random(f"{pieces} {number}"))
