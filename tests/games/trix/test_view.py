"""What a seat sees and what it never sees (section 7)."""

from collections.abc import Iterator
from dataclasses import fields, replace
from random import Random

import pytest

from hakam.games import trix
from hakam.games.cards import DECK, NAMES
from hakam.games.trix.contracts import CARD_POINTS, QUEENS, Contract
from hakam.games.trix.events import CardPlayed, DealOver, Passed, TrickTaken
from hakam.games.trix.rules import Rules
from hakam.games.trix.state import Phase, State
from hakam.games.trix.tricks import deal_points
from hakam.games.trix.view import TakenTrick, Trick, View
from tests.games.trix.support import (
    STANDARD,
    VARIANTS,
    at,
    cards,
    dealt,
    doubled_cards,
    in_tricks,
    random_game,
    run,
)

# The example of docs/notation/trix.md.
EXAMPLE = (
    "play KKH1=0/75/-150/0 3 Q 1 5S7C3DTD4CJD5CTHAC/8C9H8D5HQD4S7DTS7H2C/4H9DKS9CAD3CASJH6CKH/"
    "KC9SQC7S6D6SJCJSTC QC3QH1 8H6H /4D5DKD2D/QHAH2H3H/8SQS2S3S - -"
)


@pytest.mark.clause("T7.1")
def test_a_seat_sees_exactly_this() -> None:
    state = at(EXAMPLE)
    seen = trix.view(STANDARD, state, 1)
    assert seen == View(
        viewer=1,
        phase=Phase.PLAY,
        sheet=state.sheet,
        totals=(0, 75, -150, 0),
        owner=3,
        contracts_left=(2, 4, 5),
        contract=Contract.QUEENS,
        to_act=1,
        hand=cards("8C9H8D5HQD4S7DTS7H2C"),
        hand_sizes=(9, 10, 10, 9),
        doubled=doubled_cards("QC3QH1"),
        trick=Trick(3, cards("8H6H")),
        last_trick=TakenTrick(2, cards("8SQS2S3S"), 3),
        tricks=(0, 1, 1, 1),
        queens=doubled_cards("QH2QS3"),
        points=(0, 25, -50, -25),
        layout=(),
        out=(),
    )
    # A field more must be thought of here and in the secrecy tests.
    assert len(fields(View)) == 18


@pytest.mark.clause("T7.1")
def test_a_spectator_sees_what_every_seat_sees_and_no_hand() -> None:
    state = at(EXAMPLE)
    spectator = trix.view(STANDARD, state, None)
    assert spectator.hand == ()
    for seat in range(4):
        seen = trix.view(STANDARD, state, seat)
        assert replace(seen, viewer=None, hand=()) == spectator


@pytest.mark.clause("T7.1")
def test_the_contract_is_chosen_knowing_ones_own_cards_and_nobody_elses() -> None:
    state = dealt(owner=2)
    seen = trix.view(STANDARD, state, 2)
    assert seen.contracts_left == (1, 2, 3, 4, 5)
    assert seen.hand == state.hands[2]
    assert seen.contract == 0
    assert (seen.trick, seen.last_trick) == (None, None)


@pytest.mark.clause("T7.1")
def test_older_tricks_than_the_last_are_gone_but_for_face_up_queens() -> None:
    for step in random_game(STANDARD, "older"):
        state = step.after
        if not any(state.taken):
            continue
        seen = trix.view(STANDARD, state, None)
        assert seen.trick is not None
        assert seen.last_trick is not None
        shown = {*seen.trick.cards, *seen.last_trick.cards}
        queens = {q.card for q in seen.queens}
        assert queens == (
            {c for pile in state.taken for c in pile} & {*QUEENS}
            if state.contract == Contract.QUEENS
            else set()
        )
        text = trix.write_view(STANDARD, seen).split(" ")
        written = " ".join(text[:2] + text[3:])  # without the sheet
        known = shown | queens | {d.card for d in state.doubled}
        assert {c for c in DECK if NAMES[c] in written} == known


