"""Single cases of what is asked about a state: who may ask, what any game refuses, faults."""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

import samples
from samples import Position

from hakam import referee
from hakam.games.game import ChanceKind
from hakam.games.registry import GAMES
from hakam.referee import SUPPLIED, Chance
from hakam.rpc.codecs import game as wire
from hakam.seal import KeyRing, Kind
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import move_pb2, state_pb2
from hakam.v1.card_pb2 import CARD_ACE_OF_CLUBS, CARD_QUEEN_OF_HEARTS
from hakam.v1.language_pb2 import LANGUAGE_AR
from hakam.v1.viewer_pb2 import Viewer
from tests.random_play import random_chance
from tests.trust import support
from tests.trust.support import CREDENTIALS, EVERY, KEEPER, SINGLE, Asking
from tests.wire.asked import Asked
from tests.wire.bases import (
    SPECTATOR,
    UNKNOWN,
    bare,
    case,
    chance,
    copy_of,
    first_state,
    guarded_position,
    new_state,
    raw_case,
    written,
    zeroed,
)

__all__ = ["cases"]

_THROW: Final = move_pb2.Move(notation="throw")


def cases() -> Iterator[Asked]:
    """Every case."""
    for name in GAMES:
        yield from _sealed(name)
        yield from _optional(name)
        yield from _batches(name)
    yield from _strangers()
    yield from _seals()
    yield from _keepers()
    yield from _doors()
    yield from _turns()
    yield from _looks()
    yield from _deals()
    yield from _faults()
    yield from _odd_batches()


def _own(name: str) -> Asking:
    """The seat to act asks about a sealed game."""
    one = guarded_position(name)
    move = support.written(one.state, one.move)
    return Asking(support.sealed(one.state), move, CREDENTIALS[one.acting], one.acting)


def _sealed(name: str) -> Iterator[Asked]:
    own, acting = _own(name), guarded_position(name).acting
    for rpc in EVERY:
        yield case(f"sealed {name}, by the seat to act", own.request(rpc))
    order = own.request("ApplyMove")
    order.expected_ply = guarded_position(name).state.ply
    order.list_moves = order.list_effects = True
    order.viewers.extend([SPECTATOR, Viewer(seat=acting)])
    yield case(f"sealed {name}, with all that the seat may have", order)
    order = own.request("ApplyMove")
    order.viewers.add().seat = (acting + 1) % 2
    yield case(f"sealed {name}, with another's view", order)
    nobody = Asking(own.sealed, own.move)
    yield case(f"sealed {name}, by a spectator", nobody.request("GetView"))
    other = Asking(own.sealed, own.move, CREDENTIALS[acting - 1])
    yield case(f"sealed {name}, the moves, by another seat", other.request("ListMoves"))
    yield case(f"sealed {name}, by another seat", other.request("ApplyMove"))


def _strangers() -> Iterator[Asked]:
    own = _own("trix")
    for rpc in SINGLE:
        without = Asking(own.sealed, own.move, b"", own.seat)
        yield case("sealed, without a credential", without.request(rpc))
        stranger = Asking(own.sealed, own.move, KEEPER, own.seat)
        yield case("sealed, with a stranger's credential", stranger.request(rpc))
    short = Asking(own.sealed, own.move, b"short", own.seat)
    yield case("sealed, with a credential too short", short.request("ListMoves"))


def _seals() -> Iterator[Asked]:
    seal, move = _own("trix").sealed, _own("trix").move
    for name, bent in (
        ("that is none", b"seal"),
        ("of another version", b"\x02" + seal[1:]),
        ("by an unknown key", KeyRing([bytes(64)]).seal(Kind.STATE, b"header", b"content")),
        ("that was changed", seal[:-1] + bytes([seal[-1] ^ 1])),
    ):
        yield case(f"a seal {name}", Asking(bent, move, CREDENTIALS[0]).request("ListMoves"))


def _keepers() -> Iterator[Asked]:
    """Supplied chance of a sealed game, which its keeper brings."""
    seal = support.sealed(support.guarded(first_state("tjau", supplied=True)))
    for who, credential in (("the keeper", KEEPER), ("a seat", CREDENTIALS[0])):
        asking = Asking(seal, chance(throw=3), credential)
        yield case(f"sealed, chance brought by {who}", asking.request("ApplyMove"))


