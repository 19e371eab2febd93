"""What is legal: the list of moves and the reason against any other move, from one truth.

Moves are listed in a fixed order: contracts by number; answers from no card doubled on, by
number of cards and then by card; cards in the order of the hand. The first is the automatic move
of an absent player: the first contract left, no doubling, the first playable card.
"""

from itertools import combinations, pairwise

from hakam.games.cards import DECK
from hakam.games.game import Violation
from hakam.games.reasons import Reason
from hakam.games.trix.contracts import DOUBLABLE, TRIX
from hakam.games.trix.layout import NEEDS, lies
from hakam.games.trix.moves import CHOOSE, DOUBLE_NOTHING, PLAY_CARD, Choose, Double, Move, Play
from hakam.games.trix.play import contracts_left
from hakam.games.trix.rules import Rules, contracts
from hakam.games.trix.state import CONTRACT, DEAL, DOUBLE, OVER, PLAY, State
from hakam.games.trix.tricks import SUIT

__all__ = ["legal_moves", "violation"]


def legal_moves(rules: Rules, state: State) -> tuple[Move, ...]:
    """Every legal move of the seat to act once, in the order that the module states."""
    if state.phase == PLAY:
        return _layable(state) if state.contract == TRIX else _followable(state)
    if state.phase == DOUBLE:
        return _answers(state)
    if state.phase == CONTRACT:
        return tuple([CHOOSE[c] for c in contracts_left(rules, state)])
    return ()


def _answers(state: State) -> tuple[Move, ...]:
    held = [c for c in DOUBLABLE[state.contract] if c in state.hands[state.to_act]]
    if not held:
        return (DOUBLE_NOTHING,)
    return tuple([Double(cards) for n in range(len(held) + 1) for cards in combinations(held, n)])


def _layable(state: State) -> tuple[Move, ...]:
    layout = state.layout
    return tuple([PLAY_CARD[c] for c in state.hands[state.to_act] if (layout >> NEEDS[c]) & 1])


def _followable(state: State) -> tuple[Move, ...]:
    hand = state.hands[state.to_act]
    if state.trick:
        led = SUIT[state.trick[0]]
        following = [PLAY_CARD[c] for c in hand if SUIT[c] == led]
        if following:
            return tuple(following)
    return tuple([PLAY_CARD[c] for c in hand])


def violation(rules: Rules, state: State, move: Move) -> Violation | None:
    """The first clause that forbids a move to the seat to act, or None."""
    if state.phase == OVER:
        return Violation(Reason.GAME_OVER, "T1.4")
    if state.phase == DEAL:
        return Violation(Reason.CHANCE_IS_DUE, "T6.1")
    if isinstance(move, Play) and state.phase == PLAY:
        if state.contract == TRIX:
            return _against_laying(state, move.card)
        return _against_following(state, move.card)
    if isinstance(move, Double) and state.phase == DOUBLE:
        return _against_doubling(state, move.cards)
    if isinstance(move, Choose) and state.phase == CONTRACT:
        return _against_choosing(rules, state, move.contract)
    return Violation(Reason.WRONG_PHASE, "T6.1")


def _against_choosing(rules: Rules, state: State, contract: int) -> Violation | None:
    if contract not in contracts(rules):
        return Violation(Reason.CONTRACT_NOT_IN_GAME, "T1.1")
    if contract not in contracts_left(rules, state):
        return Violation(Reason.CONTRACT_ALREADY_PLAYED, "T1.1")
    return None


def _against_doubling(state: State, cards: tuple[int, ...]) -> Violation | None:
    for c in cards:
        if c not in state.hands[state.to_act]:
            return _not_in_hand(c, "T4.1")
        if c not in DOUBLABLE[state.contract]:
            return Violation(Reason.CARD_NOT_DOUBLABLE, "T4.1", card=c)
    for low, high in pairwise(cards):
        if low >= high:
            return Violation(Reason.CARDS_OUT_OF_ORDER, "T4.2", card=high)
    return None


def _against_following(state: State, card: int) -> Violation | None:
    hand = state.hands[state.to_act]
    if card not in hand:
        return _not_in_hand(card, "T2.1")
    if state.trick:
        led = SUIT[state.trick[0]]
        if SUIT[card] != led and any(SUIT[c] == led for c in hand):
            return Violation(Reason.MUST_FOLLOW_SUIT, "T2.2", card=state.trick[0])
    return None


def _against_laying(state: State, card: int) -> Violation | None:
    if card not in state.hands[state.to_act]:
        return _not_in_hand(card, "T5.1")
    if not lies(state.layout, NEEDS[card]):
        return Violation(Reason.CARD_NOT_PLAYABLE, "T5.2", card=NEEDS[card])
    return None


def _not_in_hand(card: int, clause: str) -> Violation:
    return Violation(Reason.CARD_NOT_IN_HAND, clause, card=card if card in DECK else None)
