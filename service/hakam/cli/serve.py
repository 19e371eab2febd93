"""`hakam serve`: one server until SIGTERM or SIGINT, then a graceful end."""

import os
import signal
import sys
from argparse import ArgumentParser, Namespace
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from threading import Event, Thread

from prometheus_client import disable_created_metrics

from hakam.cli.keys import load_keys
from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.settings import Settings, SettingsError, add_flags, load
from hakam.supervisor import Supervisor

__all__ = ["add_command"]

# How often the main thread looks whether a signal has come.
_LOOK_SECONDS = 0.5


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
        settings = settings.with_place(settings.port, settings.workers or len(_cores()))
        # Also of several workers one is made here first, so that what is wrong stops the start.
        server = _server(settings)
    except SettingsError as error:
        print(f"hakam serve: {error}", file=sys.stderr)
        return 2
    return _alone(settings, server) if settings.workers == 1 else _supervise(settings)


def _server(settings: Settings, slot: int | None = None) -> Server:
    """The server of a worker, or the only one."""
    log = make_log(settings.log_format, settings.log_level)
    if slot is not None:
        log = log.bind(worker=slot)
    return Server(settings, log, load_keys(settings, os.environ), shares=slot is not None)


def _cores() -> list[int]:
    return sorted(os.sched_getaffinity(0))


def _alone(settings: Settings, server: Server) -> int:
    ended = _on_signals()
    try:
        server.start()
    except RuntimeError:  # gRPC's own; its log has said why
        return _cannot_serve(settings)
    except OSError as error:
        return _no_metrics(settings, error)
    _await(ended)
    server.stop()
    return 0


def _on_signals() -> Event:
    """Set by SIGTERM or SIGINT."""
    ended = Event()
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, lambda *_: ended.set())
    return ended


def _await(ended: Event) -> None:
    """Python handles a signal in the main thread, and does not wake it for one that another got."""
    while not ended.wait(_LOOK_SECONDS):
        pass


def _cannot_serve(settings: Settings) -> int:
    print(f"hakam serve: cannot serve on {settings.host}, port {settings.port}", file=sys.stderr)
    return 1


def _no_metrics(settings: Settings, error: OSError) -> int:
    where = f"{settings.metrics_host}, port {settings.metrics_port}"
    print(f"hakam serve: no metrics on {where}: {error.strerror}", file=sys.stderr)
    return 1


def _supervise(settings: Settings) -> int:
    log = make_log(settings.log_format, settings.log_level)
    try:
        supervisor = Supervisor(settings, log, _work)
    except OSError:
        return _cannot_serve(settings)
    try:
        return supervisor.run()
    except OSError as error:
        return _no_metrics(settings, error)


def _work(settings: Settings, slot: int, said: Connection) -> None:
    """One worker: serve on the shared port until told to stop."""
    disable_created_metrics()  # type: ignore[no-untyped-call]
    cores = _cores()
    if settings.pin == "auto" and settings.workers <= len(cores):
        os.sched_setaffinity(0, {cores[slot]})
    ended = _on_signals()
    for signum in (signal.SIGHUP, signal.SIGINT):  # a terminal sends them to all: the supervisor's
        signal.signal(signum, signal.SIG_IGN)
    Thread(target=_end_with_parent, args=(ended,), name="hakam-parent", daemon=True).start()
    server = _server(settings, slot)
    server.start()
    said.send(None)
    _await(ended)
    server.stop()


def _end_with_parent(ended: Event) -> None:
    """A worker whose supervisor was killed must not hold the port for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        ended.set()
