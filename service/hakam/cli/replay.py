"""`hakam replay` and `hakam verify`: a recorded game, shown or judged. Neither needs a service."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from google.protobuf import json_format
from google.protobuf.message import DecodeError

from hakam import notation, referee
from hakam.cli import show
from hakam.games.game import Fault
from hakam.record import Record, ReplayFailure, Step, play, replay
from hakam.referee import GameState
from hakam.rpc.codecs import game as wire
from hakam.texts import Language, violation_text
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import record_pb2

__all__ = ["add_replay", "add_verify"]


def add_replay(parser: ArgumentParser) -> None:
    """The flags of `hakam replay`."""
    parser.description = "Show a recorded game, move by move."
    _add_file(parser)
    parser.add_argument(
        "--seat", type=int, metavar="N", help="as this seat saw it; as a spectator if absent"
    )
    parser.set_defaults(run=_replay)


def add_verify(parser: ArgumentParser) -> None:
    """The flags of `hakam verify`."""
    parser.description = (
        "Check a recorded game: every move, every outcome of chance, the commitment to the seed "
        "and the digest of the final view. Exit code 0: verified; 1: not; 2: no record."
    )
    _add_file(parser)
    parser.set_defaults(run=_verify)


def _add_file(parser: ArgumentParser) -> None:
    parser.add_argument(
        "record", type=Path, metavar="FILE", help="a record in protojson or binary form"
    )


class _NoRecordError(Exception):
    """The file is no record; the text says why."""


def _load(path: Path) -> Record:
    message = record_pb2.Record()
    try:
        raw = path.read_bytes()
        if raw.lstrip()[:1] == b"{":
            json_format.Parse(raw, message)
        else:
            message.ParseFromString(raw)
    except OSError as error:
        raise _NoRecordError(error.strerror or "cannot be read") from None
    except (json_format.ParseError, DecodeError, UnicodeDecodeError) as error:
        raise _NoRecordError(f"not a record: {error}") from None
    faults: list[Fault] = []
    record = wire.read_record(message, "record", faults)
    if record is None:
        raise _NoRecordError("; ".join(f"{fault.path}: {fault.detail}" for fault in faults[:8]))
    return record


def _verify(args: Namespace) -> int:
    try:
        record = _load(args.record)
    except _NoRecordError as error:
        print(f"hakam verify: {error}", file=sys.stderr)
        return 2
    result = replay(record)
    if isinstance(result, ReplayFailure):
        print(f"NOT VERIFIED: {_why(record, result)}")
        return 1
    for line in _verdict(record, result):
        print(line)
    return 0


def _verdict(record: Record, state: GameState) -> list[str]:
    lines = [f"verified: {len(record.moves)} moves, every one legal"]
    if record.seed is None:
        lines.append(f"chance: {len(record.outcomes)} outcomes, brought by the caller")
    else:
        lines.append("chance: every outcome is the seed's")
        given = "equals the published one" if record.commitment else "was not given"
        lines.append(f"commitment: {given}")
    given = "equals the recorded one" if record.view_digest else "was not given"
    lines.append(f"digest of the final view: {given}, {referee.view_digest(state).hex()}")
    outcome = referee.outcome(state)
    lines.append("the game is not finished" if outcome is None else _winners(outcome.winners))
    return lines


def _winners(seats: tuple[int, ...]) -> str:
    return f"won by {', '.join(str(seat) for seat in seats)}"


def _why(record: Record, failure: ReplayFailure) -> str:
    kind = failure.kind.name.lower().replace("_", " ")
    if failure.violation is not None:
        text = violation_text(record.game.CATALOGUE, failure.violation, Language.EN)
        return f"{kind} {failure.index}: {text} {failure.violation.clause}".rstrip()
    detail = f": {failure.fault.path} {failure.fault.detail}" if failure.fault else ""
    return f"{kind} {failure.index}{detail}"


def _replay(args: Namespace) -> int:
    try:
        record = _load(args.record)
        seat = _seat(args.seat, record)
    except _NoRecordError as error:
        print(f"hakam replay: {error}", file=sys.stderr)
        return 2
    steps = play(record)
    before = None
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            if end.value is not None:
                print(f"the record fails: {_why(record, end.value)}")
            return 0 if end.value is None else 1
        _print_step(before, step, seat)
        before = step.state


def _seat(seat: int | None, record: Record) -> int | None:
    seats = record.game.seats(record.rules)
    if seat is not None and not 0 <= seat < seats:
        raise _NoRecordError(f"--seat must be 0 to {seats - 1}")
    return seat


def _print_step(before: GameState | None, step: Step, seat: int | None) -> None:
    state = step.state
    if before is not None:
        acting = referee.to_act(before)
        who = "chance" if acting is None else f"seat {acting}"
        print(f"\n{who}: {notation.write_move(state.game, state.rules, step.move)}")
    answer = pb.ApplyMoveResponse()
    wire.write_events(state.game, step.events, answer.events)
    for event in answer.events:
        print(f"  {show.event_line(event)}")
    print(show.position(state, seat))
