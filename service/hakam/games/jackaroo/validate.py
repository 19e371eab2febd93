"""The bridge from a decoded setup to a state: every fault that it has, or the state.

A position need not be reachable; it must hold all marbles and cards, each in a place where it can
be, and be able to go on. Source: docs/rules/jackaroo.md, sections 1, 2 and J1.9.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hakam.games.cards import JOKER, NAMES, TEN, rank
from hakam.games.game import Drawn, Fault
from hakam.games.jackaroo.geometry import Geometry, geometry
from hakam.games.jackaroo.play import winners
from hakam.games.jackaroo.rules import RULE_SETS, Joker, Rules, deck
from hakam.games.jackaroo.rules import Ten as TenOption
from hakam.games.jackaroo.state import Phase, Setup, State, hand_index
from hakam.games.reasons import Reason

__all__ = ["validate"]

_PHASES: Final = tuple(phase.name.lower() for phase in Phase)
_NUMBERS: Final = frozenset(int(phase) for phase in Phase)
_WITH_DEALER: Final = tuple(Phase)[1:]
# J2.1, J5.X: the cards in force.
_KNOWN: Final = {
    joker: frozenset(deck(replace(RULE_SETS["karoti"], joker=joker))) for joker in Joker
}


def validate(rules: Rules, setup: Setup) -> State | tuple[Fault, ...]:
    """The setup as a state, or every fault that it has."""
    faults = (
        *_phase(setup),
        *_seats(rules, setup),
        *_marbles(rules, setup),
        *_cards(rules, setup),
        *_hands(rules, setup),
        *_waiting(rules, setup),
        *_end(rules, setup),
    )
    if faults:
        return faults
    return State(
        phase=Phase(setup.phase),
        dealer=setup.dealer,
        to_act=setup.to_act,
        marbles=tuple(cell for side in setup.sides for cell in side.marbles),
        hands=tuple(tuple(side.hand) for side in setup.sides),
        deck=tuple(setup.deck),
        discard=tuple(setup.discard),
    )


def _phase(setup: Setup) -> Iterator[Fault]:
    if setup.phase not in _NUMBERS:
        yield Fault("phase", Reason.VALUE_UNKNOWN, "no such phase", "", _PHASES)


def _seats(rules: Rules, setup: Setup) -> Iterator[Fault]:
    if len(setup.sides) != rules.seats:
        detail = f"{len(setup.sides)} sides at a table of {rules.seats}"
        yield Fault("sides", Reason.COUNT_WRONG, detail, "J1.2")
    yield from _seat(rules, setup, "dealer", setup.dealer, _WITH_DEALER)
    yield from _seat(rules, setup, "to_act", setup.to_act, (Phase.PLAY, Phase.ANSWER))


def _seat(
    rules: Rules, setup: Setup, path: str, seat: int | None, phases: tuple[Phase, ...]
) -> Iterator[Fault]:
    """A seat that must be there in these phases, and must not in the others."""
    wanted = setup.phase in phases
    if setup.phase in _NUMBERS and (seat is not None) != wanted:
        reason = Reason.FIELD_MISSING if wanted else Reason.FIELD_NOT_ALLOWED
        name = Phase(setup.phase).name.lower()
        detail = f"phase {name} {'needs' if wanted else 'has no'} {path}"
        yield Fault(path, reason, detail)
    if seat is not None and not 0 <= seat < rules.seats:
        yield Fault(path, Reason.VALUE_OUT_OF_RANGE, f"not a seat of {rules.seats}")


def _marbles(rules: Rules, setup: Setup) -> Iterator[Fault]:
    board = geometry(rules)
    seen: dict[int, tuple[int, int]] = {}
    for seat, side in enumerate(setup.sides):
        if len(side.marbles) != 4:
            detail = f"{len(side.marbles)} marbles, not 4"
            yield Fault(f"sides[{seat}].marbles", Reason.COUNT_WRONG, detail, "J1.3")
        for number, cell in enumerate(side.marbles):
            misplaced = _misplaced(board, seat, number, cell)
            if misplaced is not None:
                path = _marble(seat, number)
                yield Fault(path, Reason.VALUE_OUT_OF_RANGE, *misplaced)
            if cell in seen:
                detail = f"cell {cell} also of {_marble(*seen[cell])}"
                yield Fault(_marble(seat, number), Reason.DUPLICATE, detail, "J3.6")
            seen.setdefault(cell, (seat, number))


def _marble(seat: int, number: int) -> str:
    """The path of a marble."""
    return f"sides[{seat}].marbles[{number}]"


def _misplaced(board: Geometry, seat: int, number: int, cell: int) -> tuple[str, str] | None:
    """J1.3, J1.4: a marble stands on the track, in its own goal, or on its own base cell.

    The fault's detail and clause.
    """
    if 0 <= cell < board.length:
        return None
    end = board.bases + 4 * board.seats
    if not 0 <= cell < end:
        return f"not a cell from 0 to {end - 1}", "J1.4"
    if cell < board.bases:
        is_own = (cell - board.length) >> 2 == seat
        return None if is_own else (f"cell {cell} is another's goal", "J1.4")
    is_own = cell - board.bases == 4 * seat + number
    return None if is_own else (f"cell {cell} is another's base cell", "J1.3")


def _piles(setup: Setup) -> Iterator[tuple[str, tuple[int, ...]]]:
    for seat, side in enumerate(setup.sides):
        yield f"sides[{seat}].hand", side.hand
    yield "deck", setup.deck
    yield "discard", setup.discard


def _is_undealt(setup: Setup) -> bool:
    """Before the first shuffle of a game there are no cards anywhere."""
    return setup.phase in (Phase.DEALER, Phase.DEAL) and not any(p for _, p in _piles(setup))


def _cards(rules: Rules, setup: Setup) -> Iterator[Fault]:
    """J2.1, J5.X: every card in force once."""
    if setup.phase == Phase.DEALER or _is_undealt(setup):
        return
    known = _KNOWN[rules.joker]
    held = [card for _, cards in _piles(setup) for card in cards]
    if len(held) == len(known) and set(held) == known:
        return
    seen: dict[int, str] = {}
    for pile, cards in _piles(setup):
        for index, card in enumerate(cards):
            path = f"{pile}[{index}]"
            if card not in known:
                yield Fault(path, Reason.VALUE_UNKNOWN, "not a card of this deck", "J2.1")
            elif card in seen:
                yield Fault(path, Reason.DUPLICATE, f"{NAMES[card]} also at {seen[card]}", "J2.1")
            seen.setdefault(card, path)
    missing = [NAMES[card] for card in deck(rules) if card not in seen]
    if missing:
        detail = "neither held nor undealt nor discarded: " + " ".join(missing)
        yield Fault("sides", Reason.CARD_MISSING, detail, "J2.1")


def _hands(rules: Rules, setup: Setup) -> Iterator[Fault]:
    """J2.2, J2.3: as many undealt cards as the schedule leaves, and no hand larger than dealt."""
    if setup.phase in (Phase.DEALER, Phase.DEAL):
        yield from _no_hands(rules, setup)
        return
    index = hand_index(rules, len(setup.deck))
    if index is None:
        detail = f"{len(setup.deck)} undealt cards are left by no hand of the schedule"
        yield Fault("deck", Reason.COUNT_WRONG, detail, "J2.2")
        return
    for seat, side in enumerate(setup.sides):
        if len(side.hand) > rules.deal[index]:
            detail = f"{len(side.hand)} cards in a hand of {rules.deal[index]}"
            yield Fault(f"sides[{seat}].hand", Reason.COUNT_WRONG, detail, "J2.2")
    first = None if setup.dealer is None else (setup.dealer + 1) % rules.seats
    full = all(len(side.hand) == rules.deal[index] for side in setup.sides)
    if full and setup.to_act is not None and setup.to_act != first:
        yield Fault("to_act", Reason.PHASE_INCONSISTENT, "dealer + 1 starts a hand", "J2.4")


def _no_hands(rules: Rules, setup: Setup) -> Iterator[Fault]:
    """J2.2: a shuffle is due when all hands are empty; the leftovers stay in the deck till then."""
    for seat, side in enumerate(setup.sides):
        if side.hand:
            detail = "no hand is held before a shuffle"
            yield Fault(f"sides[{seat}].hand", Reason.COUNT_WRONG, detail, "J2.2")
    if setup.phase == Phase.DEALER:
        for path, cards in (("deck", setup.deck), ("discard", setup.discard)):
            if cards:
                yield Fault(path, Reason.COUNT_WRONG, "no card is in play yet", "J2.9")
        return
    left = 52 - rules.seats * sum(rules.deal)
    if not _is_undealt(setup) and len(setup.deck) != left:
        detail = f"{len(setup.deck)} undealt cards, not the {left} left over"
        yield Fault("deck", Reason.COUNT_WRONG, detail, "J2.3")


def _waiting(rules: Rules, setup: Setup) -> Iterator[Fault]:
    """What the phase waits for must be able to come."""
    if setup.phase == Phase.DEALER and not isinstance(rules.dealer, Drawn):
        yield Fault("phase", Reason.PHASE_INCONSISTENT, "the rules name the dealer", "J2.9")
    if _is_undealt(setup):
        yield from _beginning(rules, setup)
    seat = setup.to_act
    if setup.phase not in (Phase.PLAY, Phase.ANSWER) or seat is None:
        return
    if 0 <= seat < len(setup.sides) and not setup.sides[seat].hand:
        yield Fault("to_act", Reason.PHASE_INCONSISTENT, f"seat {seat} has no cards", "J2.6")
    if setup.phase == Phase.ANSWER:
        yield from _answer(rules, setup)


def _beginning(rules: Rules, setup: Setup) -> Iterator[Fault]:
    """J1.3, J2.9: before the first shuffle nothing has moved, and the dealer is the first."""
    bases = geometry(rules).bases
    for seat, side in enumerate(setup.sides):
        for number, cell in enumerate(side.marbles):
            if cell != bases + 4 * seat + number:
                path = f"sides[{seat}].marbles[{number}]"
                detail = "every marble is in its base before the first shuffle"
                yield Fault(path, Reason.PHASE_INCONSISTENT, detail, "J1.3")
    named = None if isinstance(rules.dealer, Drawn) else rules.dealer
    if setup.dealer is not None and named is not None and setup.dealer != named:
        yield Fault("dealer", Reason.PHASE_INCONSISTENT, f"the rules name seat {named}", "J2.9")


def _answer(rules: Rules, setup: Setup) -> Iterator[Fault]:
    """J5.10: only a Ten just played asks for a burn."""
    if rules.ten != TenOption.SKIP_CHOICE:
        yield Fault("phase", Reason.PHASE_INCONSISTENT, "ten is not skip_choice", "J5.10")
    last = setup.discard[-1] if setup.discard else 0
    if last != JOKER and not (1 <= last < JOKER and rank(last) == TEN):
        detail = "the last card played is no Ten"
        yield Fault("discard", Reason.PHASE_INCONSISTENT, detail, "J5.10")


def _end(rules: Rules, setup: Setup) -> Iterator[Fault]:
    """J1.9: the game is over exactly when a team is home."""
    if len(setup.sides) != rules.seats or any(len(s.marbles) != 4 for s in setup.sides):
        return
    won = winners(rules, tuple(cell for side in setup.sides for cell in side.marbles))
    if setup.phase == Phase.OVER and not won:
        yield Fault("phase", Reason.PHASE_INCONSISTENT, "no team is home", "J1.9")
    if setup.phase != Phase.OVER and won:
        detail = f"seats {won[0]} and {won[1]} are home"
        yield Fault("phase", Reason.PHASE_INCONSISTENT, detail, "J1.9")
