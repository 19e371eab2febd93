"""Real servers, each for the time of the tests: on loopback, on a free port, in a folder of theirs.

They are the ones of Debian's packages, which `make test-system` installs.
"""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.request import urlopen

import pytest

from tools.up import envoy_config

PATIENCE = 60
# For servers that root may run as well; they read files of the repository.
OURSELVES = pwd.getpwuid(os.geteuid()).pw_name


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def wait_until(is_so: Callable[[], bool], otherwise: str = "the server does not come up") -> None:
    """Wait until something is so; fails with `otherwise` where it does not come."""
    for _ in range(PATIENCE * 20):
        if is_so():
            return
        time.sleep(0.05)
    raise AssertionError(otherwise)


def is_open(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def home(user: str) -> Iterator[Path]:
    """A folder of a user's own; ours if we may not become somebody else."""
    folder = Path(tempfile.mkdtemp(prefix="hakam-system-"))
    if os.geteuid() == 0:
        shutil.chown(folder, user)
    try:
        yield folder
    finally:
        wait_until(lambda: _is_removed(folder), f"somebody still writes to {folder}")


def _is_removed(folder: Path) -> bool:
    """Whether a folder is gone: what a process does last, even one that was killed, comes late."""
    shutil.rmtree(folder, ignore_errors=True)
    return not folder.exists()


@contextmanager
def running(user: str, folder: Path, *command: object) -> Iterator[None]:
    """A server in the foreground, as its user, ended with SIGINT: PostgreSQL's fast way."""
    words = list(map(str, command))
    log = (folder / "log").open("wb")
    process = subprocess.Popen(words, cwd=folder, stdout=log, stderr=log, **as_user(user))  # type: ignore[call-overload] # noqa: S603
    try:
        yield
    finally:
        process.send_signal(2)
        process.wait(PATIENCE)
        log.close()


def as_user(user: str) -> dict[str, object]:
    """What makes a process of root's that of another: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    entry = pwd.getpwnam(user)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def postgresql(program: str) -> Path:
    """A program of the newest PostgreSQL; Debian keeps them out of the path."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))
    assert found, "PostgreSQL is not installed: run `make test-system`"
    return found[-1]


@pytest.fixture(scope="session")
def postgresql_address() -> Iterator[str]:
    """Where a temporary cluster listens."""
    port = free_port()
    with home("postgres") as folder:
        data = folder / "data"
        init = [postgresql("initdb"), "--pgdata", data, "--username=hakam", "--auth=trust"]
        words = [*map(str, init), "--encoding=UTF8", "--no-locale", "--no-sync"]
        subprocess.run(  # type: ignore[call-overload] # noqa: S603
            words, check=True, cwd=folder, stdout=subprocess.DEVNULL, **as_user("postgres")
        )
        server = [postgresql("postgres"), "-D", data, "-p", port, "-h", "127.0.0.1", "-k", folder]
        with running("postgres", folder, *server):
            asked = [str(postgresql("pg_isready")), "-q", "-h", "127.0.0.1", "-p", str(port)]
            wait_until(lambda: subprocess.run(asked, check=False).returncode == 0)  # noqa: S603
            yield f"host=127.0.0.1 port={port} user=hakam dbname=postgres"


@pytest.fixture(scope="session")
def redis_port() -> Iterator[int]:
    """Where a Redis that keeps nothing on disk listens."""
    program = shutil.which("redis-server")
    assert program, "Redis is not installed: run `make test-system`"
    port = free_port()
    with home("redis") as folder:
        options = ("--bind", "127.0.0.1", "--port", port, "--save", "", "--dir", folder)
        with running("redis", folder, program, *options):
            wait_until(lambda: is_open(port))
            yield port


@contextmanager
def envoy(replicas: list[str]) -> Iterator[int]:
    """The port of a proxy for browsers with our configuration, in front of replicas on loopback."""
    web, admin = free_port(), free_port()
    ports = [int(address.rpartition(":")[2]) for address in replicas]
    with home(OURSELVES) as folder:
        (folder / "envoy.yaml").write_text(envoy_config(ports, web, admin))
        # Each has shared memory of its own only under a base id of its own.
        command = [envoy_program(), "-c", folder / "envoy.yaml", "--use-dynamic-base-id"]
        with running(OURSELVES, folder, *command):
            wait_until(lambda: is_ready(f"http://127.0.0.1:{admin}/ready"))
            yield web


def envoy_program() -> str:
    """Where Envoy is: a package of Python's brings it."""
    program = shutil.which("envoy", path=str(Path(sys.executable).parent)) or shutil.which("envoy")
    assert program, "Envoy is not installed: run `make test-system`"
    return program


def is_ready(page: str) -> bool:
    """Whether a page is answered with a success."""
    with suppress(OSError), urlopen(page, timeout=PATIENCE) as answer:  # noqa: S310 - ours
        return bool(answer.status == 200)
    return False
