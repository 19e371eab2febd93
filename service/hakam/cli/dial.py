"""Reaching a service: one that runs already, or one of our own for a while; and what it refuses."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import grpc
from google.protobuf import json_format
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.settings import Settings

__all__ = ["add_flags", "channel", "error_json", "error_text", "options"]

# Attempts have no time limit of their own without the first.
_OPTIONS: Final = (
    ("grpc.experimental.enable_hedging", 1),
    ("grpc.max_reconnect_backoff_ms", 1000),
    ("grpc.per_rpc_retry_buffer_size", 4 * 1024 * 1024),
)


def add_flags(parser: ArgumentParser, address: str | None, text: str) -> None:
    """Where the service is, and what opens its doors."""
    parser.add_argument(
        "--address",
        metavar="HOST:PORT",
        default=address,
        help=f"{text}; several are ipv4:HOST:PORT,HOST:PORT",
    )
    parser.add_argument("--tls", action="store_true", help="speak TLS, trusting what Linux trusts")
    doors = (
        ("--ca-file", "speak TLS, trusting these authorities; PEM"),
        ("--cert-file", "certificate to show, where the service asks for one; PEM"),
        ("--key-file", "private key of the certificate; PEM"),
        ("--token-file", "a file with the token that admits, as `hakam token` prints it"),
    )
    for flag, help_ in doors:
        parser.add_argument(flag, type=Path, metavar="FILE", help=help_)


@contextmanager
def channel(args: Namespace) -> Iterator[grpc.Channel]:
    """A channel to the service at an address, or to one of our own that ends with the channel.

    Raises OSError where a file of a flag cannot be read.
    """
    if args.address is not None:
        with _opened(args) as opened:
            yield _admitted(opened, args.token_file)
        return
    settings = Settings(port=0, metrics_port=0, grace_seconds=0)
    server = Server(settings, make_log("console", "error"))
    server.start()
    try:
        with grpc.insecure_channel(f"127.0.0.1:{server.port}") as opened:
            yield opened
    finally:
        server.stop()


def _opened(args: Namespace) -> grpc.Channel:
    if not (args.tls or args.ca_file or args.cert_file):
        return grpc.insecure_channel(args.address, options(waits=False))
    credentials = grpc.ssl_channel_credentials(
        root_certificates=_content(args.ca_file),
        private_key=_content(args.key_file),
        certificate_chain=_content(args.cert_file),
    )
    return grpc.secure_channel(args.address, credentials, options(waits=False))


def _content(path: Path | None) -> bytes | None:
    return None if path is None else path.read_bytes()


def _admitted(opened: grpc.Channel, token_file: Path | None) -> grpc.Channel:
    if token_file is None:
        return opened
    return grpc.intercept_channel(opened, _Bearer(token_file.read_text("ascii").strip()))


class _Bearer(grpc.UnaryUnaryClientInterceptor):
    """Brings a token with every call."""

    def __init__(self, token: str) -> None:
        self._token: Final = token

    def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:
        """The call with its token."""
        metadata = [*(details.metadata or ()), ("authorization", f"Bearer {self._token}")]
        return continuation(details._replace(metadata=metadata), request)


def options(*, waits: bool) -> list[tuple[str, int | str]]:
    """What every client should have: round robin over several addresses, and retries.

    One that `waits` does so where there is no service; a person would rather be told.
    """
    config = json.loads(files("hakam.cli").joinpath("service_config.json").read_text("utf-8"))
    for method in config["methodConfig"]:
        method["waitForReady"] = waits
    return [("grpc.service_config", json.dumps(config)), *_OPTIONS]


def error_text(error: grpc.RpcError) -> str:
    """What the service says, in the language that it was asked for."""
    status = _status(error)
    message = error_details_pb2.LocalizedMessage()
    for detail in status.details:
        if detail.Unpack(message):
            return message.message
    return f"{error.code().name}: {error.details()}"


def error_json(error: grpc.RpcError) -> str:
    """Code, message and details as JSON."""
    shown: dict[str, Any] = {"code": error.code().name, "message": error.details()}
    shown["details"] = [json_format.MessageToDict(detail) for detail in _status(error).details]
    return json.dumps(shown, ensure_ascii=False, indent=2)


def _status(error: grpc.RpcError) -> status_pb2.Status:
    """The status with its details; without any where whoever answered sent none."""
    try:
        status: status_pb2.Status | None = rpc_status.from_call(error)  # type: ignore[arg-type]
    except ValueError:
        status = None
    return status_pb2.Status() if status is None else status
