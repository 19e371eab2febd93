"""A game by its handle, blocking and for asyncio alike."""

from hashlib import sha256
from random import Random
from typing import Any

import pytest

from hakam.client import (
    HakamError,
    IllegalMoveError,
    InvalidRequestError,
    NotAllowedError,
    StaleMoveError,
    UnauthenticatedError,
    view_digest,
)
from hakam.v1 import game_service_pb2 as pb
from hakam.v1.chance_pb2 import ChanceOutcome
from hakam.v1.move_pb2 import Move
from hakam.v1.record_pb2 import Record
from hakam.v1.rules_pb2 import Rules
from hakam.v1.state_pb2 import State
from hakam.v1.trix_pb2 import TRIX_PHASE_PLAY
from tests.client.conftest import KEEPER, Connect, Start

SEED = bytes(range(32))
CREDENTIALS = {seat: bytes([seat]) * 32 for seat in range(6)}
TJAU: Any = {"tjau": {}}
SHORT: Any = {"tjau": {"pieces": 1}}
TRIX: Any = {"trix": {"rule_set": "TRIX_RULE_SET_COMPLEX"}}


def own(seats: int) -> dict[int, bytes]:
    return {seat: CREDENTIALS[seat] for seat in range(seats)}


def play_out(game: Any) -> None:
    while not game.over:
        game.play(game.moves()[0])


class TestStart:
    def test_what_a_new_game_shows(self, hakam: Any) -> None:
        game = hakam.new_game(TRIX, seed=SEED)
        assert isinstance(game.state, State)
        assert game.commitment == sha256(b"hakam/commit/v1" + SEED).digest()
        assert (game.ply, game.over, game.outcome) == (game.turn.ply, False, None)
        assert game.to_act == game.turn.to_act
        assert [event.trix.WhichOneof("event") for event in game.events] == ["dealt", "owner_found"]
        assert game.played == ()
        assert (game.seat, dict(game.credentials)) == (None, {})

    def test_the_same_seed_is_the_same_game_and_none_is_another_each_time(self, hakam: Any) -> None:
        first = hakam.new_game(TJAU, seed=SEED)
        assert hakam.new_game(TJAU, seed=SEED).state == first.state
        assert hakam.new_game(TJAU).commitment != hakam.new_game(TJAU).commitment

    @pytest.mark.parametrize(
        "rules",
        [
            Rules(tjau={"pieces": 3}),  # type: ignore[arg-type] # the stubs know no mappings
            {"tjau": {"pieces": 3}},
            {"tjau": {"pieces": 3, "ruleSet": "TJAU_RULE_SET_EGYPTIAN"}},
            {"tjau": {"pieces": 3, "rule_set": "TJAU_RULE_SET_EGYPTIAN"}},
        ],
    )
    def test_rules_are_a_message_or_a_mapping_of_its_shape(self, hakam: Any, rules: Any) -> None:
        assert hakam.new_game(rules).state.rules.tjau.pieces == 3

    @pytest.mark.parametrize("rules", [{"chess": {}}, {"tjau": {"piece": 3}}, {"tjau": 3}])
    def test_what_are_no_rules_is_refused_before_any_call(self, hakam: Any, rules: Any) -> None:
        with pytest.raises(ValueError, match=r"^no rules: "):
            hakam.new_game(rules)

    def test_chance_has_one_source(self, hakam: Any) -> None:
        with pytest.raises(ValueError, match="one source"):
            hakam.new_game(TJAU, seed=SEED, supplied=True)

    def test_hashes_cannot_be_guessed(self, hakam: Any) -> None:
        with pytest.raises(ValueError, match="credential_sha256"):
            hakam.new_game(TJAU, seal=True, credentials={1: CREDENTIALS[1]})

    def test_a_handle_tells_nothing_secret_of_itself(self, hakam: Any) -> None:
        game = hakam.new_game(TJAU, seal=True, make_credentials=True, seat=1)
        shown = repr(getattr(game, "inner", game))
        assert shown.endswith("Game seat=1 ply=0>")


