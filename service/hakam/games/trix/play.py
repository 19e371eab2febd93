"""The course of a game: deal, contract, doubling, cards, scores (T6.1).

`apply` and `resolve` trust what they are given; `judge.py` says what is legal.
"""

from typing import Final, cast

from hakam.games.cards import DECK, HEARTS, card, deal
from hakam.games.game import ChanceDue, ChanceKind, ChanceOutcome, Drawn, GameOver, Outcome
from hakam.games.trix.contracts import DOUBLABLE, PLACE_POINTS, TRIX
from hakam.games.trix.events import (
    PASSED,
    PLAYED,
    ContractChosen,
    DealOver,
    Dealt,
    DoublingAnswered,
    Event,
    KingdomOver,
    OwnerFound,
    Passed,
    TrickTaken,
    WentOut,
)
from hakam.games.trix.layout import can_lay
from hakam.games.trix.moves import Choose, Double, Move, Play
from hakam.games.trix.rules import Doubling, Rules, contracts, deals
from hakam.games.trix.state import (
    CONTRACT,
    DEAL,
    DOUBLE,
    NOBODY,
    OVER,
    PLAY,
    SeatCard,
    SheetDeal,
    State,
)
from hakam.games.trix.tricks import deal_points, is_scoring_left, trick_points, winning_place

__all__ = [
    "apply",
    "chance_due",
    "contracts_left",
    "effects",
    "first_dealt",
    "initial",
    "is_doubled_in",
    "outcome",
    "resolve",
    "to_act",
    "totals",
]

_SEVEN_OF_HEARTS: Final = card(5, HEARTS)
_HAND: Final = 13

_Step = tuple[State, tuple[Event, ...]]


def initial(rules: Rules) -> State:
    """The state before the first deal; its owner is known only where a seat was named (T1.2)."""
    owner = rules.first_owner
    return State(DEAL, (), NOBODY if isinstance(owner, Drawn) else owner)


def chance_due(_rules: Rules, state: State) -> ChanceDue | None:
    """The next deal, once one is due."""
    if state.phase != DEAL:
        return None
    return ChanceDue(ChanceKind.DEAL, 4, None, first_dealt(state), _HAND, DECK)


def first_dealt(state: State) -> int:
    """The seat that the next deal begins with: seat 0, later the owner's right (T1.2)."""
    return (state.owner + 1) % 4 if state.sheet else 0


def resolve(_rules: Rules, state: State, outcome: ChanceOutcome) -> _Step:
    """The state after the deal; `outcome` is the order of the deck, front first."""
    first = first_dealt(state)
    hands, _ = deal(cast("tuple[int, ...]", outcome), 4, first, _HAND)
    dealt = Dealt(len(state.sheet) + 1, first)
    if state.owner != NOBODY:
        return _dealt(state, hands, state.owner), (dealt,)
    owner = [_SEVEN_OF_HEARTS in hand for hand in hands].index(True)
    return _dealt(state, hands, owner), (dealt, OwnerFound(owner))


def _dealt(state: State, hands: tuple[tuple[int, ...], ...], owner: int) -> State:
    return State(CONTRACT, state.sheet, owner, to_act=owner, hands=hands)


def to_act(_rules: Rules, state: State) -> int | None:
    """The seat that must move; None while a deal is due and once the game is over."""
    return None if state.to_act == NOBODY else state.to_act


