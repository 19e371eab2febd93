"""What the tests of Trix share: positions written short, and games played at random."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from hakam.games import trix
from hakam.games.cards import DECK, order_of_deal, read_card, read_cards
from hakam.games.trix.contracts import TRIX, Contract
from hakam.games.trix.events import Event
from hakam.games.trix.moves import Double, Move, Play
from hakam.games.trix.rules import RULE_SETS, Doubling, Rules
from hakam.games.trix.state import Phase, SeatCard, Setup, SheetDeal, State

STANDARD = RULE_SETS["standard"]
SUITS = (
    "2C3C4C5C6C7C8C9CTCJCQCKCAC",
    "2D3D4D5D6D7D8D9DTDJDQDKDAD",
    "2H3H4H5H6H7H8H9HTHJHQHKHAH",
    "2S3S4S5S6S7S8S9STSJSQSKSAS",
)

# Every rule set, and the options that no rule set has.
VARIANTS = {
    **RULE_SETS,
    "no doubling": replace(STANDARD, doubling=Doubling.OFF),
    "played out": replace(STANDARD, play_out=True, first_owner=2),
}


def owned_by(owner: int, rules: Rules = STANDARD) -> Rules:
    """The rules with the first kingdom given to a seat."""
    return replace(rules, first_owner=owner)


def cards(text: str) -> tuple[int, ...]:
    return read_cards(text)


def card(text: str) -> int:
    return read_card(text)


def play(text: str) -> Play:
    return Play(read_card(text))


def double(text: str = "") -> Double:
    return Double(read_cards(text))


def doubled_cards(text: str) -> tuple[SeatCard, ...]:
    """`QC1QS3`: the cards with the seats that doubled them."""
    return tuple(
        SeatCard(read_card(text[n : n + 2]), int(text[n + 2])) for n in range(0, len(text), 3)
    )


def valid(rules: Rules, setup: Setup) -> State:
    found = trix.validate(rules, setup)
    assert isinstance(found, State), found
    return found


def at(text: str, rules: Rules = STANDARD) -> State:
    """The state that a position text spells."""
    return valid(rules, trix.read_position(rules, text))


def dealt(
    *hands: str, rules: Rules = STANDARD, sheet: tuple[SheetDeal, ...] = (), owner: int = 0
) -> State:
    """A state in which the owner is to choose, with these hands (a suit a seat if not given)."""
    held = tuple(cards(hand) for hand in hands or SUITS)
    drawn = replace(rules, first_owner=(owner - len(sheet) // 5) % 4)
    due = valid(
        drawn, Setup(Phase.DEAL, sheet, owner, 0, None, ((),) * 4, (), (), ((),) * 4, (), ())
    )
    first = trix.chance_due(drawn, due)
    assert first is not None
    return trix.resolve(drawn, due, order_of_deal(held, (), first.first))[0]


def in_tricks(
    contract: Contract,
    hands: tuple[str, str, str, str],
    *,
    to_act: int = 0,
    trick: str = "",
    doubled: str = "",
    rules: Rules = STANDARD,
) -> State:
    """A deal of tricks, the first, owned by seat 0; whoever leads took all that is gone."""
    held = tuple(cards(hand) for hand in hands)
    table = cards(trick)
    gone = tuple(c for c in DECK if c not in table and not any(c in hand for hand in held))
    leader = (to_act - len(table)) % 4
    taken = tuple(gone if seat == leader else () for seat in range(4))
    setup = Setup(
        Phase.PLAY, (), 0, contract, to_act, held, doubled_cards(doubled), table, taken, (), ()
    )
    return valid(owned_by(0, rules), setup)


def in_trix(
    hands: tuple[str, str, str, str],
    *,
    to_act: int = 0,
    out: tuple[int, ...] = (),
    rules: Rules = STANDARD,
) -> State:
    """A deal of Trix, the first, owned by seat 0; what nobody holds is laid."""
    held = tuple(cards(hand) for hand in hands)
    laid = tuple(c for c in DECK if not any(c in hand for hand in held))
    setup = Setup(Phase.PLAY, (), 0, TRIX, to_act, held, (), (), ((),) * 4, laid, out)
    return valid(owned_by(0, rules), setup)


def moves(rules: Rules, state: State) -> list[str]:
    """The legal moves as text, in their order."""
    return [trix.write_move(rules, move) for move in trix.legal_moves(rules, state)]


def run(rules: Rules, state: State, *texts: str) -> tuple[State, list[Event]]:
    """The state after some moves, each checked, and all that happened."""
    happened: list[Event] = []
    for text in texts:
        move = trix.read_move(rules, text)
        assert trix.violation(rules, state, move) is None, text
        state, events = trix.apply(rules, state, move)
        happened.extend(events)
    return state, happened


@dataclass(frozen=True)
class Step:
    """One step of a game: a move, or the order of a deck where `move` is None."""

    before: State
    move: Move | None
    order: tuple[int, ...]
    after: State
    events: tuple[Event, ...]


def random_game(rules: Rules, seed: int | str) -> Iterator[Step]:
    """A game with random deals and random moves, step by step to its end."""
    rng = Random(seed)
    state = trix.initial(rules)
    while trix.outcome(rules, state) is None:
        step = _random_step(rules, state, rng)
        yield step
        state = step.after


def _random_step(rules: Rules, state: State, rng: Random) -> Step:
    due = trix.chance_due(rules, state)
    if due is not None:
        order = tuple(rng.sample(due.deck, len(due.deck)))
        return Step(state, None, order, *trix.resolve(rules, state, order))
    move = rng.choice(trix.legal_moves(rules, state))
    return Step(state, move, (), *trix.apply(rules, state, move))
