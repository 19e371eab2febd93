"""Reaching a service: one that runs already, or one of our own for a while."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hakam.client import Client, Language, Tls
from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.settings import Settings

__all__ = ["WrongDoorError", "add_flags", "client"]


class WrongDoorError(Exception):
    """The flags do not go together; the text says why."""


def add_flags(parser: ArgumentParser, address: str | None, text: str) -> None:
    """Where the service is, and what opens its doors."""
    parser.add_argument(
        "--address",
        metavar="HOST:PORT",
        default=address,
        help=f"{text}; several are ipv4:HOST:PORT,HOST:PORT",
    )
    parser.add_argument(
        "--tls", action="store_true", help="speak TLS, trusting the public authorities"
    )
    doors = (
        ("--ca-file", "speak TLS, trusting these authorities; PEM"),
        ("--cert-file", "certificate to show, where the service asks for one; PEM"),
        ("--key-file", "private key of the certificate; PEM"),
        ("--token-file", "a file with the token that admits, as `hakam token` prints it"),
    )
    for flag, help_ in doors:
        parser.add_argument(flag, type=Path, metavar="FILE", help=help_)


@contextmanager
def client(args: Namespace, language: Language = "en") -> Iterator[Client]:
    """A client of the service at an address, or of one of our own that ends with it.

    Raises OSError where a file of a flag cannot be read, and WrongDoorError.
    """
    if args.address is not None:
        with _opened(args, language) as opened:
            yield opened
        return
    settings = Settings(port=0, metrics_port=0, grace_seconds=0)
    server = Server(settings, make_log("console", "error"))
    server.start()
    try:
        with Client(f"127.0.0.1:{server.port}", language=language) as opened:
            yield opened
    finally:
        server.stop()


def _opened(args: Namespace, language: Language) -> Client:
    token = args.token_file and args.token_file.read_text("ascii").strip()
    try:
        return Client(args.address, tls=_tls(args), token=token, language=language)
    except ValueError as error:
        raise WrongDoorError(f"--address {args.address}: {error}") from None


def _tls(args: Namespace) -> Tls | None:
    if not (args.tls or args.ca_file or args.cert_file):
        return None
    return Tls(
        ca=_content(args.ca_file),
        certificate=_content(args.cert_file),
        key=_content(args.key_file),
    )


def _content(path: Path | None) -> bytes | None:
    return None if path is None else path.read_bytes()
