"""`hakam health`: whether a service says that it serves; for probes, which read the exit code."""

import os
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from hakam.rpc.server import SERVICE

__all__ = ["add_command"]

_DESCRIPTION = """\
Ask a service for its health, once. Exit code 0: it serves; 1: it does not, or does not answer;
2: a wrong call. Needs no token.
"""


def add_command(parser: ArgumentParser) -> None:
    """The flags of the command."""
    parser.description = _DESCRIPTION
    port = os.environ.get("HAKAM_PORT", "50051")
    parser.add_argument(
        "--address",
        metavar="HOST:PORT",
        default=f"127.0.0.1:{port}",
        help="default 127.0.0.1 and HAKAM_PORT, else %(default)s",
    )
    parser.add_argument(
        "--timeout", type=float, metavar="SECONDS", default=3.0, help="default %(default)s"
    )
    parser.add_argument(
        "--tls-ca-file", metavar="PATH", help="who signed the service's certificate: asks with TLS"
    )
    parser.add_argument(
        "--tls-name", metavar="NAME", help="the name in the certificate, where it is not the host"
    )
    parser.add_argument("--tls-cert-file", metavar="PATH", help="a certificate of our own")
    parser.add_argument("--tls-key-file", metavar="PATH", help="the key of that certificate")
    parser.set_defaults(run=_run)


def _run(args: Namespace) -> int:
    try:
        credentials = _credentials(args)
    except OSError as error:
        print(f"hakam health: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    with _channel(args, credentials) as channel:
        check = health_pb2_grpc.HealthStub(channel).Check  # type: ignore[attr-defined] # not in the stubs
        try:
            answer = check(health_pb2.HealthCheckRequest(service=SERVICE), timeout=args.timeout)
        except grpc.RpcError as error:
            print(f"{error.code().name}: {error.details()}", file=sys.stderr)
            return 1
    print(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))
    return 0 if answer.status == health_pb2.HealthCheckResponse.SERVING else 1


def _credentials(args: Namespace) -> grpc.ChannelCredentials | None:
    """What TLS needs, or None without it; raises OSError for a file that cannot be read."""
    if args.tls_ca_file is None:
        return None
    files = (args.tls_ca_file, args.tls_key_file, args.tls_cert_file)
    return grpc.ssl_channel_credentials(*(path and Path(path).read_bytes() for path in files))


def _channel(args: Namespace, credentials: grpc.ChannelCredentials | None) -> grpc.Channel:
    if credentials is None:
        return grpc.insecure_channel(args.address)
    options = [("grpc.ssl_target_name_override", args.tls_name)] if args.tls_name else []
    return grpc.secure_channel(args.address, credentials, options)
