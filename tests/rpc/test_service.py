import random
from functools import partial
from itertools import pairwise

import grpc
import pytest
from calls import METHODS, raw_call, refused
from samples import SEED, apply_request, positions

from hakam import __version__, referee
from hakam.games.registry import GAMES
from hakam.rpc.codecs.game import write_state
from hakam.v1 import board_pb2, language_pb2
from hakam.v1 import error_pb2 as err
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc

RULE_SETS = [
    pytest.param(game, name, id=f"{game.CATALOGUE.id}-{name}")
    for game in GAMES.values()
    for name in game.CATALOGUE.rule_sets
]


def tjau(stub: pb_grpc.GameServiceStub, *, supplied: bool = False) -> pb.NewGameResponse:
    request = pb.NewGameRequest(list_moves=True)
    request.rules.tjau.SetInParent()
    if supplied:
        request.supplied.SetInParent()
    else:
        request.seed = SEED
    return stub.NewGame(request)


def test_every_rpc_of_the_contract_is_served(channel: grpc.Channel) -> None:
    assert raw_call(channel, "ListGames")(b"")
    for rpc in set(METHODS) - {"ListGames"}:
        error = refused(partial(raw_call(channel, rpc), b""))
        assert error.reason in ("FIELD_MISSING", "LENGTH_OUT_OF_RANGE"), rpc


def test_the_catalogue_names_games_rule_sets_and_options_in_both_languages(
    stub: pb_grpc.GameServiceStub,
) -> None:
    answer = stub.ListGames(pb.ListGamesRequest())
    assert answer.release == __version__
    assert list(answer.chance_versions) == [1]
    assert [game.id for game in answer.games] == sorted(GAMES)
    for info in answer.games:
        catalogue = GAMES[info.id].CATALOGUE
        assert list(info.revisions) == [catalogue.revision]
        assert [r.name for r in info.rule_sets] == list(catalogue.rule_sets)
        assert [o.name for o in info.options] == [o.name for o in catalogue.options]
        texts = [info.name, *(r.text for r in info.rule_sets), *(o.text for o in info.options)]
        texts += [choice.text for option in info.options for choice in option.choices]
        assert all(text.en.isascii() and text.en and not text.ar.isascii() for text in texts)
        for option in info.options:
            assert len(option.defaults) == len(info.rule_sets)


def test_the_rules_of_the_catalogue_start_a_game(stub: pb_grpc.GameServiceStub) -> None:
    for info in stub.ListGames(pb.ListGamesRequest()).games:
        for rule_set in info.rule_sets:
            answer = stub.NewGame(pb.NewGameRequest(rules=rule_set.rules, seed=SEED))
            assert answer.state.rules == rule_set.rules
            assert answer.turn.to_act < rule_set.seats


@pytest.mark.parametrize(("game", "name"), RULE_SETS)
def test_a_whole_game_is_played_over_the_wire(
    stub: pb_grpc.GameServiceStub, game: referee.AnyGame, name: str
) -> None:
    rng = random.Random(1)
    infos = stub.ListGames(pb.ListGamesRequest()).games
    info = next(i for i in infos if i.id == game.CATALOGUE.id)
    rules = next(r.rules for r in info.rule_sets if r.name == name)
    now: pb.NewGameResponse | pb.ApplyMoveResponse
    now = stub.NewGame(pb.NewGameRequest(rules=rules, seed=SEED, list_moves=True))
    plies = [now.turn.ply]
    while now.turn.HasField("to_act"):
        listed = rng.choice(now.moves)
        request = pb.ApplyMoveRequest(
            state=now.state,
            seat=now.turn.to_act,
            expected_ply=now.turn.ply,
            list_moves=True,
        )
        if rng.random() < 0.5:
            request.move.CopyFrom(listed.move)
        else:
            request.move.notation = listed.notation
        now = stub.ApplyMove(request)
        assert (now.move, now.notation) == (listed.move, listed.notation)
        plies.append(now.turn.ply)
    assert all(before < after for before, after in pairwise(plies))
    assert now.turn.HasField("outcome")
    assert now.events[-1].game_over.outcome == now.turn.outcome
    view = pb.GetViewRequest(state=now.state)
    view.viewer.spectator.SetInParent()
    assert stub.GetView(view).view.reveal.seed == SEED


