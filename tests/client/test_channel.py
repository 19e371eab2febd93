"""The way to a service: the shipped config, addresses, TLS, tokens, deadlines."""

import json
import socket
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from certificates import Authority, Signed

from hakam.client import (
    Client,
    DeadlineExceededError,
    Tls,
    UnauthenticatedError,
    UnavailableError,
    channel_options,
)
from hakam.client.channel import way
from tests.client.conftest import Connect, Start

TOP = Path(__file__).resolve().parents[2]
SHIPPED = (TOP / "deploy/client/service_config.json").read_text("utf-8")
TOKEN = "hakam_a-token-of-tests"  # noqa: S105


def target(addresses: str | list[str], **changes: Any) -> str:
    fixed: dict[str, Any] = {"tls": None, "token": None, "token_in_clear": False, "wait": False}
    return way(addresses, **(fixed | changes)).target


class TestConfig:
    def test_the_package_has_the_one_that_is_shipped(self) -> None:
        packaged = (TOP / "service/hakam/client/service_config.json").read_text("utf-8")
        assert packaged == SHIPPED
        config = json.loads(str(dict(channel_options(wait=True))["grpc.service_config"]))
        assert config == json.loads(SHIPPED)

    def test_who_does_not_wait_differs_in_that_alone(self) -> None:
        config = str(dict(channel_options(wait=False))["grpc.service_config"])
        assert "true" not in config
        assert json.loads(config.replace("false", "true")) == json.loads(SHIPPED)

    def test_the_page_shows_the_options(self) -> None:
        page = (TOP / "docs/operations.md").read_text("utf-8")
        for name, value in channel_options(wait=True)[1:]:
            assert f'("{name}", {value})' in page

    def test_every_method_is_retried(self) -> None:
        for method in json.loads(SHIPPED)["methodConfig"]:
            policy = method["retryPolicy"]
            assert set(policy["retryableStatusCodes"]) == {"UNAVAILABLE", "CANCELLED"}
            assert policy["perAttemptRecvTimeout"]


class TestAddresses:
    @pytest.mark.parametrize(
        ("addresses", "one"),
        [
            ("10.0.0.1:50051", "10.0.0.1:50051"),
            ("dns:///hakam:50051", "dns:///hakam:50051"),
            (["hakam:50051"], "hakam:50051"),
            (["10.0.0.1:1", "10.0.0.2:2"], "ipv4:10.0.0.1:1,10.0.0.2:2"),
            (["[::1]:1", "[fe80::1]:2"], "ipv6:[::1]:1,[fe80::1]:2"),
        ],
    )
    def test_all_are_one_target(self, addresses: Any, one: str) -> None:
        assert target(addresses) == one

    @pytest.mark.parametrize(
        ("addresses", "why"),
        [
            ([], "at least one"),
            (["10.0.0.1:1", "[::1]:1"], "all of IPv4 or all of IPv6"),
            (["hakam-1:1", "hakam-2:1"], "'hakam-1' is no IP address"),
        ],
    )
    def test_what_cannot_be_called_together_is_refused(
        self, addresses: list[str], why: str
    ) -> None:
        with pytest.raises(ValueError, match=why):
            target(addresses)


class TestTokens:
    @pytest.mark.parametrize(
        "here",
        [
            "127.0.0.1:50051",
            "localhost:50051",
            "[::1]:50051",
            "dns:///localhost:50051",
            "dns://1.1.1.1/localhost:50051",
            "ipv4:127.0.0.1:1,127.0.0.2:2",
            "unix:/run/hakam",
        ],
    )
    def test_one_may_be_sent_to_this_machine_in_clear(self, here: str) -> None:
        assert target(here, token=TOKEN) == here

    @pytest.mark.parametrize(
        "elsewhere",
        ["10.0.0.1:50051", "hakam:50051", "dns:///hakam:1", "ipv4:127.0.0.1:1,10.0.0.1:1", ""],
    )
    def test_and_to_another_over_tls_or_if_that_is_said(self, elsewhere: str) -> None:
        with pytest.raises(ValueError, match="token_in_clear"):
            target(elsewhere, token=TOKEN)
        assert target(elsewhere, token=TOKEN, token_in_clear=True) == elsewhere
        assert target(elsewhere, token=TOKEN, tls=Tls(server_name="hakam")) == elsewhere

    def test_every_call_brings_it(self, connect: Connect, start: Start, tmp_path: Path) -> None:
        (tmp_path / "tokens").write_text(sha256(TOKEN.encode()).hexdigest())
        address = start(tokens_file=str(tmp_path / "tokens"))
        hakam = connect(address, token=TOKEN)
        game = hakam.new_game({"tjau": {}})
        game.play(game.moves()[0])
        assert hakam.games()
        for stranger in (connect(address), connect(address, token="hakam_another")):  # noqa: S106
            with pytest.raises(UnauthenticatedError, match="ADMISSION_REFUSED"):
                stranger.games()


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority("tests")


