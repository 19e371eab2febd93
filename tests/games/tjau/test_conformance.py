"""The conformance positions of tests/conformance/tjau.json, made independently of this engine."""

import json
from pathlib import Path
from typing import Any

import pytest

from hakam.games import tjau
from hakam.games.game import Drawn, GameOver
from hakam.games.tjau.board import TjauBoard
from hakam.games.tjau.events import Captured, Event, ExtraThrow, Moved
from hakam.games.tjau.moves import THROW, Move, MovePiece
from hakam.games.tjau.rules import Rules
from hakam.games.tjau.state import Phase, Setup, Side, State

FILE = Path(__file__).parents[2] / "conformance" / "tjau.json"
POSITIONS: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))["positions"]


def rules_of(options: dict[str, Any]) -> Rules:
    first = Drawn.CHANCE if options["first"] == "chance" else options["first"]
    return Rules(
        options["rule_set"],
        TjauBoard[options["board"].upper()],
        options["pieces"],
        mark_protects=options["mark_protects"],
        first=first,
    )


def state_of(rules: Rules, given: dict[str, Any]) -> State:
    """The state, which must agree with the hands and the winner that the position names."""
    assert given["throws"] == []
    sides = tuple(
        Side(tuple(squares), off) for squares, off in zip(given["board"], given["off"], strict=True)
    )
    phase = Phase[given["phase"].upper()]
    found = tjau.validate(rules, Setup(phase, given["turn"], given["throw"] or 0, sides))
    assert isinstance(found, State), found
    assert [side.in_hand for side in tjau.view(rules, found, None).sides] == given["hand"]
    won = tjau.outcome(rules, found)
    assert (won.winners[0] if won else None) == given["winner"]
    return found


def move_of(given: dict[str, Any]) -> Move:
    return THROW if given["type"] == "throw" else MovePiece(given["from"])


def event_of(rules: Rules, event: Event) -> dict[str, Any]:
    """One of our events as the file words it."""
    last = 16 if rules.board is TjauBoard.EGYPTIAN else 14
    match event:
        case Moved(seat, origin, target) if target > last:
            return {"type": "off", "seat": seat, "from": origin}
        case Moved(seat, origin, target):
            return {"type": "move", "seat": seat, "from": origin, "to": target}
        case Captured(seat, square):
            return {"type": "capture", "seat": seat, "square": square}
        case ExtraThrow(seat):
            return {"type": "again", "seat": seat}
        case GameOver(outcome):
            return {"type": "game_over", "winner": outcome.winners[0]}
    pytest.fail(f"no word for {event}")


@pytest.mark.parametrize("position", POSITIONS, ids=[p["name"] for p in POSITIONS])
def test_position(position: dict[str, Any]) -> None:
    rules = rules_of(position["state"]["options"])
    state = state_of(rules, position["state"])
    expected = [move_of(move) for move in position["legal_moves"]]
    assert len(set(expected)) == len(expected)
    assert set(tjau.legal_moves(rules, state)) == set(expected)
    assert position["then"]
    for then in position["then"]:
        after, events = tjau.apply(rules, state, move_of(then["move"]))
        assert [event_of(rules, event) for event in events] == then["events"]
        assert after == state_of(rules, then["state"])


def test_the_file_holds_all_its_positions() -> None:
    assert len(POSITIONS) == 48
