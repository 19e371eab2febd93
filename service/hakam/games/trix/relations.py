"""What the fields of a deal under way must say of each other.

Each check runs wherever the fields that it reads are present and in range, whatever other faults
a setup has; so nothing here may trust a number.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from hakam.games.cards import HEARTS, JACK, NAMES, card, rank
from hakam.games.game import Drawn, Fault
from hakam.games.reasons import Reason
from hakam.games.trix.contracts import TRIX
from hakam.games.trix.layout import NEEDS
from hakam.games.trix.rules import Rules, contracts
from hakam.games.trix.state import CONTRACT, DOUBLE, PLAY, Setup
from hakam.games.trix.tricks import SUIT, is_scoring_left, pile_tricks

__all__ = ["relation_faults"]

_SEVEN_OF_HEARTS: Final = card(5, HEARTS)


def relation_faults(rules: Rules, setup: Setup) -> Iterator[Fault]:
    """Every contradiction between owner, seat to act, hands, trick, piles, layout and doublings."""
    if len(setup.hands) != 4 or len(setup.taken) != 4:
        return
    if setup.phase in (CONTRACT, DOUBLE):
        yield from _size_faults(setup, (13, 13, 13, 13))
    elif setup.phase == PLAY and setup.contract == TRIX:
        yield from _trix_faults(setup)
    elif setup.phase == PLAY and setup.contract in contracts(rules):
        yield from _trick_faults(rules, setup)
    yield from _first_owner_faults(rules, setup)
    yield from _doubler_faults(setup)


def _is_seat(value: int | None) -> bool:
    return value is not None and 0 <= value < 4


def _is_card(value: int) -> bool:
    return 1 <= value <= 52


def _suit(value: int) -> int:
    return SUIT[value] if _is_card(value) else -1


def _size_faults(setup: Setup, sizes: Sequence[int]) -> Iterator[Fault]:
    for seat, hand in enumerate(setup.hands):
        if len(hand) != sizes[seat]:
            detail = f"{len(hand)} cards, must be {sizes[seat]}"
            yield Fault(f"hands[{seat}].cards", Reason.COUNT_WRONG, detail, "T2.1")


def _trick_faults(rules: Rules, setup: Setup) -> Iterator[Fault]:
    for seat, pile in enumerate(setup.taken):
        if len(pile) % 4:
            detail = f"{len(pile)} cards are no whole tricks"
            yield Fault(f"taken[{seat}].cards", Reason.COUNT_WRONG, detail, "T2.3")
    if len(setup.trick) > 3:
        detail = f"{len(setup.trick)} cards, a fourth completes it"
        yield Fault("trick", Reason.LENGTH_OUT_OF_RANGE, detail, "T2.1")
    elif setup.to_act is not None and _is_seat(setup.to_act):
        yield from _leader_faults(setup, (setup.to_act - len(setup.trick)) % 4)
    yield from _end_faults(rules, setup)


def _leader_faults(setup: Setup, leader: int) -> Iterator[Fault]:
    tricks = sum([len(pile) // 4 for pile in setup.taken])
    played = [(leader + n) % 4 for n in range(len(setup.trick))]
    yield from _size_faults(setup, [13 - tricks - (seat in played) for seat in range(4)])
    if tricks == 0 and _is_seat(setup.owner) and leader != setup.owner:
        detail = f"seat {leader} leads the first trick, not the owner"
        yield Fault("to_act", Reason.PHASE_INCONSISTENT, detail, "T2.1")
    if tricks > 0 and not setup.taken[leader]:
        detail = f"seat {leader} leads and took no trick"
        yield Fault("to_act", Reason.PHASE_INCONSISTENT, detail, "T2.3")
    for n, seat in list(enumerate(played))[1:]:
        led = _suit(setup.trick[0])
        if _suit(setup.trick[n]) != led and led in [_suit(c) for c in setup.hands[seat]]:
            detail = f"seat {seat} still holds the suit led"
            yield Fault(f"trick[{n}]", Reason.MUST_FOLLOW_SUIT, detail, "T2.2")


def _end_faults(rules: Rules, setup: Setup) -> Iterator[Fault]:
    held = [[c for c in cards if _is_card(c)] for cards in (*setup.hands, setup.trick)]
    if not any(held):
        yield Fault("phase", Reason.PHASE_INCONSISTENT, "no card is left to play", "T2.4")
    elif not rules.play_out and not is_scoring_left(setup.contract, held):
        yield Fault("phase", Reason.PHASE_INCONSISTENT, "nothing is left to score", "T2.4")


def _trix_faults(setup: Setup) -> Iterator[Fault]:
    for seat, hand in enumerate(setup.hands):
        if len(hand) > 13:
            detail = f"{len(hand)} of at most 13"
            yield Fault(f"hands[{seat}].cards", Reason.COUNT_WRONG, detail, "T5.1")
        if bool(hand) == (seat in setup.out):
            detail = f"seat {seat} has {len(hand)} cards"
            yield Fault("out", Reason.PHASE_INCONSISTENT, detail, "T5.5")
    for n, c in enumerate(setup.layout):
        if _is_card(c) and NEEDS[c] and NEEDS[c] not in setup.layout:
            detail = f"{NAMES[c]} without {NAMES[NEEDS[c]]}"
            yield Fault(f"layout[{n}]", Reason.CARD_NOT_PLAYABLE, detail, "T5.2")
        if n and c <= setup.layout[n - 1]:
            yield Fault(f"layout[{n}]", Reason.CARDS_OUT_OF_ORDER, "cards must ascend")
    if setup.to_act is not None and _is_seat(setup.to_act):
        yield from _turn_faults(setup, setup.to_act)


def _turn_faults(setup: Setup, seat: int) -> Iterator[Fault]:
    lies = (0, *setup.layout)
    if not any(_is_card(c) and NEEDS[c] in lies for c in setup.hands[seat]):
        detail = f"seat {seat} can play nothing"
        yield Fault("to_act", Reason.CARD_NOT_PLAYABLE, detail, "T5.4")
    if setup.layout or setup.owner is None or not _is_seat(setup.owner):
        return
    for before in range((seat - setup.owner) % 4):
        passed = (setup.owner + before) % 4
        if any(_is_card(c) and rank(c) == JACK for c in setup.hands[passed]):
            detail = f"seat {passed} has a jack and is before seat {seat}"
            yield Fault("to_act", Reason.PHASE_INCONSISTENT, detail, "T5.3")


def _first_owner_faults(rules: Rules, setup: Setup) -> Iterator[Fault]:
    """T1.2: in the first deal the owner was dealt the seven of hearts, where that can be seen."""
    if not isinstance(rules.first_owner, Drawn) or setup.sheet or not _is_seat(setup.owner):
        return
    holders = _holders(setup, _SEVEN_OF_HEARTS)
    if holders and setup.owner not in holders:
        detail = f"{setup.owner}, but seat {holders[0]} was dealt the seven of hearts"
        yield Fault("owner", Reason.PHASE_INCONSISTENT, detail, "T1.2")


def _doubler_faults(setup: Setup) -> Iterator[Fault]:
    """T4.1: a card is doubled by its holder, in its turn to answer."""
    for n, doubled in enumerate(setup.doubled):
        path = f"doubled[{n}].seat"
        holders = _holders(setup, doubled.card)
        if holders and doubled.seat not in holders:
            detail = f"{doubled.seat}, but seat {holders[0]} was dealt card {doubled.card}"
            yield Fault(path, Reason.PHASE_INCONSISTENT, detail, "T4.1")
        if setup.phase == DOUBLE and not _has_answered(setup, doubled.seat):
            detail = f"seat {doubled.seat} has not answered yet"
            yield Fault(path, Reason.PHASE_INCONSISTENT, detail, "T4.2")


def _has_answered(setup: Setup, seat: int) -> bool:
    if setup.owner is None or setup.to_act is None:
        return True
    return (seat - setup.owner) % 4 < (setup.to_act - setup.owner) % 4


def _holders(setup: Setup, wanted: int) -> list[int]:
    """The seats that were dealt a card, by all places where it is; none if that cannot be told."""
    holders = [seat for seat, hand in enumerate(setup.hands) if wanted in hand]
    if wanted in setup.trick and setup.to_act is not None:
        holders.append((setup.to_act - len(setup.trick) + setup.trick.index(wanted)) % 4)
    for taker, pile in enumerate(setup.taken):
        if wanted in pile and len(pile) % 4 == 0 and all(_is_card(c) for c in pile):
            tricks = pile_tricks(pile, taker)
            holders.extend([(lead + t.index(wanted)) % 4 for lead, t in tricks if wanted in t])
    return holders
