"""The legal moves of the seat to act.

The order is that of the hand, card by card: bring out, steps (by count, then marble), splits,
swaps, hits, takes; with no such move, the burns (J2.8). One move is put in front: the first in this
order that sends none of the mover's team back to a base, walks no marble backward, and moves or
exchanges no opponent's. It serves a player who is absent. Where there is none, the order stands.

Source: docs/rules/jackaroo.md, sections 2.5 to 2.8 and 3 to 7; refusal.py is its counterpart.
"""

from collections.abc import Callable
from typing import Final

from hakam.games.cards import JOKER
from hakam.games.jackaroo.geometry import commander, geometry, partner
from hakam.games.jackaroo.ground import BACK, FORWARD, KING, Ground, gait_of, reach, walk
from hakam.games.jackaroo.moves import (
    BRING_OUTS,
    BURNS,
    HITS,
    SPLITS,
    STEP_MOVES,
    SWAPS,
    TAKES,
    BringOut,
    Burn,
    Hit,
    Move,
    Split,
    Step,
    Swap,
    Take,
)
from hakam.games.jackaroo.powers import Kind, Powers, powers, unlabel
from hakam.games.jackaroo.rules import Burn as BurnOption
from hakam.games.jackaroo.rules import Rules, Ten
from hakam.games.jackaroo.state import Phase, State

__all__ = ["Search", "burnable", "first_playable", "legal_moves"]

_LONGEST: Final = 12


class Search:
    """One seat's look for moves on one ground; the generators append to `moves`."""

    __slots__ = (
        "commander",
        "ground",
        "mine",
        "moves",
        "next_hand",
        "powers",
        "reaches",
        "rules",
        "seat",
    )

    def __init__(self, rules: Rules, state: State, seat: int) -> None:
        board = geometry(rules)
        self.rules: Final[Rules] = rules
        self.powers: Final[Powers] = powers(rules)
        self.seat: Final[int] = seat
        self.ground: Final[Ground] = Ground.of(board, state.marbles)
        self.commander: Final[int] = commander(state.marbles, seat, board)
        self.next_hand: Final[int] = len(state.hands[(seat + 1) % board.seats])
        self.mine: Final[list[int]] = _out_of_base(self.ground, self.commander)
        self.reaches: Final[list[int]] = [
            reach(self.ground, i, _LONGEST, FORWARD) for i in self.mine
        ]
        self.moves: Final[list[Move]] = []


def legal_moves(rules: Rules, state: State) -> tuple[Move, ...]:
    """Every legal move of the seat to act once, in the order of this module; a safe one first."""
    if state.to_act is None:
        return ()
    hand = state.hands[state.to_act]
    if state.phase == Phase.ANSWER:
        return tuple([BURNS[card] for card in hand])
    search = Search(rules, state, state.to_act)
    for card in hand:
        _play(search, card)
    moves = search.moves
    if not moves:
        return tuple([BURNS[card] for card in burnable(rules, hand)])
    safe = _first_safe(search)
    if safe:
        moves.insert(0, moves.pop(safe))
    return tuple(moves)


def first_playable(rules: Rules, state: State, seat: int) -> int | None:
    """J2.7: the first card of the seat's hand that has a legal move, if one has."""
    search = Search(rules, state, seat)
    for card in state.hands[seat]:
        _play(search, card)
        if search.moves:
            return card
    return None


def burnable(rules: Rules, hand: tuple[int, ...]) -> tuple[int, ...]:
    """J2.8: the cards that may be burnt from a hand without a legal move, in its order."""
    if rules.burn == BurnOption.ANY:
        return hand
    by_card = powers(rules).by_card
    special = tuple([c for c in hand if c == JOKER or by_card[c].special])
    return special or hand


def _play(search: Search, card: int) -> None:
    if card == JOKER:
        for face in search.powers.faces:
            _play_as(search, JOKER + face, face)
    else:
        _play_as(search, card, card)


def _play_as(search: Search, label: int, face: int) -> None:
    power = search.powers.by_card[face]
    if power.exits and _can_bring_out(search):
        search.moves.append(BRING_OUTS[label])
    _GENERATORS[power.kind](search, label)


def _out_of_base(ground: Ground, seat: int) -> list[int]:
    bases = ground.board.bases
    return [i for i in range(4 * seat, 4 * seat + 4) if ground.marbles[i] < bases]


def _can_bring_out(search: Search) -> bool:
    """J5.O: a marble in the base, and no own marble on the start."""
    if len(search.mine) == 4:
        return False
    seat = search.commander
    return search.ground.occupant[search.ground.board.starts[seat]] >> 2 != seat


def _forward(search: Search, label: int) -> None:
    for steps, by_marble in STEP_MOVES[label]:
        for marble, free in zip(search.mine, search.reaches, strict=True):
            if steps <= free:
                search.moves.append(by_marble[marble])