def _doors() -> Iterator[Asked]:
    plain = new_state("tjau")
    moves = pb.ListMovesRequest(state=plain)
    yield case("a plain state where only the keeper has one", moves, "strict")
    kept = pb.ListMovesRequest(state=plain, credential=KEEPER)
    yield case("a plain state, by the keeper", kept, "strict")
    view = pb.GetViewRequest(state=plain, viewer=SPECTATOR)
    yield case("a request that is too large", view, "small")
    yield case("without a token", view, "tokens")
    move = pb.ApplyMoveRequest(state=plain, move=_THROW)
    yield case("more calls than one process takes", move, "busy")
    yield case("a process that is stopping", move, "draining")
    yield case("no time left", move, "late")
    items = [pb.ValidateMoveRequest(), pb.ValidateMoveRequest(), pb.ValidateMoveRequest()]
    many = pb.BatchValidateMovesRequest(items=items)
    yield case("more items than allowed", many, "few")
    order = pb.BatchApplyMovesRequest.FromString(many.SerializeToString())
    yield case("more items than allowed", order, "few")


def _turns() -> Iterator[Asked]:
    """What any game refuses, as an order and, in the other language, as a question."""
    plain, waiting = new_state("tjau"), new_state("tjau", supplied=True)
    three = Chance(ChanceKind.THROW, 3)
    thrown = written(referee.apply(first_state("tjau", supplied=True), three)[0])
    throw, enter = chance(throw=3), move_pb2.Move(notation="enter")
    queen = move_pb2.Move()
    queen.trix.play.card = CARD_QUEEN_OF_HEARTS
    asked: dict[str, dict[str, Any]] = {
        "NOT_YOUR_TURN": {"state": plain, "move": _THROW, "seat": 1},
        "PLY_MISMATCH": {"state": plain, "move": _THROW, "expected_ply": 7},
        "CHANCE_IS_DUE": {"state": waiting, "move": enter},
        "NO_CHANCE_IS_DUE": {"state": thrown, "move": throw},
        "CHANCE_IS_SEEDED": {"state": plain, "move": throw},
        "chance of another kind": {"state": waiting, "move": chance(seat=0)},
        "chance for a seat": {"state": waiting, "move": throw, "seat": 0},
        "a notation that is none": {"state": plain, "move": move_pb2.Move(notation="thrwo")},
        "a notation that is empty": {"state": plain, "move": move_pb2.Move(notation="")},
        "a move of another game": {"state": plain, "move": queen},
        "no move": {"state": plain},
        "no state": {"move": _THROW},
        "a seat that is not at the table": {"state": plain, "move": _THROW, "seat": 2},
    }
    for name, fields in asked.items():
        yield case(name, pb.ApplyMoveRequest(**fields))
        yield case(name, pb.ValidateMoveRequest(**fields, language=LANGUAGE_AR))
    unknown = pb.ApplyMoveRequest(state=plain, move=_THROW).SerializeToString() + UNKNOWN
    yield raw_case("ApplyMove", "an unknown field", unknown)


def _looks() -> Iterator[Asked]:
    plain = new_state("tjau")
    yield case("another seat", pb.ListMovesRequest(state=plain, seat=1))
    yield case("another ply", pb.ListMovesRequest(state=plain, expected_ply=1))
    yield case("nobody looks", pb.GetViewRequest(state=plain, language=LANGUAGE_AR))
    fourth = pb.GetViewRequest(state=plain, viewer=Viewer(seat=4))
    yield case("a seat that is not at the table", fourth)
    for ply, name in ((0, "the ply that is meant, 0"), (1, "another ply")):
        look = pb.GetViewRequest(state=plain, viewer=SPECTATOR, expected_ply=ply)
        yield case(name, look)
    order = pb.ApplyMoveRequest(state=plain, move=_THROW, viewers=[SPECTATOR] * 8)
    yield case("more views than allowed", order)