class TestMoves:
    def test_a_move_is_notation_or_typed_or_as_it_was_listed(self, hakam: Any) -> None:
        game = hakam.new_game(TRIX, seed=SEED)
        listed = game.moves()[0]
        first, *others = [
            hakam.new_game(TRIX, seed=SEED).play(move)
            for move in (listed, listed.move, listed.notation)
        ]
        assert others == [first, first]

    def test_what_a_move_answers(self, hakam: Any) -> None:
        game = hakam.new_game(TRIX, seed=SEED)
        before = game.events
        answer = game.play(game.moves()[1], viewers=(0, "spectator"), list_effects=True)
        assert answer.notation.startswith("choose ")
        assert game.played == (answer.move,)
        assert (game.state, game.turn) == (answer.state, answer.turn)
        assert game.events == (*before, *answer.events)
        assert [view.viewer.WhichOneof("viewer") for view in answer.views] == ["seat", "spectator"]
        assert list(answer.moves) == game.moves(effects=True)
        assert [listed.notation for listed in answer.moves] == [m.notation for m in game.moves()]
        assert answer.moves[0].effects

    def test_an_illegal_move_is_told_and_changes_nothing(self, hakam: Any) -> None:
        game = hakam.new_game(TJAU, seed=SEED)
        state, events = game.state, game.events
        with pytest.raises(IllegalMoveError, match=r"^WRONG_PHASE: ") as refused:
            game.play("9")
        error = refused.value
        assert (error.reason, error.clause, error.ply) == ("WRONG_PHASE", "W5.1", 0)
        assert (game.state, game.events, game.played) == (state, events, ())
        game.play("throw")
        assert game.ply == 1

    def test_what_stands_in_the_way_is_told(self, hakam: Any) -> None:
        game = hakam.new_game(TJAU, seed=SEED, seat=1)
        with pytest.raises(IllegalMoveError) as refused:
            game.play("throw")
        assert (refused.value.reason, refused.value.seat) == ("NOT_YOUR_TURN", 0)

    def test_no_is_an_answer_of_a_check(self, hakam: Any) -> None:
        game = hakam.new_game(TJAU, seed=SEED)
        assert game.check("throw").legal
        verdict = game.check("9")
        assert (verdict.legal, verdict.violation.clause) == (False, "W5.1")
        assert not game.check("throw", expected_ply=7).legal
        with pytest.raises(InvalidRequestError) as refused:
            game.check("thrwo")
        (fault,) = refused.value.faults
        assert (fault.path, fault.reason) == ("move.notation", "NOTATION_INVALID")
        assert game.ply == 0

    def test_a_view_is_of_the_seat_to_act_or_of_whoever_is_named(self, hakam: Any) -> None:
        game = hakam.new_game(TRIX, seed=SEED)
        other = (game.to_act + 1) % 4
        assert game.view().viewer.seat == game.to_act
        assert game.view(other).trix.hand == game.state.trix.hands[other].cards
        assert not game.view("spectator").trix.hand
        seated = hakam.new_game(TRIX, seed=SEED, seat=other)
        assert seated.view() == game.view(other)

    def test_a_game_that_is_over_has_an_outcome_and_no_moves(self, hakam: Any) -> None:
        game = hakam.new_game(SHORT, seed=SEED)
        play_out(game)
        assert game.outcome == game.events[-1].game_over.outcome
        assert (game.to_act, game.moves()) == (None, [])
        assert game.view().viewer.HasField("spectator")
        with pytest.raises(IllegalMoveError) as refused:
            game.play("throw")
        assert refused.value.reason == "GAME_OVER"


class TestDoubleSubmission:
    def test_the_second_tap_is_stale_and_changes_nothing(self, hakam: Any) -> None:
        game = hakam.new_game(TJAU, seed=SEED)
        seen = game.ply
        game.play("throw", expected_ply=seen)
        state = game.state
        with pytest.raises(StaleMoveError) as refused:
            game.play("throw", expected_ply=seen)
        error = refused.value
        assert (error.reason, error.ply, error.expected_ply) == ("PLY_MISMATCH", 1, 0)
        assert game.state is state
        assert len(game.played) == 1

    @pytest.mark.parametrize("sealed", [False, True])
    def test_so_is_one_of_a_seat_that_is_no_longer_to_act(self, hakam: Any, sealed: bool) -> None:
        """Whoever's turn it is by now, the tap is told to be late."""
        known = {"seal": True, "credentials": own(4)} if sealed else {}
        game = hakam.new_game(TRIX, seed=SEED, **known)
        while game.view().trix.phase != TRIX_PHASE_PLAY:
            game.play(game.moves()[0])
        seat, ply, move = game.to_act, game.ply, game.moves()[0]
        game.play(move, expected_ply=ply)
        assert game.to_act != seat
        with pytest.raises(StaleMoveError):
            game.play(move, expected_ply=ply)


