"""Reaching a service: one that runs already, or one of our own for a while; and what it refuses."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any, Final

import grpc
from google.protobuf import json_format
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.settings import Settings

__all__ = ["channel", "error_json", "error_text", "options"]

# Attempts have no time limit of their own without the first.
_OPTIONS: Final = (
    ("grpc.experimental.enable_hedging", 1),
    ("grpc.max_reconnect_backoff_ms", 1000),
    ("grpc.per_rpc_retry_buffer_size", 4 * 1024 * 1024),
)


@contextmanager
def channel(address: str | None) -> Iterator[grpc.Channel]:
    """A channel to the service at an address, or to one of our own that ends with the channel."""
    if address is not None:
        with grpc.insecure_channel(address, options(waits=False)) as opened:
            yield opened
        return
    settings = Settings(port=0, metrics_port=0, grace_seconds=0)
    server = Server(settings, make_log("console", "error"))
    server.start()
    try:
        with grpc.insecure_channel(f"127.0.0.1:{server.port}") as opened:
            yield opened
    finally:
        server.stop()


def options(*, waits: bool) -> list[tuple[str, int | str]]:
    """What every client should have: round robin over several addresses, and retries.

    One that `waits` does so where there is no service; a person would rather be told.
    """
    config = json.loads(files("hakam.cli").joinpath("service_config.json").read_text("utf-8"))
    for method in config["methodConfig"]:
        method["waitForReady"] = waits
    return [("grpc.service_config", json.dumps(config)), *_OPTIONS]


def error_text(error: grpc.RpcError) -> str:
    """What the service says, in the language that it was asked for."""
    status = _status(error)
    message = error_details_pb2.LocalizedMessage()
    for detail in status.details:
        if detail.Unpack(message):
            return message.message
    return f"{error.code().name}: {error.details()}"


def error_json(error: grpc.RpcError) -> str:
    """Code, message and details as JSON."""
    shown: dict[str, Any] = {"code": error.code().name, "message": error.details()}
    shown["details"] = [json_format.MessageToDict(detail) for detail in _status(error).details]
    return json.dumps(shown, ensure_ascii=False, indent=2)


def _status(error: grpc.RpcError) -> status_pb2.Status:
    """The status with its details; without any where whoever answered sent none."""
    try:
        status: status_pb2.Status | None = rpc_status.from_call(error)  # type: ignore[arg-type]
    except ValueError:
        status = None
    return status_pb2.Status() if status is None else status
