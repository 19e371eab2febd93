"""A million calls to one worker, and what its memory does meanwhile."""

from typing import Any, Final

from bench import servers
from bench.load import Call, Shape, answer_of, send
from bench.positions import RULE_SETS, apply_request, middle, validate_request
from bench.process import Running
from bench.wire import SERVICE

__all__ = ["soak"]

_CALLS: Final = 1_000_000
_STEPS: Final = 20


def soak(build: str) -> dict[str, Any]:
    """The resident memory in MiB before, after every twentieth of the calls, and its growth.

    Growth is looked for in the second half, when every pool and cache has what it will have.
    """
    with servers.hakam(build, "--workers", "1") as server:
        calls = _calls(server)
        share = Shape(calls=_CALLS // _STEPS // len(calls))
        resident = [_mebibytes(server)]
        for _ in range(_STEPS):
            for call in calls:
                send(server, call, share)
            resident.append(_mebibytes(server))
    return {
        "calls": share.calls * len(calls) * _STEPS,
        "resident_mib": resident,
        "growth_mib_in_second_half": resident[-1] - resident[_STEPS // 2],
    }


def _calls(server: Running) -> list[Call]:
    """One of each kind and game."""
    calls = []
    for game in RULE_SETS:
        position = middle(game)
        bodies = {
            "ApplyMove": apply_request(position).SerializeToString(),
            "ValidateMove": validate_request(position).SerializeToString(),
        }
        for method, body in bodies.items():
            path = f"{SERVICE}/{method}"
            calls.append(Call(path, body, len(answer_of(server, path, body))))
    return calls


def _mebibytes(server: Running) -> float:
    return round(server.resident_bytes() / 2**20, 1)
