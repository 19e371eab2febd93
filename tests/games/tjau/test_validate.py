"""From decoded fields to a state: every fault is named, at its path, and nothing raises."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hakam.games import tjau
from hakam.games.game import Drawn
from hakam.games.reasons import Reason
from hakam.games.tjau.board import TjauBoard
from hakam.games.tjau.rules import RULE_SETS, Rules
from hakam.games.tjau.state import Phase, Setup, Side, State
from tests.loosened import loosened

EGYPTIAN = RULE_SETS["egyptian"]
DRAWN = replace(EGYPTIAN, first=Drawn.CHANCE)
UR = RULE_SETS["ur"]
EMPTY = Side((), 0)
FIRST = ("0", "1", "chance")


def faults(rules: Rules, setup: Setup) -> list[tuple[str, Reason, str]]:
    found = tjau.validate(rules, setup)
    assert isinstance(found, tuple)
    return [(fault.path, fault.reason, fault.clause) for fault in found]


def setup(
    phase: int = Phase.THROW,
    turn: int | None = 0,
    throw: int = 0,
    cones: Side = EMPTY,
    spools: Side = EMPTY,
) -> Setup:
    return Setup(phase, turn, throw, (cones, spools))


@pytest.mark.parametrize(
    ("rules", "decoded", "expected"),
    [
        (EGYPTIAN, setup(phase=77), ("phase", Reason.VALUE_UNKNOWN, "W5.1")),
        (EGYPTIAN, setup(phase=0), ("phase", Reason.VALUE_UNKNOWN, "W5.1")),
        (
            EGYPTIAN,
            setup(Phase.FIRST, None),
            ("phase", Reason.PHASE_INCONSISTENT, "W4.2"),
        ),
        (
            EGYPTIAN,
            setup(Phase.OVER, None, 0, Side((), 6), Side((3,), 0)),
            ("phase", Reason.PHASE_INCONSISTENT, "W4.1"),
        ),
        (
            EGYPTIAN,
            setup(spools=Side((), 7)),
            ("phase", Reason.PHASE_INCONSISTENT, "W4.1"),
        ),
        (EGYPTIAN, setup(turn=None), ("turn", Reason.PHASE_INCONSISTENT, "W5.1")),
        (EGYPTIAN, setup(turn=2), ("turn", Reason.VALUE_OUT_OF_RANGE, "W5.1")),
        (EGYPTIAN, setup(turn=-1), ("turn", Reason.VALUE_OUT_OF_RANGE, "W5.1")),
        (DRAWN, setup(Phase.FIRST, 0), ("turn", Reason.PHASE_INCONSISTENT, "W5.1")),
        (
            EGYPTIAN,
            setup(Phase.OVER, 1, 0, Side((), 7)),
            ("turn", Reason.PHASE_INCONSISTENT, "W5.1"),
        ),
        (EGYPTIAN, setup(throw=3), ("throw", Reason.PHASE_INCONSISTENT, "W5.1")),
        (EGYPTIAN, setup(Phase.MOVE), ("throw", Reason.PHASE_INCONSISTENT, "W2.2")),
        (EGYPTIAN, setup(Phase.MOVE, throw=5), ("throw", Reason.VALUE_OUT_OF_RANGE, "W2.1")),
        (EGYPTIAN, setup(throw=-1), ("throw", Reason.VALUE_OUT_OF_RANGE, "W2.1")),
        (
            EGYPTIAN,
            setup(Phase.MOVE, 0, 2, Side((16,), 6)),
            ("throw", Reason.PHASE_INCONSISTENT, "W3.7"),
        ),
        (
            EGYPTIAN,
            setup(cones=Side((0,), 0)),
            ("sides[0].squares[0]", Reason.VALUE_OUT_OF_RANGE, "W1.1"),
        ),
        (
            UR,
            setup(spools=Side((3, 15), 0)),
            ("sides[1].squares[1]", Reason.VALUE_OUT_OF_RANGE, "W1.2"),
        ),
        (
            EGYPTIAN,
            setup(cones=Side((3, 5, 5), 0)),
            ("sides[0].squares[2]", Reason.DUPLICATE, "W3.3"),
        ),
        (
            EGYPTIAN,
            setup(cones=Side((6, 5), 0)),
            ("sides[0].squares[1]", Reason.STATE_INVALID, "W1.4"),
        ),
        (
            EGYPTIAN,
            setup(spools=Side((), 8)),
            ("sides[1].borne_off", Reason.VALUE_OUT_OF_RANGE, "W1.4"),
        ),
        (
            EGYPTIAN,
            setup(spools=Side((), -1)),
            ("sides[1].borne_off", Reason.VALUE_OUT_OF_RANGE, "W1.4"),
        ),
        (
            EGYPTIAN,
            setup(spools=Side((1, 2, 3), 5)),
            ("sides[1]", Reason.COUNT_WRONG, "W1.4"),
        ),
        (
            EGYPTIAN,
            setup(cones=Side((9,), 0), spools=Side((2, 9), 0)),
            ("sides[1].squares[1]", Reason.DUPLICATE, "W3.4"),
        ),
        (
            EGYPTIAN,
            setup(Phase.OVER, None, 0, Side((), 7), Side((), 7)),
            ("sides", Reason.STATE_INVALID, "W4.1"),
        ),
        (
            DRAWN,
            setup(Phase.FIRST, None, 0, Side((1,), 0)),
            ("sides[0]", Reason.PHASE_INCONSISTENT, "W4.2"),
        ),
        (
            EGYPTIAN,
            Setup(Phase.THROW, 0, 0, (EMPTY,)),
            ("sides", Reason.LENGTH_OUT_OF_RANGE, "W1.4"),
        ),
        (
            EGYPTIAN,
            Setup(Phase.THROW, 0, 0, (EMPTY, EMPTY, EMPTY)),
            ("sides", Reason.LENGTH_OUT_OF_RANGE, "W1.4"),
        ),
    ],
)
def test_one_fault_is_named_once(
    rules: Rules, decoded: Setup, expected: tuple[str, Reason, str]
) -> None:
    assert faults(rules, decoded) == [expected]


def test_all_faults_are_named_at_once() -> None:
    decoded = Setup(9, 5, 7, (Side((3, 3, 2, 99), 9), Side((3, 4, 5, 6, 7, 8, 9, 10), -1), EMPTY))
    assert [path for path, _, _ in faults(EGYPTIAN, decoded)] == [
        "phase",
        "turn",
        "throw",
        "sides",
        "sides[0].squares[1]",
        "sides[0].squares[2]",
        "sides[0].squares[3]",
        "sides[0].borne_off",
        "sides[1].borne_off",
        "sides[1]",
    ]


@pytest.mark.clause("W3.4")
def test_equal_private_squares_are_no_fault() -> None:
    decoded = setup(cones=Side((1, 4, 13, 14), 0), spools=Side((1, 4, 13, 14), 0))
    assert isinstance(tjau.validate(UR, decoded), State)


@pytest.mark.clause("W4.3")
@pytest.mark.parametrize(
    ("changes", "path", "reason", "allowed"),
    [
        ({"rule_set": "senet"}, "rule_set", Reason.VALUE_UNKNOWN, tuple(RULE_SETS)),
        ({"board": 3}, "board", Reason.VALUE_UNKNOWN, ("egyptian", "ur")),
        ({"pieces": 0}, "pieces", Reason.VALUE_OUT_OF_RANGE, ()),
        ({"pieces": 8}, "pieces", Reason.VALUE_OUT_OF_RANGE, ()),
        ({"first": 2}, "first", Reason.VALUE_OUT_OF_RANGE, FIRST),
        ({"first": -1}, "first", Reason.VALUE_OUT_OF_RANGE, FIRST),
        ({"first": Drawn.SEVEN_OF_HEARTS}, "first", Reason.VALUE_OUT_OF_RANGE, FIRST),
    ],
)
def test_an_option_out_of_range_is_named(
    changes: dict[str, Any], path: str, reason: Reason, allowed: tuple[str, ...]
) -> None:
    found = tjau.rules_faults(loosened(EGYPTIAN, **changes))
    assert [(fault.path, fault.reason, fault.allowed) for fault in found] == [
        (path, reason, allowed)
    ]


@pytest.mark.clause("W4.3")
def test_all_faults_of_the_options_are_named_at_once() -> None:
    rules = loosened(EGYPTIAN, rule_set="", board=0, pieces=99, first=9)
    assert [fault.path for fault in tjau.rules_faults(rules)] == [
        "rule_set",
        "board",
        "pieces",
        "first",
    ]


@pytest.mark.clause("W4.3")
def test_every_combination_of_options_makes_sense() -> None:
    for board in TjauBoard:
        for pieces in range(1, 8):
            for protects in (True, False):
                for first in (0, 1, Drawn.CHANCE):
                    rules = Rules("ur", board, pieces, mark_protects=protects, first=first)
                    assert tjau.rules_faults(rules) == ()


WILD = st.one_of(st.integers(-2, 18), st.integers())
SIDES = st.builds(Side, st.lists(WILD, max_size=10).map(tuple), WILD)
SETUPS = st.builds(Setup, WILD, st.none() | WILD, WILD, st.lists(SIDES, max_size=4).map(tuple))


@given(SETUPS, st.sampled_from([EGYPTIAN, DRAWN, UR]))
def test_any_ints_anywhere_give_a_state_or_faults(decoded: Setup, rules: Rules) -> None:
    found = tjau.validate(rules, decoded)
    if isinstance(found, State):
        assert tjau.setup(rules, found) == decoded
    else:
        assert found


NEAR = st.sets(st.integers(1, 14), max_size=4)


@given(
    st.sampled_from([(Phase.THROW, 0), (Phase.MOVE, 1), (Phase.MOVE, 4), (Phase.OVER, 0)]),
    st.sampled_from([None, 0, 1]),
    NEAR,
    NEAR,
    st.integers(0, 3),
)
def test_a_valid_setup_comes_back_as_it_was(
    waits: tuple[Phase, int], turn: int | None, cones: set[int], spools: set[int], off: int
) -> None:
    sides = (Side(tuple(sorted(cones)), off), Side(tuple(sorted(spools)), 3 - off))
    decoded = Setup(waits[0], turn, waits[1], sides)
    found = tjau.validate(UR, decoded)
    if isinstance(found, State):
        assert tjau.setup(UR, found) == decoded