def contracts_left(rules: Rules, state: State) -> tuple[int, ...]:
    """The contracts that the owner of the kingdom has not yet announced, ascending (T1.1)."""
    if state.phase == OVER:
        return ()
    names = contracts(rules)
    played = [line.contract for line in state.sheet[len(state.sheet) // len(names) * len(names) :]]
    return tuple([c for c in names if c not in played and c != state.contract])


def is_doubled_in(rules: Rules, contract: int) -> bool:
    """Whether seats are asked for doubling in a contract (T4.1, T4.2, T9.4)."""
    return bool(DOUBLABLE[contract]) and rules.doubling == Doubling.OPTIONAL


def apply(rules: Rules, state: State, move: Move) -> _Step:
    """The next state and what happened, forced passes included. Trusts the move."""
    if isinstance(move, Play):
        if state.contract == TRIX:
            return _lay(rules, state, move.card)
        return _follow(rules, state, move.card)
    if isinstance(move, Choose):
        return _choose(rules, state, move.contract)
    return _double(state, move)


def effects(rules: Rules, state: State, move: Move) -> tuple[Event, ...]:
    """What a legal move does, as far as the seat that makes it can know.

    Whether another seat passes depends on its cards: the events end before the first such pass.
    """
    _, events = apply(rules, state, move)
    for n, event in enumerate(events):
        if isinstance(event, Passed) and event.seat != state.to_act:
            return events[:n]
    return events


def outcome(rules: Rules, state: State) -> Outcome | None:
    """The result once the game is over (T1.4, T9.1), else None."""
    return _outcome(rules, state.sheet) if state.phase == OVER else None


def totals(sheet: tuple[SheetDeal, ...]) -> tuple[int, ...]:
    """The sum of a score sheet, by seat."""
    return tuple([sum([line.points[s] for line in sheet]) for s in range(4)])


def _outcome(rules: Rules, sheet: tuple[SheetDeal, ...]) -> Outcome:
    scores = totals(sheet)
    if rules.partnership:
        scores = tuple([scores[s] + scores[(s + 2) % 4] for s in range(4)])
    best = max(scores)
    return Outcome(tuple([s for s in range(4) if scores[s] == best]), scores)


def _choose(rules: Rules, state: State, contract: int) -> _Step:
    events: list[Event] = [ContractChosen(state.owner, contract)]
    seat = state.owner
    if contract == TRIX:
        seat = _turn(state.hands, state.layout, seat, events)
    chosen = State(
        DOUBLE if is_doubled_in(rules, contract) else PLAY,
        state.sheet,
        state.owner,
        contract=contract,
        to_act=seat,
        hands=state.hands,
    )
    return chosen, tuple(events)


def _double(state: State, move: Double) -> _Step:
    seat = state.to_act
    doubled = state.doubled
    if move.cards:
        added = [SeatCard(c, seat) for c in move.cards]
        doubled = tuple(sorted([*doubled, *added], key=_card_of))
    after = (seat + 1) % 4
    answered = State(
        PLAY if after == state.owner else DOUBLE,
        state.sheet,
        state.owner,
        contract=state.contract,
        to_act=after,
        hands=state.hands,
        doubled=doubled,
    )
    return answered, (DoublingAnswered(seat, move.cards),)


def _card_of(doubled: SeatCard) -> int:
    return doubled.card


def _without(
    hands: tuple[tuple[int, ...], ...], seat: int, played: int
) -> tuple[tuple[int, ...], ...]:
    hand = hands[seat]
    place = hand.index(played)
    return _with(hands, seat, hand[:place] + hand[place + 1 :])


def _with(
    held: tuple[tuple[int, ...], ...], seat: int, cards: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    """What every seat holds, with these cards for one of them."""
    changed = list(held)
    changed[seat] = cards
    return tuple(changed)


def _follow(rules: Rules, state: State, played: int) -> _Step:
    seat = state.to_act
    trick = state.trick + (played,)  # noqa: RUF005 - half the cost of unpacking when compiled
    hands = _without(state.hands, seat, played)
    if len(trick) == 4:
        return _take(rules, state, hands, trick)
    followed = State(
        PLAY,
        state.sheet,
        state.owner,
        contract=state.contract,
        to_act=(seat + 1) % 4,
        hands=hands,
        doubled=state.doubled,
        trick=trick,
        taken=state.taken,
    )
    return followed, (PLAYED[seat][played],)


def _take(
    rules: Rules, state: State, hands: tuple[tuple[int, ...], ...], trick: tuple[int, ...]
) -> _Step:
    seat = state.to_act
    leader = (seat + 1) % 4
    taker = (leader + winning_place(trick)) % 4
    points = trick_points(state.contract, trick, leader, state.doubled)
    taken = _with(state.taken, taker, state.taken[taker] + trick)
    events: list[Event] = [PLAYED[seat][trick[3]], TrickTaken(leader, trick, taker, points)]
    if _is_deal_over(rules, state.contract, hands, points):
        scored = deal_points(state.contract, taken, state.doubled)
        return _end_deal(rules, state, scored, events)
    led = State(
        PLAY,
        state.sheet,
        state.owner,
        contract=state.contract,
        to_act=taker,
        hands=hands,
        doubled=state.doubled,
        taken=taken,
    )
    return led, tuple(events)


def _is_deal_over(
    rules: Rules, contract: int, hands: tuple[tuple[int, ...], ...], points: tuple[int, ...]
) -> bool:
    if not hands[0]:
        return True
    # T2.4: only a trick that scored can have taken the last of what scores.
    return not rules.play_out and any(points) and not is_scoring_left(contract, hands)


def _lay(rules: Rules, state: State, laid: int) -> _Step:
    seat = state.to_act
    hands = _without(state.hands, seat, laid)
    layout = state.layout | 1 << laid
    out = state.out
    events: list[Event] = [PLAYED[seat][laid]]
    if not hands[seat]:
        out = _go_out(out, seat, events)
        if len(out) == 4:
            points = tuple([PLACE_POINTS[out.index(s)] for s in range(4)])
            return _end_deal(rules, state, points, events)
    after = _turn(hands, layout, (seat + 1) % 4, events)
    next_state = State(
        PLAY,
        state.sheet,
        state.owner,
        contract=state.contract,
        to_act=after,
        hands=hands,
        layout=layout,
        out=out,
    )
    return next_state, tuple(events)


def _go_out(out: tuple[int, ...], seat: int, events: list[Event]) -> tuple[int, ...]:
    # T5.5: the third seat to go out places the fourth.
    places = (*out, seat, 6 - sum(out) - seat) if len(out) == 2 else (*out, seat)
    events.extend(
        [WentOut(places[n], n + 1, PLACE_POINTS[n]) for n in range(len(out), len(places))]
    )
    return places


def _turn(hands: tuple[tuple[int, ...], ...], layout: int, seat: int, events: list[Event]) -> int:
    """The first seat from `seat` on that can lay a card; the others in between pass (T5.4)."""
    while not can_lay(layout, hands[seat]):
        if hands[seat]:  # T5.6: a seat that is out is passed over without an event.
            events.append(PASSED[seat])
        seat = (seat + 1) % 4
    return seat


def _end_deal(rules: Rules, state: State, points: tuple[int, ...], events: list[Event]) -> _Step:
    sheet = (*state.sheet, SheetDeal(state.contract, state.doubled, points))
    events.append(DealOver(len(sheet), state.contract, points, totals(sheet)))
    kingdom, rest = divmod(len(sheet), len(contracts(rules)))
    owner = state.owner
    phase = DEAL
    if rest == 0:
        events.append(KingdomOver(kingdom, owner))
        if len(sheet) == deals(rules):
            phase = OVER
            events.append(GameOver(_outcome(rules, sheet)))
        else:
            owner = (owner + 1) % 4  # T1.3
    return State(phase, sheet, owner), tuple(events)
