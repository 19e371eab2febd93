"""`hakam health`: what a probe reads from its exit code."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from certificates import Authority

from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.settings import Settings

OURS = Authority("ours")


def test_a_service_that_serves_is_0(hakam: Callable[..., Any], address: str) -> None:
    ended = hakam("health", "--address", address)
    assert (ended.code, ended.out) == (0, "SERVING\n")


def test_the_port_is_that_of_the_settings(
    hakam: Callable[..., Any], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HAKAM_PORT", address.rpartition(":")[2])
    assert hakam("health").code == 0


def test_one_that_drains_is_1(hakam: Callable[..., Any]) -> None:
    server = Server(Settings(port=0, metrics_port=0, grace_seconds=0), make_log("json", "error"))
    server.start()
    server._health.serving = False
    ended = hakam("health", "--address", f"127.0.0.1:{server.port}")
    server.stop()
    assert (ended.code, ended.out) == (1, "NOT_SERVING\n")


def test_nobody_there_is_1(hakam: Callable[..., Any]) -> None:
    ended = hakam("health", "--address", "127.0.0.1:1")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("UNAVAILABLE: ")


def test_a_file_that_is_not_there_is_2(hakam: Callable[..., Any]) -> None:
    ended = hakam("health", "--tls-ca-file", "/none")
    assert (ended.code, ended.err) == (2, "hakam health: /none: No such file or directory\n")


def test_with_tls_on_both_sides(hakam: Callable[..., Any], tmp_path: Path) -> None:
    names = [tmp_path / name for name in ("ca", "cert", "key")]
    ca, cert, key = map(str, names)
    signed = OURS.sign("service")
    names[0].write_bytes(OURS.certificate)
    names[1].write_bytes(signed.certificate)
    names[2].write_bytes(signed.key)
    settings = Settings(
        port=0,
        metrics_port=0,
        grace_seconds=0,
        tls_cert_file=cert,
        tls_key_file=key,
        tls_client_ca_file=ca,
    )
    server = Server(settings, make_log("json", "error"))
    server.start()
    address = ("--address", f"127.0.0.1:{server.port}")
    files = ("--tls-ca-file", ca, "--tls-cert-file", cert, "--tls-key-file", key)
    codes = [hakam("health", *address, *flags).code for flags in ((), files[:2], files)]
    named = hakam("health", *address, *files, "--tls-name", "elsewhere")
    server.stop()
    assert codes == [1, 1, 0]
    assert named.code == 1
