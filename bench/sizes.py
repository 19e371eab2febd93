"""How large a state is on the wire at the start, in the middle and at the end of a game."""

from typing import Any, Final

from bench.positions import RULE_SETS, Position, playthrough
from hakam import referee
from hakam.referee import GameState, Seeded
from hakam.rpc.codecs import game as wire
from hakam.rpc.codecs.rules import write_rules
from hakam.rpc.gate import Gate
from hakam.seal import KeyRing
from hakam.v1 import record_pb2, state_pb2

__all__ = ["sizes"]

_GATE: Final = Gate(KeyRing([bytes(range(64))]), b"", strict=False)
_SALT: Final = bytes(16)
_CREDENTIAL: Final = bytes(32)


def sizes() -> dict[str, Any]:
    """Bytes by game: states at three moments, plain and sealed, and the whole record."""
    return {game: _sizes(list(playthrough(game))) for game in RULE_SETS}


def _sizes(positions: list[Position]) -> dict[str, Any]:
    last = positions[-1]
    end, _ = referee.apply(last.state, last.move)
    moments = {
        "start": positions[0].state,
        "middle": positions[len(positions) // 2].state,
        "end": end,
    }
    return {
        "state": {name: _state_bytes(state) for name, state in moments.items()},
        "record": _record(positions).ByteSize(),
        "moves": len(positions),
    }


def _state_bytes(state: GameState) -> dict[str, int]:
    """Without credentials; and sealed, as only a game with credentials and a salt can be."""
    game = state.game
    credentials = (_CREDENTIAL,) * game.seats(state.rules)
    secret = GameState(
        *(game, state.rules, state.chance, state.ply, state.position),
        credentials=credentials,
        salt=_SALT,
    )
    plain = state_pb2.State()
    wire.write_state(state, plain)
    return {"plain": plain.ByteSize(), "sealed": len(_GATE.seal(secret))}


def _record(positions: list[Position]) -> record_pb2.Record:
    first = positions[0].state
    record = record_pb2.Record(chance_version=1)
    write_rules(first.game, first.rules, record.rules)
    if isinstance(first.chance, Seeded):
        record.seed.seed = first.chance.seed
        record.commitment = first.chance.commitment
    for position in positions:
        wire.write_move(first.game, position.move, record.moves.add())
    return record
