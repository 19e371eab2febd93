"""Secrecy by permutation: whatever the asker cannot know may be otherwise, and no byte differs.

Other hands, old tricks, the undealt deck, the seed and the salt are dealt anew, the commitment
kept. Every answer and every error that somebody gets about the one state must then be, byte for
byte, what he gets about the other; the sealed state in it may differ, but not in length.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

import grpc
import pytest
from google.protobuf.message import Message
from grpc_status import rpc_status

from hakam import referee
from hakam.games import jackaroo, tjau, trix
from hakam.games.cards import DECK, JOKER
from hakam.games.jackaroo.events import Burnt, CardLost, Dealt, Played, Shuffled
from hakam.games.jackaroo.moves import Burn, Hit, Step, Take
from hakam.games.jackaroo.rules import Joker, Queen, Ten
from hakam.games.jackaroo.state import Side
from hakam.games.tjau.moves import MovePiece
from hakam.games.trix.moves import Choose, Double, Play
from hakam.referee import AnyGame, GameState, Move, Seeded
from hakam.rpc.codecs.game import write_state
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import language_pb2, move_pb2
from tests.games.trix.test_view import redealt as redealt_trix
from tests.trust.support import (
    CREDENTIALS,
    Asking,
    Position,
    answered,
    guarded,
    positions,
    sealed,
    seeded_state,
    without_seal,
    written,
)

KAROTI: Final = jackaroo.CATALOGUE.rule_sets["karoti"]
BORDAGA: Final = jackaroo.CATALOGUE.rule_sets["bordaga"]
SIX: Final = jackaroo.with_options("bordaga", {"seats": 6})
TABLES: Final[dict[str, tuple[AnyGame, Any]]] = {
    **{f"trix-{name}": (trix, rules) for name, rules in trix.CATALOGUE.rule_sets.items()},
    "karoti": (jackaroo, KAROTI),
    "karoti-choice": (jackaroo, replace(KAROTI, ten=Ten.SKIP_CHOICE, joker=Joker.WILD)),
    "bordaga": (jackaroo, BORDAGA),
    "bordaga-blind": (jackaroo, replace(BORDAGA, ten=Ten.SKIP_BLIND)),
    "six": (jackaroo, SIX),
    "six-blind": (
        jackaroo,
        replace(SIX, ten=Ten.SKIP_BLIND, queen=Queen.TAKE_AND_SKIP, joker=Joker.WILD),
    ),
    "tjau": (tjau, tjau.CATALOGUE.rule_sets["egyptian"]),
}
tables = pytest.mark.parametrize(("game", "rules"), TABLES.values(), ids=TABLES)
PER_TABLE: Final = 4


def redealt(
    state: GameState, seat: int | None, rng: Random, fixed: frozenset[int] = frozenset()
) -> GameState:
    """The state with all that the seat cannot know otherwise, but for the cards that are fixed."""
    position = state.position
    if state.game is trix:
        position = redealt_soundly(state, seat, rng)
    if state.game is jackaroo:
        position = redealt_jackaroo(state, seat, rng, fixed)
    return guarded(state, position=position, salt=rng.randbytes(16), chance=reseeded(state, rng))


def redealt_soundly(state: GameState, seat: int | None, rng: Random) -> Any:
    """A re-deal that can have come about: the first owner had the seven of hearts (T1.2)."""
    while True:
        other = redealt_trix(state.position, seat, rng)
        made = trix.validate(state.rules, trix.setup(state.rules, other))
        if not isinstance(made, tuple):
            return made


def reseeded(state: GameState, rng: Random) -> Seeded:
    """Another seed, with the commitment of the old one: so nothing public has changed."""
    return replace(seeded_state(state), seed=rng.randbytes(32))


def redealt_jackaroo(state: GameState, seat: int | None, rng: Random, fixed: frozenset[int]) -> Any:
    setup = jackaroo.setup(state.rules, state.position)
    piles = [list(side.hand) for side in setup.sides] + [list(setup.deck)]
    places = [
        (p, n)
        for p, pile in enumerate(piles)
        for n, card in enumerate(pile)
        if p != seat and card not in fixed
    ]
    cards = [piles[p][n] for p, n in places]
    rng.shuffle(cards)
    for (p, n), card in zip(places, cards, strict=True):
        piles[p][n] = card
    *hands, deck = map(tuple, piles)
    sides = [Side(s.marbles, h) for s, h in zip(setup.sides, hands, strict=True)]
    made = jackaroo.validate(state.rules, replace(setup, sides=tuple(sides), deck=deck))
    assert not isinstance(made, tuple), made
    return made


def told(state: GameState, move: Move, seat: int | None) -> frozenset[int]:
    """The cards that the seat learns by the move: those shown, and those that it is dealt."""
    after, events = referee.apply(state, move)
    shown = {e.card for e in events if isinstance(e, Played | Burnt | CardLost) and e.card}
    is_dealt = any(isinstance(e, Dealt) for e in events)
    if is_dealt and not draws(state, move) and seat is not None:
        shown |= set(after.position.hands[seat])
    return frozenset(shown)


def draws(state: GameState, move: Move) -> bool:
    """Whether the move makes the seed bring something."""
    after, _ = referee.apply(state, move)
    return seeded_state(after).events > seeded_state(state).events


def shows_seed(state: GameState, move: Move) -> bool:
    """Whether the seed becomes known by the move, by what it brings or at the end of the game."""
    return draws(state, move) or referee.outcome(referee.apply(state, move)[0]) is not None


def everything(channel: grpc.Channel, rpc: str, request: Message) -> tuple[object, ...]:
    """All that the asker gets: the answer without sealed states, their lengths, or the error."""
    try:
        return without_seal(answered(channel, rpc, request))
    except grpc.RpcError as error:
        failed: Any = error
        status = rpc_status.from_call(failed)
        return failed.code(), status and status.SerializeToString(deterministic=True)


def probes(state: GameState) -> list[Move]:
    """Moves that name every card there is, wherever it may be."""
    if state.game is trix:
        return [*(Play(card) for card in DECK), Choose(3), Double(()), Double((11, 24))]
    if state.game is jackaroo:
        hits = [
            kind(card, position) for kind in (Hit, Take) for card in (9, 50) for position in (0, 12)
        ]
        steps = [Step(card, seat, 0, 5) for card in DECK[::4] for seat in (0, 1)]
        return [*(Burn(card) for card in (*DECK, JOKER)), *hits, *steps]
    return [MovePiece(square) for square in range(17)]


@dataclass(frozen=True)
class Asker:
    """A seat, or a spectator (None), with what he may bring."""

    seat: int | None

    def asking(self, state: GameState, move: Move) -> Asking:
        credential = b"" if self.seat is None else CREDENTIALS[self.seat]
        return Asking(sealed(state), written(state, move), credential, self.seat)

    def questions(self, one: Position, state: GameState) -> Iterator[tuple[str, Message]]:
        """All that can be asked about a state like that of a position without its moving on."""
        move = one.move
        asking = self.asking(state, move)
        for rpc in ("GetView", "ListMoves", "ValidateState"):
            request: Any = asking.request(rpc)
            if rpc == "ListMoves":
                request.list_effects = True
            yield rpc, request
        guesses = probes(state)
        if self.seat != one.acting:
            guesses = guesses[:4]
            yield "ApplyMove", asking.request("ApplyMove")
        validate, apply = pb.BatchValidateMovesRequest(), pb.BatchApplyMovesRequest()
        for guess in guesses:
            asked = replace(asking, move=written(state, guess))
            item = validate.items.add()
            item.MergeFrom(asked.request("ValidateMove"))
            item.language = language_pb2.LANGUAGE_AR
            if self.seat != one.acting or referee.violation(one.state, guess) is not None:
                apply.items.add().MergeFrom(asked.request("ApplyMove"))
        yield "BatchValidateMoves", validate
        if apply.items:
            yield "BatchApplyMoves", apply

    def order(self, state: GameState, move: Move, *, own_view: bool) -> pb.ApplyMoveRequest:
        """A move with all that the mover may have beside it."""
        request = pb.ApplyMoveRequest()
        request.MergeFrom(self.asking(state, move).request("ApplyMove"))
        request.viewers.add().spectator.SetInParent()
        if own_view and self.seat is not None:
            request.viewers.add().seat = self.seat
            request.list_moves = request.list_effects = True
        return request


def sample(game: AnyGame, rules: Any) -> list[Position]:
    """Positions of a whole game: some from all over it, and the first of every kind."""
    played = list(positions(game, rules, seed=21))
    chosen = set(range(0, len(played), max(1, len(played) // PER_TABLE)))
    kinds = set()
    for n, one in enumerate(played):
        after, events = referee.apply(one.state, one.move)
        kind = (
            one.state.position.phase,
            type(one.move),
            draws(one.state, one.move),
            after.ply - one.state.ply,
        )
        for mark in (kind, *map(type, events)):
            if mark not in kinds:
                kinds.add(mark)
                chosen.add(n)
    return [played[n] for n in sorted(chosen)]


@tables
def test_no_byte_of_an_answer_depends_on_what_the_asker_cannot_know(
    channel: grpc.Channel, game: AnyGame, rules: Any
) -> None:
    rng = Random("secrecy")
    compared: Counter[str] = Counter()
    for one in sample(game, rules):
        for seat in (None, *range(game.seats(rules))):
            asker, other = Asker(seat), redealt(one.state, seat, rng)
            assert len(sealed(other)) == len(sealed(one.state))
            mine = asker.questions(one, one.state)
            theirs = asker.questions(one, other)
            for (rpc, first), (_, second) in zip(mine, theirs, strict=True):
                answer = everything(channel, rpc, first)
                assert everything(channel, rpc, second) == answer, (rpc, seat, one)
                compared[rpc] += 1
    assert set(compared) >= {"GetView", "ListMoves", "BatchValidateMoves", "ApplyMove"}


def is_blind(move: Move) -> bool:
    """Whether the move names a hidden card by its place."""
    return isinstance(move, Hit | Take) and move.position is not None


def moves_of(one: Position, rng: Random) -> list[Move]:
    """The move played, and some others: every blind pick is among them."""
    legal = list(referee.legal_moves(one.state))
    picks = [move for move in legal if is_blind(move)]
    return [one.move, *rng.sample(legal, min(3, len(legal))), *picks[:6]]


@tables
def test_no_byte_of_what_a_move_brings_depends_on_what_the_mover_cannot_know(
    channel: grpc.Channel, game: AnyGame, rules: Any
) -> None:
    rng = Random("moves")
    seen: Counter[str] = Counter()
    for one in sample(game, rules):
        asker = Asker(one.acting)
        for move in moves_of(one, rng):
            by_chance = draws(one.state, move)
            other = alike(one.state, move, one.acting, rng)
            if other is None:
                seen["passed over"] += 1
                continue
            seen["blind"] += is_blind(move)
            seen["drawn" if by_chance else ""] += 1
            requests = [asker.order(s, move, own_view=True) for s in (one.state, other)]
            first, second = (everything(channel, "ApplyMove", r) for r in requests)
            assert first == second, (move, one)
            if by_chance and game is not tjau:
                # What the seed brings to hands is no spectator's affair either.
                anew = guarded(other, chance=reseeded(other, rng))
                requests = [asker.order(s, move, own_view=False) for s in (one.state, anew)]
                first, second = (everything(channel, "ApplyMove", r) for r in requests)
                assert first == second, (move, one)
    assert seen["passed over"] * 4 < seen.total()
    assert seen["drawn"] >= 1
    blind = game is jackaroo and (rules.ten == Ten.SKIP_BLIND or rules.queen != Queen.PLAIN)
    assert bool(seen["blind"]) == blind


def alike(state: GameState, move: Move, seat: int | None, rng: Random) -> GameState | None:
    """A re-deal in which the move is legal and shows the same; None where none is found.

    That somebody must pass is seen by all and says something of his hand, so then it must be so in
    both deals; all else that is shown is held to be the same by keeping the cards that are told.
    """
    fixed = told(state, move, seat) if state.game is jackaroo else frozenset[int]()
    changes: dict[str, Any] = {"chance": state.chance} if shows_seed(state, move) else {}
    passes = public(state, move)
    for _ in range(20):
        other = guarded(redealt(state, seat, rng, fixed), salt=rng.randbytes(16), **changes)
        if referee.violation(other, move) is None and public(other, move) == passes:
            return other
    return None


def public(state: GameState, move: Move) -> list[object]:
    """Who passed, and whether a deal came to its end: what the others' cards decide in public."""
    after, events = referee.apply(state, move)
    kinds = [type(e).__name__ for e in events if not isinstance(e, Shuffled)]
    passed = [e.seat for e in events if type(e).__name__ == "Passed"]
    return [kinds, passed, referee.to_act(after)]


