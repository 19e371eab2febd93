"""Single cases of what comes before a state or after a game: catalogue, boards, starts, records."""

from collections.abc import Iterator
from random import Random
from typing import Any

from samples import SEED

from hakam.games.registry import GAMES
from hakam.record import MAX_MOVES
from hakam.referee import SUPPLIED
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import record_pb2, rules_pb2, tjau_pb2
from hakam.v1.language_pb2 import LANGUAGE_AR
from hakam.v1.viewer_pb2 import Viewer
from tests.goldens.create import message_of
from tests.random_play import play, record_of, seeded
from tests.trust.support import CREDENTIALS, GATE, HASHES, KEEPER, SALT
from tests.trust.table import rules_of
from tests.wire.asked import Asked
from tests.wire.bases import SPECTATOR, UNKNOWN, bare, case, copy_of, raw_case, zeroed

__all__ = ["beginnings"]


def beginnings() -> Iterator[Asked]:
    """Every case."""
    yield from _catalogue()
    yield from _boards()
    yield from _prepared_games()
    yield from _new_games()
    yield from _sealed_games()
    yield from _refused_games()
    yield from _records()


def _catalogue() -> Iterator[Asked]:
    rpc = "ListGames"
    yield raw_case(rpc, "the catalogue", b"")
    yield raw_case(rpc, "bytes that are no message", b"\xff")
    yield raw_case(rpc, "an unknown field", UNKNOWN)
    yield raw_case(rpc, "without a token", b"", "tokens")
    yield raw_case(rpc, "more calls than one process takes", b"", "busy")
    yield raw_case(rpc, "a process that is stopping", b"", "draining")
    yield raw_case(rpc, "no time left", b"", "late")
    yield raw_case(rpc, "an answer that would be too large", b"", "small")


def _boards() -> Iterator[Asked]:
    yield case("no rules", pb.GetBoardRequest())
    yield case("no game", pb.GetBoardRequest(rules=rules_pb2.Rules()))
    whole = rules_pb2.Rules(tjau=tjau_pb2.TjauRules())
    yield case("every option left out", pb.GetBoardRequest(rules=whole))
    unknown = pb.GetBoardRequest(rules=whole)
    unknown.language = 7  # type: ignore[assignment] # what a newer client might send
    yield case("a language that does not exist", unknown)
    newer = pb.GetBoardRequest(rules=rules_of("tjau", "ur"), language=LANGUAGE_AR)
    newer.rules.revision = 9
    yield case("a revision that is not served", newer)
    six = pb.GetBoardRequest(rules=rules_of("jackaroo", "karoti"))
    six.rules.jackaroo.seats = 6
    yield case("options that contradict each other", six)
    for name, game in GAMES.items():
        rules = zeroed(rules_of(name, next(iter(game.CATALOGUE.rule_sets))))
        yield case(f"{name}: every optional number 0, not absent", pb.GetBoardRequest(rules=rules))


def _prepared_games() -> Iterator[Asked]:
    trix = rules_of("trix", "standard")
    yield case("for any game", pb.PrepareGameRequest(rules=rules_of("tjau", "egyptian")))
    yield case("a service without keys", pb.PrepareGameRequest(rules=trix), "keyless")
    guarded = pb.PrepareGameRequest(rules=trix, credential_sha256=HASHES[:4])
    yield case("for these credentials", guarded)
    fewer = pb.PrepareGameRequest(rules=trix, credential_sha256=HASHES[:3], language=LANGUAGE_AR)
    yield case("a credential too few", fewer)


def _new_games() -> Iterator[Asked]:
    tjau, trix = rules_of("tjau", "egyptian"), rules_of("trix", "standard")
    yield case("a drawn seed", pb.NewGameRequest(rules=tjau))
    told = pb.NewGameRequest(rules=trix, seed=SEED, list_moves=True, list_effects=True)
    told.viewers.extend([SPECTATOR, *(Viewer(seat=seat) for seat in range(4))])
    yield case("with moves, effects and every view", told)
    made = pb.NewGameRequest(rules=tjau, seal=True, make_credentials=True)
    yield case("sealed, credentials drawn", made)
    ours = pb.NewGameRequest(rules=tjau, seed=SEED, language=LANGUAGE_AR)
    yield case("a plain state where only the keeper may have one", ours, "strict")
    yield case("a seed of 31 bytes", pb.NewGameRequest(rules=tjau, seed=SEED[:31]))
    odd = pb.NewGameRequest(rules=tjau, seed=SEED, entropy=[b"", bytes(65)])
    yield case("entropy too short and too long", odd)
    both = pb.NewGameRequest(rules=tjau, entropy=[b"a"])
    both.supplied.SetInParent()
    yield case("entropy beside supplied chance", both)
    drawn = pb.NewGameRequest(rules=tjau, language=LANGUAGE_AR)
    yield case("a fault of the service", drawn, "faulty")
    yield case("a part that is not built", drawn, "unbuilt")


