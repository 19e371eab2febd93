"""Why a move is illegal: the first clause that forbids it, and what stands in the way.

The order of judgement: what the game waits for; the card; a joker's face; whether the card has the
action; its counts; the marbles named; the way, cell by cell. Only a burn needs a look at the other
cards (J2.7, J2.8). Any value of a move may be asked, whatever its numbers.

Source: docs/rules/jackaroo.md; legal.py is its counterpart.
"""

from collections.abc import Callable
from typing import Any, Final

from hakam.games.cards import JOKER
from hakam.games.game import Violation
from hakam.games.jackaroo.geometry import commander, geometry
from hakam.games.jackaroo.ground import FORWARD, Ground, gait_of, obstacle, walk
from hakam.games.jackaroo.legal import burnable, first_playable
from hakam.games.jackaroo.moves import BringOut, Burn, Hit, Move, Split, Step, Swap, Take
from hakam.games.jackaroo.powers import STEPS, Kind, Power, Powers, label, powers
from hakam.games.jackaroo.rules import Rules, Ten
from hakam.games.jackaroo.state import Phase, State
from hakam.games.reasons import Reason

__all__ = ["violation"]

_NOBODY_MOVES: Final = {
    Phase.OVER: Violation(Reason.GAME_OVER, "J1.9"),
    Phase.DEALER: Violation(Reason.CHANCE_IS_DUE, "J2.9"),
    Phase.DEAL: Violation(Reason.CHANCE_IS_DUE, "J2.2"),
}
_SWAPPING: Final = (Kind.SWAP_OWN, Kind.SWAP_ANY)


class _Case:
    """A move's card by its powers, and the ground on which the move is judged."""

    __slots__ = ("commander", "ground", "label", "next_hand", "power", "rules", "seat", "state")

    def __init__(self, rules: Rules, state: State, seat: int, label_: int, power: Power) -> None:
        board = geometry(rules)
        self.rules: Final[Rules] = rules
        self.state: Final[State] = state
        self.seat: Final[int] = seat
        self.label: Final[int] = label_
        self.power: Final[Power] = power
        self.ground: Final[Ground] = Ground.of(board, state.marbles)
        self.commander: Final[int] = commander(state.marbles, seat, board)
        self.next_hand: Final[int] = len(state.hands[(seat + 1) % board.seats])

    def no(self, reason: Reason, clause: str, marble: int) -> Violation:
        """A refusal that names a marble and its place."""
        return Violation(reason, clause, marble >> 2, marble & 3, self.ground.marbles[marble])


def violation(rules: Rules, state: State, move: Move) -> Violation | None:
    """Why the move is illegal for the seat to act, or None."""
    seat = state.to_act
    if seat is None:
        return _NOBODY_MOVES[state.phase]
    if state.phase == Phase.ANSWER and not isinstance(move, Burn):
        return Violation(Reason.WRONG_PHASE, "J5.10", seat=seat)
    if move.card not in state.hands[seat]:
        return Violation(Reason.CARD_NOT_IN_HAND, "J2.5", seat=seat, card=move.card)
    if isinstance(move, Burn):
        return _burn(rules, state, seat, move)
    table = powers(rules)
    refusal = _face(table, move.card, move.face)
    if refusal is not None:
        return refusal
    power = table.by_card[move.face or move.card]
    case = _Case(rules, state, seat, label(move.card, move.face), power)
    return _JUDGES[type(move)](case, move)


def _face(table: Powers, card: int, face: int) -> Violation | None:
    """J5.X."""
    if card != JOKER:
        return Violation(Reason.JOKER_FACE_NOT_ALLOWED, "J5.X") if face else None
    if not face:
        return Violation(Reason.JOKER_FACE_MISSING, "J5.X", card=card)
    if face not in table.faces:
        proper = table.proper(face)
        return Violation(Reason.JOKER_FACE_NOT_ALLOWED, "J5.X", card=proper)
    return None


def _burn(rules: Rules, state: State, seat: int, move: Burn) -> Violation | None:
    if move.face:
        return Violation(Reason.JOKER_FACE_NOT_ALLOWED, "J5.X")
    if state.phase == Phase.ANSWER:
        return None
    playable = first_playable(rules, state, seat)
    if playable is not None:
        return Violation(Reason.BURN_NOT_ALLOWED, "J2.7", card=playable)
    allowed = burnable(rules, state.hands[seat])
    if move.card not in allowed:
        return Violation(Reason.BURN_SPECIAL_FIRST, "J2.8", card=allowed[0])
    return None


def _not_on_card(move: Move, clause: str) -> Violation:
    return Violation(Reason.ACTION_NOT_ON_CARD, clause, card=move.face or move.card)


def _bring_out(case: _Case, move: BringOut) -> Violation | None:
    if not case.power.exits:
        return _not_on_card(move, "J5.O")
    board = case.ground.board
    seat = case.commander
    if all(case.ground.marbles[4 * seat + n] < board.bases for n in range(4)):
        return Violation(Reason.NO_MARBLE_IN_BASE, "J5.O", seat=seat)
    on_start = case.ground.occupant[board.starts[seat]]
    if on_start >> 2 == seat:
        return case.no(Reason.OWN_MARBLE_ON_START, "J5.O", on_start)
    return None