@pytest.fixture(scope="module")
def own(authority: Authority) -> Signed:
    return authority.sign("caller")


@pytest.fixture(scope="module")
def guarded(
    start: Start, authority: Authority, tmp_path_factory: pytest.TempPathFactory
) -> list[str]:
    """Two replicas that want a certificate and a token."""
    folder = tmp_path_factory.mktemp("doors")
    authority.sign("service").put(folder / "cert.pem", folder / "key.pem")
    (folder / "ca.pem").write_bytes(authority.certificate)
    (folder / "tokens").write_text(sha256(TOKEN.encode()).hexdigest())
    doors = {
        "tls_cert_file": str(folder / "cert.pem"),
        "tls_key_file": str(folder / "key.pem"),
        "tls_client_ca_file": str(folder / "ca.pem"),
        "tokens_file": str(folder / "tokens"),
    }
    return [start(**doors), start(**doors)]


class TestTls:
    def test_whoever_has_certificate_and_token_is_let_in(
        self, connect: Connect, guarded: list[str], authority: Authority, own: Signed
    ) -> None:
        tls = Tls(ca=authority.certificate, certificate=own.certificate, key=own.key)
        assert connect(guarded[0], tls=tls, token=TOKEN).games()
        with pytest.raises(UnauthenticatedError):
            connect(guarded[0], tls=tls).games()

    def test_nobody_else_is(
        self, connect: Connect, guarded: list[str], authority: Authority
    ) -> None:
        for tls in (None, Tls(ca=authority.certificate)):
            with pytest.raises(UnavailableError):
                connect(guarded[0], tls=tls, token=TOKEN).games(timeout=5)

    def test_several_addresses_have_one_name(
        self, connect: Connect, guarded: list[str], authority: Authority, own: Signed
    ) -> None:
        named = Tls(
            ca=authority.certificate,
            certificate=own.certificate,
            key=own.key,
            server_name="127.0.0.1",
        )
        assert connect(guarded, tls=named, token=TOKEN).games()
        with pytest.raises(ValueError, match="server_name"):
            connect(guarded, tls=Tls(ca=authority.certificate))

    def test_a_key_is_not_shown(self, own: Signed) -> None:
        assert "PRIVATE KEY" not in repr(Tls(key=own.key))


@pytest.fixture
def silent() -> Iterator[str]:
    """An address that takes connections and never says a word."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield f"127.0.0.1:{listening.getsockname()[1]}"


class TestNobodyThere:
    def test_one_is_told_at_once(self, connect: Connect) -> None:
        began = time.monotonic()
        with pytest.raises(UnavailableError) as error:
            connect("127.0.0.1:1").games()
        assert (error.value.reason, error.value.metadata) == ("", {})
        assert error.value.text
        assert time.monotonic() - began < 8

    @pytest.mark.parametrize("of", ["client", "call"])
    def test_one_who_waits_does_so_until_his_time_is_up(self, connect: Connect, of: str) -> None:
        hakam = connect("127.0.0.1:1", wait=True, timeout=0.5 if of == "client" else 60)
        began = time.monotonic()
        with pytest.raises(DeadlineExceededError):
            hakam.games(timeout=None if of == "client" else 0.5)
        assert 0.4 < time.monotonic() - began < 8

    def test_a_service_that_is_silent_takes_no_longer_than_the_deadline(
        self, connect: Connect, silent: str
    ) -> None:
        began = time.monotonic()
        with pytest.raises((DeadlineExceededError, UnavailableError)):
            connect(silent, timeout=0.5).games()
        assert time.monotonic() - began < 8

    def test_one_of_several_addresses_is_enough(self, connect: Connect, address: str) -> None:
        hakam = connect(["127.0.0.1:1", address, "127.0.0.1:2"])
        assert all(hakam.games() for _ in range(5))


def test_a_client_that_is_closed_calls_no_more(address: str) -> None:
    with Client(address) as hakam:
        assert hakam.games()
    with pytest.raises(ValueError, match="closed"):
        hakam.games()
