"""The command `hakam`, and what each of its commands is called."""

import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from typing import Final

# gRPC's core reads this when it is loaded. Else it writes a line, which is no line of our log, for
# every handshake that fails: as often as strangers like.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

from hakam import __version__
from hakam.cli import call, doctor, health, keys, play, replay, serve, tokens

__all__ = ["main"]

_DESCRIPTION = """\
Hakam (the referee) knows the complete rules of Jackaroo, Trix and Tjau, and judges every move of
them over gRPC.

  hakam serve                      serve on 127.0.0.1:50051, metrics on 127.0.0.1:9464
  hakam doctor                     say what would go wrong with serving
  hakam health                     ask a service whether it serves
  hakam call ListGames             call a service that runs, JSON in and out
  hakam play tjau                  play in the terminal against a bot
  hakam play tjau --record g.json  the same, and keep the record of the game
  hakam replay g.json              see a recorded game again, move by move
  hakam verify g.json              check every move, the chance and the commitment of a record
  hakam keygen                     make a key for sealed states
  hakam token                      make a token that admits a caller
"""
_EPILOG = """\
`hakam COMMAND --help` says more. Exit codes: 0 well; 1 the answer is no, or there is none;
2 a wrong call; 130 interrupted.
"""

_COMMANDS: Final[tuple[tuple[str, str, Callable[[ArgumentParser], None]], ...]] = (
    ("serve", "serve until a signal comes", serve.add_command),
    ("doctor", "say what would go wrong with serving", doctor.add_command),
    ("health", "ask a service whether it serves", health.add_command),
    ("call", "call a service that runs, JSON in and out", call.add_command),
    ("play", "play a game in the terminal", play.add_command),
    ("replay", "show a recorded game, move by move", replay.add_replay),
    ("verify", "check a recorded game", replay.add_verify),
    ("keygen", "make a key for sealed states", keys.add_command),
    ("token", "make a token that admits a caller", tokens.add_command),
)
_INTERRUPTED: Final = 130


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="hakam",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", title="commands"
    )
    for name, text, add_command in _COMMANDS:
        add_command(commands.add_parser(name, help=text, allow_abbrev=False))
    version = commands.add_parser("version", help="print the release")
    version.description = "Print the release."
    version.set_defaults(run=_version)
    return parser


def _version(_args: Namespace) -> int:
    print(__version__)
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code: 0 well, 1 a "no", 2 a wrong call."""
    args = _parser().parse_args(argv)
    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still buffered would raise again when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return _INTERRUPTED
    return code
