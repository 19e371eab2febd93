"""Several workers behind one port, as an operator has them."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from urllib.error import HTTPError
from urllib.request import urlopen

import grpc
import pytest

from hakam.client import channel_options
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from tests.e2e.processes import PATIENCE, Serving, servers

# How many calls go over connections of their own, so that every worker gets some.
CALLS = 40


@pytest.fixture
def serving() -> Iterator[Serving]:
    with servers() as start:
        yield start(HAKAM_WORKERS="2")


def page(serving: Serving, path: str) -> tuple[int, str]:
    """Status and text of a page beside the metrics."""
    url = f"http://{serving.addresses['metrics']}{path}"
    try:
        with urlopen(url, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, ""


def call(serving: Serving) -> None:
    """One call over a connection of its own, as an honest client makes it."""
    options = [*channel_options(wait=True), ("grpc.use_local_subchannel_pool", 1)]
    with grpc.insecure_channel(serving.address, options=options) as channel:
        pb_grpc.GameServiceStub(channel).ListGames(pb.ListGamesRequest(), timeout=PATIENCE)


def started(serving: Serving) -> int:
    """The calls that all workers together have begun."""
    text = page(serving, "/metrics")[1]
    rows = [row for row in text.splitlines() if row.startswith("grpc_server_started_total")]
    return sum(int(float(row.rpartition(" ")[2])) for row in rows if '"ListGames"' in row)


def eventually(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.05)


def workers(serving: Serving, event: str) -> list[int]:
    return [line["pid"] for line in list(serving.log) if line["event"] == event]


def test_several_workers_show_as_one_service(serving: Serving) -> None:
    for _ in range(CALLS):
        call(serving)
    assert started(serving) == CALLS
    assert page(serving, "/metrics")[1].count("\nhakam_build_info{") == 1
    assert page(serving, "/readyz") == (200, "ready\n")
    assert page(serving, "/healthz")[0] == 200
    assert page(serving, "/elsewhere")[0] == 404
    served_by = {line["worker"] for line in serving.log if line["event"] == "call"}
    assert served_by == {0, 1}


def test_a_worker_that_dies_is_replaced_and_its_calls_stay_counted(serving: Serving) -> None:
    for _ in range(CALLS):
        call(serving)
    first = workers(serving, "worker serving")
    assert len(first) == 2
    os.kill(first[0], signal.SIGKILL)
    for _ in range(CALLS):
        call(serving)
    eventually(lambda: len(workers(serving, "worker serving")) == 3)
    eventually(lambda: page(serving, "/readyz")[0] == 200)
    assert workers(serving, "worker died") == [first[0]]
    assert started(serving) >= 2 * CALLS


def test_a_hangup_rolls_all_workers_and_no_call_fails(serving: Serving) -> None:
    first = workers(serving, "worker serving")
    serving.process.send_signal(signal.SIGHUP)
    while len(workers(serving, "worker replaced")) < 2:
        call(serving)
    call(serving)
    assert not set(workers(serving, "worker replaced")) & set(first)
    assert page(serving, "/readyz")[0] == 200


def test_a_signal_drains_all_workers(serving: Serving) -> None:
    call(serving)
    serving.process.terminate()
    assert serving.ended() == 0
    events = [(line["event"], line.get("worker")) for line in serving.log]
    assert events[-1] == ("stopped", None)
    assert {("stopped", 0), ("stopped", 1)} <= set(events)


def test_no_worker_outlives_its_supervisor(serving: Serving) -> None:
    serving.process.kill()
    serving.ended()  # returns once the workers, which hold the log too, have ended
    assert {line.get("worker") for line in serving.log if line["event"] == "stopped"} == {0, 1}


def test_a_port_that_is_taken_stops_the_start(serving: Serving) -> None:
    port = serving.address.rpartition(":")[2]
    again = Serving(HAKAM_WORKERS="2", HAKAM_PORT=port)
    _, said = again.process.communicate(timeout=PATIENCE)
    assert again.process.returncode == 1
    assert said == f"hakam serve: cannot serve on 127.0.0.1, port {port}\n"
