"""A cheating phone plays whole games among honest ones, without and with a keeper.

Whatever it tries is counted: what is answered is a gain, what is refused is not. The gains are
then exactly those that docs/security.md concedes, and three honest players finish their game.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

import grpc
import pytest
from calls import error_of, raw_call

from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from hakam.v1 import move_pb2, state_pb2
from tests.trust.keeper import Keeper, StaleError
from tests.trust.support import HASHES, reason_in
from tests.trust.table import Phone, Table, prepared, rules_of

Stub = pb_grpc.GameServiceStub
GAMES = {"trix": rules_of("trix", "complex"), "jackaroo": rules_of("jackaroo", "karoti")}
every_game = pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
CHEAT = 2
# The cheat strikes at every so many plies.
EVERY = 15

REFUSED = {
    "CREDENTIAL_MISSING",
    "CREDENTIAL_WRONG",
    "FIELD_NOT_ALLOWED",
    "LENGTH_OUT_OF_RANGE",
    "NOT_YOUR_TURN",
    "OVERLOADED",
    "PLAIN_STATE_REFUSED",
    "PLY_MISMATCH",
    "REQUEST_TOO_LARGE",
    "SEAL_KEY_UNKNOWN",
    "SEAL_MALFORMED",
    "SEAL_REFUSED",
    "SEAL_VERSION_UNSUPPORTED",
    "STALE",
    "TOO_MANY_ITEMS",
}


@dataclass
class Loot:
    """What was tried, what of it was answered, and what was said to the rest."""

    tried: Counter[str] = field(default_factory=Counter)
    gains: Counter[str] = field(default_factory=Counter)
    refusals: set[str] = field(default_factory=set)

    def attempt(self, what: str, call: Callable[[], Any]) -> Any:
        """The answer, if there is one."""
        self.tried[what] += 1
        try:
            answer = call()
        except grpc.RpcError as failed:
            self.refusals.add(error_of(failed).reason)
            return None
        except StaleError:
            self.refusals.add("STALE")
            return None
        self.gains[what] += 1
        return answer


@dataclass
class Cheat:
    """The phone in seat CHEAT: it has its own credential and every seal that went round."""

    stub: Stub
    channel: grpc.Channel
    phone: Phone
    rng: Random
    loot: Loot = field(default_factory=Loot)
    seals: list[tuple[bytes, int]] = field(default_factory=list)  # each with the seat to act
    guess: move_pb2.Move = field(default_factory=move_pb2.Move)

    def strike(self, table: Table) -> None:
        """Try everything once. The moves that it tries are legal ones: it guesses right."""
        turn = table.now.turn
        self.guess = table.phones[turn.to_act].moves(table.sealed)[0].move
        for attack in (
            self.move_for_others,
            self.look_at_others,
            self.edit,
            self.splice,
            self.go_back,
            self.send_too_much,
            self.go_round,
        ):
            attack(table.sealed, turn.to_act, turn.ply)

    def apply(self, sealed: bytes, **fields: Any) -> pb.ApplyMoveRequest:
        return pb.ApplyMoveRequest(sealed_state=sealed, move=self.guess, **fields)

    def move_for_others(self, sealed: bytes, to_act: int, ply: int) -> None:
        own = self.phone.credential
        others = [seat for seat in range(4) if seat != CHEAT]
        for seat in others:
            for credential in (b"", own, self.rng.randbytes(32), HASHES[seat]):
                for expected in (ply, ply + 1):
                    request = self.apply(
                        sealed, seat=seat, credential=credential, expected_ply=expected
                    )
                    self.loot.attempt("foreign move", partial(self.stub.ApplyMove, request))
        if to_act != CHEAT:
            request = self.apply(sealed, credential=own)
            self.loot.attempt("move out of turn", partial(self.stub.ApplyMove, request))
        request = self.apply(sealed, credential=own)
        request.move.chance.throw = 4
        self.loot.attempt("chosen chance", partial(self.stub.ApplyMove, request))

    def look_at_others(self, sealed: bytes, to_act: int, _ply: int) -> None:
        own = self.phone.credential
        for seat in (seat for seat in range(4) if seat != CHEAT):
            for credential in (b"", own, self.rng.randbytes(32)):
                view = pb.GetViewRequest(sealed_state=sealed, credential=credential)
                view.viewer.seat = seat
                self.loot.attempt("foreign view", partial(self.stub.GetView, view))
                moves = pb.ListMovesRequest(sealed_state=sealed, credential=credential, seat=seat)
                self.loot.attempt("foreign moves", partial(self.stub.ListMoves, moves))
        if to_act == CHEAT:
            request = self.apply(sealed, credential=own)
            request.move.CopyFrom(self.phone.moves(sealed)[0].move)
            request.viewers.add().seat = (CHEAT + 1) % 4
            self.loot.attempt("foreign view by a move", partial(self.stub.ApplyMove, request))

    def look(self, sealed: bytes) -> Callable[[], Any]:
        """A call that tells whether a seal opens."""
        request = pb.GetViewRequest(sealed_state=sealed)
        request.viewer.spectator.SetInParent()
        return partial(self.stub.GetView, request)

    def edit(self, sealed: bytes, _to_act: int, _ply: int) -> None:
        for _ in range(12):
            edited = bytearray(sealed)
            edited[self.rng.randrange(len(edited))] ^= 1 << self.rng.randrange(8)
            self.loot.attempt("edited state", self.look(bytes(edited)))
        cut = self.rng.randrange(len(sealed))
        self.loot.attempt("edited state", self.look(sealed[:cut]))
        self.loot.attempt("edited state", self.look(sealed + b"\0"))
        self.loot.attempt("made-up state", self.look(self.rng.randbytes(len(sealed))))

    def splice(self, sealed: bytes, _to_act: int, _ply: int) -> None:
        """The header of one seal, or a part of it, on the body of another."""
        other, _ = self.rng.choice(self.seals)
        if other == sealed:
            return
        for one, two in ((sealed, other), (other, sealed)):
            header = 8 + int.from_bytes(one[6:8], "big")
            body = 8 + int.from_bytes(two[6:8], "big")
            self.loot.attempt("spliced state", self.look(one[:header] + two[body:]))
            self.loot.attempt("spliced state", self.look(one[:-256] + two[-256:]))

    def go_back(self, _sealed: bytes, _to_act: int, _ply: int) -> None:
        """An old seal: the others' moves are as closed as ever, the own ones are not."""
        old, acted = self.rng.choice(self.seals)
        own = self.phone.credential
        if acted != CHEAT:
            request = self.apply(old, credential=own)
            self.loot.attempt("old seal, foreign turn", partial(self.stub.ApplyMove, request))
            return
        for listed in self.phone.moves(old)[:3]:
            request = pb.ApplyMoveRequest(sealed_state=old, credential=own, move=listed.move)
            self.loot.attempt("own moves on copies", partial(self.stub.ApplyMove, request))

    def send_too_much(self, sealed: bytes, _to_act: int, ply: int) -> None:
        self.loot.attempt("oversize", self.look(sealed * 30))
        many = pb.BatchApplyMovesRequest(items=[pb.ApplyMoveRequest(sealed_state=b"x")] * 1001)
        self.loot.attempt("oversize", partial(self.stub.BatchApplyMoves, many))
        if ply % 5 == 0:
            raw = bytes(3 * 1024 * 1024 + 1)
            self.loot.attempt("oversize", partial(raw_call(self.channel, "ListMoves"), raw))

    def go_round(self, sealed: bytes, _to_act: int, _ply: int) -> None:
        """Not by the seal at all: plain states, own seeds, supplied chance, other games."""
        plain = pb.GetViewRequest(state=state_pb2.State(ply=3))
        plain.viewer.spectator.SetInParent()
        self.loot.attempt("plain state", partial(self.stub.GetView, plain))
        start = pb.NewGameRequest(rules=GAMES["trix"], seal=True, credential_sha256=HASHES[:4])
        for field_name in ("seed", "supplied"):
            request = pb.NewGameRequest()
            request.CopyFrom(start)
            if field_name == "seed":
                request.seed = bytes(32)
            else:
                request.supplied.SetInParent()
            self.loot.attempt("chosen deal", partial(self.stub.NewGame, request))
        # A game of his own, with all credentials: they open nothing here.
        own = pb.NewGameRequest(rules=GAMES["trix"], seal=True, make_credentials=True)
        for credential in self.stub.NewGame(own).credentials:
            view = pb.GetViewRequest(sealed_state=sealed, credential=credential)
            view.viewer.seat = 0
            self.loot.attempt("credential of another game", partial(self.stub.GetView, view))

    def flood(self, sealed: bytes) -> "list[grpc.Future[Any]]":
        """More calls at once than the service lets in."""
        request = pb.ListMovesRequest(sealed_state=sealed, credential=self.rng.randbytes(32))
        return [self.stub.ListMoves.future(request) for _ in range(400)]