class TestLanguage:
    def test_texts_are_in_the_language_of_the_client_of_the_game_or_of_the_call(
        self, connect: Connect, address: str
    ) -> None:
        hakam = connect(address, language="ar")
        game = hakam.new_game(TJAU, seed=SEED)
        english = hakam.new_game(TJAU, seed=SEED, language="en")
        assert "الدور" in game.check("9").violation.text
        assert english.check("9").violation.text.isascii()
        assert english.check("9", language="ar") == game.check("9")
        again = hakam.resume(english.state, language="ar")
        for speaking, options in ((game, {}), (english, {"language": "ar"}), (again, {})):
            with pytest.raises(IllegalMoveError) as error:
                speaking.play("9", **options)
            assert error.value.text == game.check("9").violation.text
            assert error.value.text in str(error.value)

    def test_calls_about_no_game_speak_it_too(self, connect: Connect, address: str) -> None:
        hakam = connect(address, language="ar")
        for call in (hakam.board, hakam.prepare_game, hakam.new_game):
            with pytest.raises(InvalidRequestError) as error:
                call({"tjau": {"pieces": 8}})
            assert not error.value.text.isascii()


class TestSuppliedChance:
    @pytest.mark.parametrize("seat", [None, 1])
    def test_whoever_has_a_plain_state_brings_it(self, hakam: Any, seat: int | None) -> None:
        game = hakam.new_game(TJAU, supplied=True, seat=seat)
        assert game.turn.HasField("chance_due")
        assert (game.commitment, game.to_act, game.moves()) == (b"", None, [])
        assert game.check(Move(chance=ChanceOutcome(throw=3))).legal
        game.play(Move(chance=ChanceOutcome(throw=3)))
        assert game.to_act == 0

    def test_to_a_sealed_game_the_keeper_brings_it(self, connect: Connect, address: str) -> None:
        keeper = connect(address, keeper=KEEPER)
        game = keeper.new_game(TJAU, supplied=True, seal=True, credentials=own(2))
        assert game.moves() == []
        player = connect(address).resume(game.state, seat=0, credentials=own(1))
        with pytest.raises(NotAllowedError):
            player.play(Move(chance=ChanceOutcome(throw=3)))
        game.play(Move(chance=ChanceOutcome(throw=3)))
        assert player.update(game.state)
        assert player.play("enter").turn.chance_due.kind


