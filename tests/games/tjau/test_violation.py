"""Why a move is refused, and that the list and the refusals are one truth."""

from collections.abc import Callable

import pytest

from hakam.games import tjau
from hakam.games.game import Drawn, Violation
from hakam.games.reasons import Reason
from hakam.games.tjau import legality
from hakam.games.tjau.board import TjauBoard
from hakam.games.tjau.moves import THROW, Move, MovePiece, Throw
from hakam.games.tjau.rules import RULE_SETS, Rules
from hakam.games.tjau.state import Phase, State

At = Callable[[Rules, str], State]

EGYPTIAN = RULE_SETS["egyptian"]
UR = RULE_SETS["ur"]


def no(reason: Reason, clause: str, **where: int) -> Violation:
    return Violation(reason, clause, seat=where.get("seat"), cell=where.get("cell"))


@pytest.mark.clause("W3.1", "W3.2", "W3.3", "W3.5", "W5.1")
@pytest.mark.parametrize(
    ("rules", "position", "move", "answer"),
    [
        (
            EGYPTIAN,
            "move seat=0 throw=3 cones=2,5/5 spools=-/0",
            MovePiece(0),
            no(Reason.NO_PIECE_IN_HAND, "W3.1"),
        ),
        (
            EGYPTIAN,
            "move seat=0 throw=3 cones=2/0 spools=7/0",
            MovePiece(7),
            no(Reason.NO_PIECE_ON_SQUARE, "W3.1", cell=7),
        ),
        (
            UR,
            "move seat=1 throw=3 cones=-/0 spools=13/0",
            MovePiece(13),
            no(Reason.BEYOND_BEARING_OFF, "W3.2", cell=13),
        ),
        (
            EGYPTIAN,
            "move seat=0 throw=3 cones=3/0 spools=-/0",
            MovePiece(0),
            no(Reason.OWN_PIECE_ON_TARGET, "W3.3", cell=3),
        ),
        (
            EGYPTIAN,
            "move seat=0 throw=3 cones=3,6/0 spools=-/0",
            MovePiece(3),
            no(Reason.OWN_PIECE_ON_TARGET, "W3.3", cell=6),
        ),
        (
            EGYPTIAN,
            "move seat=1 throw=3 cones=12/0 spools=9/0",
            MovePiece(9),
            no(Reason.MARK_PROTECTS, "W3.5", seat=0, cell=12),
        ),
        (
            EGYPTIAN,
            "move seat=0 throw=3 cones=3/0 spools=-/0",
            THROW,
            no(Reason.WRONG_PHASE, "W5.1"),
        ),
        (
            EGYPTIAN,
            "throw seat=0 cones=3/0 spools=-/0",
            MovePiece(3),
            no(Reason.WRONG_PHASE, "W5.1"),
        ),
        (EGYPTIAN, "over cones=-/7 spools=3/0", THROW, no(Reason.GAME_OVER, "W4.1")),
        (EGYPTIAN, "over cones=-/7 spools=3/0", MovePiece(3), no(Reason.GAME_OVER, "W4.1")),
    ],
)
def test_a_refusal_names_clause_and_obstacle(
    at: At, rules: Rules, position: str, move: Move, answer: Violation
) -> None:
    assert tjau.violation(rules, at(rules, position), move) == answer


@pytest.mark.clause("W4.2")
@pytest.mark.parametrize("move", [THROW, MovePiece(0), MovePiece(5)])
def test_nobody_moves_before_the_first_seat_is_drawn(move: Move) -> None:
    rules = Rules("egyptian", TjauBoard.EGYPTIAN, 7, mark_protects=True, first=Drawn.CHANCE)
    refused = tjau.violation(rules, tjau.initial(rules), move)
    assert refused == no(Reason.CHANCE_IS_DUE, "W4.2")


@pytest.mark.parametrize("wild", [-1, -(2**31), 17, 18, 64, 99, 2**31 - 1, 10**30])
def test_wild_squares_are_refused_without_a_fuss(at: At, wild: int) -> None:
    for rules in (EGYPTIAN, UR):
        state = at(rules, "move seat=0 throw=1 cones=13/1 spools=9/3")
        refused = tjau.violation(rules, state, MovePiece(wild))
        assert refused == no(Reason.NO_PIECE_ON_SQUARE, "W3.1", cell=wild)


def test_squares_15_and_16_are_not_on_the_board_of_ur(at: At) -> None:
    state = at(UR, "move seat=0 throw=1 cones=13/1 spools=9/0")
    for square in (15, 16, 17):
        refused = tjau.violation(UR, state, MovePiece(square))
        assert refused == no(Reason.NO_PIECE_ON_SQUARE, "W3.1", cell=square)


def test_a_fresh_throw_is_as_good_as_the_listed_one() -> None:
    assert tjau.violation(EGYPTIAN, tjau.initial(EGYPTIAN), Throw()) is None


def test_every_phase_has_its_functions() -> None:
    assert set(legality._LEGAL) == set(Phase)
    assert set(legality._VIOLATION) == set(Phase)


def test_every_reason_given_has_its_texts() -> None:
    given = {
        Reason.GAME_OVER,
        Reason.CHANCE_IS_DUE,
        Reason.WRONG_PHASE,
        Reason.NO_PIECE_IN_HAND,
        Reason.NO_PIECE_ON_SQUARE,
        Reason.OWN_PIECE_ON_TARGET,
        Reason.MARK_PROTECTS,
        Reason.BEYOND_BEARING_OFF,
    }
    assert set(tjau.CATALOGUE.reasons) == given
