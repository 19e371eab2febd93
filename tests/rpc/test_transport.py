"""TLS: who is spoken to, who may speak, and certificates that change while the service runs."""

import json
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import grpc
import pytest
from certificates import Authority, Signed, pem, put
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from grpc_health.v1 import health_pb2, health_pb2_grpc

from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.settings import Settings, SettingsError
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc
from tests.e2e.processes import servers

OURS, OTHERS = Authority("ours"), Authority("others")
SERVING = health_pb2.HealthCheckResponse.SERVING

Start = Callable[..., Server]


@pytest.fixture
def log() -> StringIO:
    return StringIO()


@pytest.fixture
def start(log: StringIO) -> Iterator[Start]:
    """Starts servers, and stops them at the end."""
    running: list[Server] = []

    def start(**settings: Any) -> Server:
        chosen = Settings(port=0, metrics_port=0, grace_seconds=0, **settings)
        running.append(Server(chosen, make_log("json", "info", log)))
        running[-1].start()
        return running[-1]

    yield start
    for server in running:
        server.stop()


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """The settings of a server with a certificate of ours."""
    OURS.sign("first").put(tmp_path / "cert.pem", tmp_path / "key.pem")
    return {
        "tls_cert_file": str(tmp_path / "cert.pem"),
        "tls_key_file": str(tmp_path / "key.pem"),
    }


def told(log: StringIO, event: str) -> list[dict[str, Any]]:
    entries = map(json.loads, log.getvalue().splitlines())
    return [entry for entry in entries if entry["event"] == event]


def asked(server: Server, authority: Authority = OURS, own: Signed | None = None) -> str:
    """How a client that trusts an authority is answered: its code, or nothing."""
    certificate, key = (own.certificate, own.key) if own else (None, None)
    trust = grpc.ssl_channel_credentials(authority.certificate, key, certificate)
    with grpc.secure_channel(f"127.0.0.1:{server.port}", trust) as channel:
        return answered(channel)


def answered(channel: grpc.Channel) -> str:
    try:
        games = pb_grpc.GameServiceStub(channel).ListGames(pb.ListGamesRequest(), timeout=30).games
    except grpc.RpcError as failed:
        code: grpc.StatusCode = failed.code()
        return code.name
    assert games
    return ""


def shown(server: Server) -> str:
    """Whose certificate a new connection is shown."""
    context = ssl.create_default_context(cadata=OURS.certificate.decode())
    context.set_alpn_protocols(["h2"])
    with (
        socket.create_connection(("127.0.0.1", server.port), timeout=30) as plain,
        context.wrap_socket(plain, server_hostname="127.0.0.1") as secured,
    ):
        raw = secured.getpeercert(binary_form=True)
        assert raw is not None
        name = x509.load_der_x509_certificate(raw).subject.rfc4514_string()
        return name.removeprefix("CN=")


class TestTls:
    def test_a_client_that_trusts_the_authority_is_answered(
        self, start: Start, files: dict[str, str]
    ) -> None:
        assert asked(start(**files)) == ""

    def test_a_client_that_trusts_another_goes_away(
        self, start: Start, files: dict[str, str]
    ) -> None:
        assert asked(start(**files), OTHERS) == "UNAVAILABLE"

    def test_nothing_is_served_in_plain_text(self, start: Start, files: dict[str, str]) -> None:
        server = start(**files)
        with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
            assert answered(channel) == "UNAVAILABLE"
        assert asked(server) == ""

    @pytest.mark.filterwarnings("ignore:.*TLSv1_1:DeprecationWarning")
    @pytest.mark.parametrize("version", ["TLSv1_1", "TLSv1_2", "TLSv1_3"])
    def test_old_protocols_are_not_spoken(
        self, start: Start, files: dict[str, str], version: str
    ) -> None:
        context = ssl.create_default_context(cadata=OURS.certificate.decode())
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.set_alpn_protocols(["h2"])
        context.minimum_version = context.maximum_version = ssl.TLSVersion[version]
        old = version == "TLSv1_1"
        ending = pytest.raises((ssl.SSLError, ConnectionError)) if old else nullcontext()
        address = ("127.0.0.1", start(**files).port)
        with socket.create_connection(address, timeout=30) as plain, ending:
            context.wrap_socket(plain, server_hostname="127.0.0.1").close()

    def test_health_is_served_too(self, start: Start, files: dict[str, str]) -> None:
        trust = grpc.ssl_channel_credentials(OURS.certificate)
        with grpc.secure_channel(f"127.0.0.1:{start(**files).port}", trust) as channel:
            health: Any = health_pb2_grpc.HealthStub(channel)
            assert health.Check(health_pb2.HealthCheckRequest(), timeout=30).status == SERVING


