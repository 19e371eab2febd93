"""The whole server on one screen: doors, observer, services, health, metrics, transport, drain.

Nothing here is process-wide, so several servers can stand side by side.
"""

import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from google.protobuf.message import Message
from prometheus_client import CollectorRegistry
from structlog.typing import FilteringBoundLogger

from hakam.rpc import health
from hakam.rpc.admission import admission
from hakam.rpc.endpoint import Behavior, Door, Handler, LongHandler, endpoint, long_endpoint
from hakam.rpc.gate import Gate
from hakam.rpc.health import Health
from hakam.rpc.incoming import Begin, BeginStream
from hakam.rpc.loop import Loop
from hakam.rpc.metrics import Metrics
from hakam.rpc.observer import Check, Observer
from hakam.rpc.pages import Pages
from hakam.rpc.reflection import METHOD, Reflection
from hakam.rpc.servicer import GameServicer
from hakam.rpc.tls import credentials
from hakam.rpc.tracing import make_tracer
from hakam.seal import KeyRing
from hakam.settings import Settings
from hakam.v1 import game_service_pb2 as pb

__all__ = ["SERVICE", "Server", "address_text", "handlers"]

_DESCRIPTOR: Final = pb.DESCRIPTOR.services_by_name["GameService"]
SERVICE: Final = _DESCRIPTOR.full_name
_NO_KEYS: Final = KeyRing()
# The core refuses a message without any detail, so its own limit stands above ours.
_CORE_HEADROOM: Final = 1024 * 1024
_ADVICE: Final = "anybody who reaches this address may call: see TLS and tokens in the settings"


class Server:
    """A referee on a port of its own, from `start` to `stop`."""

    def __init__(
        self,
        settings: Settings,
        log: FilteringBoundLogger,
        keys: KeyRing = _NO_KEYS,
        draw: Callable[[int], bytes] = secrets.token_bytes,
        *,
        shares: bool = False,
    ) -> None:
        """A server that `shares` its port with other workers has no pages: their supervisor has."""
        self._settings: Final = settings
        self._log: Final = log
        self._metrics: Final = Metrics(CollectorRegistry())
        self._door: Final = Door(
            settings.max_request_bytes,
            settings.max_answer_bytes,
            settings.max_pending_calls,
            self._make_room,
        )
        gate = Gate(keys, bytes.fromhex(settings.keeper_sha256), settings.plain_states == "keeper")
        self._servicer: Final = GameServicer(
            self._metrics, self._door, settings.max_batch_items, gate, draw
        )
        self._health: Final = Health(("", SERVICE))
        self._tls: Final = credentials(settings, log)
        self._admission: Final = admission(settings, log)
        self._tracer: Final = make_tracer(settings, log)
        self._shares: Final = shares
        if settings.unprotected and not shares:
            log.warning("unprotected", advice=_ADVICE)
        self._loop: Loop | None = None
        self._pages: Pages | None = None
        self.port = 0
        self.metrics_port = 0

    def start(self) -> None:
        """Bind both ports and serve; raises OSError or RuntimeError where a port is taken."""
        settings = self._settings
        self._loop = self._assemble()
        self.port = self._loop.bind(address_text(settings.host, settings.port), self._tls)
        if not self._shares:
            where = (settings.metrics_host, settings.metrics_port)
            self._pages = Pages(*where, self._metrics.registry, lambda: self._health.serving)
            self.metrics_port = self._pages.port
        if self._tracer is not None:
            self._tracer.start()
        self._loop.start()
        self._health.serving = True
        if self._pages is not None:
            self._log.info("serving", address=address_text(settings.host, self.port))
            pages = address_text(settings.metrics_host, self.metrics_port)
            self._log.info("metrics", address=pages)

    def _assemble(self) -> Loop:
        settings, door = self._settings, self._door
        observer = Observer(self._metrics.refusals, self._log, settings, self._tracer)
        checks: list[Check] = [*self._admission, lambda _: door.check_load()]
        methods: dict[str, Begin] = {}
        for name, behavior in handlers(door, self._servicer).items():
            metrics = self._metrics.of(SERVICE, name)
            methods[f"/{SERVICE}/{name}"] = observer.observed(metrics, behavior, door, checks)
        # Health has to answer whoever asks and under any load.
        metrics = self._metrics.of(health.SERVICE, "Check")
        check = observer.observed(metrics, self._health.check, door, [])
        methods[f"/{health.SERVICE}/Check"] = check
        streams: dict[str, BeginStream] = {f"/{health.SERVICE}/Watch": self._health.watch}
        if settings.reflects:
            opened = Reflection((SERVICE, health.SERVICE)).open
            streams[METHOD] = observer.guarded(opened, self._admission)
        options = _options(settings, shares=self._shares)
        fault = partial(self._log.exception, "fault")
        longest, settle = settings.max_deadline_seconds, self._metrics.tally.write
        return Loop(methods, streams, options, longest, settle=settle, fault=fault)

    def _make_room(self) -> None:
        if self._loop is not None:
            self._loop.make_room()

    def stop(self) -> None:
        """Say NOT_SERVING, serve on for the drain time, then refuse and let calls finish."""
        self._log.info("draining")
        self._health.serving = False
        time.sleep(self._settings.drain_seconds)
        self._door.draining = True
        if self._loop is not None:
            self._loop.stop(self._settings.grace_seconds)
        if self._tracer is not None:
            self._tracer.stop()
        if self._pages is not None:
            self._pages.stop()
        self._log.info("stopped")


