"""Real requests of every rpc, made from random play of every game: what tests bend."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from google.protobuf.message import Message

from hakam import chance, referee
from hakam.games.registry import GAMES
from hakam.referee import SUPPLIED, AnyGame, Chance, ChanceSource, GameState, Move, Seeded
from hakam.rpc.codecs import game as wire
from hakam.rpc.codecs.rules import write_rules
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import record_pb2, rules_pb2
from tests.random_play import random_chance

SEED = bytes(range(32))


@dataclass(frozen=True)
class Position:
    """A state and a legal move in it."""

    state: GameState
    move: Move


def seeded(seed: bytes = SEED, entropy: tuple[bytes, ...] = (b"a", b"bb")) -> Seeded:
    return Seeded(seed, entropy, 0, chance.commitment(seed))


def playthrough(
    game: AnyGame, rules: object, source: ChanceSource, rng: random.Random, plies: int
) -> Iterator[Position]:
    """The positions of a random game, at most so many."""
    state, _ = referee.new_game(game, rules, source)
    for _ in range(plies):
        if referee.outcome(state) is not None:
            return
        due = referee.chance_due(state)
        move = (
            random_chance(rng, due) if due is not None else rng.choice(referee.legal_moves(state))
        )
        yield Position(state, move)
        state, _ = referee.apply(state, move)


def positions(plies: int = 60, *, every: int = 1) -> Iterator[Position]:
    """Positions of every game, rule set and source of chance."""
    rng = random.Random(7)
    for game in GAMES.values():
        for rules in game.CATALOGUE.rule_sets.values():
            for source in (seeded(), SUPPLIED):
                played = playthrough(game, rules, source, rng, plies)
                yield from (p for i, p in enumerate(played) if i % every == 0)


def each_kind_of_move(plies: int = 400) -> Iterator[Position]:
    """One position for every kind of move that random games of every rule set come to."""
    rng = random.Random(3)
    for game in GAMES.values():
        seen: set[type] = set()
        for rules in game.CATALOGUE.rule_sets.values():
            for position in playthrough(game, rules, seeded(), rng, plies):
                for move in referee.legal_moves(position.state):
                    if type(move) not in seen:
                        seen.add(type(move))
                        yield Position(position.state, move)


def apply_request(position: Position) -> pb.ApplyMoveRequest:
    request = pb.ApplyMoveRequest(list_moves=True, expected_ply=position.state.ply)
    wire.write_state(position.state, request.state)
    wire.write_move(position.state.game, position.move, request.move)
    request.viewers.add().spectator.SetInParent()
    request.viewers.add().seat = 1
    seat = referee.to_act(position.state)
    if seat is not None:
        request.seat = seat
    return request


def record_of(played: list[Position]) -> record_pb2.Record:
    """The record of positions that follow one another from the start."""
    first = played[0].state
    record = record_pb2.Record(chance_version=chance.CHANCE_VERSION)
    write_rules(first.game, first.rules, record.rules)
    if isinstance(first.chance, Seeded):
        record.seed.seed = first.chance.seed
        record.seed.entropy.extend(first.chance.entropy)
        record.commitment = first.chance.commitment
    else:
        record.outcomes.SetInParent()
    for position in played:
        if isinstance(position.move, Chance):
            out = record.outcomes.outcomes.add()
            move = pb.ApplyMoveRequest()
            wire.write_move(first.game, position.move, move.move)
            out.CopyFrom(move.move.chance)
        else:
            wire.write_move(first.game, position.move, record.moves.add())
    return record


def about(position: Position) -> Iterator[tuple[str, Message]]:
    """Every request that can be made about a state, by the name of its rpc."""
    applied = apply_request(position)
    yield "ApplyMove", applied
    judged = pb.ValidateMoveRequest(
        state=applied.state, move=applied.move, expected_ply=applied.expected_ply
    )
    if applied.HasField("seat"):
        judged.seat = applied.seat
    yield "ValidateMove", judged
    yield "ListMoves", pb.ListMovesRequest(state=applied.state, list_effects=True)
    yield "ValidateState", pb.ValidateStateRequest(state=applied.state)
    viewed = pb.GetViewRequest(state=applied.state)
    viewed.viewer.seat = 0
    yield "GetView", viewed
    yield "BatchApplyMoves", pb.BatchApplyMovesRequest(items=[applied])
    yield "BatchValidateMoves", pb.BatchValidateMovesRequest(items=[judged])


def openings(game: AnyGame, rules: object) -> Iterator[tuple[str, Message]]:
    """Every request that begins something under given rules."""
    written = rules_pb2.Rules()
    write_rules(game, rules, written)
    yield "GetBoard", pb.GetBoardRequest(rules=written)
    yield "PrepareGame", pb.PrepareGameRequest(rules=written)
    new = pb.NewGameRequest(rules=written, seed=SEED, entropy=[b"x"], list_moves=True)
    new.viewers.add().seat = 1
    yield "NewGame", new
    supplied = pb.NewGameRequest(rules=written)
    supplied.supplied.SetInParent()
    yield "NewGame", supplied
    rng = random.Random(11)
    for source in (seeded(), SUPPLIED):
        played = list(playthrough(game, rules, source, rng, 40))
        yield "ReplayGame", pb.ReplayGameRequest(record=record_of(played))


def every_request(plies: int = 60, every: int = 1) -> Iterator[tuple[str, Message]]:
    """Requests of every rpc that is built, over all games."""
    yield "ListGames", pb.ListGamesRequest()
    for game in GAMES.values():
        for rules in game.CATALOGUE.rule_sets.values():
            yield from openings(game, rules)
    for position in each_kind_of_move():
        yield from about(position)
    for position in positions(plies, every=every):
        yield from about(position)
