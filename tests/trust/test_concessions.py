"""What cannot be stopped, shown as plainly as what can: see docs/security.md."""

from hashlib import sha256
from random import Random

import pytest
from calls import refused

from hakam import chance
from hakam.seal import Kind
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from hakam.v1 import state_pb2
from tests.trust.support import CREDENTIALS, HASHES, KEEPER, RING
from tests.trust.table import prepared, rules_of

Stub = pb_grpc.GameServiceStub
TRIX = rules_of("trix", "standard")


def test_two_heirs_of_one_seal_are_both_good_without_a_keeper(strict: Stub) -> None:
    """A player moves, sees how it turns out, and moves otherwise: a fork."""
    table = prepared(strict, TRIX, Random(1))
    mover = table.phones[table.now.turn.to_act]
    moves = [listed.move for listed in mover.moves(table.sealed)]
    heirs = [
        strict.ApplyMove(mover.order(table.sealed, move, table.now.turn.ply)) for move in moves
    ]
    assert len({heir.sealed_state for heir in heirs}) == len(moves) > 1
    for heir in heirs:
        assert table.phones[heir.turn.to_act].moves(heir.sealed_state)


def test_an_honest_phone_tells_an_older_seal_by_its_ply(strict: Stub) -> None:
    """The ply is in every answer and part of every question, so going back is seen."""
    table = prepared(strict, TRIX, Random(1))
    old = table.sealed
    for _ in range(8):
        table.step()
    mover = table.phones[table.now.turn.to_act]
    move = mover.moves(table.sealed)[0].move
    order = mover.order(old, move, table.now.turn.ply)
    assert refused(lambda: strict.ApplyMove(order)).reason == "PLY_MISMATCH"
    assert mover.look(old).turn.ply < table.now.turn.ply


def test_two_players_who_share_their_credentials_see_two_hands(strict: Stub) -> None:
    """Friends who talk need no service to cheat; each opens his own view, and no third."""
    table = prepared(strict, TRIX, Random(2))
    hands = [set(table.phones[seat].look(table.sealed).trix.hand) for seat in (0, 1)]
    assert len(hands[0] | hands[1]) == 26


def test_whoever_gives_entropy_last_can_choose_among_games(strict: Stub) -> None:
    """He sees his own first hand in each, nobody else's, and can keep the best."""
    hashes = HASHES[:4]
    ready = strict.PrepareGame(pb.PrepareGameRequest(rules=TRIX, credential_sha256=hashes))
    hands = set()
    for last in range(8):
        started = strict.NewGame(
            pb.NewGameRequest(
                rules=TRIX,
                prepared_seed=ready.prepared_seed,
                entropy=[b"theirs", bytes([last])],
                credential_sha256=hashes,
                seal=True,
            )
        )
        request = pb.GetViewRequest(sealed_state=started.sealed_state, credential=CREDENTIALS[0])
        request.viewer.seat = 0
        hands.add(tuple(strict.GetView(request).view.trix.hand))
        request.viewer.seat = 1
        assert refused(lambda r=request: strict.GetView(r)).reason == "CREDENTIAL_WRONG"  # type: ignore[misc]
    assert len(hands) == 8


def test_a_weak_seed_is_found_by_its_commitment(stub: Stub) -> None:
    """Of a clock or a small number anybody tries all until one fits."""
    weak = sha256(b"%d" % 4711).digest()
    request = pb.NewGameRequest(rules=TRIX, seed=weak, seal=True, make_credentials=True)
    told = stub.NewGame(request).commitment
    likely = (sha256(b"%d" % n).digest() for n in range(10_000))
    assert next(seed for seed in likely if chance.commitment(seed) == told) == weak


def test_whoever_gives_the_seed_knows_every_hand(strict: Stub) -> None:
    """So a service for strangers takes no seed but from its keeper."""
    request = pb.NewGameRequest(
        rules=TRIX, seed=bytes(range(32)), seal=True, credential_sha256=HASHES[:4]
    )
    assert refused(lambda: strict.NewGame(request)).reason == "PLAIN_STATE_REFUSED"
    request.credential = KEEPER
    started = strict.NewGame(request)
    look = pb.GetViewRequest(sealed_state=started.sealed_state, credential=CREDENTIALS[0])
    look.viewer.seat = 0
    known = pb.NewGameRequest(rules=TRIX, seed=request.seed, credential=KEEPER)
    hands = strict.NewGame(known).state.trix.hands
    assert strict.GetView(look).view.trix.hand == hands[0].cards


def test_whoever_made_the_credentials_sees_every_hand(strict: Stub) -> None:
    request = pb.NewGameRequest(rules=TRIX, seal=True, make_credentials=True)
    started = strict.NewGame(request)
    cards = set()
    for seat, credential in enumerate(started.credentials):
        look = pb.GetViewRequest(sealed_state=started.sealed_state, credential=credential)
        look.viewer.seat = seat
        cards |= set(strict.GetView(look).view.trix.hand)
    assert len(cards) == 52


@pytest.mark.parametrize("game", ["trix", "jackaroo"])
def test_whoever_has_the_key_reads_and_writes_every_seal(strict: Stub, game: str) -> None:
    rules = rules_of(game, {"trix": "standard", "jackaroo": "karoti"}[game])
    started = strict.NewGame(pb.NewGameRequest(rules=rules, seal=True, make_credentials=True))
    header, content = RING.open(Kind.STATE, started.sealed_state)
    state = state_pb2.State.FromString(content)
    assert chance.commitment(state.chance.seeded.seed) == started.commitment
    state.ply += 7
    forged = RING.seal(Kind.STATE, header, state.SerializeToString(deterministic=True))
    look = pb.GetViewRequest(sealed_state=forged)
    look.viewer.spectator.SetInParent()
    assert strict.GetView(look).view.turn.ply == started.turn.ply + 7
