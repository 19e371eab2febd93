"""The whole server on one screen: pool, doors, observer, services, health, metrics, drain.

Nothing here is process-wide, so several servers can stand side by side.
"""

import secrets
import time
from collections.abc import Callable
from typing import Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from prometheus_client import CollectorRegistry
from structlog.typing import FilteringBoundLogger

from hakam.rpc.admission import admission
from hakam.rpc.endpoint import Door, Handler, endpoint
from hakam.rpc.gate import Gate
from hakam.rpc.metrics import Metrics
from hakam.rpc.observer import Observer
from hakam.rpc.pages import Pages
from hakam.rpc.pool import Arrivals, CountingPool
from hakam.rpc.servicer import GameServicer
from hakam.rpc.tls import credentials
from hakam.rpc.tracing import make_tracer
from hakam.seal import KeyRing
from hakam.settings import Settings
from hakam.v1 import game_service_pb2 as pb

__all__ = ["SERVICE", "Server", "address_text", "handlers"]

_DESCRIPTOR: Final = pb.DESCRIPTOR.services_by_name["GameService"]
SERVICE: Final = _DESCRIPTOR.full_name
_HEALTH: Final = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name
_NO_KEYS: Final = KeyRing()
# The core refuses a message without any detail, so its own limit stands above ours.
_CORE_HEADROOM: Final = 1024 * 1024
# Threads beyond the calls that may wait: they refuse the others.
_SHEDDERS: Final = 4
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
        pool = CountingPool(settings.max_pending_calls + _SHEDDERS)
        gate = Gate(keys, bytes.fromhex(settings.keeper_sha256), settings.plain_states == "keeper")
        metrics = Metrics(CollectorRegistry())
        self._settings: Final = settings
        self._log: Final = log
        self._registry: Final = metrics.registry
        self._door: Final = Door(
            settings.max_request_bytes, settings.max_answer_bytes, settings.max_pending_calls, pool
        )
        self._health: Final = health.HealthServicer()
        self._tls: Final = credentials(settings, log)
        methods = [*[(SERVICE, method.name) for method in _DESCRIPTOR.methods], (_HEALTH, "Check")]
        limit = settings.max_deadline_seconds
        self._tracer: Final = make_tracer(settings, log)
        observer = Observer(metrics.bind(methods), metrics.refusals, log, settings, self._tracer)
        self._arrivals: Final = Arrivals(self._door.check_load, settings.threads, limit, _HEALTH)
        doors = [observer, *admission(settings, log, _HEALTH), self._arrivals]
        options = _options(settings, shares=shares)
        self._grpc: Final = grpc.server(pool, interceptors=doors, options=options)
        servicer = GameServicer(metrics, self._door, settings.max_batch_items, gate, draw)
        self._grpc.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(SERVICE, handlers(self._door, servicer)),)
        )
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._grpc)
        if settings.reflects:
            names = (SERVICE, _HEALTH, reflection.SERVICE_NAME)
            reflection.enable_server_reflection(names, self._grpc)
        self._shares: Final = shares
        if settings.unprotected and not shares:
            log.warning("unprotected", advice=_ADVICE)
        self._pages: Pages | None = None
        self._ready = False
        self.port = 0
        self.metrics_port = 0

    def start(self) -> None:
        """Bind both ports and serve; raises OSError or RuntimeError where a port is taken."""
        settings = self._settings
        self.port = self._bind(address_text(settings.host, settings.port))
        if not self._shares:
            where = (settings.metrics_host, settings.metrics_port)
            self._pages = Pages(*where, self._registry, lambda: self._ready)
            self.metrics_port = self._pages.port
        if self._tracer is not None:
            self._tracer.start()
        self._arrivals.start()
        self._grpc.start()
        self._set_health(serving=True)
        if self._pages is not None:
            self._log.info("serving", address=address_text(settings.host, self.port))
            pages = address_text(settings.metrics_host, self.metrics_port)
            self._log.info("metrics", address=pages)

    def _bind(self, address: str) -> int:
        if self._tls is None:
            return self._grpc.add_insecure_port(address)
        return self._grpc.add_secure_port(address, self._tls)

    def stop(self) -> None:
        """Say NOT_SERVING, serve on for the drain time, then refuse and let calls finish."""
        self._log.info("draining")
        self._set_health(serving=False)
        time.sleep(self._settings.drain_seconds)
        self._door.draining = True
        self._grpc.stop(self._settings.grace_seconds).wait()
        self._arrivals.stop()
        if self._tracer is not None:
            self._tracer.stop()
        if self._pages is not None:
            self._pages.stop()
        self._log.info("stopped")

    def _set_health(self, *, serving: bool) -> None:
        self._ready = serving
        response = health_pb2.HealthCheckResponse
        status = response.SERVING if serving else response.NOT_SERVING
        for service in ("", SERVICE):
            self._health.set(service, status)


def handlers(
    door: Door, servicer: GameServicer
) -> "dict[str, grpc.RpcMethodHandler[bytes, bytes]]":
    """Every method of the contract, by its name."""

    def unary(
        request: type, handler: Handler, *, batch: bool = False
    ) -> "grpc.RpcMethodHandler[bytes, bytes]":
        return endpoint(door, request, handler, batch=batch)

    return {
        "ListGames": unary(pb.ListGamesRequest, servicer.list_games),
        "GetBoard": unary(pb.GetBoardRequest, servicer.get_board),
        "PrepareGame": unary(pb.PrepareGameRequest, servicer.prepare_game),
        "NewGame": unary(pb.NewGameRequest, servicer.new_game),
        "ListMoves": unary(pb.ListMovesRequest, servicer.list_moves),
        "ValidateMove": unary(pb.ValidateMoveRequest, servicer.validate_move),
        "ValidateState": unary(pb.ValidateStateRequest, servicer.validate_state),
        "ApplyMove": unary(pb.ApplyMoveRequest, servicer.apply_move),
        "GetView": unary(pb.GetViewRequest, servicer.get_view),
        "ReplayGame": unary(pb.ReplayGameRequest, servicer.replay_game),
        "BatchValidateMoves": unary(
            pb.BatchValidateMovesRequest, servicer.batch_validate_moves, batch=True
        ),
        "BatchApplyMoves": unary(pb.BatchApplyMovesRequest, servicer.batch_apply_moves, batch=True),
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