@every_game
def test_a_cheating_phone_gains_only_trials_of_its_own_moves(
    strict: Stub, strict_channel: grpc.Channel, rules: Any
) -> None:
    table = prepared(strict, rules, Random(5))
    cheat = Cheat(strict, strict_channel, table.phones[CHEAT], Random(6))
    while table.now.turn.HasField("to_act"):
        cheat.seals.append((table.sealed, table.now.turn.to_act))
        if len(table.moves) % EVERY == 0:
            cheat.strike(table)
        flood = cheat.flood(table.sealed) if len(table.moves) == 200 else []
        table.step()  # the honest play on, whatever the cheat does
        for call in flood:
            error = call.exception()
            assert isinstance(error, grpc.RpcError)
            cheat.loot.refusals.add(error_of(error).reason)
    assert table.now.turn.HasField("outcome")
    assert set(cheat.loot.gains) == {"own moves on copies"}
    assert cheat.loot.refusals <= REFUSED
    assert len(cheat.loot.tried) >= 13
    assert cheat.loot.tried.total() > 1000
    # Nothing that was tried touched the game.
    record = table.record()
    replayed = strict.ReplayGame(pb.ReplayGameRequest(record=record)).replayed
    assert replayed.turn == table.now.turn


def test_an_older_whole_seal_is_accepted_and_that_is_rollback(strict: Stub) -> None:
    """What no service without a memory can stop: going back, and trying own moves on copies."""
    table = prepared(strict, GAMES["jackaroo"], Random(1))
    blind: dict[int, int] = {}
    while not blind:
        old, turn = table.sealed, table.now.turn
        mover = table.phones[turn.to_act]
        picks = [m.move for m in mover.moves(old) if m.move.jackaroo.HasField("hit")]
        table.step()
        for move in picks:  # the game has moved on; the old seal is as good as ever
            answer = strict.ApplyMove(mover.order(old, move, turn.ply))
            lost = next(
                e.jackaroo.card_lost for e in answer.events if e.jackaroo.HasField("card_lost")
            )
            blind[move.jackaroo.hit.position] = lost.card
    # He has seen every card of the next seat's hand, and would now pick the one that he likes.
    assert len(set(blind.values())) == len(blind) > 1


