"""`hakam play`: a game in the terminal, over the real service."""

import random
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from contextlib import suppress
from pathlib import Path
from typing import Any

from hakam.cli import dial
from hakam.cli.table import StrangeStateError, Table
from hakam.client import HakamError, UnavailableError
from hakam.games.game import Option, OptionKind
from hakam.games.options import option_value
from hakam.games.registry import GAMES
from hakam.referee import AnyGame
from hakam.rpc.codecs.rules import write_rules
from hakam.v1.rules_pb2 import Rules

__all__ = ["add_command"]

_DESCRIPTION = """\
Play a game in the terminal, over the real service. You see what your seat may see; whoever plays
several seats at one terminal sees the hands of all of them, each when it is to act.

  hakam play tjau                                against a bot
  hakam play tjau --rule-set ur --seats all      both sides
  hakam play tjau --option pieces=3 --seats none two bots
"""


def add_command(parser: ArgumentParser) -> None:
    """The flags of the command."""
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.description = _DESCRIPTION
    parser.epilog = _rule_sets()
    parser.add_argument(
        "game", choices=sorted(GAMES), metavar="GAME", help=", ".join(sorted(GAMES))
    )
    parser.add_argument("--rule-set", metavar="NAME", help="a rule set; the first by default")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="change one option of the rules; may be repeated",
    )
    parser.add_argument(
        "--seats",
        metavar="LIST",
        default="0",
        help="the seats that you play: 0 (default), or 0,2, or all, or none",
    )
    dial.add_flags(parser, None, "a service that runs already; one of its own if absent")
    parser.add_argument("--seed", metavar="HEX", help="the seed, 64 hex digits; drawn if absent")
    parser.add_argument(
        "--bot-seed", type=int, metavar="N", help="makes the bots repeat themselves"
    )
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help="keep the record of the game in a new file"
    )
    parser.add_argument(
        "--language", choices=("en", "ar"), default="en", help="of refusals; en if absent"
    )
    parser.set_defaults(run=_run)


def _rule_sets() -> str:
    lines = [f"  {name:9}{', '.join(game.CATALOGUE.rule_sets)}" for name, game in GAMES.items()]
    return "\n".join(["rule sets:", *sorted(lines)])


class _CallError(Exception):
    """A wrong argument; the text is for the terminal."""


def _run(args: Namespace) -> int:
    try:
        game = GAMES[args.game]
        rules = _rules(game, args)
        humans = _seats(game, rules, args.seats)
        seed = _seed(args.seed)
        _check_record(args.record)
    except _CallError as error:
        print(f"hakam play: {error}", file=sys.stderr)
        return 2
    with suppress(ImportError):
        import readline  # noqa: F401, PLC0415 - gives `input` a history and keys to edit with
    try:
        with dial.client(args, args.language) as client:
            bots = random.Random(args.bot_seed)  # noqa: S311 - a bot may be guessed
            handle = client.new_game(_message(game, rules), seed=seed)
            table = Table(handle, game, rules, humans=humans, bots=bots)
            _play(table, args.record)
    except HakamError as error:
        print(f"hakam play: {_complaint(error, args.address)}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        raise  # nobody reads any more, so nobody is told
    except dial.WrongDoorError as error:
        print(f"hakam play: {error}", file=sys.stderr)
        return 2
    except (OSError, StrangeStateError) as error:
        print(f"hakam play: {error}", file=sys.stderr)
        return 1
    return 0


def _message(game: AnyGame, rules: Any) -> Rules:
    message = Rules()
    write_rules(game, rules, message)
    return message


def _play(table: Table, record: Path | None) -> None:
    """Play, and keep the record however the game ends."""
    try:
        table.play()
    finally:
        if record is not None:
            table.save(record)


def _complaint(error: HakamError, address: str | None) -> str:
    if isinstance(error, UnavailableError):
        return f"no service answers at {address}"
    return error.text if error.reason else str(error)


def _check_record(path: Path | None) -> None:
    """Refuse before the game what would lose its record after it."""
    if path is None:
        return
    if path.exists():
        raise _CallError(f"--record: {path} exists already")
    if not path.parent.is_dir():
        raise _CallError(f"--record: there is no folder {path.parent}")


def _rules(game: AnyGame, args: Namespace) -> Any:
    catalogue = game.CATALOGUE
    name = args.rule_set or next(iter(catalogue.rule_sets))
    if name not in catalogue.rule_sets:
        raise _CallError(f"no rule set {name!r}; there are {', '.join(catalogue.rule_sets)}")
    overrides = dict(_option(game, text) for text in args.option)
    rules = game.with_options(name, overrides)
    faults = game.rules_faults(rules)
    if faults:
        raise _CallError("; ".join(f"{fault.path}: {fault.detail}" for fault in faults))
    return rules


def _option(game: AnyGame, text: str) -> tuple[str, Any]:
    """The name and the value of `NAME=VALUE`."""
    options = {option.name: option for option in game.CATALOGUE.options}
    name, _, value = text.partition("=")
    if name not in options:
        raise _CallError(f"no option {name!r}; there are {', '.join(options)}")
    read = option_value(game.CATALOGUE, options[name], value)
    if read is None:
        raise _CallError(f"{name} must be {_values(options[name])}, not {value!r}")
    return name, read


def _values(option: Option) -> str:
    """What may be given for an option."""
    names = [name for name, _ in option.choices]
    if option.kind is OptionKind.BOOL:
        names = ["true", "false"]
    if option.kind in (OptionKind.INT, OptionKind.SEAT, OptionKind.INT_LIST):
        names.append(f"{option.low} to {option.high}")
    several = ", several with commas" if option.kind is OptionKind.INT_LIST else ""
    return " or ".join(names) + several


def _seats(game: AnyGame, rules: Any, text: str) -> frozenset[int]:
    everyone = frozenset(range(game.seats(rules)))
    if text in ("all", "none"):
        return everyone if text == "all" else frozenset()
    words = text.split(",")
    if not all(word.isascii() and word.isdigit() and len(word) < 3 for word in words):
        raise _CallError("--seats is a list of numbers, all or none")
    seats = frozenset(int(word) for word in words)
    if not seats <= everyone:
        raise _CallError(f"--seats must be 0 to {len(everyone) - 1}")
    return seats


def _seed(text: str | None) -> bytes | None:
    if text is None:
        return None
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != 32:
        raise _CallError("--seed must be 64 hex digits")
    return seed
