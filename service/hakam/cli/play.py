"""`hakam play`: a game in the terminal, over the real service."""

import random
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
from google.protobuf import json_format

from hakam.cli import show
from hakam.games.game import Fault
from hakam.games.options import option_value
from hakam.games.registry import GAMES
from hakam.referee import AnyGame, GameState, view_digest
from hakam.rpc.codecs import game as wire
from hakam.rpc.codecs.rules import write_rules
from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.settings import Settings
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from hakam.v1 import language_pb2, record_pb2, rules_pb2

__all__ = ["add_command"]

_HELP = "a move by its text or its number; ? shows this and the moves, q ends the game"


def add_command(parser: ArgumentParser) -> None:
    """The flags of the command."""
    parser.description = "Play a game in the terminal, over the real service."
    parser.add_argument("game", choices=sorted(GAMES), help="which game")
    parser.add_argument("--rule-set", metavar="NAME", help="a rule set; the first by default")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="change one option"
    )
    parser.add_argument(
        "--seats",
        metavar="LIST",
        default="0",
        help="the seats that you play: 0; or 0,2; or all; or none",
    )
    parser.add_argument("--address", metavar="HOST:PORT", help="a service that runs already")
    parser.add_argument("--seed", metavar="HEX", help="the seed, 64 hex digits; drawn by default")
    parser.add_argument(
        "--bot-seed", type=int, metavar="N", help="makes the bots repeat themselves"
    )
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep the game's record here")
    parser.add_argument("--language", choices=("en", "ar"), default="en", help="of refusals")
    parser.set_defaults(run=_run)


class _CallError(Exception):
    """A wrong argument; the text is for the terminal."""


def _run(args: Namespace) -> int:
    try:
        game = GAMES[args.game]
        rules = _rules(game, args)
        seats = _seats(game, rules, args.seats)
        seed = _seed(args.seed)
    except _CallError as error:
        print(f"hakam play: {error}", file=sys.stderr)
        return 2
    with _stub(args.address) as stub:
        table = _Table(stub, game, args)
        table.start(rules, seed)
        finished = table.play(seats)
    if args.record is not None:
        table.save(args.record)
    return 0 if finished else 1


def _rules(game: AnyGame, args: Namespace) -> Any:
    catalogue = game.CATALOGUE
    name = args.rule_set or next(iter(catalogue.rule_sets))
    if name not in catalogue.rule_sets:
        raise _CallError(f"no rule set {name!r}; there are {', '.join(catalogue.rule_sets)}")
    options = {option.name: option for option in catalogue.options}
    overrides = {}
    for text in args.option:
        key, _, value = text.partition("=")
        read = option_value(catalogue, options[key], value) if key in options else None
        if read is None:
            raise _CallError(f"no such option: {text!r}; there are {', '.join(options)}")
        overrides[key] = read
    rules = replace(catalogue.rule_sets[name], **overrides)
    faults = game.rules_faults(rules)
    if faults:
        raise _CallError("; ".join(f"{fault.path}: {fault.detail}" for fault in faults))
    return rules


def _seats(game: AnyGame, rules: Any, text: str) -> frozenset[int]:
    everyone = frozenset(range(game.seats(rules)))
    if text in ("all", "none"):
        return everyone if text == "all" else frozenset()
    words = text.split(",")
    if not all(word.isascii() and word.isdigit() for word in words):
        raise _CallError("--seats is a list of numbers, all or none")
    seats = frozenset(int(word) for word in words)
    if not seats <= everyone:
        raise _CallError(f"--seats must be 0 to {len(everyone) - 1}")
    return seats


def _seed(text: str | None) -> bytes:
    try:
        seed = bytes.fromhex(text or "")
    except ValueError:
        raise _CallError("--seed must be 64 hex digits") from None
    if text is not None and len(seed) != 32:
        raise _CallError("--seed must be 64 hex digits")
    return seed