def _four(search: Search, label: int) -> None:
    by_marble = STEP_MOVES[label][0][1]
    ground = search.ground
    for marble in search.mine:
        if ground.is_on_track(marble) and reach(ground, marble, 4, BACK) == 4:
            search.moves.append(by_marble[marble])


def _five(search: Search, label: int) -> None:
    by_marble = STEP_MOVES[label][0][1]
    ground = search.ground
    seats = ground.board.seats
    for marble in range(4 * seats):
        if not ground.is_on_track(marble):
            continue
        owner = marble >> 2
        if owner != search.commander and ground.is_protected(marble):
            continue
        if reach(ground, marble, 5, gait_of(Kind.FIVE, search.seat, owner, seats)) == 5:
            search.moves.append(by_marble[marble])


def _seven(search: Search, label: int) -> None:
    _forward(search, label)
    for first, free in zip(search.mine, search.reaches, strict=True):
        for steps in range(1, min(free, 6) + 1):
            _second_parts(search, label, first, steps)


def _second_parts(search: Search, label: int, first: int, steps: int) -> None:
    """J5.7: the second parts on the ground after the first, by whom it then commands."""
    ground = search.ground.copy()
    walk(ground, first, steps, FORWARD)
    seat = commander(ground.marbles, search.seat, ground.board)
    for second in _out_of_base(ground, seat):
        if second == first or reach(ground, second, 7 - steps, FORWARD) < 7 - steps:
            continue
        if seat == first >> 2:
            search.moves.append(SPLITS[label][first][second & 3][steps - 1])
        else:
            search.moves.append(_split_over_two_seats(label, first, second, steps))


def _split_over_two_seats(label: int, first: int, second: int, steps: int) -> Split:
    card, face = unlabel(label)
    return Split(card, first >> 2, first & 3, steps, second >> 2, second & 3, 7 - steps, face)


def _ten(search: Search, label: int) -> None:
    _forward(search, label)
    if not search.next_hand:
        return
    if search.rules.ten == Ten.SKIP_BLIND:
        search.moves.extend(HITS[label][: search.next_hand])
    else:
        search.moves.append(HITS[label][-1])


def _swap_own(search: Search, label: int) -> None:
    swappable = _swappable(search.ground)
    for marble in swappable:
        if marble >> 2 != search.commander:
            continue
        by_other = SWAPS[label][marble]
        for other in swappable:
            if other >> 2 != search.commander:
                search.moves.append(by_other[other])


def _swap_any(search: Search, label: int) -> None:
    swappable = _swappable(search.ground)
    for marble in swappable:
        by_other = SWAPS[label][marble]
        for other in swappable:
            if other >> 2 > marble >> 2:
                search.moves.append(by_other[other])


def _swappable(ground: Ground) -> list[int]:
    """J5.J: the marbles on the track that are not protected."""
    return [
        marble
        for marble in range(4 * ground.board.seats)
        if ground.is_on_track(marble) and not ground.is_protected(marble)
    ]


def _take(search: Search, label: int) -> None:
    _forward(search, label)
    search.moves.extend(TAKES[label][: search.next_hand])


def _king(search: Search, label: int) -> None:
    by_marble = STEP_MOVES[label][0][1]
    for marble in search.mine:
        if reach(search.ground, marble, 13, KING) == 13:
            search.moves.append(by_marble[marble])


_GENERATORS: Final[dict[int, Callable[[Search, int], None]]] = {
    Kind.FORWARD: _forward,
    Kind.FOUR: _four,
    Kind.FIVE: _five,
    Kind.SEVEN: _seven,
    Kind.TEN: _ten,
    Kind.SWAP_OWN: _swap_own,
    Kind.SWAP_ANY: _swap_any,
    Kind.TAKE: _take,
    Kind.KING: _king,
}


def _first_safe(search: Search) -> int:
    """The index of the move to put in front (see the module)."""
    for index, move in enumerate(search.moves):
        if _is_safe(search, move):
            return index
    return 0


def _is_safe(search: Search, move: Move) -> bool:
    if isinstance(move, (Hit, Take, Burn)):
        return True
    if isinstance(move, Swap):
        return False
    team = (search.seat, partner(search.seat, search.ground.board.seats))
    if isinstance(move, BringOut):
        start = search.ground.board.starts[search.commander]
        return search.ground.occupant[start] >> 2 not in team
    if move.seat not in team or move.steps < 0:
        return False
    return not _harms(search, move, team)


def _harms(search: Search, move: Step | Split, team: tuple[int, int]) -> bool:
    """Whether the move sends a marble of the team back."""
    ground = search.ground.copy()
    kind = search.powers.by_card[move.face or move.card].kind
    gait = gait_of(kind, search.seat, move.seat, ground.board.seats)
    _, captured = walk(ground, 4 * move.seat + move.marble, move.steps, gait)
    if isinstance(move, Split):
        second = 4 * move.other_seat + move.other_marble
        captured.extend(walk(ground, second, move.other_steps, FORWARD)[1])
    return any(marble >> 2 in team for marble, _ in captured)
