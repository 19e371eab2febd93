"""The servers under load: the floor, and `hakam serve` of either build with its defaults.

Defaults but for the ports and the form of the log, which goes to a file. What `serve` takes from
the cores that it may use, such as the number of workers, it takes from those it is pinned to.
"""

from collections.abc import Iterable
from contextlib import AbstractContextManager

from bench.places import PYTHON, SERVER_CORE, SITES
from bench.process import Running, free_port, started

__all__ = ["floor", "hakam", "transport"]


def floor() -> AbstractContextManager[Running]:
    """The empty handler, on the server's core."""
    return _empty("floor")


def transport(lengths: Iterable[int]) -> AbstractContextManager[Running]:
    """The empty handler on Hakam's own transport, with answers of these lengths."""
    return _empty("transport", *map(str, sorted(set(lengths))))


def _empty(name: str, *lengths: str) -> AbstractContextManager[Running]:
    port = free_port()
    command = [PYTHON, "-m", "bench.floor", str(port), *lengths]
    return started(name, command, port, {SERVER_CORE}, {"PYTHONPATH": str(SITES["pure"])})


def hakam(
    build: str, *flags: str, cores: frozenset[int] = frozenset({SERVER_CORE})
) -> AbstractContextManager[Running]:
    """The service of a build, on these cores."""
    port = free_port()
    ports = ("--port", str(port), "--metrics-port", str(free_port()))
    command = [PYTHON, "-m", "hakam", "serve", "--log-format", "json", *ports, *flags]
    environ = {"PYTHONPATH": str(SITES[build])}
    name = "-".join(["hakam", build, *[flag.strip("-") for flag in flags]])
    return started(name, command, port, set(cores), environ)