@pytest.mark.clause("T7.1")
@pytest.mark.parametrize("name", VARIANTS)
def test_what_a_view_tells_is_what_the_events_told(name: str) -> None:
    rules = VARIANTS[name]
    points, last, tricks = [0] * 4, None, [0] * 4
    for step in random_game(rules, f"told {name}"):
        for event in step.events:
            if isinstance(event, TrickTaken):
                points = [p + q for p, q in zip(points, event.points, strict=True)]
                last = TakenTrick(event.leader, event.cards, event.taker)
                tricks[event.taker] += 1
            if isinstance(event, DealOver):
                points, last, tricks = [0] * 4, None, [0] * 4
        seen = trix.view(rules, step.after, None)
        assert seen.last_trick == last
        assert list(seen.tricks) == tricks
        if seen.contract != Contract.TRIX:
            assert list(seen.points) == points


class TestSecrecy:
    """Whatever a seat cannot know may be otherwise: nothing that it receives may differ."""

    @pytest.mark.clause("T7.1")
    @pytest.mark.parametrize("name", VARIANTS)
    def test_hands_dealt_otherwise_look_the_same(self, name: str) -> None:
        self.check(VARIANTS[name], games=3, every=3)

    @pytest.mark.clause("T7.1")
    @pytest.mark.long
    @pytest.mark.parametrize("name", VARIANTS)
    def test_hands_dealt_otherwise_look_the_same_in_many_games(self, name: str) -> None:
        self.check(VARIANTS[name], games=15, every=1)

    @staticmethod
    def check(rules: Rules, games: int, every: int) -> None:
        rng = Random("secrecy")
        differed = 0
        for game in range(games):
            for ply, step in enumerate(random_game(rules, f"secrecy {game}")):
                if ply % every:
                    continue
                for seat in (None, *range(4)):
                    other = redealt(step.after, seat, rng)
                    differed += other != step.after
                    assert received(rules, other, seat) == received(rules, step.after, seat)
        assert differed > 100 * games


def received(rules: Rules, state: State, seat: int | None) -> tuple[object, ...]:
    """All that a seat gets of a state: its view in all its forms, its moves with their effects."""
    seen = trix.view(rules, state, seat)
    texts = (trix.write_view(rules, seen), trix.draw(rules, seen))
    if seat is None or trix.to_act(rules, state) != seat:
        return (seen, texts)
    moves = trix.legal_moves(rules, state)
    return (seen, texts, moves, [trix.effects(rules, state, move) for move in moves])


def redealt(state: State, seat: int | None, rng: Random) -> State:
    """The state with every card that a seat cannot place somewhere else.

    Other hands are shuffled together, doubled cards staying with those that showed them; then
    cards of old tricks, which nobody may look at again, change places with cards of other hands
    that score the same.
    """
    if state.phase in (Phase.DEAL, Phase.OVER):
        return state
    hands = [list(hand) for hand in state.hands]
    shown = {d.card for d in state.doubled}
    places = [
        (s, n) for s in range(4) if s != seat for n, c in enumerate(hands[s]) if c not in shown
    ]
    held = [hands[s][n] for s, n in places]
    rng.shuffle(held)
    for (s, n), c in zip(places, held, strict=True):
        hands[s][n] = c
    taken = [list(pile) for pile in state.taken]
    for (s, n), (taker, place) in swaps(state, places, rng):
        mine, theirs = hands[s][n], taken[taker][place]
        if theirs not in shown and alike(state, mine, theirs):
            hands[s][n], taken[taker][place] = theirs, mine
            if points(state, taken) != points(state, state.taken):
                # Another card took that old trick now, so another seat would have led it.
                hands[s][n], taken[taker][place] = mine, theirs
    return with_cards(state, hands, taken)


