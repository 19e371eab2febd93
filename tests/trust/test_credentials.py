"""Who may ask what about a sealed game, over every rpc and batch item, and what the keeper may."""

from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from itertools import islice
from random import Random
from typing import Any

import grpc
import pytest
from calls import METHODS, refused, request_type

from hakam import referee
from hakam.games.registry import GAMES
from hakam.referee import SUPPLIED, AnyGame, GameState
from hakam.rpc.codecs.game import write_state
from hakam.seal import Kind
from hakam.v1 import card_pb2, rules_pb2, state_pb2
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from tests import random_play
from tests.trust.support import (
    CREDENTIALS,
    EVERY,
    HASHES,
    KEEPER,
    RING,
    SALT,
    Asking,
    Position,
    answered,
    guarded,
    name,
    positions,
    reason_in,
    reason_of,
    sealed,
    written,
)

Stub = pb_grpc.GameServiceStub
STRANGER = b"\x5a" * 32


def middle(game: str, rule_set: str, ply: int = 40) -> Position:
    module = GAMES[game]
    played = positions(module, module.CATALOGUE.rule_sets[rule_set], seed=5)
    return next(p for p in played if p.state.ply >= ply)


TRIX = middle("trix", "standard")
GAMES_UNDER_WAY = {
    "trix": TRIX,
    "jackaroo": middle("jackaroo", "karoti"),
    "tjau": middle("tjau", "egyptian", 9),
}
under_way = pytest.mark.parametrize("position", GAMES_UNDER_WAY.values(), ids=GAMES_UNDER_WAY)
every_rpc = pytest.mark.parametrize("rpc", EVERY)


def asking(position: Position, credential: bytes = b"", seat: int | None = None) -> Asking:
    return Asking(sealed(position.state), written(position.state, position.move), credential, seat)


def reason(channel: grpc.Channel, rpc: str, asked: Asking) -> str:
    return reason_of(channel, rpc, asked.request(rpc))


def next_seat(position: Position) -> int:
    return (position.acting + 1) % position.state.game.seats(position.state.rules)


def test_every_rpc_about_a_state_is_asked_here() -> None:
    takes_state = {
        rpc
        for rpc in METHODS
        for fields in [request_type(rpc).DESCRIPTOR.fields_by_name]
        if "sealed_state" in fields or "items" in fields
    }
    assert takes_state == {*EVERY}


