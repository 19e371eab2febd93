"""A whole game of each rule set, move by move, as committed text.

Every block of a file is a position (`@`), its legal moves (`=`), what was done (`>`, a throw with
its value or a move) and the events that followed (`-`). The test plays the `>` lines again and
writes everything else anew; the last line is the final position.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from hakam.games import tjau
from hakam.games.game import GameOver
from hakam.games.tjau.events import Captured, Event, ExtraThrow, Moved, Passed, Thrown
from hakam.games.tjau.moves import MovePiece
from hakam.games.tjau.rules import RULE_SETS, Rules
from hakam.games.tjau.state import Phase, State

GOLDENS = Path(__file__).parent / "goldens"
Ply = tuple[State, str, tuple[Event, ...], State]


def play(rules: Rules, done: Iterable[str]) -> Iterator[Ply]:
    """Each state, what was done in it, the events and the next state."""
    state = tjau.initial(rules)
    for text in done:
        before = state
        if state.phase is Phase.THROW:
            state, events = tjau.resolve(rules, state, int(text.removeprefix("throw ")))
        else:
            move = tjau.read_move(rules, text)
            assert tjau.violation(rules, state, move) is None
            state, events = tjau.apply(rules, state, move)
        yield before, text, events, state


def transcript(rules: Rules, done: Iterable[str]) -> str:
    lines = [f"@ {tjau.write_position(rules, tjau.initial(rules))}"]
    for state, text, events, after in play(rules, done):
        moves = [tjau.write_move(rules, move) for move in tjau.legal_moves(rules, state)]
        lines += [f"= {' '.join(moves)}", f"> {text}"]
        lines += [f"- {event}" for event in events]
        lines.append(f"@ {tjau.write_position(rules, after)}")
    return "\n".join(lines) + "\n"


def committed(name: str) -> str:
    return (GOLDENS / f"{name}.txt").read_text("ascii")


def done_in(text: str) -> list[str]:
    return [line.removeprefix("> ") for line in text.splitlines() if line.startswith("> ")]


@pytest.mark.clause("W4.3", "W5.1")
@pytest.mark.parametrize("name", RULE_SETS)
def test_the_committed_game_is_played_as_before(name: str) -> None:
    text = committed(name)
    assert transcript(RULE_SETS[name], done_in(text)) == text


@pytest.mark.clause("W2.2", "W3.1", "W3.2", "W3.4", "W3.6", "W3.7", "W4.1")
@pytest.mark.parametrize("name", RULE_SETS)
def test_the_committed_game_shows_all_that_can_happen(name: str) -> None:
    rules = RULE_SETS[name]
    last = 14 if name == "ur" else 16
    plies = list(play(rules, done_in(committed(name))))
    happened = [event for _, _, events, _ in plies for event in events]
    zeros = [event for event in happened if isinstance(event, Thrown) and event.value == 0]
    passes = [event for event in happened if isinstance(event, Passed)]
    over = happened[-1]
    assert isinstance(over, GameOver)
    winner = over.outcome.winners[0]
    entered = [e for e in happened if isinstance(e, Moved) and e.from_square == 0]
    left = [e for e in happened if isinstance(e, Moved) and e.to_square == last + 1]
    assert zeros
    assert len(passes) > len(zeros)
    assert {event.value for event in happened if isinstance(event, Thrown)} == set(range(5))
    assert sum(event.seat == winner for event in left) == rules.pieces
    assert sum(event.seat == winner for event in entered) >= rules.pieces
    assert {event.seat for event in happened if isinstance(event, Captured)} == {0, 1}
    assert {event.seat for event in happened if isinstance(event, ExtraThrow)} == {0, 1}


@pytest.mark.clause("W3.2", "W3.3", "W3.5")
@pytest.mark.parametrize("name", RULE_SETS)
def test_the_committed_game_comes_to_every_refusal(name: str) -> None:
    rules = RULE_SETS[name]
    reasons = {
        refused.reason.value
        for state, _, _, _ in play(rules, done_in(committed(name)))
        if state.phase is Phase.MOVE
        for square in (0, *tjau.view(rules, state, None).sides[state.turn].squares)
        if (refused := tjau.violation(rules, state, MovePiece(square)))
    }
    always = {"BEYOND_BEARING_OFF", "OWN_PIECE_ON_TARGET"}
    assert always <= reasons
    assert ("MARK_PROTECTS" in reasons) == rules.mark_protects


@pytest.mark.clause("W3.5")
def test_the_game_without_protection_has_a_capture_on_a_mark() -> None:
    plies = play(RULE_SETS["throw_only"], done_in(committed("throw_only")))
    on_marks = [
        events
        for _, _, events, _ in plies
        if any(isinstance(e, Captured) for e in events)
        and any(isinstance(e, ExtraThrow) for e in events)
    ]
    assert on_marks