@contextmanager
def _stub(address: str | None) -> Iterator[pb_grpc.GameServiceStub]:
    """The service at an address, or one of our own for as long as the game lasts."""
    server = None
    if address is None:
        settings = Settings(port=0, metrics_port=0, grace_seconds=0)
        server = Server(settings, make_log("console", "error"))
        server.start()
        address = f"127.0.0.1:{server.port}"
    try:
        with grpc.insecure_channel(address) as channel:
            yield pb_grpc.GameServiceStub(channel)
    finally:
        if server is not None:
            server.stop()


class _Table:
    """One game at the terminal: the newest state, and the record so far."""

    def __init__(self, stub: pb_grpc.GameServiceStub, game: AnyGame, args: Namespace) -> None:
        self._stub = stub
        self._game = game
        self._bots = random.Random(args.bot_seed)  # noqa: S311 - a bot may be guessed
        self._language = language_pb2.Language.Value(f"LANGUAGE_{args.language.upper()}")
        self._now: pb.NewGameResponse | pb.ApplyMoveResponse = pb.NewGameResponse()
        self._record = record_pb2.Record()

    def start(self, rules: Any, seed: bytes) -> None:
        """Begin the game and its record."""
        wanted = rules_pb2.Rules()
        write_rules(self._game, rules, wanted)
        request = pb.NewGameRequest(rules=wanted, list_moves=True)
        if seed:
            request.seed = seed
        self._now = self._stub.NewGame(request)
        source = self._now.state.chance
        self._record.rules.CopyFrom(self._now.state.rules)
        self._record.chance_version = source.version
        self._record.seed.seed = source.seeded.seed
        self._record.commitment = source.seeded.commitment
        _print_events(self._now)

    def play(self, seats: frozenset[int]) -> bool:
        """Play to the end; False where the player left."""
        while self._now.turn.HasField("to_act"):
            seat = self._now.turn.to_act
            move = self._ask(seat) if seat in seats else self._bots.choice(self._now.moves).notation
            if move is None:
                return False
            self._apply(move)
        print(show.position(self._state(), None))
        return True

    def _ask(self, seat: int) -> str | None:
        moves = [listed.notation for listed in self._now.moves]
        print(f"\n{show.position(self._state(), seat)}")
        while True:
            print("  ".join(f"{i}) {text}" for i, text in enumerate(moves, start=1)))
            try:
                answer = input(f"seat {seat}> ").strip()
            except EOFError:
                return None
            if answer == "q":
                return None
            if answer in ("?", ""):
                print(_HELP)
            elif answer.isdigit() and answer not in moves and 1 <= int(answer) <= len(moves):
                return moves[int(answer) - 1]
            elif self._is_legal(answer):
                return answer

    def _is_legal(self, text: str) -> bool:
        request = pb.ValidateMoveRequest(state=self._now.state, language=self._language)
        request.move.notation = text
        try:
            verdict = self._stub.ValidateMove(request)
        except grpc.RpcError as error:
            print(error.details())
            return False
        if not verdict.legal:
            print(f"{verdict.violation.text} {verdict.violation.clause}".rstrip())
        return verdict.legal

    def _apply(self, text: str) -> None:
        request = pb.ApplyMoveRequest(state=self._now.state, list_moves=True)
        request.move.notation = text
        self._now = self._stub.ApplyMove(request)
        self._record.moves.append(self._now.move)
        _print_events(self._now)

    def _state(self) -> GameState:
        faults: list[Fault] = []
        state = wire.read_state(self._now.state, "state", faults)
        if state is None:
            raise RuntimeError(f"the service sent a state with faults: {faults[0].path}")
        return state

    def save(self, path: Path) -> None:
        """Write the record, with the digest of the view that everybody has."""
        self._record.view_digest = view_digest(self._state())
        path.write_text(json_format.MessageToJson(self._record) + "\n", encoding="utf-8")
        print(f"record kept in {path}")


def _print_events(answer: pb.NewGameResponse | pb.ApplyMoveResponse) -> None:
    for event in answer.events:
        print(f"  {show.event_line(event)}")