def _deals() -> Iterator[Asked]:
    six = GAMES["jackaroo"].with_options("bordaga", {"seats": 6, "dealer": 5})
    state, _ = referee.new_game(GAMES["jackaroo"], six, SUPPLIED)
    due = referee.chance_due(state)
    assert due is not None
    brought = Position(state, random_chance(Random(1), due))
    yield case("a deal to six seats, with a rest", samples.apply_request(brought))
    trix = pb.ApplyMoveRequest(state=new_state("trix", supplied=True), language=LANGUAGE_AR)
    hands = trix.move.chance.deal.hands
    hands.add().cards.extend([CARD_ACE_OF_CLUBS] * 13)
    yield case("a deal of a wrong shape", trix)
    for _ in range(3):
        hands.add().CopyFrom(hands[0])
    yield case("a deal with a card many times", trix)


def _judged(name: str, state: state_pb2.State) -> Asked:
    return case(name, pb.ValidateStateRequest(state=state))


def _optional(name: str) -> Iterator[Asked]:
    """Numbers of a state that are absent, and that are 0."""
    state = written(guarded_position(name).state)
    yield _judged(f"{name}: a salt in a plain state", state)
    state.salt = b""
    yield _judged(f"{name}: every optional number absent", bare(state))
    yield _judged(f"{name}: every optional number 0", zeroed(state))


def _faults() -> Iterator[Asked]:
    yield case("no state", pb.ValidateStateRequest())
    full = new_state("tjau")
    full.tjau.sides[0].squares.extend(range(1, 7))
    full.tjau.sides[0].borne_off = 4
    yield _judged("tjau: more pieces than there are", full)
    twice = new_state("tjau")
    twice.tjau.sides[0].squares.extend([3, 3])
    twice.tjau.throw = 2
    yield _judged("tjau: a square twice, a throw too early", twice)
    yield case("a state with faults", pb.GetViewRequest(state=twice, viewer=SPECTATOR))
    odd = new_state("jackaroo")
    odd.jackaroo.phase = 77  # type: ignore[assignment] # what a newer release might have
    yield _judged("jackaroo: a phase that does not exist", odd)
    trix = new_state("trix")
    del trix.trix.hands[1].cards[2]
    yield _judged("trix: a card that is nowhere", trix)
    trix.trix.hands[1].cards.append(trix.trix.hands[0].cards[0])
    yield _judged("trix: a card twice", trix)
    trix.trix.doubled.add().card = CARD_QUEEN_OF_HEARTS
    yield _judged("trix: a doubled card of no seat", trix)
    trix.chance.version = 2
    yield _judged("a chance version that is not served", trix)
    yield case("a chance version that is not served", pb.ListMovesRequest(state=trix))
    trix.rules.revision = 2
    yield _judged("a revision that is not served", trix)


def _batches(name: str) -> Iterator[Asked]:
    """Items of every kind side by side: answers, refusals, faults."""
    own = _own(name).request("ApplyMove")
    late = copy_of(own)
    late.expected_ply, late.language = 0, LANGUAGE_AR
    stranger = copy_of(own)
    stranger.credential = KEEPER
    empty = pb.ApplyMoveRequest(language=LANGUAGE_AR)
    spoiled = pb.ApplyMoveRequest.FromString(UNKNOWN)
    orders = pb.BatchApplyMovesRequest(items=[own, late, stranger, empty, spoiled])
    yield case(f"{name}: items of every kind", orders)
    questions = pb.BatchValidateMovesRequest.FromString(orders.SerializeToString())
    yield case(f"{name}: items of every kind", questions)


def _odd_batches() -> Iterator[Asked]:
    yield case("no items", pb.BatchApplyMovesRequest())
    yield case("no items", pb.BatchValidateMovesRequest())
    batch = pb.BatchValidateMovesRequest()
    for position in samples.each_kind_of_move():
        game = position.state.game
        move = move_pb2.Move()
        wire.write_move(game, position.move, move)
        state = new_state(game.CATALOGUE.id)
        for bent in (bare(move), zeroed(move)):
            batch.items.append(pb.ValidateMoveRequest(state=state, move=bent))
    yield case("optional numbers of moves absent, and 0", batch)