@every_rpc
@under_way
class TestEveryCall:
    def test_without_a_credential_there_is_only_the_spectators_view(
        self, channel: grpc.Channel, position: Position, rpc: str
    ) -> None:
        unnamed = "" if rpc == "GetView" else "CREDENTIAL_MISSING"
        assert reason(channel, rpc, asking(position)) == unnamed
        for seat in (position.acting, next_seat(position)):
            asked = asking(position, seat=seat)
            assert reason(channel, rpc, asked) == "CREDENTIAL_MISSING"

    def test_a_credential_that_is_no_seats_is_refused(
        self, channel: grpc.Channel, position: Position, rpc: str
    ) -> None:
        unnamed = "" if rpc == "GetView" else "CREDENTIAL_WRONG"
        # Not even the keeper speaks for a seat, and a hash opens nothing.
        for credential in (STRANGER, KEEPER, HASHES[position.acting], bytes(32)):
            assert reason(channel, rpc, asking(position, credential)) == unnamed
            asked = asking(position, credential, position.acting)
            assert reason(channel, rpc, asked) == "CREDENTIAL_WRONG"

    def test_the_credential_of_another_seat_is_refused(
        self, channel: grpc.Channel, position: Position, rpc: str
    ) -> None:
        other = next_seat(position)
        for seat, credential in ((position.acting, other), (other, position.acting)):
            asked = asking(position, CREDENTIALS[credential], seat)
            assert reason(channel, rpc, asked) == "CREDENTIAL_WRONG"

    def test_the_credential_of_the_same_seat_of_another_game_is_refused(
        self, channel: grpc.Channel, position: Position, rpc: str
    ) -> None:
        theirs = tuple(sha256(b"of another game" + known).digest() for known in HASHES)
        seats = len(position.state.credentials)
        other = Position(guarded(position.state, credentials=theirs[:seats]), position.move)
        asked = asking(other, CREDENTIALS[position.acting], position.acting)
        assert reason(channel, rpc, asked) == "CREDENTIAL_WRONG"

    def test_a_seat_may_ask_in_its_turn_named_or_not(
        self, channel: grpc.Channel, position: Position, rpc: str
    ) -> None:
        for seat in (position.acting, None):
            asked = asking(position, CREDENTIALS[position.acting], seat)
            assert reason(channel, rpc, asked) == ""

    def test_a_seat_out_of_turn_may_look_and_not_act(
        self, channel: grpc.Channel, position: Position, rpc: str
    ) -> None:
        other = next_seat(position)
        may = rpc in ("GetView", "ValidateState")
        for seat in (other, None):
            asked = asking(position, CREDENTIALS[other], seat)
            assert reason(channel, rpc, asked) == ("" if may else "NOT_YOUR_TURN")

    def test_a_credential_has_32_bytes(
        self, channel: grpc.Channel, position: Position, rpc: str
    ) -> None:
        own = CREDENTIALS[position.acting]
        for length in (1, 31, 33, 64):
            asked = asking(position, (own + own)[:length], position.acting)
            assert reason(channel, rpc, asked) == "LENGTH_OUT_OF_RANGE"

    def test_an_edited_seal_is_refused_whoever_brings_it(
        self, channel: grpc.Channel, position: Position, rpc: str
    ) -> None:
        good = asking(position, CREDENTIALS[position.acting], position.acting)
        edited = bytearray(good.sealed)
        edited[-20] ^= 1
        asked = Asking(bytes(edited), good.move, good.credential, good.seat)
        assert reason(channel, rpc, asked) == "SEAL_REFUSED"


def results(channel: grpc.Channel, asked: list[Asking]) -> list[str]:
    """The reason of every item of one batch of moves."""
    batch = pb.BatchApplyMovesRequest()
    for one in asked:
        batch.items.add().MergeFromString(one.request("ApplyMove").SerializeToString())
    answer = answered(channel, "BatchApplyMoves", batch)
    return [reason_in("ApplyMove", result) for result in answer.results]


def test_every_flipped_bit_of_a_credential_is_refused(channel: grpc.Channel) -> None:
    own = CREDENTIALS[TRIX.acting]
    flipped = []
    for at in range(32):
        for bit in range(8):
            bent = bytearray(own)
            bent[at] ^= 1 << bit
            flipped.append(asking(TRIX, bytes(bent), TRIX.acting))
    assert set(results(channel, flipped)) == {"CREDENTIAL_WRONG"}


def test_a_credential_cut_short_at_any_length_is_refused(channel: grpc.Channel) -> None:
    own = CREDENTIALS[TRIX.acting]
    cut = [asking(TRIX, own[:length], TRIX.acting) for length in range(33)]
    expected = ["CREDENTIAL_MISSING", *["LENGTH_OUT_OF_RANGE"] * 31, ""]
    assert results(channel, cut) == expected


def test_every_flipped_byte_of_a_sealed_state_is_refused_over_the_wire(
    channel: grpc.Channel,
) -> None:
    good = asking(TRIX, CREDENTIALS[TRIX.acting], TRIX.acting)
    rng = Random(3)
    bent = []
    for at in range(len(good.sealed)):
        edited = bytearray(good.sealed)
        edited[at] ^= rng.randrange(1, 256)
        bent.append(Asking(bytes(edited), good.move, good.credential, good.seat))
    cut = [
        Asking(good.sealed[:length], good.move, good.credential, good.seat)
        for length in range(0, len(good.sealed), 3)
    ]
    reasons = {r for part in chunks([*bent, *cut]) for r in results(channel, part)}
    assert reasons == {
        "SEAL_MALFORMED",
        "SEAL_VERSION_UNSUPPORTED",
        "SEAL_KEY_UNKNOWN",
        "SEAL_REFUSED",
    }


def chunks(items: list[Asking], size: int = 500) -> Iterator[list[Asking]]:
    return (items[i : i + size] for i in range(0, len(items), size))