class TestProcess:
    def test_a_stranger_at_the_port_writes_nothing_into_the_log(
        self, files: dict[str, str]
    ) -> None:
        with servers() as serve:
            cert, key = files["tls_cert_file"], files["tls_key_file"]
            serving = serve("--workers", "1", "--tls-cert-file", cert, "--tls-key-file", key)
            host, _, port = serving.address.rpartition(":")
            for _ in range(3):
                with socket.create_connection((host, int(port)), timeout=30) as plain:
                    plain.sendall(b"GET / HTTP/1.1\r\n\r\n")
                    assert plain.recv(100) == b""
            serving.process.terminate()
            assert serving.ended() == 0
            told = [line["event"] for line in serving.log]
            assert told == ["serving", "metrics", "draining", "stopped"]


class TestMutualTls:
    @pytest.fixture
    def server(self, start: Start, files: dict[str, str], tmp_path: Path) -> Server:
        (tmp_path / "ca.pem").write_bytes(OURS.certificate)
        return start(**files, tls_client_ca_file=str(tmp_path / "ca.pem"))

    def test_a_client_with_a_certificate_of_the_authority_is_let_in(self, server: Server) -> None:
        assert asked(server, own=OURS.sign("client")) == ""

    def test_a_client_without_a_certificate_is_not(self, server: Server) -> None:
        assert asked(server) == "UNAVAILABLE"

    def test_a_client_with_a_certificate_of_another_authority_is_not(self, server: Server) -> None:
        assert asked(server, own=OTHERS.sign("client")) == "UNAVAILABLE"

    def test_the_authority_of_clients_may_change(self, server: Server, tmp_path: Path) -> None:
        put(tmp_path / "ca.pem", OTHERS.certificate)
        assert asked(server, own=OTHERS.sign("client")) == ""
        assert asked(server, own=OURS.sign("client")) == "UNAVAILABLE"


class TestReload:
    def test_a_new_connection_gets_the_new_certificate(
        self, start: Start, files: dict[str, str], tmp_path: Path, log: StringIO
    ) -> None:
        server = start(**files)
        assert shown(server) == "first"
        OURS.sign("second").put(tmp_path / "cert.pem", tmp_path / "key.pem")
        assert [shown(server) for _ in range(3)] == ["second"] * 3
        assert len(told(log, "reloaded")) == 1

    def test_an_old_connection_goes_on(
        self, start: Start, files: dict[str, str], tmp_path: Path
    ) -> None:
        server = start(**files)
        trust = grpc.ssl_channel_credentials(OURS.certificate)
        with grpc.secure_channel(f"127.0.0.1:{server.port}", trust) as channel:
            assert answered(channel) == ""
            OTHERS.sign("second").put(tmp_path / "cert.pem", tmp_path / "key.pem")
            assert asked(server, OTHERS) == ""
            assert answered(channel) == ""

    @pytest.mark.parametrize("content", [b"", b"no certificate", None])
    @pytest.mark.parametrize("file", ["tls_cert_file", "tls_key_file"])
    def test_a_broken_file_keeps_the_old_certificate_and_is_warned_of_once(
        self, start: Start, files: dict[str, str], log: StringIO, file: str, content: bytes | None
    ) -> None:
        server = start(**files)
        broken = Path(files[file])
        broken.unlink() if content is None else put(broken, content)
        assert [shown(server) for _ in range(3)] == ["first"] * 3
        (warning,) = told(log, "kept")
        assert (warning["level"], warning["why"].split(":")[0]) == ("warning", str(broken))
        OURS.sign("second").put(*map(Path, files.values()))
        assert shown(server) == "second"

    def test_between_a_new_certificate_and_its_key_the_old_pair_serves(
        self, start: Start, files: dict[str, str], tmp_path: Path
    ) -> None:
        server = start(**files)
        second = OURS.sign("second")
        put(tmp_path / "cert.pem", second.certificate)
        assert shown(server) == "first"
        put(tmp_path / "key.pem", second.key)
        assert shown(server) == "second"


