"""Where a loaded server spends its time: py-spy's samples, by function."""

import subprocess
from collections import Counter
from typing import Final

from bench import servers
from bench.load import Call, Shape, answer_of, command
from bench.places import BUILD, LOAD_CORE, PEER_PYTHON
from bench.positions import apply_request, middle
from bench.process import pinned
from bench.wire import SERVICE

__all__ = ["profile"]

_SECONDS: Final = 6
_SHOWN: Final = 30


def profile(build: str, game: str) -> list[tuple[str, float, float]]:
    """The functions that most of the working time is below: name, its own share, with callees."""
    path = f"{SERVICE}/ApplyMove"
    body = apply_request(middle(game)).SerializeToString()
    with servers.hakam(build) as server:
        call = Call(path, body, len(answer_of(server, path, body)))
        shape = Shape(calls=1_000_000)
        load = subprocess.Popen(command(server, call, shape), stdout=subprocess.DEVNULL)
        try:
            return _shares(_samples(server.pid))
        finally:
            load.kill()
            load.wait()


def _samples(pid: int) -> str:
    out = BUILD / "profile.txt"
    spy = str(PEER_PYTHON).replace("/python", "/py-spy")
    record = [*("record", "--gil", "--format", "raw", "--rate", "250", "--nonblocking")]
    options = ["--duration", str(_SECONDS), "--output", str(out), "--pid", str(pid)]
    subprocess.run(pinned([spy, *record, *options], {LOAD_CORE}), check=True, capture_output=True)
    return out.read_text()


def _shares(samples: str) -> list[tuple[str, float, float]]:
    own: Counter[str] = Counter()
    below: Counter[str] = Counter()
    for line in samples.splitlines():
        stack, _, count = line.rpartition(" ")
        frames = [frame.rpartition(":")[0].rstrip(")") for frame in stack.split(";")]
        own[frames[-1]] += int(count)
        below.update(dict.fromkeys(frames, int(count)))
    total = sum(own.values())
    return [(name, own[name] / total, n / total) for name, n in below.most_common(_SHOWN)]