@tables
def test_views_of_plain_states_tell_no_more(
    channel: grpc.Channel, game: AnyGame, rules: Any
) -> None:
    """A backend that asks for everybody's views can pass each on as it is."""
    rng = Random("plain")
    compared = 0
    for one in sample(game, rules)[::2]:
        for seat in (None, *range(game.seats(rules))):
            views = [
                plain_view(channel, s, seat) for s in (one.state, redealt(one.state, seat, rng))
            ]
            assert views[0] == views[1], (seat, one)
            other = alike(one.state, one.move, seat, rng)
            if other is not None:
                answers = [shown(channel, s, one.move, seat) for s in (one.state, other)]
                assert answers[0] == answers[1], (seat, one)
                compared += 1
    assert compared


def plain(state: GameState, request: Any) -> Any:
    """The request about a state in plain."""
    request.ClearField("state_form")
    write_state(guarded(state, salt=b""), request.state)
    return request


def plain_view(channel: grpc.Channel, state: GameState, seat: int | None) -> bytes:
    request: Any = plain(state, Asking(b"", move_pb2.Move(), seat=seat).request("GetView"))
    return answered(channel, "GetView", request).SerializeToString(deterministic=True)  # type: ignore[no-any-return]


def shown(channel: grpc.Channel, state: GameState, move: Move, seat: int | None) -> bytes:
    """What an answer to the backend holds for one who looks on."""
    request = plain(state, pb.ApplyMoveRequest(move=written(state, move)))
    viewer = request.viewers.add()
    if seat is None:
        viewer.spectator.SetInParent()
    else:
        viewer.seat = seat
    answer = answered(channel, "ApplyMove", request)
    answer.ClearField("state")
    return answer.SerializeToString(deterministic=True)  # type: ignore[no-any-return]


def test_the_comparison_would_see_a_leak(channel: grpc.Channel) -> None:
    """A re-deal of what the asker does know is seen."""
    one = next(p for p in positions(jackaroo, KAROTI, seed=2) if p.state.ply > 10)
    asker, rng = Asker(one.acting), Random(1)
    found = set()
    for _ in range(20):
        other = redealt(one.state, (one.acting + 1) % 4, rng)
        for (rpc, first), (_, second) in zip(
            asker.questions(one, one.state), asker.questions(one, other), strict=False
        ):
            if everything(channel, rpc, first) != everything(channel, rpc, second):
                found.add(rpc)
    assert {"GetView", "ListMoves", "BatchValidateMoves"} <= found