def swaps(
    state: State, places: list[tuple[int, int]], rng: Random
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Pairs of a place in a hand and a place in the old tricks."""
    last = trix.view(STANDARD, state, None).last_trick
    old = [
        (taker, n)
        for taker, pile in enumerate(state.taken)
        for n in range(len(pile) - (4 if last and last.taker == taker else 0))
    ]
    rng.shuffle(old)
    return zip(places, old, strict=False)


def alike(state: State, mine: int, theirs: int) -> bool:
    values = CARD_POINTS[state.contract]
    queens = state.contract in (Contract.QUEENS, Contract.COMPLEX)
    return values[mine] == values[theirs] and not (queens and {mine, theirs} & {*QUEENS})


def points(state: State, taken: object) -> tuple[int, ...]:
    return deal_points(state.contract, taken, state.doubled)  # type: ignore[arg-type]


def with_cards(state: State, hands: list[list[int]], taken: list[list[int]]) -> State:
    return State(
        state.phase,
        state.sheet,
        state.owner,
        contract=state.contract,
        to_act=state.to_act,
        hands=tuple(tuple(hand) for hand in hands),
        doubled=state.doubled,
        trick=state.trick,
        taken=tuple(tuple(pile) for pile in taken),
        layout=state.layout,
        out=state.out,
    )


def test_the_secrecy_test_would_see_a_leak() -> None:
    """A view that told one hidden card would not survive it."""
    rng = Random(1)
    state = at(EXAMPLE)
    others = {redealt(state, 1, rng).hands[2] for _ in range(20)}
    piles = {redealt(state, 1, rng).taken[1] for _ in range(20)}
    assert len(others) > 10
    assert len(piles) > 5


class TestEffects:
    """What a move does, short of what its maker cannot know."""

    def test_a_completed_trick_is_known_to_who_completes_it(self) -> None:
        state = in_tricks(Contract.SLAPS, ("9C2S", "KC3S", "TC4S", "3C5S"), to_act=0, trick="")
        state, _ = run(STANDARD, state, "play 9C", "play KC", "play TC")
        effects = trix.effects(STANDARD, state, trix.read_move(STANDARD, "play 3C"))
        assert [type(e) for e in effects] == [CardPlayed, TrickTaken]

    def test_the_end_of_a_deal_is_known_and_the_next_is_not(self) -> None:
        state = in_tricks(Contract.KING_OF_HEARTS, ("AH2C", "KH3C", "4H4C", "5H6C"))
        state, _ = run(STANDARD, state, "play AH", "play KH", "play 4H")
        effects = trix.effects(STANDARD, state, trix.read_move(STANDARD, "play 5H"))
        assert isinstance(effects[-1], DealOver)

    @pytest.mark.parametrize("name", VARIANTS)
    def test_they_are_the_events_up_to_the_first_pass_of_another(self, name: str) -> None:
        rules = VARIANTS[name]
        for step in random_game(rules, f"effects {name}"):
            if step.move is not None:
                effects = trix.effects(rules, step.before, step.move)
                assert effects == step.events[: len(effects)]
                rest = step.events[len(effects) :]
                mine = step.before.to_act
                assert all(isinstance(e, Passed) for e in rest)
                assert not any(isinstance(e, Passed) and e.seat != mine for e in effects)


@pytest.mark.clause("T7.1")
def test_a_drawing_shows_the_table_and_the_own_hand() -> None:
    assert trix.draw(STANDARD, trix.view(STANDARD, at(EXAMPLE), 1)).splitlines() == [
        "kingdom 1 of 4, deal 2 of 20: queens, seat 1 to play",
        "seat 0   9 cards  0 tricks     0 points      0 total",
        "seat 1  10 cards  1 tricks    25 points     75 total  doubled QH",
        "seat 2  10 cards  1 tricks   -50 points   -150 total  took QH",
        "seat 3*  9 cards  1 tricks   -25 points      0 total  doubled QC  took QS",
        "trick  3:8H 0:6H",
        "last   2:8S 3:QS 0:2S 1:3S taken by 3",
        "hand   8C 9H 8D 5H QD 4S 7D TS 7H 2C",
    ]


def test_a_game_of_cards_alone_has_no_cells() -> None:
    board = trix.board(STANDARD)
    assert (board.cells, board.paths) == ((), ())