def _step(case: _Case, move: Step) -> Violation | None:
    kind = case.power.kind
    if kind in _SWAPPING:
        return _not_on_card(move, case.power.clause)
    if move.steps not in STEPS[case.label]:
        card = move.face or move.card
        return Violation(Reason.STEPS_NOT_ON_CARD, case.power.clause, card=card)
    refusal = _unknown(case, move.seat, move.marble)
    if refusal is not None:
        return refusal
    marble = 4 * move.seat + move.marble
    if kind == Kind.FIVE:
        refusal = _five(case, marble)
    else:
        refusal = _own(case, case.commander, marble, "J7.2")
        if refusal is None and kind == Kind.FOUR and not case.ground.is_on_track(marble):
            refusal = case.no(Reason.MARBLE_NOT_ON_TRACK, "J5.4", marble)
    if refusal is not None:
        return refusal
    gait = gait_of(kind, case.seat, move.seat, case.ground.board.seats)
    return obstacle(case.ground, marble, abs(move.steps), gait)


def _unknown(case: _Case, seat: int, number: int) -> Violation | None:
    """J1.3: no such marble on this board."""
    if 0 <= seat < case.rules.seats and 0 <= number < 4:
        return None
    return Violation(Reason.NO_SUCH_MARBLE, "J1.3", seat, number)


def _own(case: _Case, seat: int, marble: int, clause: str) -> Violation | None:
    """A marble to be walked must be of the seat in command, and out of its base."""
    if marble >> 2 != seat:
        return case.no(Reason.NOT_YOUR_MARBLE, clause, marble)
    if case.ground.marbles[marble] >= case.ground.board.bases:
        return case.no(Reason.MARBLE_IN_BASE, "J3.1", marble)
    return None


def _on_track(case: _Case, marble: int, clause: str) -> Violation | None:
    if case.ground.marbles[marble] >= case.ground.board.bases:
        return case.no(Reason.MARBLE_IN_BASE, clause, marble)
    if not case.ground.is_on_track(marble):
        return case.no(Reason.MARBLE_NOT_ON_TRACK, clause, marble)
    return None


def _five(case: _Case, marble: int) -> Violation | None:
    refusal = _on_track(case, marble, "J5.5")
    if refusal is not None:
        return refusal
    if marble >> 2 != case.commander and case.ground.is_protected(marble):
        return case.no(Reason.MARBLE_PROTECTED, "J4.1", marble)
    return None


def _split(case: _Case, move: Split) -> Violation | None:
    if case.power.kind != Kind.SEVEN:
        return _not_on_card(move, case.power.clause)
    if move.steps < 1 or move.other_steps < 1 or move.steps + move.other_steps != 7:
        return Violation(Reason.SPLIT_NOT_SEVEN, "J5.7", card=move.face or move.card)
    refusal = _unknown(case, move.seat, move.marble)
    if refusal is None:
        refusal = _unknown(case, move.other_seat, move.other_marble)
    if refusal is not None:
        return refusal
    first = 4 * move.seat + move.marble
    second = 4 * move.other_seat + move.other_marble
    if first == second:
        return case.no(Reason.SAME_MARBLE_TWICE, "J5.7", first)
    refusal = _own(case, case.commander, first, "J7.2")
    if refusal is None:
        refusal = obstacle(case.ground, first, move.steps, FORWARD)
    return refusal or _second_part(case, first, move.steps, second)


def _second_part(case: _Case, first: int, steps: int, second: int) -> Violation | None:
    """J5.7: the second part is judged on the ground after the first, by whom it then commands."""
    ground = case.ground
    walk(ground, first, steps, FORWARD)
    seat = commander(ground.marbles, case.seat, ground.board)
    refusal = _own(case, seat, second, "J5.7")
    return refusal or obstacle(ground, second, 7 - steps, FORWARD)


def _swap(case: _Case, move: Swap) -> Violation | None:
    kind = case.power.kind
    clause = case.power.clause
    if kind not in _SWAPPING:
        return _not_on_card(move, clause)
    refusal = _unknown(case, move.seat, move.marble)
    if refusal is None:
        refusal = _unknown(case, move.other_seat, move.other_marble)
    if refusal is not None:
        return refusal
    marble = 4 * move.seat + move.marble
    other = 4 * move.other_seat + move.other_marble
    if kind == Kind.SWAP_OWN and move.seat != case.commander:
        return case.no(Reason.NOT_YOUR_MARBLE, clause, marble)
    if move.seat == move.other_seat or (kind == Kind.SWAP_ANY and other < marble):
        return case.no(Reason.SWAP_NOT_ALLOWED, clause, other)
    return _swappable(case, marble) or _swappable(case, other)


def _swappable(case: _Case, marble: int) -> Violation | None:
    refusal = _on_track(case, marble, case.power.clause)
    if refusal is None and case.ground.is_protected(marble):
        return case.no(Reason.MARBLE_PROTECTED, "J4.1", marble)
    return refusal


def _hit(case: _Case, move: Hit) -> Violation | None:
    if case.power.kind != Kind.TEN:
        return _not_on_card(move, case.power.clause)
    if case.next_hand and case.rules.ten == Ten.SKIP_CHOICE:
        if move.position is not None:
            return Violation(Reason.POSITION_NOT_WANTED, "J5.10")
        return None
    return _pick(case, move.position, "J5.10")


def _take(case: _Case, move: Take) -> Violation | None:
    if case.power.kind != Kind.TAKE:
        return _not_on_card(move, case.power.clause)
    return _pick(case, move.position, "J5.Q")


def _pick(case: _Case, position: int | None, clause: str) -> Violation | None:
    """A blind pick names a card of the next hand."""
    seat = (case.seat + 1) % case.rules.seats
    if not case.next_hand:
        return Violation(Reason.NEXT_HAND_EMPTY, clause, seat=seat)
    if position is None or not 0 <= position < case.next_hand:
        return Violation(Reason.POSITION_NOT_IN_HAND, "J6.1", seat=seat)
    return None


_JUDGES: Final[dict[type[Move], Callable[[_Case, Any], Violation | None]]] = {
    BringOut: _bring_out,
    Step: _step,
    Split: _split,
    Swap: _swap,
    Hit: _hit,
    Take: _take,
}