class TestSealedGames:
    def test_credentials_that_the_service_makes_are_known(self, hakam: Any) -> None:
        game = hakam.new_game(SHORT, seal=True, make_credentials=True)
        assert isinstance(game.state, bytes)
        assert sorted(game.credentials) == [0, 1]
        play_out(game)
        assert game.over

    def test_each_player_has_a_handle_and_the_state_goes_round(self, hakam: Any) -> None:
        hashes = [sha256(credential).digest() for credential in own(2).values()]
        first = hakam.new_game(
            SHORT, seal=True, credential_sha256=hashes, credentials={0: CREDENTIALS[0]}, seat=0
        )
        second = hakam.resume(first.state, seat=1, credentials={1: CREDENTIALS[1]})
        assert second.commitment == first.commitment
        handles = (first, second)
        while not first.over:
            mover = handles[first.to_act]
            other = handles[1 - first.to_act]
            mover.play(mover.moves()[0])
            assert other.update(mover.state)
            assert other.turn == mover.turn
            assert other.view().viewer.seat == other.seat
        assert second.over

    def test_nobody_sees_or_plays_for_another(self, hakam: Any) -> None:
        game = hakam.new_game(TRIX, seal=True, credentials=own(4))
        seat = (game.to_act + 1) % 4
        player = hakam.resume(game.state, seat=seat, credentials={seat: CREDENTIALS[seat]})
        assert len(player.view().trix.hand) == 13
        with pytest.raises(NotAllowedError, match="CREDENTIAL_WRONG"):
            player.view((seat + 1) % 4)
        with pytest.raises(IllegalMoveError, match="NOT_YOUR_TURN"):
            player.moves()
        with pytest.raises(NotAllowedError):
            hakam.resume(game.state, seat=seat, credentials={seat: CREDENTIALS[seat ^ 1]})

    def test_a_spectator_needs_no_credential(self, hakam: Any) -> None:
        game = hakam.new_game(TRIX, seal=True, credentials=own(4))
        watching = hakam.resume(game.state)
        assert watching.turn == game.turn
        assert watching.view("spectator") == game.view("spectator")
        with pytest.raises(UnauthenticatedError, match="CREDENTIAL_MISSING"):
            watching.moves()

    def test_a_seed_is_prepared_and_players_add_to_it(self, hakam: Any) -> None:
        hashes = [sha256(credential).digest() for credential in own(2).values()]
        ready = hakam.prepare_game(SHORT, credential_sha256=hashes)
        game = hakam.new_game(
            ready.rules,
            prepared_seed=ready.prepared_seed,
            entropy=[b"one", b"two"],
            seal=True,
            credentials=own(2),
        )
        assert game.commitment == ready.commitment
        play_out(game)
        view = game.view("spectator")
        assert list(view.reveal.entropy) == [b"one", b"two"]
        assert isinstance(hakam.replay(game.record(view)), pb.ReplayedGame)


class TestUpdates:
    def test_only_a_newer_state_is_taken(self, hakam: Any) -> None:
        game = hakam.new_game(TJAU, seed=SEED)
        behind = hakam.resume(game.state)
        old = game.state
        game.play("throw")
        assert behind.update(game.state)
        assert behind.ply == 1
        assert not behind.update(game.state)
        assert not behind.update(old)
        assert behind.state == game.state

    def test_a_state_that_is_none_is_refused(self, hakam: Any) -> None:
        game = hakam.new_game(TJAU, seed=SEED)
        with pytest.raises(InvalidRequestError, match="STATE_INVALID"):
            game.update(State())
        with pytest.raises(InvalidRequestError, match="SEAL_MALFORMED"):
            game.update(b"no seal")
        assert game.ply == 0

    def test_the_turn_of_the_answer_saves_a_call(self, connect: Connect, address: str) -> None:
        game = connect(address).new_game(TJAU, seed=SEED)
        nobody = connect("127.0.0.1:1")
        behind = nobody.resume(game.state, turn=game.turn)
        assert behind.commitment == game.commitment
        answer = game.play("throw")
        assert behind.update(answer.state, turn=answer.turn)
        assert (behind.ply, behind.to_act) == (1, 0)
        with pytest.raises(HakamError):
            behind.update(answer.state)

    def test_what_others_did_joins_what_was_seen(self, hakam: Any) -> None:
        game = hakam.new_game(SHORT, seed=SEED)
        told = hakam.resume(game.state, moves=(), events=game.events)
        untold = hakam.resume(game.state, moves=())
        while not game.over:
            answer = game.play(game.moves()[0])
            assert told.update(answer.state, moves=[answer.move], events=answer.events)
            assert untold.update(answer.state)
        assert (told.played, told.events) == (game.played, game.events)
        assert told.record() == game.record()
        assert (untold.played, untold.record()) == (None, None)


