"""`hakam serve`: one server until SIGTERM or SIGINT, then a graceful end."""

import os
import signal
import sys
from argparse import ArgumentParser, Namespace
from threading import Event

from prometheus_client import disable_created_metrics

from hakam.cli.keys import load_keys
from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.settings import SettingsError, add_flags, load

__all__ = ["add_command"]


def add_command(parser: ArgumentParser) -> None:
    """The flags of the command."""
    parser.description = (
        "Serve until SIGTERM or SIGINT, then drain and end with exit code 0. Every setting has a "
        "flag and a variable; the flag wins. A wrong value or file ends with exit code 2, a port "
        "that cannot be had with 1."
    )
    add_flags(parser)
    parser.set_defaults(run=_run)


def _run(args: Namespace) -> int:
    disable_created_metrics()  # type: ignore[no-untyped-call]
    try:
        settings = load(args, os.environ)
        keys = load_keys(settings, os.environ)
        server = Server(settings, make_log(settings.log_format, settings.log_level), keys)
    except SettingsError as error:
        print(f"hakam serve: {error}", file=sys.stderr)
        return 2
    ended = Event()
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, lambda *_: ended.set())
    try:
        server.start()
    except RuntimeError:  # gRPC's own; its log has said why
        where = f"{settings.host}, port {settings.port}"
        print(f"hakam serve: cannot serve on {where}", file=sys.stderr)
        return 1
    except OSError as error:
        where = f"{settings.metrics_host}, port {settings.metrics_port}"
        print(f"hakam serve: no metrics on {where}: {error.strerror}", file=sys.stderr)
        return 1
    ended.wait()
    server.stop()
    return 0
