"""`make up`, as a newcomer has it: on the ports that it says."""

import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.e2e.processes import PATIENCE, SERVICE, environment, run
from tests.system.conftest import is_open

pytestmark = pytest.mark.system

TOP = Path(__file__).resolve().parents[2]
PORTS = (50051, 50052, 9464, 9465, 8080, 9901, 9095)


def test_all_is_there_where_it_says_and_ends_on_an_interrupt() -> None:
    taken = [port for port in PORTS if is_open(port)]
    if taken:
        pytest.skip(f"somebody serves on {taken} already")
    process = subprocess.Popen(
        [sys.executable, "-m", "tools.up"],
        cwd=TOP,
        env=environment(PYTHONPATH=f"{SERVICE}:{TOP}"),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "Hakam is up; Ctrl-C ends it.\n"
        assert all(is_open(port) for port in PORTS)
        target = "ipv4:127.0.0.1:50051,127.0.0.1:50052"
        assert run("call", "ListGames", "--address", target).returncode == 0
        with urlopen("http://127.0.0.1:9095/api/v1/rules", timeout=PATIENCE) as answer:
            assert b"HakamErrors" in answer.read()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        assert not any(is_open(port) for port in PORTS)
    finally:
        process.kill()
        process.wait(PATIENCE)
        process.stdout.close()