def test_a_drawn_seed_is_never_the_same_and_a_given_one_always(
    stub: pb_grpc.GameServiceStub,
) -> None:
    drawn = pb.NewGameRequest()
    drawn.rules.tjau.SetInParent()
    seeds = {stub.NewGame(drawn).state.chance.seeded.seed for _ in range(5)}
    assert len(seeds) == 5
    assert all(len(seed) == 32 for seed in seeds)
    assert tjau(stub) == tjau(stub)


def test_supplied_chance_is_brought_as_moves(stub: pb_grpc.GameServiceStub) -> None:
    new = tjau(stub, supplied=True)
    assert not new.turn.HasField("to_act")
    assert new.turn.HasField("chance_due")
    assert not new.moves
    listed = stub.ListMoves(pb.ListMovesRequest(state=new.state))
    assert listed.turn == new.turn
    assert not listed.moves
    request = pb.ApplyMoveRequest(state=new.state, list_moves=True)
    request.move.chance.throw = 2
    answer = stub.ApplyMove(request)
    assert answer.notation == "chance:throw=2"
    assert [move.notation for move in answer.moves] == ["enter"]
    request.move.chance.throw = 5
    error = refused(lambda: stub.ApplyMove(request))
    assert error.fields == {"move.chance.throw": "VALUE_OUT_OF_RANGE"}
    request.move.chance.seat = 0
    assert refused(lambda: stub.ApplyMove(request)).reason == "WRONG_PHASE"
    request.move.notation = "throw"
    assert refused(lambda: stub.ApplyMove(request)).reason == "CHANCE_IS_DUE"


def test_seeded_chance_takes_no_value(stub: pb_grpc.GameServiceStub) -> None:
    request = pb.ApplyMoveRequest(state=tjau(stub).state)
    request.move.notation = "chance:throw=4"
    error = refused(lambda: stub.ApplyMove(request))
    assert (error.code, error.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "CHANCE_IS_SEEDED",
    )


def test_an_illegal_move_is_an_answer_to_a_question_and_an_error_to_an_order(
    stub: pb_grpc.GameServiceStub,
) -> None:
    state = tjau(stub).state
    question = pb.ValidateMoveRequest(state=state, language=language_pb2.LANGUAGE_AR)
    question.move.notation = "7"
    verdict = stub.ValidateMove(question)
    assert not verdict.legal
    assert verdict.violation.reason == err.REASON_WRONG_PHASE
    assert verdict.violation.clause == "W5.1"
    assert not verdict.violation.text.isascii()
    order = pb.ApplyMoveRequest(state=state, move=question.move, language=question.language)
    error = refused(lambda: stub.ApplyMove(order))
    assert error.code is grpc.StatusCode.FAILED_PRECONDITION
    assert error.reason == "WRONG_PHASE"
    assert error.metadata == {"clause": "W5.1", "ply": "0"}
    assert error.localized == verdict.violation.text
    assert error.message.isascii()


def test_a_move_sent_twice_is_played_once(stub: pb_grpc.GameServiceStub) -> None:
    request = pb.ApplyMoveRequest(state=tjau(stub).state, expected_ply=0)
    request.move.notation = "throw"
    after = stub.ApplyMove(request)
    assert stub.ApplyMove(request) == after
    again = pb.ApplyMoveRequest(state=after.state, expected_ply=0, move=request.move)
    error = refused(lambda: stub.ApplyMove(again))
    assert error.reason == "PLY_MISMATCH"
    assert error.metadata == {"ply": str(after.turn.ply), "expected_ply": "0"}


def test_another_seat_is_told_whose_turn_it_is(stub: pb_grpc.GameServiceStub) -> None:
    state = tjau(stub).state
    request = pb.ApplyMoveRequest(state=state, seat=1)
    request.move.notation = "throw"
    error = refused(lambda: stub.ApplyMove(request))
    assert (error.reason, error.metadata["seat"]) == ("NOT_YOUR_TURN", "0")
    listing = pb.ListMovesRequest(state=state, seat=1)
    assert refused(lambda: stub.ListMoves(listing)).reason == "NOT_YOUR_TURN"