class TestResume:
    @pytest.mark.parametrize("sealed", [False, True])
    def test_a_stored_game_goes_on_as_if_nothing_were(self, hakam: Any, sealed: bool) -> None:
        known = {"seal": True, "credentials": own(2)} if sealed else {}
        game = hakam.new_game(SHORT, seed=SEED, **known)
        stays = hakam.new_game(SHORT, seed=SEED, **known)
        while not game.over:
            stays.play(stays.moves()[0])
            kept = (game.state, game.turn, game.played, game.events)
            state, turn, moves, events = kept
            credentials = own(2) if sealed else None
            game = hakam.resume(
                state, turn=turn, moves=moves, events=events, credentials=credentials
            )
            game.play(game.moves()[0])
        assert (game.turn, game.played, game.events) == (stays.turn, stays.played, stays.events)

    def test_a_state_alone_is_enough_to_play_and_not_for_a_record(self, hakam: Any) -> None:
        game = hakam.resume(hakam.new_game(SHORT, seed=SEED).state)
        play_out(game)
        assert game.record() is None

    def test_a_state_with_faults_names_them(self, hakam: Any) -> None:
        state = State()
        state.CopyFrom(hakam.new_game(TJAU, seed=SEED).state)
        del state.tjau.sides[1]
        state.rules.revision = 0
        with pytest.raises(InvalidRequestError) as refused:
            hakam.resume(state)
        paths = {fault.path for fault in refused.value.faults}
        assert paths >= {"state.rules.revision"}
        assert refused.value.fault_count >= len(paths)


class TestRecords:
    def test_a_game_under_way_has_one_where_the_seed_is_known(self, hakam: Any) -> None:
        game = hakam.new_game(TJAU, seed=SEED)
        for _ in range(4):
            game.play(game.moves()[0])
        record = game.record(game.view("spectator"))
        assert isinstance(record, Record)
        replayed = hakam.replay(record)
        assert replayed.state == game.state
        assert replayed.view_digest.hex() == view_digest(game.view("spectator"))
        assert record.commitment == game.commitment

    def test_a_sealed_game_has_one_once_its_seed_is_shown(self, hakam: Any) -> None:
        game = hakam.new_game(SHORT, seed=SEED, seal=True, credentials=own(2))
        assert game.record(game.view("spectator")) is None
        play_out(game)
        assert game.record() is None
        assert game.record(game.view("spectator")).view_digest
        record = game.record(game.view(1))
        assert not record.view_digest
        assert isinstance(hakam.replay(record), pb.ReplayedGame)

    @pytest.mark.parametrize("sealed", [False, True])
    def test_supplied_outcomes_are_recorded(
        self, connect: Connect, address: str, sealed: bool
    ) -> None:
        hakam = connect(address, keeper=KEEPER)
        known = {"seal": True, "credentials": own(2)} if sealed else {}
        game = hakam.new_game(SHORT, supplied=True, **known)
        throws = Random(0)
        while not game.over:
            if game.turn.HasField("chance_due"):
                game.play(Move(chance=ChanceOutcome(throw=throws.randrange(5))))
            else:
                game.play(game.moves()[0])
        record = game.record(game.view("spectator"))
        assert len(record.outcomes.outcomes) + len(record.moves) == len(game.played)
        assert isinstance(hakam.replay(record), pb.ReplayedGame)

    def test_a_record_that_is_none_is_told_as_an_answer(self, hakam: Any) -> None:
        game = hakam.new_game(TJAU, seed=SEED)
        game.play("throw")
        record = game.record()
        record.moves.append(record.moves[0])
        failure = hakam.replay(record)
        assert isinstance(failure, pb.ReplayFailure)
        assert (failure.index, failure.violation.clause) == (1, "W5.1")


class TestService:
    def test_the_catalogue_and_a_board(self, hakam: Any) -> None:
        games = hakam.games()
        assert [game.id for game in games] == ["jackaroo", "tjau", "trix"]
        for game in games:
            for rule_set in game.rule_sets:
                assert hakam.board(rule_set.rules).seats == rule_set.seats
        assert hakam.board({"tjau": {}}).cells

    def test_a_service_for_its_keeper_alone(self, connect: Connect, start: Start) -> None:
        strict = start(plain_states="keeper")
        stranger, keeper = connect(strict), connect(strict, keeper=KEEPER)
        with pytest.raises(NotAllowedError, match="PLAIN_STATE_REFUSED"):
            stranger.new_game(TJAU)
        game = keeper.new_game(SHORT, seed=SEED)
        play_out(game)
        assert keeper.resume(game.state).over
        with pytest.raises(NotAllowedError):
            stranger.resume(game.state)
        sealed = stranger.new_game(SHORT, seal=True, make_credentials=True)
        play_out(sealed)