def test_each_item_of_a_batch_is_judged_by_its_own_credential(channel: grpc.Channel) -> None:
    own = CREDENTIALS[TRIX.acting]
    asked = [
        asking(TRIX, own),
        asking(TRIX),
        asking(TRIX, STRANGER),
        asking(TRIX, CREDENTIALS[next_seat(TRIX)]),
        asking(TRIX, own),
    ]
    expected = ["", "CREDENTIAL_MISSING", "CREDENTIAL_WRONG", "NOT_YOUR_TURN", ""]
    assert results(channel, asked) == expected


class TestOrderOfJudgement:
    """Nothing is asked of the rules before the door has opened."""

    @pytest.fixture
    def blind(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Every look at what is hidden fails, and a failure would be INTERNAL."""

        def looked(*_: object) -> None:
            raise AssertionError("looked at what is hidden")

        for function in ("legal_moves", "violation", "apply", "effects", "view"):
            monkeypatch.setattr(GAMES["trix"], function, looked)

    @every_rpc
    @pytest.mark.usefixtures("blind")
    def test_credential_and_seat_are_judged_first(self, channel: grpc.Channel, rpc: str) -> None:
        for credential, seat in ((b"", 0), (STRANGER, 0), (CREDENTIALS[1], 0), (STRANGER, None)):
            asked = asking(TRIX, credential, seat)
            if rpc != "GetView" or seat is not None:
                assert reason(channel, rpc, asked).startswith("CREDENTIAL_")

    @pytest.mark.parametrize("rpc", [rpc for rpc in EVERY if "Moves" in rpc or "Move" in rpc])
    @pytest.mark.usefixtures("blind")
    def test_the_turn_is_judged_before_the_move(self, channel: grpc.Channel, rpc: str) -> None:
        asked = asking(TRIX, CREDENTIALS[next_seat(TRIX)])
        assert reason(channel, rpc, asked) == "NOT_YOUR_TURN"

    @pytest.mark.usefixtures("blind")
    def test_the_test_would_see_a_look(self, channel: grpc.Channel) -> None:
        assert reason(channel, "ListMoves", asking(TRIX, CREDENTIALS[TRIX.acting])) == "INTERNAL"


def apply_request(position: Position, **fields: Any) -> pb.ApplyMoveRequest:
    return pb.ApplyMoveRequest(
        sealed_state=sealed(position.state),
        move=written(position.state, position.move),
        credential=CREDENTIALS[position.acting],
        **fields,
    )


@under_way
def test_a_mover_gets_his_own_and_the_spectators_view_and_no_other(
    stub: Stub, position: Position
) -> None:
    request = apply_request(position)
    request.viewers.add().seat = position.acting
    request.viewers.add().spectator.SetInParent()
    views = stub.ApplyMove(request).views
    assert [view.viewer for view in views] == list(request.viewers)
    request.viewers.add().seat = next_seat(position)
    assert refused(lambda: stub.ApplyMove(request)).reason == "CREDENTIAL_WRONG"


def test_moves_are_listed_only_while_the_mover_is_to_act(stub: Stub) -> None:
    seen = set()
    for position in GAMES_UNDER_WAY.values():
        game, rules = position.state.game, position.state.rules
        for one in islice(positions(game, rules, seed=8, every=4), 60):
            answer = stub.ApplyMove(apply_request(one, list_moves=True, list_effects=True))
            acts_again = answer.turn.HasField("to_act") and answer.turn.to_act == one.acting
            assert bool(answer.moves) == acts_again
            seen.add((game.CATALOGUE.id, acts_again))
    assert {("trix", True), ("trix", False), ("tjau", True), ("jackaroo", False)} <= seen


def test_a_player_with_two_seats_speaks_for_the_one_to_act(channel: grpc.Channel) -> None:
    acting = TRIX.acting
    both = (acting, (acting + 2) % 4)
    credentials = tuple(HASHES[both[0]] if s in both else HASHES[s] for s in range(4))
    position = Position(guarded(TRIX.state, credentials=credentials), TRIX.move)
    own = CREDENTIALS[both[0]]
    assert reason(channel, "ApplyMove", asking(position, own)) == ""
    assert reason(channel, "ApplyMove", asking(position, own, both[0])) == ""
    assert reason(channel, "ApplyMove", asking(position, own, both[1])) == "NOT_YOUR_TURN"
    assert reason(channel, "GetView", asking(position, own, both[1])) == ""


def new_game(game: str, **fields: Any) -> pb.NewGameRequest:
    request = pb.NewGameRequest(**fields)
    getattr(request.rules, game).SetInParent()
    return request


class TestNewGame:
    def test_a_sealed_game_needs_credentials_and_shows_no_seat_anything(self, stub: Stub) -> None:
        request = new_game("trix", seal=True)
        fields = refused(lambda: stub.NewGame(request)).fields
        assert fields == {"credential_sha256": "FIELD_MISSING"}
        request = new_game("trix", seal=True, make_credentials=True, list_moves=True)
        request.viewers.add().spectator.SetInParent()
        request.viewers.add().seat = 2
        fields = refused(lambda: stub.NewGame(request)).fields
        assert fields == {
            "list_moves": "FIELD_NOT_ALLOWED",
            "viewers[1].seat": "FIELD_NOT_ALLOWED",
        }

    @pytest.mark.parametrize("hashes", [HASHES[:1], HASHES[:3], HASHES[:5], HASHES[:6]])
    def test_there_is_a_credential_for_each_seat(
        self, stub: Stub, hashes: tuple[bytes, ...]
    ) -> None:
        request = new_game("trix", seal=True, credential_sha256=hashes)
        fields = refused(lambda: stub.NewGame(request)).fields
        assert fields == {"credential_sha256": "LENGTH_OUT_OF_RANGE"}

    def test_the_first_answer_holds_no_card(self, stub: Stub) -> None:
        """But for the owner, which the seven of hearts makes known, it is the same for any deal."""
        request = new_game("trix", seal=True, credential_sha256=HASHES[:4])
        request.viewers.add().spectator.SetInParent()
        answers: dict[int, set[bytes]] = {}
        for _ in range(24):
            answer = stub.NewGame(request)
            length = len(answer.sealed_state)
            answer.sealed_state = answer.commitment = answer.views[0].commitment = b""
            answers.setdefault(answer.turn.to_act, set()).add(
                answer.SerializeToString(deterministic=True) + str(length).encode()
            )
        assert len(answers) > 1
        assert {len(same) for same in answers.values()} == {1}

    def test_each_made_credential_opens_its_seat_alone(
        self, stub: Stub, channel: grpc.Channel
    ) -> None:
        answer = stub.NewGame(new_game("jackaroo", seal=True, make_credentials=True))
        assert [len(made) for made in answer.credentials] == [32] * 4
        again = stub.NewGame(new_game("jackaroo", seal=True, make_credentials=True))
        assert len({*answer.credentials, *again.credentials}) == 8
        for seat in range(4):
            for own, made in enumerate(answer.credentials):
                request = pb.GetViewRequest(sealed_state=answer.sealed_state, credential=made)
                request.viewer.seat = seat
                expected = "" if own == seat else "CREDENTIAL_WRONG"
                assert reason_of(channel, "GetView", request) == expected

    def test_credentials_stay_with_the_game_to_its_end(self, channel: grpc.Channel) -> None:
        *_, last = positions(GAMES["tjau"], GAMES["tjau"].CATALOGUE.rule_sets["babylon"], 3)
        assert reason(channel, "ApplyMove", asking(last)) == "CREDENTIAL_MISSING"
        assert reason(channel, "ApplyMove", asking(last, STRANGER)) == "CREDENTIAL_WRONG"


def supplied_game(game: AnyGame, rules: Any) -> GameState:
    state, _ = referee.new_game(game, rules, SUPPLIED)
    return guarded(state)


class TestKeeper:
    """The one who may hold plain states, give seeds, and bring the chance of a sealed game."""

    def test_a_strict_service_takes_plain_states_of_its_keeper_only(
        self, strict_channel: grpc.Channel, channel: grpc.Channel
    ) -> None:
        plain = plain_state(salt=b"")
        for rpc in EVERY:
            for credential, expected in (
                (b"", "PLAIN_STATE_REFUSED"),
                (CREDENTIALS[TRIX.acting], "PLAIN_STATE_REFUSED"),
                (KEEPER, ""),
            ):
                request = plain_request(rpc, plain, credential)
                assert reason_of(strict_channel, rpc, request) == expected
                assert reason_of(channel, rpc, request) == ""

    @pytest.mark.parametrize("chance", ["seed", "supplied", "drawn", "prepared"])
    @pytest.mark.parametrize("seal", [False, True])
    def test_a_strict_service_gives_strangers_sealed_games_with_its_own_chance_only(
        self, strict: Stub, chance: str, seal: bool
    ) -> None:
        request = new_game("trix", seal=seal, credential_sha256=HASHES[:4])
        if chance == "seed":
            request.seed = bytes(32)
        elif chance == "supplied":
            request.supplied.SetInParent()
        elif chance == "prepared":
            prepare = pb.PrepareGameRequest(rules=request.rules)
            request.prepared_seed = strict.PrepareGame(prepare).prepared_seed
        if not seal or chance in ("seed", "supplied"):
            for credential in (b"", STRANGER):
                request.credential = credential
                error = refused(lambda: strict.NewGame(request))
                assert error.code is grpc.StatusCode.PERMISSION_DENIED
                assert error.reason == "PLAIN_STATE_REFUSED"
            request.credential = KEEPER
        assert strict.NewGame(request).WhichOneof("state_form") == (
            "sealed_state" if seal else "state"
        )

    def test_a_sealed_game_with_supplied_chance_is_started_by_the_keeper_only(
        self, stub: Stub
    ) -> None:
        request = new_game("trix", seal=True, credential_sha256=HASHES[:4])
        request.supplied.SetInParent()
        assert refused(lambda: stub.NewGame(request)).reason == "CREDENTIAL_MISSING"
        request.credential = STRANGER
        assert refused(lambda: stub.NewGame(request)).reason == "CREDENTIAL_WRONG"
        request.credential = KEEPER
        assert stub.NewGame(request).turn.HasField("chance_due")

    def test_the_chance_of_a_sealed_game_is_brought_by_the_keeper_only(
        self, channel: grpc.Channel
    ) -> None:
        for game, rules in random_play.RULE_SETS:
            state = supplied_game(game, rules)
            due = referee.chance_due(state)
            if due is None:
                continue
            move = random_play.random_chance(Random(1), due)
            position = Position(state, move)
            for credential in (STRANGER, *CREDENTIALS[:2]):
                asked = asking(position, credential)
                assert reason(channel, "ApplyMove", asked) == "CREDENTIAL_WRONG"
                assert reason(channel, "ValidateMove", asked) == "CREDENTIAL_WRONG"
            assert reason(channel, "ApplyMove", asking(position)) == "CREDENTIAL_MISSING"
            assert reason(channel, "ApplyMove", asking(position, KEEPER)) == ""
            # The keeper speaks for no seat, and for none of a game that draws by itself.
            assert reason(channel, "ApplyMove", asking(position, KEEPER, 1)) == "CREDENTIAL_WRONG"
            assert reason(channel, "GetView", asking(position, KEEPER, 1)) == "CREDENTIAL_WRONG"

    def test_the_keeper_makes_no_move_of_a_seat(self, channel: grpc.Channel) -> None:
        game, rules = GAMES["trix"], GAMES["trix"].CATALOGUE.rule_sets["standard"]
        state = supplied_game(game, rules)
        due = referee.chance_due(state)
        assert due is not None
        dealt, _ = referee.apply(state, random_play.random_chance(Random(1), due))
        position = Position(dealt, referee.legal_moves(dealt)[0])
        for rpc in ("ApplyMove", "ValidateMove"):
            assert reason(channel, rpc, asking(position, KEEPER)) == "CREDENTIAL_WRONG"
        request = asking(position, KEEPER).request("ListMoves")
        assert not answered(channel, "ListMoves", request).moves

    def test_in_a_seeded_sealed_game_nobody_brings_chance(self, channel: grpc.Channel) -> None:
        tjau = GAMES_UNDER_WAY["tjau"]
        for credential in (KEEPER, STRANGER, CREDENTIALS[tjau.acting]):
            asked = Asking(sealed(tjau.state), written(tjau.state, tjau.move), credential)
            request: Any = asked.request("ApplyMove")
            request.move.chance.throw = 4
            assert reason_of(channel, "ApplyMove", request) == "CREDENTIAL_WRONG"


def plain_state(**changes: Any) -> state_pb2.State:
    message = state_pb2.State()
    write_state(guarded(TRIX.state, **changes), message)
    return message


def plain_request(rpc: str, plain: state_pb2.State, credential: bytes) -> Any:
    request: Any = asking(TRIX, credential).request(rpc)
    for item in getattr(request, "items", [request]):
        item.state.CopyFrom(plain)
    return request


class TestInside:
    """What another release, or nobody, could have put into a seal with our key."""

    def content(self, change: Any) -> bytes:
        inside = plain_state()
        change(inside)
        return RING.seal(Kind.STATE, b"", inside.SerializeToString(deterministic=True))

    @pytest.mark.parametrize("rpc", EVERY)
    def test_a_faulty_inside_is_refused_without_a_word_about_it(
        self, channel: grpc.Channel, rpc: str
    ) -> None:
        def lose_a_card(state: state_pb2.State) -> None:
            hand = next(h for h in state.trix.hands if h.cards)
            hand.cards[0] = card_pb2.CARD_JOKER

        asked = Asking(self.content(lose_a_card), written(TRIX.state, TRIX.move), STRANGER)
        request = asked.request(rpc)
        if rpc in ("BatchApplyMoves", "BatchValidateMoves"):
            error = answered(channel, rpc, request).results[0].error
            fields = {fault.path: name(fault.reason) for fault in error.faults}
        else:
            fields = refused(partial(answered, channel, rpc, request)).fields
        assert fields == {"sealed_state": "SEAL_REFUSED"}

    def test_what_this_release_does_not_know_is_not_dropped(self, channel: grpc.Channel) -> None:
        def add_a_field(state: state_pb2.State) -> None:
            state.trix.MergeFromString(b"\xf8\x3f\x01")

        asked = Asking(self.content(add_a_field), written(TRIX.state, TRIX.move), STRANGER)
        assert reason(channel, "ListMoves", asked) == "SEAL_VERSION_UNSUPPORTED"

    def test_another_revision_is_named(self, channel: grpc.Channel) -> None:
        def revise(state: state_pb2.State) -> None:
            state.rules.revision = 2

        asked = Asking(self.content(revise), written(TRIX.state, TRIX.move), STRANGER)
        error = refused(partial(answered, channel, "ListMoves", asked.request("ListMoves")))
        assert error.reason == "REVISION_UNSUPPORTED"
        assert error.fields == {"sealed_state.rules.revision": "REVISION_UNSUPPORTED"}


def test_a_plain_state_takes_no_salt(stub: Stub) -> None:
    salted = plain_state()
    assert salted.salt == SALT
    error = refused(lambda: stub.ListMoves(pb.ListMovesRequest(state=salted)))
    assert error.fields == {"state.salt": "FIELD_NOT_ALLOWED"}


def test_without_keys_nothing_is_sealed(keyless: Stub) -> None:
    rules = rules_pb2.Rules()
    rules.trix.SetInParent()
    for call in (
        lambda: keyless.PrepareGame(pb.PrepareGameRequest(rules=rules)),
        lambda: keyless.NewGame(pb.NewGameRequest(rules=rules, seal=True, make_credentials=True)),
    ):
        assert set(refused(call).fields.values()) == {"SEAL_KEY_UNKNOWN"}
    asked = pb.ListMovesRequest(sealed_state=sealed(TRIX.state), credential=CREDENTIALS[0])
    error = refused(lambda: keyless.ListMoves(asked))
    assert error.fields == {"sealed_state": "SEAL_KEY_UNKNOWN"}
