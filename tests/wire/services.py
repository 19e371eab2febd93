"""The set-ups of the service that recorded data come from, and how one is asked.

What a service draws is fixed: the n-th draw of a call depends on n alone. So is the id of a fault.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from unittest import mock

import grpc
from calls import raw_call

from hakam.games.reasons import Reason
from hakam.rpc.errors import Refusal
from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.seal import KeyRing
from hakam.settings import Settings
from tests.trust.support import KEEPER, RING
from tests.wire.asked import OPEN, Asked

__all__ = ["SET_UPS", "Answer", "asking"]

_FAULT_ID: Final = SimpleNamespace(hex="00" * 16)


class _Draws:
    """Bytes as good as secret ones, and the same in every call."""

    def __init__(self) -> None:
        self._drawn = 0

    def restart(self) -> None:
        self._drawn = 0

    def __call__(self, size: int) -> bytes:
        self._drawn += 1
        return sha256(b"draw %d" % self._drawn).digest()[:size]


def _fail(_size: int) -> bytes:
    raise RuntimeError("there is nothing to draw from")


def _refuse(_size: int) -> bytes:
    raise Refusal(Reason.NOT_BUILT)


@dataclass(frozen=True)
class _SetUp:
    """What is unusual about a service, and how the README of the data words it."""

    about: str
    settings: dict[str, Any]
    keys: KeyRing = RING
    draw: Callable[[int], bytes] | None = None
    draining: bool = False


SET_UPS: Final = {
    OPEN: _SetUp("holds keys, and knows a keeper", {}),
    "strict": _SetUp("plain states are its keeper's", {"plain_states": "keeper"}),
    "keyless": _SetUp("holds no keys", {}, KeyRing()),
    "tokens": _SetUp("admits nobody without a token", {"tokens_file": "tokens"}),
    "small": _SetUp("takes and gives little", {"max_request_bytes": 64, "max_answer_bytes": 64}),
    "few": _SetUp("takes batches of two", {"max_batch_items": 2}),
    "busy": _SetUp("has no place for a call", {"max_pending_calls": 0}),
    "draining": _SetUp("is stopping", {}, draining=True),
    "late": _SetUp("has no time", {"max_deadline_seconds": 0}),
    "faulty": _SetUp("fails where it draws", {}, draw=_fail),
    "unbuilt": _SetUp("has no draws yet", {}, draw=_refuse),
}


@dataclass(frozen=True)
class Answer:
    """How a call went: the bytes of the answer, or those of the google.rpc.Status."""

    raw: bytes
    is_error: bool


@contextmanager
def asking(folder: Path) -> Iterator[Callable[[Asked], Answer]]:
    """Asks real servers over sockets; those that need files find them in the folder."""
    draws, channels = _Draws(), dict[str, grpc.Channel]()
    (folder / "tokens").write_text(sha256(b"hakam_a_token").hexdigest())
    with ExitStack() as stack:
        stack.enter_context(mock.patch("hakam.rpc.observer.uuid4", return_value=_FAULT_ID))
        for name, set_up in SET_UPS.items():
            server = _started(set_up, draws, folder)
            stack.callback(server.stop)
            channel = grpc.insecure_channel(f"127.0.0.1:{server.port}")
            channels[name] = stack.enter_context(channel)

        def ask(asked: Asked) -> Answer:
            draws.restart()
            return _answer(channels[asked.service], asked)

        yield ask


def _started(set_up: _SetUp, draws: _Draws, folder: Path) -> Server:
    settings = dict(set_up.settings)
    if "tokens_file" in settings:
        settings["tokens_file"] = str(folder / settings["tokens_file"])
    kept = Settings(
        port=0, metrics_port=0, grace_seconds=0, keeper_sha256=sha256(KEEPER).hexdigest()
    )
    chosen = replace(kept, **settings)
    log = make_log("json", "error", StringIO())
    server = Server(chosen, log, set_up.keys, set_up.draw or draws)
    server.start()
    server._door.draining = set_up.draining
    return server


def _answer(channel: grpc.Channel, asked: Asked) -> Answer:
    try:
        return Answer(raw_call(channel, asked.rpc)(asked.raw), is_error=False)
    except grpc.RpcError as failed:
        return Answer(_status_bytes(failed), is_error=True)


def _status_bytes(failed: Any) -> bytes:
    """The google.rpc.Status as it travels; fails where there is none."""
    trailers = {entry.key: entry.value for entry in failed.trailing_metadata()}
    status: bytes = trailers["grpc-status-details-bin"]
    return status
