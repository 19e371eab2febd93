"""What a seat, or a spectator, may see (T7.1): a type without the hidden fields.

What follows from the visible is spelled out for those who know no rules. Nobody is told what
could be worked out about others' hands, and a view keeps no cards of tricks older than the last.
"""

from dataclasses import dataclass

from hakam.games.game import Board
from hakam.games.trix.contracts import PLACE_POINTS, QUEENS, QUEENS_FACE_UP, TRIX
from hakam.games.trix.layout import layout_cards
from hakam.games.trix.play import contracts_left, totals
from hakam.games.trix.rules import Rules
from hakam.games.trix.state import NOBODY, PLAY, SeatCard, SheetDeal, State
from hakam.games.trix.tricks import deal_points, last_trick, winning_place

__all__ = ["TakenTrick", "Trick", "View", "board", "view"]


@dataclass(frozen=True)
class Trick:
    """The trick on the table: its leader, and the cards so far in the order played."""

    leader: int
    cards: tuple[int, ...]


@dataclass(frozen=True)
class TakenTrick:
    """A complete trick, and the seat that took it."""

    leader: int
    cards: tuple[int, ...]
    taker: int


@dataclass(frozen=True)
class View:
    """What `viewer` sees; None is a spectator, whose `hand` is empty.

    By seat: `hand_sizes`, `tricks` (taken in this deal), `points` (of this deal so far), `totals`
    (of the finished deals). `contract` is 0 and `owner`, `to_act`, `trick`, `last_trick` are None
    where absent. `queens` are those face up, with their takers, ascending by card.
    """

    viewer: int | None
    phase: int
    sheet: tuple[SheetDeal, ...]
    totals: tuple[int, ...]
    owner: int | None
    contracts_left: tuple[int, ...]
    contract: int
    to_act: int | None
    hand: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    doubled: tuple[SeatCard, ...]
    trick: Trick | None
    last_trick: TakenTrick | None
    tricks: tuple[int, ...]
    queens: tuple[SeatCard, ...]
    points: tuple[int, ...]
    layout: tuple[int, ...]
    out: tuple[int, ...]


def view(rules: Rules, state: State, seat: int | None) -> View:
    """What a seat, or a spectator (None), may see."""
    return View(
        viewer=seat,
        phase=state.phase,
        sheet=state.sheet,
        totals=totals(state.sheet),
        owner=None if state.owner == NOBODY else state.owner,
        contracts_left=contracts_left(rules, state),
        contract=state.contract,
        to_act=None if state.to_act == NOBODY else state.to_act,
        hand=() if seat is None else state.hands[seat],
        hand_sizes=tuple([len(hand) for hand in state.hands]),
        doubled=state.doubled,
        trick=_trick(state),
        last_trick=_last_trick(state),
        tricks=tuple([len(pile) // 4 for pile in state.taken]),
        queens=_queens(state),
        points=_points(state),
        layout=layout_cards(state.layout),
        out=state.out,
    )


def board(_rules: Rules) -> Board:
    """A game of cards alone: four seats, no cells."""
    return Board((), ())


def _in_tricks(state: State) -> bool:
    return state.phase == PLAY and state.contract != TRIX


def _leader(state: State) -> int:
    return (state.to_act - len(state.trick)) % 4


def _trick(state: State) -> Trick | None:
    return Trick(_leader(state), state.trick) if _in_tricks(state) else None


def _last_trick(state: State) -> TakenTrick | None:
    if not _in_tricks(state) or not any(state.taken):
        return None
    # T2.3: whoever leads now took the last trick, and it lies on top of his pile.
    leader, cards = last_trick(state.taken[_leader(state)], _leader(state))
    return TakenTrick(leader, cards, (leader + winning_place(cards)) % 4)


def _queens(state: State) -> tuple[SeatCard, ...]:
    if not QUEENS_FACE_UP[state.contract]:
        return ()
    return tuple([SeatCard(q, s) for q in QUEENS for s in range(4) if q in state.taken[s]])


def _points(state: State) -> tuple[int, ...]:
    points = list(deal_points(state.contract, state.taken, state.doubled))
    for place, seat in enumerate(state.out):
        points[seat] = PLACE_POINTS[place]  # T5.5
    return tuple(points)