def test_a_right_guess_of_the_deal_cannot_be_told_from_a_wrong_one(
    stub: Stub, strict: Stub
) -> None:
    """Even he who knows seed, entropy and hashes builds another seal: the salt is secret."""
    rules = GAMES["trix"]
    table = prepared(strict, rules, Random(3))
    first = table.sealed
    table.play()
    reveal = table.now.views[0].reveal
    hashes = [phone.credential_sha256 for phone in table.phones]
    guess = pb.NewGameRequest(
        rules=rules, seed=reveal.seed, entropy=reveal.entropy, credential_sha256=hashes, seal=True
    )
    rebuilt = {stub.NewGame(guess).sealed_state for _ in range(50)}
    assert len(rebuilt) == 50
    assert first not in rebuilt
    assert {len(seal) for seal in rebuilt} == {len(first)}
    body = 8 + int.from_bytes(first[6:8], "big")
    blocks = [seal[body : body + 16] for seal in (first, *rebuilt)]
    assert len(set(blocks)) == len(blocks)


@dataclass
class KeptCheat:
    """The same phone where a keeper stands before the service: it never gets a seal."""

    keeper: Keeper
    phone: Phone
    rng: Random
    loot: Loot = field(default_factory=Loot)
    old: list[tuple[move_pb2.Move, int]] = field(default_factory=list)

    def strike(self, phones: list[Phone], to_act: int, ply: int) -> None:
        """Try everything once; the foreign moves are legal ones."""
        own = self.phone.credential
        move = self.keeper.moves(phones[to_act].credential)[0].move
        for phone in phones:
            if phone.seat == CHEAT:
                continue
            for credential in (b"", own, self.rng.randbytes(32)):
                self.loot.attempt("foreign view", partial(self.keeper.view, phone.seat, credential))
        for credential in (b"", self.rng.randbytes(32)):
            self.loot.attempt("foreign moves", partial(self.keeper.moves, credential))
        if to_act != CHEAT:
            for credential in (b"", own, self.rng.randbytes(32)):
                self.loot.attempt("foreign move", partial(self.keeper.play, credential, move, ply))
            self.loot.attempt("foreign moves", partial(self.keeper.moves, own))
        for past, at in self.rng.sample(self.old, min(3, len(self.old))):
            self.loot.attempt("rollback", partial(self.keeper.play, own, past, at))
        self.loot.attempt("later ply", partial(self.keeper.play, own, move, ply + 1))
        long = move_pb2.Move(notation="x" * 4_000_000)
        if ply % 5 == 0:
            self.loot.attempt("oversize", partial(self.keeper.play, own, long, ply))

    def try_twice(self, pool: ThreadPoolExecutor, ply: int) -> Any:
        """Two different moves at once, to keep the one that turns out better."""
        moves = [listed.move for listed in self.keeper.moves(self.phone.credential)]
        chosen = self.rng.sample(moves, min(2, len(moves)))
        own = self.phone.credential
        running = [pool.submit(self.keeper.play, own, move, ply) for move in chosen]
        kept = [answer for answer in map(self.result, running) if answer is not None]
        assert len(kept) == 1  # the other was lost: no answer came of it
        self.old.append((kept[0].move, ply))
        return kept[0]

    def result(self, running: "Future[Any]") -> Any:
        self.loot.tried["two moves at once"] += 1
        try:
            return running.result()
        except StaleError:
            self.loot.refusals.add("STALE")
            return None


