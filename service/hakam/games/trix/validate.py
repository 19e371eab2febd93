"""From `Setup` to `State`: the only bridge, and it names every fault at once.

A position need not be reachable: past tricks are not replayed, and only what the tables, hands
and piles show together is judged. That a deal is fair is shown by replay, not by looking at it.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from hakam.games.cards import DECK, NAMES
from hakam.games.game import Drawn, Fault
from hakam.games.reasons import Reason
from hakam.games.trix.contracts import TRIX
from hakam.games.trix.layout import layout_cards
from hakam.games.trix.play import is_doubled_in
from hakam.games.trix.relations import relation_faults
from hakam.games.trix.rules import Rules, contracts, deals
from hakam.games.trix.sheet import contract_faults, doubling_faults, sheet_faults
from hakam.games.trix.state import (
    CONTRACT,
    DEAL,
    DOUBLE,
    EMPTY,
    NOBODY,
    OVER,
    PLAY,
    Phase,
    Setup,
    State,
)

__all__ = ["setup", "validate"]

_FIELDS: Final = ("hands", "doubled", "trick", "taken", "layout", "out")
# What may be on the table in a phase; PLAY depends on the contract.
_IN_PHASE: Final[tuple[tuple[str, ...], ...]] = (
    (),
    (),
    ("hands",),
    ("hands", "doubled"),
    (),
    (),
)
_PHASES: Final = frozenset([int(phase) for phase in Phase])
_DECK: Final = frozenset(DECK)
_IN_TRICKS: Final = ("hands", "doubled", "trick", "taken")
_IN_TRIX: Final = ("hands", "layout", "out")


def validate(rules: Rules, setup: Setup) -> State | tuple[Fault, ...]:
    """The setup as a state, or every fault that it has. Never raises."""
    faults = tuple(_faults(rules, setup))
    return faults or _state(setup)


def _state(setup: Setup) -> State:
    layout = EMPTY
    for c in setup.layout:
        layout |= 1 << c
    return State(
        setup.phase,
        setup.sheet,
        NOBODY if setup.owner is None else setup.owner,
        contract=setup.contract,
        to_act=NOBODY if setup.to_act is None else setup.to_act,
        hands=setup.hands,
        doubled=setup.doubled,
        trick=setup.trick,
        taken=setup.taken,
        layout=layout,
        out=setup.out,
    )


def setup(_rules: Rules, state: State) -> Setup:
    """The state as plain fields: the inverse of `validate`."""
    return Setup(
        state.phase,
        state.sheet,
        None if state.owner == NOBODY else state.owner,
        state.contract,
        None if state.to_act == NOBODY else state.to_act,
        state.hands,
        state.doubled,
        state.trick,
        state.taken,
        layout_cards(state.layout),
        state.out,
    )


def _faults(rules: Rules, setup: Setup) -> Iterator[Fault]:
    yield from _phase_faults(rules, setup)
    yield from sheet_faults(rules, setup.sheet)
    yield from _owner_faults(rules, setup)
    yield from _contract_faults(rules, setup)
    yield from _to_act_faults(setup)
    yield from _card_faults(setup)
    yield from _field_faults(setup)
    if setup.doubled:
        yield from doubling_faults(rules, "", setup.contract, setup.doubled)
    yield from _out_faults(setup)
    yield from relation_faults(rules, setup)


def _phase_faults(rules: Rules, setup: Setup) -> Iterator[Fault]:
    if setup.phase not in _PHASES:
        names = tuple([p.name.lower() for p in Phase])
        yield Fault("phase", Reason.VALUE_UNKNOWN, f"{setup.phase} is no phase", "T6.1", names)
    elif (setup.phase == OVER) != (len(setup.sheet) >= deals(rules)):
        detail = f"{len(setup.sheet)} of {deals(rules)} deals are on the sheet"
        yield Fault("phase", Reason.PHASE_INCONSISTENT, detail, "T1.4")


def _owner_faults(rules: Rules, setup: Setup) -> Iterator[Fault]:
    first = rules.first_owner
    if setup.owner is None:
        if not (isinstance(first, Drawn) and setup.phase == DEAL and not setup.sheet):
            yield Fault("owner", Reason.FIELD_MISSING, "required in this phase", "T1.1")
    elif not 0 <= setup.owner < 4:
        detail = f"{setup.owner}, seats are 0 to 3"
        yield Fault("owner", Reason.VALUE_OUT_OF_RANGE, detail, "T1.1")
    elif isinstance(first, Drawn):
        if setup.phase == DEAL and not setup.sheet:
            yield Fault("owner", Reason.FIELD_NOT_ALLOWED, "the first deal finds the owner", "T1.2")
    else:
        kingdom = min(len(setup.sheet) // len(contracts(rules)), 3)
        owner = (first + kingdom) % 4
        if setup.owner != owner:
            detail = f"{setup.owner}, but seat {owner} owns kingdom {kingdom + 1}"
            yield Fault("owner", Reason.PHASE_INCONSISTENT, detail, "T1.3")


def _contract_faults(rules: Rules, setup: Setup) -> Iterator[Fault]:
    if setup.phase in (DEAL, CONTRACT, OVER):
        if setup.contract:
            yield Fault("contract", Reason.FIELD_NOT_ALLOWED, "not in this phase", "T6.1")
    elif setup.phase in (DOUBLE, PLAY):
        kingdom = len(contracts(rules))
        before = setup.sheet[len(setup.sheet) // kingdom * kingdom :]
        yield from contract_faults(rules, "contract", setup.contract, before)
        if setup.phase == DOUBLE and setup.contract in contracts(rules):
            yield from _double_faults(rules, setup)


def _double_faults(rules: Rules, setup: Setup) -> Iterator[Fault]:
    if not is_doubled_in(rules, setup.contract):
        detail = f"contract {setup.contract} is not doubled"
        yield Fault("phase", Reason.PHASE_INCONSISTENT, detail, "T4.2")


def _to_act_faults(setup: Setup) -> Iterator[Fault]:
    due = setup.phase in (CONTRACT, DOUBLE, PLAY)
    if setup.to_act is None:
        if due:
            yield Fault("to_act", Reason.FIELD_MISSING, "required in this phase", "T6.1")
    elif setup.phase in (DEAL, OVER):
        yield Fault("to_act", Reason.FIELD_NOT_ALLOWED, "not in this phase", "T6.1")
    elif not 0 <= setup.to_act < 4:
        detail = f"{setup.to_act}, seats are 0 to 3"
        yield Fault("to_act", Reason.VALUE_OUT_OF_RANGE, detail)
    elif setup.phase == CONTRACT and setup.owner is not None and setup.to_act != setup.owner:
        detail = f"{setup.to_act}, but seat {setup.owner} chooses"
        yield Fault("to_act", Reason.PHASE_INCONSISTENT, detail, "T1.1")


def _card_faults(setup: Setup) -> Iterator[Fault]:
    """Fifty-two cards, each exactly once over hands, table, piles and layout."""
    for name, piles in (("hands", setup.hands), ("taken", setup.taken)):
        if len(piles) != 4:
            yield Fault(name, Reason.COUNT_WRONG, f"{len(piles)} of 4 seats")
    held = [c for _, cards in _places(setup) for c in cards]
    if len(held) == len(DECK) and set(held) == _DECK:
        return
    seen: set[int] = set()
    for path, cards in _places(setup):
        for n, c in enumerate(cards):
            if not 1 <= c <= 52:
                yield Fault(f"{path}[{n}]", Reason.VALUE_UNKNOWN, f"{c} is no card of the deck")
            elif c in seen:
                yield Fault(f"{path}[{n}]", Reason.DUPLICATE, f"{NAMES[c]} twice")
            seen.add(c)
    if setup.phase in (CONTRACT, DOUBLE, PLAY):
        missing = " ".join([NAMES[c] for c in DECK if c not in seen])
        if missing:
            yield Fault("hands", Reason.CARD_MISSING, f"nowhere: {missing}")


def _places(setup: Setup) -> Iterator[tuple[str, Sequence[int]]]:
    for seat, hand in enumerate(setup.hands):
        yield f"hands[{seat}].cards", hand
    yield "trick", setup.trick
    for seat, pile in enumerate(setup.taken):
        yield f"taken[{seat}].cards", pile
    yield "layout", setup.layout


def _field_faults(setup: Setup) -> Iterator[Fault]:
    if setup.phase not in _PHASES:
        return
    allowed = _IN_PHASE[setup.phase]
    if setup.phase == PLAY:
        allowed = _IN_TRIX if setup.contract == TRIX else _IN_TRICKS
    present = (
        any(setup.hands),
        bool(setup.doubled),
        bool(setup.trick),
        any(setup.taken),
        bool(setup.layout),
        bool(setup.out),
    )
    for name, is_present in zip(_FIELDS, present, strict=True):
        if is_present and name not in allowed:
            yield Fault(name, Reason.FIELD_NOT_ALLOWED, "not in this phase", "T6.1")


def _out_faults(setup: Setup) -> Iterator[Fault]:
    if len(setup.out) > 2:
        detail = f"{len(setup.out)}, the third ends the deal"
        yield Fault("out", Reason.LENGTH_OUT_OF_RANGE, detail, "T5.5")
    for n, seat in enumerate(setup.out):
        if not 0 <= seat < 4:
            detail = f"{seat}, seats are 0 to 3"
            yield Fault(f"out[{n}]", Reason.VALUE_OUT_OF_RANGE, detail)
        elif seat in setup.out[:n]:
            yield Fault(f"out[{n}]", Reason.DUPLICATE, f"seat {seat} twice", "T5.5")
