"""`hakam call`: one call of a running service, JSON in and out."""

import json
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any, Final

import grpc
from google.protobuf import json_format
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from hakam.cli import dial
from hakam.client import Client, HakamError, from_rpc_error
from hakam.v1 import game_service_pb2 as pb

__all__ = ["add_command"]

_SERVICE: Final = pb.DESCRIPTOR.services_by_name["GameService"]
_DESCRIPTION = """\
Call a service that runs: the request and the answer are protojson. An error goes to stderr, as JSON
with its details, and ends with exit code 1.

  hakam call ListGames
  hakam call NewGame '{"rules": {"tjau": {}}}' > new.json
  hakam call ApplyMove '{"move": {"notation": "throw"}}' --state new.json
"""


def add_command(parser: ArgumentParser) -> None:
    """The flags of the command."""
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.description = _DESCRIPTION
    names = [method.name for method in _SERVICE.methods]
    parser.add_argument("rpc", choices=names, metavar="RPC", help=", ".join(names))
    parser.add_argument(
        "request",
        nargs="?",
        default="{}",
        metavar="JSON",
        help="the request; - reads it from stdin",
    )
    parser.add_argument(
        "--state",
        metavar="FILE",
        help="take the state from an earlier answer; - reads it from stdin",
    )
    dial.add_flags(parser, "127.0.0.1:50051", "default %(default)s")
    parser.add_argument(
        "--timeout", type=float, metavar="SECONDS", default=10.0, help="default %(default)s"
    )
    parser.set_defaults(run=_run)


class _NoRequestError(Exception):
    """What was given is no request; the text says why."""


def _run(args: Namespace) -> int:
    method = _SERVICE.methods_by_name[args.rpc]
    try:
        request = _request(args, GetMessageClass(method.input_type)())
    except _NoRequestError as error:
        print(f"hakam call: {error}", file=sys.stderr)
        return 2
    try:
        with dial.client(args) as client:
            return _call(client, args, request)
    except (OSError, dial.WrongDoorError) as error:
        print(f"hakam call: {error}", file=sys.stderr)
        return 2


def _call(client: Client, args: Namespace, request: Message) -> int:
    try:
        answer = getattr(client.stub, args.rpc)(request, timeout=args.timeout)
    except grpc.RpcError as error:
        print(_error_json(from_rpc_error(error)), file=sys.stderr)
        return 1
    print(json_format.MessageToJson(answer, ensure_ascii=False))
    return 0


def _error_json(error: HakamError) -> str:
    """Code, message and details as JSON."""
    shown: dict[str, Any] = {"code": error.code.name, "message": error.status.message}
    shown["details"] = [json_format.MessageToDict(detail) for detail in error.status.details]
    return json.dumps(shown, ensure_ascii=False, indent=2)


def _request(args: Namespace, request: Message) -> Message:
    fields = _fields(sys.stdin.read() if args.request == "-" else args.request, "the request")
    if args.state is not None:
        answer = _fields(_text(args.state), args.state)
        if "state" not in answer:
            raise _NoRequestError(f"{args.state} has no state")
        fields["state"] = answer["state"]
    try:
        return json_format.ParseDict(fields, request)
    except json_format.ParseError as error:
        raise _NoRequestError(f"not a {request.DESCRIPTOR.name}: {error}") from None


def _text(path: str) -> str:
    try:
        return sys.stdin.read() if path == "-" else Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _NoRequestError(f"{path} cannot be read: {error}") from None


def _fields(text: str, name: str) -> dict[str, Any]:
    try:
        fields = json.loads(text)
    except ValueError as error:
        raise _NoRequestError(f"{name} is no JSON: {error}") from None
    if not isinstance(fields, dict):
        raise _NoRequestError(f"{name} is no JSON object")
    return fields
