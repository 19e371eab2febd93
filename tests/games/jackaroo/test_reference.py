"""The engine against a slow one, written off the clauses with sets and dictionaries.

The slow one shares nothing with the engine but the numbers of cells and the kinds of move: it walks
every marble cell by cell, tries every naming of every card, and keeps what the clauses allow. Both
play random games of many combinations of options, and must agree in every state on the legal moves
and on where every marble stands afterwards.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product

import pytest

from hakam.games import jackaroo
from hakam.games.cards import JOKER, rank, suit
from hakam.games.jackaroo.moves import BringOut, Burn, Hit, Move, Split, Step, Swap, Take
from hakam.games.jackaroo.rules import Burn as BurnOption
from hakam.games.jackaroo.rules import Jack, Joker, Queen, Rules, Ten, with_options
from hakam.games.jackaroo.state import Phase, State

Marble = tuple[int, int]
RANKS = "23456789TJQKA"


@dataclass
class Slow:
    """The board as a dictionary from marble to cell."""

    rules: Rules
    player: int
    at: dict[Marble, int]
    track: int = field(init=False)

    def __post_init__(self) -> None:
        self.track = self.rules.cells_per_seat * self.rules.seats

    def on_track(self, marble: Marble) -> bool:
        return self.at[marble] < self.track

    def in_base(self, marble: Marble) -> bool:
        return self.at[marble] >= self.track + 4 * self.rules.seats

    def start(self, seat: int) -> int:  # J1.6
        return (self.rules.seats - seat) % self.rules.seats * self.rules.cells_per_seat

    def entrance(self, seat: int) -> int:  # J1.7
        return (self.start(seat) - self.rules.entrance_distance) % self.track

    def partner(self, seat: int) -> int:
        return (seat + self.rules.seats // 2) % self.rules.seats

    def home(self, seat: int) -> bool:
        return all(not self.on_track((seat, n)) and not self.in_base((seat, n)) for n in range(4))

    def commander(self) -> int:  # J7.2
        return self.partner(self.player) if self.home(self.player) else self.player

    def protected(self, marble: Marble) -> bool:  # J1.8
        return self.at[marble] == self.start(marble[0])

    def holder(self, cell: int) -> Marble | None:
        return next((marble for marble, place in self.at.items() if place == cell), None)

    def way(self, marble: Marble, steps: int, *, enters: bool) -> list[int] | None:
        """The cells walked over, None where the count does not fit (J3.1 to J3.3, J3.9)."""
        seat = marble[0]
        goal = range(self.track + 4 * seat, self.track + 4 * seat + 4)
        cell, cells = self.at[marble], []
        for _ in range(abs(steps)):
            if cell in goal:
                cell += 1
                if cell not in goal or steps < 0:
                    return None
            elif steps > 0 and enters and cell == self.entrance(seat):
                cell = goal[0]
            else:
                cell = (cell + (1 if steps > 0 else -1)) % self.track
            cells.append(cell)
        return cells

    def walk(self, marble: Marble, steps: int, rank_: str) -> "Slow | None":
        """The board after a walk, None where a clause forbids it."""
        pushed = rank_ == "5" and marble[0] not in (self.player, self.partner(self.player))
        cells = self.way(marble, steps, enters=not pushed)
        if cells is None or (steps < 0 and not self.on_track(marble)):
            return None
        after = Slow(self.rules, self.player, dict(self.at))
        for cell in cells:
            other = self.holder(cell)
            if cell >= self.track and self.barred(marble, cell, rank_):
                return None
            if other is None or other == marble:
                continue
            if cell >= self.track or self.stops(marble, other, rank_):
                return None
            if cell == cells[-1] or rank_ == "K":
                after.send_back(other)
        after.at[marble] = cells[-1]
        return after

    def stops(self, marble: Marble, other: Marble, rank_: str) -> bool:
        own = other[0] == marble[0]
        if rank_ == "K":  # J5.K, J4.3
            return self.protected(other) and not own
        return self.protected(other) or (own and rank_ != "5")  # J3.5, J3.7, J5.5

    def barred(self, marble: Marble, cell: int, rank_: str) -> bool:  # J3.8
        seat = marble[0]
        if rank_ == "K" or not self.on_track(marble) or cell != self.track + 4 * seat:
            return False
        bar = self.holder(self.entrance(seat))
        return bar is not None and bar[0] not in (seat, self.partner(seat))

    def send_back(self, marble: Marble) -> None:
        self.at[marble] = self.track + 4 * self.rules.seats + 4 * marble[0] + marble[1]

    def bring_out(self) -> "Slow | None":  # J5.O
        seat = self.commander()
        inside = [n for n in range(4) if self.in_base((seat, n))]
        other = self.holder(self.start(seat))
        if not inside or (other is not None and other[0] == seat):
            return None
        after = Slow(self.rules, self.player, dict(self.at))
        if other is not None:
            after.send_back(other)
        after.at[seat, inside[0]] = self.start(seat)
        return after


def faces(rules: Rules) -> list[int]:  # J5.X
    found = []
    for number, name in enumerate(RANKS):
        by_colour = name == "J" and rules.jack == Jack.BLACK_SWAP_ANY
        by_colour |= name == "Q" and rules.queen != Queen.PLAIN
        found += [1 + number, 14 + number] if by_colour else [1 + number]
    return found


def played(
    rules: Rules, board: Slow, state: State, card: int, face: int
) -> Iterator[tuple[Move, Slow]]:
    """What the card may do as this face, each with the board afterwards."""
    yield from stepped(rules, board, card, face)
    yield from special(rules, board, state, card, face)


def stepped(rules: Rules, board: Slow, card: int, face: int) -> Iterator[tuple[Move, Slow]]:
    name = RANKS[rank(face or card)]
    red = suit(face or card) in (1, 2)
    out = out_of_base(board)
    counts = {"A": (1, 11), "4": (-4,), "T": (10,), "Q": (12,), "K": (13,)}.get(name)
    if name == "J":
        counts = (11,) if red and rules.jack == Jack.BLACK_SWAP_ANY else ()
    walkers = [m for m in board.at if board.on_track(m)] if name == "5" else out
    for marble, steps in product(walkers, counts if counts is not None else (int(name),)):
        foreign = marble[0] != board.commander()
        if name == "5" and foreign and board.protected(marble):
            continue
        after = board.walk(marble, steps, name)
        if after is not None:
            yield Step(card, *marble, steps, face), after


def special(
    rules: Rules, board: Slow, state: State, card: int, face: int
) -> Iterator[tuple[Move, Slow]]:
    name = RANKS[rank(face or card)]
    red = suit(face or card) in (1, 2)
    if name in "AK" or (name == "J" and rules.exit_with_jack):
        after = board.bring_out()
        if after is not None:
            yield BringOut(card, face), after
    if name == "7":
        yield from split(board, out_of_base(board), card, face)
    if name == "J" and not (red and rules.jack == Jack.BLACK_SWAP_ANY):
        yield from swaps(rules, board, card, face)
    hand = range(len(state.hands[(board.player + 1) % rules.seats]))
    if name == "T" and hand:
        blind = rules.ten == Ten.SKIP_BLIND
        yield from ((Hit(card, p, face), board) for p in (hand if blind else (None,)))
    if name == "Q" and red and rules.queen != Queen.PLAIN:
        yield from ((Take(card, p, face), board) for p in hand)


def out_of_base(board: Slow) -> list[Marble]:
    own = [(board.commander(), n) for n in range(4)]
    return [marble for marble in own if not board.in_base(marble)]


def split(board: Slow, out: list[Marble], card: int, face: int) -> Iterator[tuple[Move, Slow]]:
    for first, steps in product(out, range(1, 7)):
        middle = board.walk(first, steps, "7")
        if middle is None:
            continue
        for second in [(middle.commander(), n) for n in range(4)]:
            if second == first or middle.in_base(second):
                continue
            after = middle.walk(second, 7 - steps, "7")
            if after is not None:
                yield Split(card, *first, steps, *second, 7 - steps, face), after


def swaps(rules: Rules, board: Slow, card: int, face: int) -> Iterator[tuple[Move, Slow]]:
    free = [m for m in board.at if board.on_track(m) and not board.protected(m)]
    for one, other in product(free, free):
        own = rules.jack == Jack.SWAP_OWN
        if one[0] == other[0] or (own and one[0] != board.commander()) or (not own and one > other):
            continue
        after = Slow(rules, board.player, dict(board.at))
        after.at[one], after.at[other] = board.at[other], board.at[one]
        yield Swap(card, *one, *other, face), after


def is_special(rules: Rules, card: int) -> bool:  # J2.8
    if card == JOKER:
        return True
    name, red = RANKS[rank(card)], suit(card) in (1, 2)
    if name == "J":
        return rules.exit_with_jack or rules.jack == Jack.SWAP_OWN or not red
    return name in "A457TK" or (name == "Q" and red and rules.queen != Queen.PLAIN)


def slow_moves(rules: Rules, state: State) -> dict[Move, Slow]:
    seat = state.to_act
    assert seat is not None
    marbles = {(i >> 2, i & 3): cell for i, cell in enumerate(state.marbles)}
    board = Slow(rules, seat, marbles)
    hand = state.hands[seat]
    if state.phase is Phase.ANSWER:
        return {Burn(card): board for card in hand}
    found: dict[Move, Slow] = {}
    for card in hand:
        for face in faces(rules) if card == JOKER else [0]:
            found.update(played(rules, board, state, card, face))
    if found:
        return found
    first = [card for card in hand if is_special(rules, card)]
    burns = first if first and rules.burn == BurnOption.SPECIAL_FIRST else hand
    return {Burn(card): board for card in burns}


def agree(rules: Rules, seed: int, plies: int) -> None:
    rng = random.Random(seed)
    state = jackaroo.initial(rules)
    for _ in range(plies):
        due = jackaroo.chance_due(rules, state)
        if due is not None:
            order = tuple(rng.sample(due.deck, len(due.deck)))
            state = jackaroo.resolve(rules, state, order or rng.randrange(rules.seats))[0]
            continue
        if state.to_act is None:
            state = jackaroo.initial(rules)
            continue
        expected = slow_moves(rules, state)
        moves = jackaroo.legal_moves(rules, state)
        assert len(moves) == len(expected)
        assert set(moves) == set(expected), jackaroo.write_position(rules, state)
        move = rng.choice(moves)
        state = jackaroo.apply(rules, state, move)[0]
        stand = tuple(cell for _, cell in sorted(expected[move].at.items()))
        assert state.marbles == stand


KAROTI = with_options("karoti", {})
SIX = with_options("bordaga", {"seats": 6})
MIXES: list[Rules] = [
    KAROTI,
    with_options("bordaga", {}),
    SIX,
    replace(KAROTI, cells_per_seat=10, entrance_distance=4, queen=Queen.TAKE, exit_with_jack=True),
    replace(KAROTI, jack=Jack.BLACK_SWAP_ANY, burn=BurnOption.SPECIAL_FIRST, ten=Ten.SKIP_CHOICE),
    replace(KAROTI, deal=(1,), cells_per_seat=10, joker=Joker.WILD, jack=Jack.BLACK_SWAP_ANY),
    replace(SIX, joker=Joker.WILD, queen=Queen.TAKE_AND_SKIP, exit_with_jack=True, deal=(3, 5)),
    replace(SIX, cells_per_seat=10, entrance_distance=1, jack=Jack.SWAP_OWN, ten=Ten.SKIP_BLIND),
    replace(SIX, cells_per_seat=11, entrance_distance=3, queen=Queen.PLAIN, burn=BurnOption.ANY),
]


@pytest.mark.clause("J6.1")
@pytest.mark.parametrize("rules", MIXES, ids=range(len(MIXES)))
def test_the_engine_agrees_with_the_slow_one(rules: Rules) -> None:
    agree(rules, 1, 1_000)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rules", MIXES, ids=range(len(MIXES)))
def test_the_engine_agrees_with_the_slow_one_for_long(rules: Rules, seed: int) -> None:
    agree(rules, 100 + seed, 3_000)
