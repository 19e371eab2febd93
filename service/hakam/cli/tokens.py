"""`hakam token`: a new bearer token, and its line for the list of a service."""

import secrets
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from hashlib import sha256
from typing import Final

__all__ = ["TOKEN_PREFIX", "add_command"]

# By which scanners for secrets, and people, know such a token.
TOKEN_PREFIX: Final = "hakam_"  # noqa: S105 - what all tokens begin with
_TOKEN_BYTES: Final = 32


def add_command(parser: ArgumentParser) -> None:
    """The one argument of the command."""
    parser.description = (
        "Print a new token, and on a second line its SHA-256. The token goes to a caller, who "
        "sends it as metadata `authorization: Bearer TOKEN`; the second line goes into the file of "
        "`hakam serve --tokens-file`. The token is shown only here."
    )
    parser.add_argument("name", nargs="?", default="", type=_name, help="whose token it is")
    parser.set_defaults(run=_run)


def _name(text: str) -> str:
    if not text.isprintable() or "#" in text:
        raise ArgumentTypeError("a name is one line without #")
    return text


def _run(args: Namespace) -> int:
    token = TOKEN_PREFIX + secrets.token_urlsafe(_TOKEN_BYTES)
    print(token)
    print(f"{sha256(token.encode()).hexdigest()} {args.name}".rstrip())
    return 0