def _sealed_trix(**fields: Any) -> pb.NewGameRequest:
    trix = rules_of("trix", "standard")
    return pb.NewGameRequest(rules=trix, credential_sha256=HASHES[:4], seal=True, **fields)


def _prepared_seed() -> bytes:
    """For a game of Trix with credentials."""
    game = GAMES["trix"]
    return GATE.prepare(game, game.with_options("standard", {}), SEED, SALT, HASHES[:4])


def _sealed_games() -> Iterator[Asked]:
    prepared = {"prepared_seed": _prepared_seed(), "entropy": [b"a", b"bb"]}
    ready = _sealed_trix(**prepared, viewers=[SPECTATOR])
    yield case("sealed, from a prepared seed and entropy", ready)
    yield case("sealed, from a given seed", _sealed_trix(seed=SEED))
    for name, credential in (
        ("without the keeper", b""),
        ("by the keeper", KEEPER),
        ("by a stranger", CREDENTIALS[0]),
    ):
        brought = _sealed_trix(credential=credential, supplied=pb.NewGameSuppliedChance())
        yield case(f"sealed, chance supplied {name}", brought)


def _refused_games() -> Iterator[Asked]:
    yield case("sealed where there are no keys", _sealed_trix(seed=SEED), "keyless")
    asking = {"make_credentials": True, "list_moves": True, "viewers": [Viewer(seat=2)]}
    yield case("sealed, with what a sealed game does not give", _sealed_trix(**asking))
    ready = _prepared_seed()
    tjau = pb.NewGameRequest(rules=rules_of("tjau", "ur"), prepared_seed=ready)
    yield case("a seed that was prepared for other rules", tjau)
    stolen = pb.NewGameRequest(rules=rules_of("trix", "standard"), prepared_seed=ready)
    yield case("a seed that was prepared for other credentials", stolen)
    yield case("a prepared seed that was changed", _sealed_trix(prepared_seed=ready[:-1] + b"x"))


def _records() -> Iterator[Asked]:
    game, rules = GAMES["tjau"], GAMES["tjau"].with_options("ur", {"pieces": 2})
    rng = Random(5)
    drawn = message_of(record_of(play(game, rules, seeded(rng), rng)))
    brought = message_of(record_of(play(game, rules, SUPPLIED, rng)))
    yield case("no record", pb.ReplayGameRequest())
    for name, record in (
        ("a whole game", drawn),
        ("a whole game, chance supplied", brought),
        *_bent(drawn, brought),
    ):
        yield case(name, pb.ReplayGameRequest(record=record, language=LANGUAGE_AR))
    longer = pb.ReplayGameRequest()
    for _ in range(MAX_MOVES + 1):
        longer.record.moves.add()
    yield case("more moves than allowed", longer)


def _bent(
    drawn: record_pb2.Record, brought: record_pb2.Record
) -> Iterator[tuple[str, record_pb2.Record]]:
    """Records that are not those of a game, each in another way."""
    for field in ("commitment", "view_digest"):
        other = copy_of(drawn)
        setattr(other, field, bytes(32))
        yield f"another {field}", other
    late = copy_of(drawn)
    late.moves.add().notation = "throw"
    yield "a move after the end", late
    fewer, more, bent = map(copy_of, [brought] * 3)
    del fewer.outcomes.outcomes[-1]
    yield "an outcome too few", fewer
    more.outcomes.outcomes.add().throw = 0
    yield "an outcome too many", more
    bent.outcomes.outcomes[1].throw = 5
    yield "an outcome out of range", bent
    faulty = copy_of(brought)
    faulty.moves.add()
    faulty.chance_version = 2
    yield "a record with faults", faulty
    yield "every optional number absent", bare(drawn)
    yield "every optional number 0", zeroed(drawn)