def test_a_state_answers_all_of_its_faults(stub: pb_grpc.GameServiceStub) -> None:
    state = tjau(stub).state
    state.tjau.sides[0].squares.extend([3, 3])
    state.tjau.sides[1].borne_off = 9
    state.tjau.throw = 2
    state.ply = -1
    answer = stub.ValidateState(pb.ValidateStateRequest(state=state))
    assert not answer.valid
    assert {fault.path for fault in answer.faults} == {
        "state.ply",
        "state.tjau.throw",
        "state.tjau.sides[0].squares[1]",
        "state.tjau.sides[1].borne_off",
    }
    assert answer.fault_count == 4
    error = refused(lambda: stub.ListMoves(pb.ListMovesRequest(state=state)))
    assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "STATE_INVALID")
    assert set(error.fields) == {fault.path for fault in answer.faults}
    assert error.metadata["faults"] == "4"


def test_a_bad_item_does_not_spoil_its_neighbours(stub: pb_grpc.GameServiceStub) -> None:
    good = pb.ApplyMoveRequest(state=tjau(stub).state)
    good.move.notation = "throw"
    illegal = pb.ApplyMoveRequest(state=good.state, language=language_pb2.LANGUAGE_AR)
    illegal.move.notation = "5"
    malformed = pb.ApplyMoveRequest(state=good.state)
    strange = pb.ApplyMoveRequest.FromString(good.SerializeToString() + b"\xf8\x3f\x01")
    batch = pb.BatchApplyMovesRequest(items=[illegal, good, malformed, strange, good])
    results = stub.BatchApplyMoves(batch).results
    assert [r.WhichOneof("result") for r in results] == [
        "error",
        "applied",
        "error",
        "error",
        "applied",
    ]
    assert results[1].applied == stub.ApplyMove(good) == results[4].applied
    assert results[0].error.violation.clause == "W5.1"
    assert results[0].error.message == results[0].error.violation.text
    assert results[0].error.code == grpc.StatusCode.FAILED_PRECONDITION.value[0]
    assert [fault.path for fault in results[2].error.faults] == ["move"]
    assert [fault.path for fault in results[3].error.faults] == ["#1023"]


def test_batches_answer_what_single_calls_answer(stub: pb_grpc.GameServiceStub) -> None:
    requests = [apply_request(position) for position in positions(20, every=3)]
    results = stub.BatchApplyMoves(pb.BatchApplyMovesRequest(items=requests)).results
    assert len(results) == len(requests)
    for request, result in zip(requests, results, strict=True):
        assert result.applied == stub.ApplyMove(request)


def test_the_moves_listed_are_the_moves_judged_legal(stub: pb_grpc.GameServiceStub) -> None:
    for position in positions(30, every=4):
        if referee.to_act(position.state) is None:
            continue
        request = pb.ListMovesRequest(list_effects=True)
        write_state(position.state, request.state)
        for listed in stub.ListMoves(request).moves:
            question = pb.ValidateMoveRequest(state=request.state, move=listed.move)
            verdict = stub.ValidateMove(question)
            assert verdict.legal
            assert verdict.notation == listed.notation


@pytest.mark.parametrize(("game", "name"), RULE_SETS)
def test_a_board_can_be_drawn_from_its_data(
    stub: pb_grpc.GameServiceStub, game: referee.AnyGame, name: str
) -> None:
    infos = stub.ListGames(pb.ListGamesRequest()).games
    info = next(i for i in infos if i.id == game.CATALOGUE.id)
    rule_set = next(r for r in info.rule_sets if r.name == name)
    answer = stub.GetBoard(pb.GetBoardRequest(rules=rule_set.rules))
    board = answer.board
    assert answer.rules == rule_set.rules
    assert board.seats == rule_set.seats
    assert [cell.id for cell in board.cells] == list(range(len(board.cells)))
    assert len({(cell.x, cell.y) for cell in board.cells}) == len(board.cells)
    assert all(cell.kind != board_pb2.CELL_KIND_UNSPECIFIED for cell in board.cells)
    assert all(0 <= cell < len(board.cells) for path in board.paths for cell in path.cells)
