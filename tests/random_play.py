"""Random play over every registered game: what the tests of all shared layers are driven by."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from hakam import chance, referee
from hakam.games import cards
from hakam.games.game import ChanceDue, ChanceKind, ChanceOutcome, Option, OptionKind
from hakam.games.options import choices, option_text, rules_text
from hakam.games.registry import GAMES
from hakam.record import Record
from hakam.referee import SUPPLIED, AnyGame, Chance, ChanceSource, GameState, Move, Seeded

__all__ = [
    "RULE_SETS",
    "VARIANTS",
    "Playthrough",
    "as_chance",
    "case_ids",
    "drawn_outcome",
    "play",
    "random_chance",
    "record_of",
    "seeded",
    "supply",
]

Case = tuple[AnyGame, Any]

# A random game of any kind ends long before this; a test fails where one does not.
_LIMIT = 60_000


@dataclass(frozen=True)
class Playthrough:
    """A random game: the states from the first to the last, and what led from each to the next."""

    states: tuple[GameState, ...]
    moves: tuple[Move, ...]
    events: tuple[Any, ...]

    @property
    def end(self) -> GameState:
        return self.states[-1]


def _rule_sets() -> Iterator[Case]:
    for game in GAMES.values():
        for rules in game.CATALOGUE.rule_sets.values():
            yield game, rules


def _values(game: AnyGame, rules: Any, option: Option) -> Iterator[Any]:
    """Values of an option that are worth a try, whatever its neighbours say to them."""
    if option.kind is OptionKind.BOOL:
        yield from (False, True)
    if option.kind in (OptionKind.CHOICE, OptionKind.SEAT):
        yield from choices(game.CATALOGUE, option).values()
    if option.kind is OptionKind.SEAT:
        yield from range(game.seats(rules))
    if option.kind is OptionKind.INT:
        yield from (option.low, option.high)
    if option.kind is OptionKind.INT_LIST:
        yield from ((max(option.low, 1),), (max(option.low, 1),) * min(option.max_items, 3))


def _variants() -> Iterator[Case]:
    """Every rule set, and every rule set with one option changed.

    Where that alone makes no sense (more seats than the deal has cards for), lists become short.
    """
    for game, rules in _rule_sets():
        yield game, rules
        for option in game.CATALOGUE.options:
            for value in _values(game, rules, option):
                alone = replace(rules, **{option.name: value})
                sound = [r for r in (alone, _with_short_lists(game, alone)) if _is_sound(game, r)]
                if repr(alone) != repr(rules) and sound:
                    yield game, sound[0]


def _with_short_lists(game: AnyGame, rules: Any) -> Any:
    lists = [o.name for o in game.CATALOGUE.options if o.kind is OptionKind.INT_LIST]
    return replace(rules, **dict.fromkeys(lists, (1,)))


def _is_sound(game: AnyGame, rules: Any) -> bool:
    return not game.rules_faults(rules)


RULE_SETS = tuple(_rule_sets())
VARIANTS = tuple(_variants())


def case_ids(cases: tuple[Case, ...]) -> list[str]:
    """Test ids: the game, the rule set and what differs from it."""
    ids = []
    for game, rules in cases:
        base = game.CATALOGUE.rule_sets[rules.rule_set]
        changed = [
            f"{option.name}={option_text(getattr(rules, option.name))}"
            for option in game.CATALOGUE.options
            if repr(getattr(rules, option.name)) != repr(getattr(base, option.name))
        ]
        ids.append("-".join([game.CATALOGUE.id, rules.rule_set, *changed]))
    return ids


def seeded(random: Random, entropy: int = 2) -> Seeded:
    """A fresh source; the seed is as weak as the generator, which is all a test needs."""
    seed = random.randbytes(32)
    given = tuple(random.randbytes(random.randint(1, 64)) for _ in range(entropy))
    return Seeded(seed, given, 0, chance.commitment(seed))


def random_chance(random: Random, due: ChanceDue) -> Chance:
    """An outcome of the kind and shape that is due."""
    if due.kind is ChanceKind.THROW:
        return as_chance(due, random.randrange(5))
    if due.kind is ChanceKind.SEAT:
        return as_chance(due, random.randrange(due.seats))
    return as_chance(due, tuple(random.sample(due.deck, len(due.deck))))


def as_chance(due: ChanceDue, outcome: ChanceOutcome) -> Chance:
    """The outcome as a chance move that a caller could bring."""
    if isinstance(outcome, int):
        return Chance(due.kind, outcome)
    hands, rest = cards.deal(outcome, due.seats, due.first, due.per_seat)
    return Chance(due.kind, hands=hands, rest=rest)


def drawn_outcome(state: GameState, source: Seeded, event: int) -> Chance:
    """What the seed brings as event number `event`, which is due in the position of `state`."""
    due = state.game.chance_due(state.rules, state.position)
    assert due is not None
    rules = rules_text(state.game.CATALOGUE, state.rules).encode()
    key = chance.game_key(source.seed, rules, source.entropy)
    return as_chance(due, chance.draw(key, event, due))


def play(game: AnyGame, rules: Any, source: ChanceSource, random: Random) -> Playthrough:
    """A whole game, every choice random."""
    state, events = referee.new_game(game, rules, source)
    states, moves, happened = [state], [], list(events)
    while referee.outcome(state) is None:
        due = referee.chance_due(state)
        legal = referee.legal_moves(state)
        move = random.choice(legal) if due is None else random_chance(random, due)
        state, events = referee.apply(state, move)
        states.append(state)
        moves.append(move)
        happened += events
        assert len(moves) < _LIMIT
    return Playthrough(tuple(states), tuple(moves), tuple(happened))


def supply(game: AnyGame, rules: Any, source: Seeded, moves: tuple[Move, ...]) -> Playthrough:
    """The seeded game of `moves` once more, every outcome of its seed brought by hand."""
    state, events = referee.new_game(game, rules, SUPPLIED)
    states, played, happened = [state], [], list(events)
    drawn, left = 0, deque(moves)
    while True:
        due = referee.chance_due(state)
        by_seat = due is None or due.asked_by is not None
        if by_seat and not left:
            break
        move: Move = left.popleft() if by_seat else None
        if due is not None:
            move = drawn_outcome(state, source, drawn)
            drawn += 1
        state, events = referee.apply(state, move)
        states.append(state)
        played.append(move)
        happened += events
    return Playthrough(tuple(states), tuple(played), tuple(happened))


def record_of(played: Playthrough) -> Record:
    """The record of a playthrough, with all that can be compared."""
    source = played.end.chance
    seed = source if isinstance(source, Seeded) else None
    return Record(
        played.end.game,
        played.end.rules,
        seed=seed.seed if seed else None,
        entropy=seed.entropy if seed else (),
        outcomes=tuple(move for move in played.moves if isinstance(move, Chance)),
        moves=tuple(move for move in played.moves if not isinstance(move, Chance)),
        commitment=seed.commitment if seed else b"",
        view_digest=referee.view_digest(played.end),
    )
