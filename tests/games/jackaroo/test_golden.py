"""Whole games as committed text, replayed move by move.

The first line is the canonical text of the rules. `dealer` and `shuffle` lines are chance, every
other line is a move; a `position` line says where the game stands before each shuffle and at the
end, and `events` is the SHA-256 of all events, one a line.
"""

from collections import Counter
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from hakam.games import jackaroo
from hakam.games.cards import JOKER, NAMES, read_cards
from hakam.games.game import GameOver
from hakam.games.jackaroo.events import Captured, Event, Passed, SeatHome, Skipped, Swapped
from hakam.games.jackaroo.moves import BringOut, Burn, Hit, Move, Split, Step, Swap, Take
from hakam.games.jackaroo.rules import RULE_SETS, Rules
from hakam.games.jackaroo.state import Phase, State
from hakam.games.options import option_value, rules_text

GOLDENS = Path(__file__).parent / "goldens"
NAMED = sorted(path.stem for path in GOLDENS.glob("*.txt"))
Ply = tuple[State, Move, tuple[Event, ...]]


def rules_of(line: str) -> Rules:
    given = dict(item.split("=") for item in line.split())
    options: dict[str, Any] = {
        option.name: option_value(jackaroo.CATALOGUE, option, given[option.name])
        for option in jackaroo.CATALOGUE.options
    }
    rules = replace(RULE_SETS[given["rule_set"]], **options)
    assert rules_text(jackaroo.CATALOGUE, rules) == line
    return rules


def chance(rules: Rules, state: State, word: str, rest: str) -> tuple[State, tuple[Event, ...]]:
    outcome = int(rest) if word == "dealer" else read_cards(rest)
    return jackaroo.resolve(rules, state, outcome)


def replay(name: str) -> tuple[Rules, list[Ply], list[Event]]:
    """Play the file, checking every line; returns the rules, the moves and all events."""
    first, *lines = (GOLDENS / f"{name}.txt").read_text("ascii").splitlines()
    rules = rules_of(first)
    state = jackaroo.initial(rules)
    plies: list[Ply] = []
    happened: list[Event] = []
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "position":
            assert jackaroo.write_position(rules, state) == rest
            continue
        if word == "events":
            assert sha256("\n".join(map(repr, happened)).encode()).hexdigest() == rest
            continue
        events: tuple[Event, ...]
        if word in ("dealer", "shuffle"):
            state, events = chance(rules, state, word, rest)
        else:
            move = jackaroo.read_move(rules, line)
            assert jackaroo.violation(rules, state, move) is None
            before = state
            state, events = jackaroo.apply(rules, state, move)
            plies.append((before, move, events))
        happened += events
    assert state.phase is Phase.OVER
    assert lines[-1].startswith("events ")
    return rules, plies, happened


@pytest.mark.clause("J9.1", "J1.9")
@pytest.mark.parametrize("name", NAMED)
def test_the_committed_game_is_played_as_before(name: str) -> None:
    _, plies, happened = replay(name)
    assert len(plies) > 200
    assert isinstance(happened[-1], GameOver)


def power_of(rules: Rules, state: State, move: Move) -> str:
    """What a move uses, in a word: the rank (and colour where it matters) and the action."""
    if isinstance(move, Burn):
        return "answer" if state.phase is Phase.ANSWER else "burn"
    card = NAMES[move.face or move.card]
    rank = card[0] + ("" if card[0] not in "JQ" else "red" if card[1] in "DH" else "black")
    match move:
        case BringOut():
            return f"{rank} out"
        case Hit():
            return f"{rank} hit {'choice' if move.position is None else 'blind'}"
        case Take():
            return f"{rank} take"
        case Swap():
            return f"{rank} swap {rules.jack.name.lower()}"
        case Split():
            return "7 split " + ("over one seat" if move.seat == move.other_seat else "over two")
    if card[0] == "5":
        distance = (move.seat - (state.to_act or 0)) % rules.seats
        return "5 of " + {0: "own", rules.seats // 2: "partner"}.get(distance, "other")
    return f"{rank} {move.steps}"


EXPECTED = [
    *(
        "A out",
        "A 1",
        "A 11",
        "2 2",
        "3 3",
        "4 -4",
        "5 of own",
        "5 of partner",
        "5 of other",
        "6 6",
    ),
    *("7 7", "7 split over one seat", "7 split over two", "8 8", "9 9", "T 10", "T hit blind"),
    *("T hit choice", "answer", "burn", "Jblack swap swap_own", "Jred swap swap_own", "Jred 11"),
    *("Jblack swap black_swap_any", "Jblack out", "Jred out", "Qblack 12", "Qred 12", "Qred take"),
    *("K out", "K 13"),
]


def test_every_power_of_every_card_is_in_the_goldens() -> None:
    used: Counter[str] = Counter()
    happened: list[Event] = []
    cards: set[int] = set()
    for name in NAMED:
        rules, plies, events = replay(name)
        used.update(power_of(rules, state, move) for state, move, _ in plies)
        cards |= {move.card for _, move, _ in plies}
        happened += events
    assert set(used) == set(EXPECTED)
    assert cards == set(range(1, JOKER + 1))
    kinds = {type(event) for event in happened}
    assert {Captured, Passed, SeatHome, Skipped, Swapped} <= kinds
    swept = [
        [e for e in events if isinstance(e, Captured)]
        for name in NAMED
        for _, move, events in replay(name)[1]
        if isinstance(move, Step) and move.steps == 13
    ]
    assert max(map(len, swept)) >= 2


def test_the_goldens_are_of_both_rule_sets_and_all_tables() -> None:
    assert NAMED == ["bordaga4", "bordaga6", "karoti", "wild"]
    tables = {(replay(n)[0].rule_set, replay(n)[0].seats) for n in NAMED}
    assert tables == {("karoti", 4), ("bordaga", 4), ("bordaga", 6)}