def handlers(door: Door, servicer: GameServicer) -> dict[str, Behavior]:
    """What every method of the contract does, by its name."""

    def short(request: type[Message], handler: Handler) -> Behavior:
        return endpoint(door, request, handler)

    def long(request: type[Message], handler: LongHandler) -> Behavior:
        return long_endpoint(door, request, handler)

    return {
        "ListGames": short(pb.ListGamesRequest, servicer.list_games),
        "GetBoard": short(pb.GetBoardRequest, servicer.get_board),
        "PrepareGame": short(pb.PrepareGameRequest, servicer.prepare_game),
        "NewGame": short(pb.NewGameRequest, servicer.new_game),
        "ListMoves": short(pb.ListMovesRequest, servicer.list_moves),
        "ValidateMove": short(pb.ValidateMoveRequest, servicer.validate_move),
        "ValidateState": short(pb.ValidateStateRequest, servicer.validate_state),
        "ApplyMove": short(pb.ApplyMoveRequest, servicer.apply_move),
        "GetView": short(pb.GetViewRequest, servicer.get_view),
        "ReplayGame": long(pb.ReplayGameRequest, servicer.replay_game),
        "BatchValidateMoves": long(pb.BatchValidateMovesRequest, servicer.batch_validate_moves),
        "BatchApplyMoves": long(pb.BatchApplyMovesRequest, servicer.batch_apply_moves),
    }


def _options(settings: Settings, *, shares: bool) -> list[tuple[str, int]]:
    return [
        *_age(settings),
        ("grpc.so_reuseport", int(shares)),  # two servers on one port is a mistake unless meant
        ("grpc.max_receive_message_length", settings.max_request_bytes + _CORE_HEADROOM),
        ("grpc.max_send_message_length", -1),  # the door bounds answers, with a reason
    ]


def _age(settings: Settings) -> list[tuple[str, int]]:
    """Connections that end now and then, so that clients look up addresses and meet new replicas.

    gRPC spreads the age by a tenth either way, so that not all of them come back at once.
    """
    if settings.connection_age_seconds == 0:
        return []
    return [
        ("grpc.max_connection_age_ms", 1000 * settings.connection_age_seconds),
        ("grpc.max_connection_age_grace_ms", 1000 * settings.connection_grace_seconds),
    ]


def address_text(host: str, port: int) -> str:
    """`host:port`, with brackets round a host that has colons of its own."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
