"""What a move and a chance event do: the next state, and the events on the way.

Moves and outcomes are trusted here; `violation` is the checked door.

Source: docs/rules/jackaroo.md.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from hakam.games.cards import deal
from hakam.games.game import ChanceDue, ChanceKind, ChanceOutcome, Drawn, GameOver, Outcome
from hakam.games.jackaroo.events import (
    BroughtOut,
    BurnAsked,
    Burnt,
    Captured,
    CardLost,
    DealerDrawn,
    Dealt,
    EnteredGoal,
    Event,
    Moved,
    Passed,
    Played,
    SeatHome,
    Shuffled,
    Skipped,
    Swapped,
)
from hakam.games.jackaroo.geometry import Geometry, commander, geometry, is_home
from hakam.games.jackaroo.ground import FORWARD, Ground, gait_of, walk
from hakam.games.jackaroo.moves import BringOut, Burn, Hit, Move, Split, Step, Swap, Take
from hakam.games.jackaroo.powers import powers
from hakam.games.jackaroo.rules import Queen, Rules, Ten, deck
from hakam.games.jackaroo.state import Phase, State, hand_index

__all__ = ["apply", "chance_due", "effects", "initial", "outcome", "resolve", "to_act", "winners"]


def initial(rules: Rules) -> State:
    """The state before any move and any chance: marbles in the bases, no card dealt (J1.3)."""
    board = geometry(rules)
    dealer = None if isinstance(rules.dealer, Drawn) else rules.dealer
    return State(
        phase=Phase.DEALER if dealer is None else Phase.DEAL,
        dealer=dealer,
        to_act=None,
        marbles=tuple(range(board.bases, board.bases + 4 * board.seats)),
        hands=((),) * board.seats,
        deck=(),
        discard=(),
    )


def to_act(_rules: Rules, state: State) -> int | None:
    """The seat that must move; None once the game is over or while chance is due."""
    return state.to_act


def chance_due(rules: Rules, state: State) -> ChanceDue | None:
    """The chance event that must come next, if one must (J2.2, J2.9)."""
    if state.phase == Phase.DEALER:
        return ChanceDue(ChanceKind.SEAT, rules.seats)
    if state.phase != Phase.DEAL or state.dealer is None:
        return None
    return ChanceDue(
        ChanceKind.DEAL,
        rules.seats,
        first=(state.dealer + 1) % rules.seats,
        per_seat=sum(rules.deal),
        deck=deck(rules),
    )


def resolve(rules: Rules, state: State, outcome_: ChanceOutcome) -> tuple[State, tuple[Event, ...]]:
    """The state after the chance event that is due: a dealer, or a deck front first."""
    if isinstance(outcome_, int):
        drawn = _shuffle_due(state, outcome_, (), ())
        return drawn, (DealerDrawn(outcome_),)
    assert state.dealer is not None  # noqa: S101 - a deal is due only once there is a dealer
    dealt, event = _deal_hand(rules, _shuffle_due(state, state.dealer, outcome_, ()), 0)
    return dealt, (Shuffled(state.dealer), event)


def outcome(rules: Rules, state: State) -> Outcome | None:
    """J1.9: the team that won, once the game is over."""
    if state.phase != Phase.OVER:
        return None
    return Outcome(winners(rules, state.marbles))


def winners(rules: Rules, marbles: tuple[int, ...] | list[int]) -> tuple[int, ...]:
    """J1.9: the seats of a team that is home, ascending; empty while there is none."""
    board = geometry(rules)
    half = rules.seats // 2
    for seat in range(half):
        if is_home(marbles, seat, board) and is_home(marbles, seat + half, board):
            return (seat, seat + half)
    return ()


def effects(rules: Rules, state: State, move: Move) -> tuple[Event, ...]:
    """What a legal move does, short of chance, of hidden cards and of what follows a deal."""
    _, events = apply(rules, state, move)
    return tuple([_as_foreseen(e) for e in events if not isinstance(e, Dealt)])


def _as_foreseen(event: Event) -> Event:
    return replace(event, card=None) if isinstance(event, CardLost) else event


class _Turn:
    """One move being carried out: what changes, as lists, and what has happened so far."""

    __slots__ = ("asked", "discard", "events", "ground", "hands", "last", "rules", "seat", "state")

    def __init__(self, rules: Rules, state: State, seat: int) -> None:
        self.rules: Final[Rules] = rules
        self.state: Final[State] = state
        self.seat: Final[int] = seat
        self.ground: Final[Ground] = Ground.of(geometry(rules), state.marbles)
        self.hands: Final[list[tuple[int, ...]]] = list(state.hands)
        self.discard: Final[list[int]] = []
        self.events: Final[list[Event]] = []
        self.last: int = seat  # the seat whose turn is used up last
        self.asked: bool = False  # whether the next seat must answer a Ten

    def lose(self, seat: int, position: int) -> int:
        """The card at a position of a hand goes to the discard pile."""
        hand = self.hands[seat]
        self.hands[seat] = hand[:position] + hand[position + 1 :]
        self.discard.append(hand[position])
        return hand[position]


def apply(rules: Rules, state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """The next state and the events, automatic passes and the deal of a stored hand included."""
    assert state.to_act is not None  # noqa: S101 - the move was judged
    turn = _Turn(rules, state, state.to_act)
    turn.lose(turn.seat, turn.hands[turn.seat].index(move.card))
    if isinstance(move, Burn):
        turn.events.append(Burnt(turn.seat, move.card))
    else:
        turn.events.append(Played(turn.seat, move.card, move.face))
        _ACTIONS[type(move)](turn, move)
    return _end_of_turn(turn), tuple(turn.events)


def _bring_out(turn: _Turn, _move: BringOut) -> None:
    """J5.O."""
    ground = turn.ground
    board = ground.board
    seat = commander(ground.marbles, turn.seat, board)
    marble = next(i for i in range(4 * seat, 4 * seat + 4) if ground.marbles[i] >= board.bases)
    start = board.starts[seat]
    other = ground.occupant[start]
    turn.events.append(BroughtOut(seat, marble & 3, board.bases + marble, start))
    if other >= 0:
        ground.send_back(other)
        turn.events.append(_captured(board, other, start))
    ground.put(marble, start)


def _step(turn: _Turn, move: Step) -> None:
    kind = powers(turn.rules).by_card[move.face or move.card].kind
    gait = gait_of(kind, turn.seat, move.seat, turn.rules.seats)
    _walk(turn, 4 * move.seat + move.marble, abs(move.steps), gait)


def _split(turn: _Turn, move: Split) -> None:
    _walk(turn, 4 * move.seat + move.marble, move.steps, FORWARD)
    _walk(turn, 4 * move.other_seat + move.other_marble, move.other_steps, FORWARD)


def _walk(turn: _Turn, marble: int, steps: int, gait: int) -> None:
    ground = turn.ground
    board = ground.board
    seat = marble >> 2
    origin = ground.marbles[marble]
    cells, captured = walk(ground, marble, steps, gait)
    turn.events.append(Moved(seat, marble & 3, origin, tuple(cells)))
    turn.events.extend([_captured(board, other, cell) for other, cell in captured])
    if origin < board.length <= cells[-1]:
        turn.events.append(EnteredGoal(seat, marble & 3, cells[-1]))
        if is_home(ground.marbles, seat, board):
            turn.events.append(SeatHome(seat))


def _captured(board: Geometry, marble: int, cell: int) -> Captured:
    return Captured(marble >> 2, marble & 3, cell, board.bases + marble)


def _swap(turn: _Turn, move: Swap) -> None:
    ground = turn.ground
    first = 4 * move.seat + move.marble
    other = 4 * move.other_seat + move.other_marble
    cell, other_cell = ground.marbles[other], ground.marbles[first]
    ground.send_back(other)
    ground.put(first, cell)
    ground.put(other, other_cell)
    turn.events.append(
        Swapped(move.seat, move.marble, cell, move.other_seat, move.other_marble, other_cell)
    )


def _hit(turn: _Turn, move: Hit) -> None:
    """J5.10."""
    victim = (turn.seat + 1) % turn.rules.seats
    if turn.rules.ten == Ten.SKIP_CHOICE or move.position is None:
        turn.events.append(BurnAsked(victim))
        turn.asked = True
        return
    _lose_to(turn, victim, move.position)
    _skip(turn, victim)


def _take(turn: _Turn, move: Take) -> None:
    """J5.Q."""
    victim = (turn.seat + 1) % turn.rules.seats
    _lose_to(turn, victim, move.position)
    if turn.rules.queen == Queen.TAKE_AND_SKIP:
        _skip(turn, victim)


def _lose_to(turn: _Turn, victim: int, position: int) -> None:
    turn.events.append(CardLost(victim, position, turn.lose(victim, position)))


def _skip(turn: _Turn, victim: int) -> None:
    turn.events.append(Skipped(victim))
    turn.last = victim


_ACTIONS: Final[dict[type[Move], Callable[[_Turn, Any], None]]] = {
    BringOut: _bring_out,
    Step: _step,
    Split: _split,
    Swap: _swap,
    Hit: _hit,
    Take: _take,
}


def _end_of_turn(turn: _Turn) -> State:
    won = winners(turn.rules, turn.ground.marbles)
    if won:
        turn.events.append(GameOver(Outcome(won)))
        return _after(turn, Phase.OVER, None)
    if turn.asked:
        return _after(turn, Phase.ANSWER, (turn.seat + 1) % turn.rules.seats)
    if not any(turn.hands):
        return _next_hand(turn)
    seat = (turn.last + 1) % turn.rules.seats
    while not turn.hands[seat]:
        turn.events.append(Passed(seat))
        seat = (seat + 1) % turn.rules.seats
    return _after(turn, Phase.PLAY, seat)


def _after(turn: _Turn, phase: Phase, seat: int | None) -> State:
    state = turn.state
    return State(
        phase=phase,
        dealer=state.dealer,
        to_act=seat,
        marbles=tuple(turn.ground.marbles),
        hands=tuple(turn.hands),
        deck=state.deck,
        discard=(*state.discard, *turn.discard),
    )


def _next_hand(turn: _Turn) -> State:
    """J2.2: the next hand of the schedule from the same deck, or a shuffle by the next dealer."""
    ended = _after(turn, Phase.DEAL, None)
    index = hand_index(turn.rules, len(ended.deck))
    assert index is not None  # noqa: S101 - `validate` saw it
    if index + 1 < len(turn.rules.deal):
        dealt, event = _deal_hand(turn.rules, ended, index + 1)
        turn.events.append(event)
        return dealt
    assert ended.dealer is not None  # noqa: S101 - cards were dealt
    dealer = (ended.dealer + 1) % turn.rules.seats
    return _shuffle_due(ended, dealer, ended.deck, ended.discard)


def _shuffle_due(
    state: State, dealer: int, deck_: tuple[int, ...], discard: tuple[int, ...]
) -> State:
    """The marbles of a state, with empty hands and the cards that lie on the table."""
    return State(
        phase=Phase.DEAL,
        dealer=dealer,
        to_act=None,
        marbles=state.marbles,
        hands=state.hands,
        deck=deck_,
        discard=discard,
    )


def _deal_hand(rules: Rules, ended: State, index: int) -> tuple[State, Dealt]:
    """J2.2 to J2.4: a hand of the schedule from the front of the deck."""
    assert ended.dealer is not None  # noqa: S101 - the dealer deals
    first = (ended.dealer + 1) % rules.seats
    hands, rest = deal(ended.deck, rules.seats, first, rules.deal[index])
    dealt = State(
        phase=Phase.PLAY,
        dealer=ended.dealer,
        to_act=first,
        marbles=ended.marbles,
        hands=hands,
        deck=rest,
        discard=ended.discard,
    )
    return dealt, Dealt(ended.dealer, index, rules.deal[index])