@every_game
def test_with_a_keeper_a_cheating_phone_gains_nothing(strict: Stub, rules: Any) -> None:
    table = prepared(strict, rules, Random(8))
    keeper = Keeper(strict, table.now)
    rng = Random(9)
    cheat = KeptCheat(keeper, table.phones[CHEAT], rng)
    now: Any = table.now
    plies = 0
    with ThreadPoolExecutor(2) as pool:
        while now.turn.HasField("to_act"):
            if plies % EVERY == 0:
                cheat.strike(table.phones, now.turn.to_act, now.turn.ply)
            now = kept_step(keeper, table.phones, cheat, now, pool)
            assert not now.HasField("state_form")
            plies += 1
    assert now.turn.HasField("outcome")
    assert cheat.loot.gains.total() == 0
    assert cheat.loot.refusals <= REFUSED
    assert {"rollback", "foreign view", "foreign move", "two moves at once"} <= set(
        cheat.loot.tried
    )
    assert keeper.view(None, b"").turn == now.turn


def kept_step(
    keeper: Keeper, phones: list[Phone], cheat: KeptCheat, now: Any, pool: ThreadPoolExecutor
) -> Any:
    mover = phones[now.turn.to_act]
    if mover.seat == CHEAT:
        return cheat.try_twice(pool, now.turn.ply)
    move = mover.rng.choice(keeper.moves(mover.credential)).move
    assert keeper.view(mover.seat, mover.credential).turn == now.turn
    return keeper.play(mover.credential, move, now.turn.ply)


def test_a_keeper_with_a_sealed_state_sees_no_hand(strict: Stub) -> None:
    """A keeper needs not be trusted with the cards: it keeps what it cannot open."""
    table = prepared(strict, GAMES["trix"], Random(4))
    keeper = Keeper(strict, table.now)
    loot = Loot()
    for seat in range(4):
        loot.attempt("view", partial(keeper.view, seat, b""))
    assert loot.refusals == {"CREDENTIAL_MISSING"}
    assert keeper.view(None, b"").trix.hand == []


def batch(items: list[pb.ApplyMoveRequest]) -> Iterator[pb.BatchApplyMovesRequest]:
    return (pb.BatchApplyMovesRequest(items=items[i : i + 500]) for i in range(0, len(items), 500))


def test_no_credential_is_found_by_trying(strict: Stub) -> None:
    """Guesses in thousands, each wrong; 32 random bytes are not to be found in trillions."""
    table = prepared(strict, GAMES["trix"], Random(2))
    rng = Random(3)
    seat = table.now.turn.to_act
    move = table.phones[seat].moves(table.sealed)[0].move
    known = table.phones[seat].credential_sha256
    guesses = [bytes(32), known, *(rng.randbytes(32) for _ in range(998))]
    items = [
        pb.ApplyMoveRequest(sealed_state=table.sealed, credential=guess, move=move)
        for guess in guesses
    ]
    reasons = {
        reason_in("ApplyMove", result)
        for request in batch(items)
        for result in strict.BatchApplyMoves(request).results
    }
    assert reasons == {"CREDENTIAL_WRONG"}
