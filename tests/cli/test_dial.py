"""How the commands reach a service: by the client that everybody has."""

import json
import socket
import time
from collections.abc import Iterator
from hashlib import sha256
from io import StringIO
from pathlib import Path

import grpc
import pytest
from certificates import Authority

from hakam.cli import main
from hakam.client import channel_options
from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.settings import Settings
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from tests.cli.conftest import Command


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


def test_connections_that_age_are_not_noticed() -> None:
    said = StringIO()
    settings = Settings(
        port=0, metrics_port=0, grace_seconds=0, connection_age_seconds=1, access_log="all"
    )
    server = Server(settings, make_log("json", "info", said))
    server.start()
    ends = time.monotonic() + 60
    try:
        target = f"127.0.0.1:{server.port}"
        with grpc.insecure_channel(target, channel_options(wait=True)) as channel:
            stub = pb_grpc.GameServiceStub(channel)
            while len(peers(said)) < 3:
                for _ in range(50):
                    stub.ListGames(pb.ListGamesRequest())
                assert time.monotonic() < ends
    finally:
        server.stop()


def peers(said: StringIO) -> set[str]:
    """The connections from which calls came."""
    lines = map(json.loads, said.getvalue().splitlines())
    return {line["peer"] for line in lines if line["event"] == "call"}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """The flags that reach a service with mutual TLS and tokens."""
    folder = tmp_path_factory.mktemp("doors")
    authority = Authority("tests")
    authority.sign("service").put(folder / "cert.pem", folder / "key.pem")
    authority.sign("caller").put(folder / "my-cert.pem", folder / "my-key.pem")
    (folder / "ca.pem").write_bytes(authority.certificate)
    token = "a token of tests"  # noqa: S105
    (folder / "token").write_text(f"{token}\n")
    (folder / "tokens").write_text(f"{sha256(token.encode()).hexdigest()}\n")
    settings = Settings(
        port=0,
        metrics_port=0,
        grace_seconds=0,
        tls_cert_file=str(folder / "cert.pem"),
        tls_key_file=str(folder / "key.pem"),
        tls_client_ca_file=str(folder / "ca.pem"),
        tokens_file=str(folder / "tokens"),
    )
    server = Server(settings, make_log("json", "error"))
    server.start()
    yield [
        f"--address=127.0.0.1:{server.port}",
        f"--ca-file={folder / 'ca.pem'}",
        f"--cert-file={folder / 'my-cert.pem'}",
        f"--key-file={folder / 'my-key.pem'}",
        f"--token-file={folder / 'token'}",
    ]
    server.stop()


def test_a_call_goes_through_the_doors(
    guarded: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["call", "ListGames", *guarded]) == 0
    assert '"jackaroo"' in capsys.readouterr().out
    assert main(["call", "ListGames", *guarded[:-1]]) == 1
    assert "ADMISSION_REFUSED" in capsys.readouterr().err


def test_a_game_is_played_through_the_doors(guarded: list[str]) -> None:
    assert main(["play", "tjau", "--seats=none", "--option=pieces=1", *guarded]) == 0


def test_a_file_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["call", "ListGames", "--ca-file=/none.pem"]) == 2
    assert "/none.pem" in capsys.readouterr().err


@pytest.mark.parametrize("command", [("call", "ListGames"), ("play", "tjau")])
def test_a_token_does_not_go_to_another_machine_in_clear(
    hakam: Command, tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "token").write_text("hakam_secret\n")
    ended = hakam(*command, "--address", "10.0.0.1:1", "--token-file", tmp_path / "token")
    assert (ended.code, ended.out) == (2, "")
    assert "--address 10.0.0.1:1: without TLS a token goes to this machine only" in ended.err
    assert "secret" not in ended.err
