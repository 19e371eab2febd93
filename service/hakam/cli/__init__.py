"""The command `hakam`: serve, play, replay, verify, version."""

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence

from hakam import __version__
from hakam.cli import play, replay, serve

__all__ = ["main"]

_DESCRIPTION = """\
Hakam (the referee) knows the complete rules of Jackaroo, Trix and Tjau, and judges every move of
them over gRPC.

  hakam serve                      serve on 127.0.0.1:50051, metrics on 127.0.0.1:9464
  hakam play tjau                  play in the terminal against a bot
  hakam play tjau --record g.json  the same, and keep the record of the game
  hakam replay g.json              see a recorded game again, move by move
  hakam verify g.json              check every move, the chance and the commitment of a record
"""


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="hakam", description=_DESCRIPTION, formatter_class=RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serve.add_command(commands.add_parser("serve", help="serve until a signal comes"))
    play.add_command(commands.add_parser("play", help="play a game in the terminal"))
    replay.add_replay(commands.add_parser("replay", help="show a recorded game, move by move"))
    replay.add_verify(commands.add_parser("verify", help="check a recorded game"))
    version = commands.add_parser("version", help="print the release")
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
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    return code
