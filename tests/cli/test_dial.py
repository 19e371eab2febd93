"""How the commands reach a service: by the service config that every client is told to use."""

import json
import socket
from pathlib import Path

from hakam.cli import dial
from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.settings import Settings
from tests.cli.conftest import Command

TOP = Path(__file__).resolve().parents[2]
SHIPPED = (TOP / "deploy/client/service_config.json").read_text("utf-8")


def test_the_commands_have_the_config_that_is_shipped() -> None:
    packaged = (TOP / "service/hakam/cli/service_config.json").read_text("utf-8")
    assert packaged == SHIPPED
    assert json.loads(str(dict(dial.options(waits=True))["grpc.service_config"])) == json.loads(
        packaged
    )


def test_the_page_shows_the_options_that_the_commands_have() -> None:
    page = (TOP / "docs/operations.md").read_text("utf-8")
    for name, value in dial.options(waits=True)[1:]:
        assert f'("{name}", {value})' in page


def test_every_method_is_retried() -> None:
    for method in json.loads(SHIPPED)["methodConfig"]:
        assert set(method["retryPolicy"]["retryableStatusCodes"]) == {"UNAVAILABLE", "CANCELLED"}
        assert method["retryPolicy"]["perAttemptRecvTimeout"]


def test_one_of_several_addresses_is_enough(hakam: Command) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # bound and not listening: refuses
        port = nobody.getsockname()[1]
        server = Server(
            Settings(port=0, metrics_port=0, grace_seconds=0), make_log("json", "error")
        )
        server.start()
        try:
            address = f"ipv4:127.0.0.1:{port},127.0.0.1:{server.port}"
            assert hakam("call", "ListGames", "--address", address).code == 0
        finally:
            server.stop()


def test_connections_that_age_are_not_noticed(hakam: Command) -> None:
    settings = Settings(port=0, metrics_port=0, grace_seconds=0, connection_age_seconds=1)
    server = Server(settings, make_log("json", "error"))
    server.start()
    try:
        address = f"127.0.0.1:{server.port}"
        played = hakam("play", "trix", "--seats", "none", "--bot-seed", "1", "--address", address)
        assert played.code == 0
    finally:
        server.stop()