def refusal(files: dict[str, str]) -> str:
    with pytest.raises(SettingsError) as error:
        Server(Settings(port=0, **files), make_log("json", "info", StringIO()))  # type: ignore[arg-type]
    return str(error.value)


def sealed_key() -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    under = BestAvailableEncryption(b"a passphrase")
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, under)


def strange_key() -> bytes:
    key = ed25519.Ed25519PrivateKey.generate()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


class TestStart:
    def test_a_file_that_is_not_there(self, files: dict[str, str]) -> None:
        for name in files:
            why = refusal(files | {name: "/none.pem"})
            assert why == "/none.pem: No such file or directory"

    def test_a_file_that_holds_something_else(self, files: dict[str, str], tmp_path: Path) -> None:
        wrong = tmp_path / "wrong.pem"
        wrong.write_text("wrong")
        why = refusal(files | {"tls_cert_file": str(wrong)})
        assert why == f"{wrong}: no certificate in PEM form"
        why = refusal(files | {"tls_client_ca_file": str(wrong)})
        assert why == f"{wrong}: no certificate in PEM form"
        why = refusal(files | {"tls_key_file": str(wrong)})
        assert why == f"{wrong}: no private key in PEM form"

    @pytest.mark.parametrize(
        ("key", "why"),
        [
            (pem(ec.generate_private_key(ec.SECP256R1())), "not the key of the certificate in "),
            (sealed_key(), "the key must not be under a passphrase"),
            (strange_key(), "the key must be of RSA, P-256, P-384 or P-521"),
            (pem(ec.generate_private_key(ec.SECP256K1())), "the key must be of RSA, P-256, P-384"),
        ],
        ids=["another", "passphrase", "ed25519", "secp256k1"],
    )
    def test_a_key_that_cannot_serve(self, files: dict[str, str], key: bytes, why: str) -> None:
        path = Path(files["tls_key_file"])
        path.write_bytes(key)
        assert refusal(files).startswith(f"{path}: {why}")

    @pytest.mark.parametrize("alone", ["tls_cert_file", "tls_key_file", "tls_client_ca_file"])
    def test_one_file_without_the_others(self, files: dict[str, str], alone: str) -> None:
        path = files.get(alone, files["tls_cert_file"])
        assert refusal({alone: path}) == "TLS needs both --tls-cert-file and --tls-key-file"


class TestWarning:
    def test_a_start_that_is_open_to_others_is_warned_of_once(
        self, start: Start, log: StringIO
    ) -> None:
        start(host="0.0.0.0")  # noqa: S104 - on purpose
        (warning,) = told(log, "unprotected")
        assert warning["level"] == "warning"
        assert "TLS and tokens" in warning["advice"]

    def test_loopback_and_what_is_protected_are_not_warned_of(
        self, start: Start, log: StringIO, files: dict[str, str]
    ) -> None:
        start()
        start(host="0.0.0.0", **files)  # noqa: S104 - on purpose
        assert told(log, "unprotected") == []
        everywhere = Settings(host="::")
        assert everywhere.unprotected
        assert not replace(everywhere, tokens_file="tokens.txt").unprotected
        assert not replace(everywhere, tls_cert_file="cert.pem").unprotected
        assert not replace(everywhere, host="localhost").unprotected
