"""Bearer tokens: who is admitted, who is not, and lists that change while the service runs."""

import base64
import http.client
import json
import os
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from io import StringIO
from pathlib import Path
from threading import Event
from typing import Any

import grpc
import pytest
from calls import METHODS, error_of, raw_call, refused
from certificates import put
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from hakam.cli import main
from hakam.rpc import admission
from hakam.rpc.logs import make_log
from hakam.rpc.server import Server
from hakam.settings import Settings, SettingsError
from hakam.v1 import game_service_pb2 as pb
from hakam.v1 import game_service_pb2_grpc as pb_grpc

Code = grpc.StatusCode
PHONE, BACKEND, STRANGER = "hakam_phone", "hakam_backend", "hakam_stranger"
SERVING = health_pb2.HealthCheckResponse.SERVING


def line(token: str) -> str:
    return sha256(token.encode()).hexdigest()


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    path = tmp_path / "tokens.txt"
    path.write_text(f"# who may call\n\n{line(PHONE)} phone # until May\n{line(BACKEND).upper()}\n")
    return path


@pytest.fixture
def log() -> StringIO:
    return StringIO()


@pytest.fixture
def server(tokens: Path, log: StringIO) -> Iterator[Server]:
    settings = Settings(
        port=0, metrics_port=0, grace_seconds=0, access_log="all", tokens_file=str(tokens)
    )
    running = Server(settings, make_log("json", "info", log))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def channel(server: Server) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(f"127.0.0.1:{server.port}") as opened:
        yield opened


def asked(channel: grpc.Channel, *values: str) -> str:
    """How a caller with these values of `authorization` is answered: the reason, or nothing."""
    metadata = tuple(("authorization", value) for value in values)
    call = raw_call(channel, "ListGames")
    try:
        assert call(b"", metadata=metadata, timeout=30)  # type: ignore[call-arg] # of a callable
    except grpc.RpcError as failed:
        error = error_of(failed)
        assert error.code is Code.UNAUTHENTICATED
        return error.reason
    return ""


def refusals(server: Server) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", server.metrics_port)
    connection.request("GET", "/metrics")
    page = connection.getresponse().read().decode()
    connection.close()
    return page.split('hakam_refused_total{reason="ADMISSION_REFUSED"} ')[1].split("\n")[0]


class TestWho:
    @pytest.mark.parametrize("token", [PHONE, BACKEND])
    def test_a_token_of_the_list_admits(self, channel: grpc.Channel, token: str) -> None:
        assert asked(channel, f"Bearer {token}") == ""
        assert asked(channel, f"bearer {token}") == ""

    @pytest.mark.parametrize(
        "value",
        [
            "",
            "Bearer",
            "Bearer ",
            f"Bearer {STRANGER}",
            f"Bearer {PHONE}x",
            f"Bearer {PHONE[:-1]}",
            f"Bearer {PHONE.upper()}",
            f"Bearer {PHONE}, Bearer {BACKEND}",
            f"Bearer {line(PHONE)}",
            f"Basic {PHONE}",
            PHONE,
            f"Basic {base64.b64encode(PHONE.encode()).decode()}",
        ],
    )
    def test_anything_else_does_not(self, channel: grpc.Channel, value: str) -> None:
        assert asked(channel, value) == "ADMISSION_REFUSED"

    def test_nothing_does_not(self, channel: grpc.Channel) -> None:
        assert asked(channel) == "ADMISSION_REFUSED"

    def test_one_token_among_several_values_admits(self, channel: grpc.Channel) -> None:
        assert asked(channel, "Basic x", f"Bearer {PHONE}") == ""

    def test_the_refusal_says_nothing_of_the_list(self, channel: grpc.Channel) -> None:
        errors = [
            refused(partial(raw_call(channel, "ListGames"), b"", metadata=metadata))  # type: ignore[call-arg]
            for metadata in ((), (("authorization", f"Bearer {PHONE}x"),))
        ]
        assert errors[0] == errors[1]
        assert errors[0].metadata == {}

    def test_every_method_is_refused_before_its_request_is_read(
        self, channel: grpc.Channel
    ) -> None:
        for rpc in METHODS:
            error = refused(partial(raw_call(channel, rpc), b"\xff no message"))
            assert (error.code, error.reason) == (Code.UNAUTHENTICATED, "ADMISSION_REFUSED")

    def test_a_request_that_never_comes_is_not_waited_for(self, channel: grpc.Channel) -> None:
        method = "/hakam.v1.GameService/ListGames"
        end = Event()
        never: Any = iter(end.wait, True)
        call: Any = channel.stream_unary(method)
        assert error_of(call.future(never, timeout=30).exception()).reason == "ADMISSION_REFUSED"
        end.set()

    def test_every_hash_is_compared(self, monkeypatch: pytest.MonkeyPatch) -> None:
        compared: list[bytes] = []

        def compare(given: bytes, known: bytes) -> bool:
            compared.append(known)
            return given == known

        monkeypatch.setattr("hakam.rpc.admission.hmac.compare_digest", compare)
        hashes = [sha256(bytes([i])).digest() for i in range(5)]
        assert admission.Admission(lambda: hashes)._knows("\x00")
        assert compared == hashes


class TestOpen:
    def test_health_needs_no_token(self, channel: grpc.Channel) -> None:
        health: Any = health_pb2_grpc.HealthStub(channel)
        request = health_pb2.HealthCheckRequest()
        assert health.Check(request, timeout=30).status == SERVING
        watched = health.Watch(request, timeout=30)
        assert next(watched).status == SERVING
        watched.cancel()

    def test_reflection_needs_one(self, channel: grpc.Channel) -> None:
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
        requests = [reflection_pb2.ServerReflectionRequest(list_services="")]
        with pytest.raises(grpc.RpcError) as failed:
            list(stub.ServerReflectionInfo(iter(requests), timeout=30))
        assert failed.value.code() is Code.UNAUTHENTICATED
        metadata = (("authorization", f"Bearer {PHONE}"),)
        assert list(stub.ServerReflectionInfo(iter(requests), metadata=metadata, timeout=30))

    def test_without_a_list_nobody_is_asked(self) -> None:
        running = Server(
            Settings(port=0, metrics_port=0, grace_seconds=0), make_log("json", "info", StringIO())
        )
        running.start()
        with grpc.insecure_channel(f"127.0.0.1:{running.port}") as channel:
            assert asked(channel) == ""
        running.stop()


class TestTold:
    def test_refusals_are_counted_and_logged_without_the_token(
        self, server: Server, channel: grpc.Channel, log: StringIO
    ) -> None:
        assert refusals(server) == "0.0"
        asked(channel, f"Bearer {STRANGER}")
        asked(channel, f"Bearer {PHONE}")
        assert refusals(server) == "1.0"
        entries = [json.loads(text) for text in log.getvalue().splitlines()]
        calls = [entry for entry in entries if entry["event"] == "call"]
        assert [(entry["code"], entry["reason"]) for entry in calls] == [
            ("Unauthenticated", "ADMISSION_REFUSED"),
            ("OK", ""),
        ]
        for secret in (PHONE, STRANGER, line(PHONE), line(STRANGER)):
            assert secret not in log.getvalue()


class TestReload:
    def test_a_token_is_added_and_another_revoked(
        self, channel: grpc.Channel, tokens: Path
    ) -> None:
        assert asked(channel, f"Bearer {STRANGER}") == "ADMISSION_REFUSED"
        put(tokens, f"{line(STRANGER)}\n{line(BACKEND)}\n".encode())
        assert asked(channel, f"Bearer {STRANGER}") == ""
        assert asked(channel, f"Bearer {BACKEND}") == ""
        assert asked(channel, f"Bearer {PHONE}") == "ADMISSION_REFUSED"

    def test_a_list_that_is_written_over_is_read_too(
        self, channel: grpc.Channel, tokens: Path
    ) -> None:
        assert asked(channel, f"Bearer {PHONE}") == ""
        tokens.write_text(line(STRANGER))
        assert asked(channel, f"Bearer {STRANGER}") == ""
        assert asked(channel, f"Bearer {PHONE}") == "ADMISSION_REFUSED"

    @pytest.mark.parametrize("content", [b"", b"# nobody\n", b"no hash\n", b"\xff\xfe", None])
    def test_a_broken_list_keeps_the_old_one_and_is_warned_of_once(
        self, channel: grpc.Channel, tokens: Path, log: StringIO, content: bytes | None
    ) -> None:
        tokens.unlink() if content is None else put(tokens, content)
        for _ in range(3):
            assert asked(channel, f"Bearer {PHONE}") == ""
            assert asked(channel, f"Bearer {STRANGER}") == "ADMISSION_REFUSED"
        entries = [json.loads(text) for text in log.getvalue().splitlines()]
        (warning,) = [entry for entry in entries if entry["event"] == "kept"]
        assert warning["level"] == "warning"
        assert warning["why"].startswith(f"{tokens}: ")
        put(tokens, line(STRANGER).encode())
        assert asked(channel, f"Bearer {STRANGER}") == ""


class TestStart:
    @pytest.mark.parametrize(
        ("content", "why"),
        [
            ("", "no token in it, so nobody could call"),
            ("# nobody\n", "no token in it, so nobody could call"),
            (f"{line(PHONE)}\nhakam_a-token\n", "line 2 does not begin with a SHA-256"),
            (line(PHONE)[1:], "line 1 does not begin with a SHA-256"),
        ],
    )
    def test_a_list_that_cannot_be(self, tmp_path: Path, content: str, why: str) -> None:
        path = tmp_path / "tokens.txt"
        path.write_text(content)
        with pytest.raises(SettingsError) as error:
            Server(Settings(tokens_file=str(path)), make_log("json", "info", StringIO()))
        assert str(error.value) == f"{path}: {why}"

    def test_a_list_that_is_not_there(self) -> None:
        with pytest.raises(SettingsError, match=r"^/none\.txt: No such file or directory$"):
            Server(Settings(tokens_file="/none.txt"), make_log("json", "info", StringIO()))

    @pytest.mark.parametrize(
        ("flag", "why"),
        [("--tokens-file", "No such file or directory"), ("--tls-cert-file", "TLS needs both")],
    )
    def test_the_command_says_so_and_ends_with_2(
        self,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
        flag: str,
        why: str,
    ) -> None:
        for name in [name for name in os.environ if name.startswith("HAKAM_")]:
            monkeypatch.delenv(name)
        assert main(["serve", "--port", "0", "--metrics-port", "0", flag, "/none.txt"]) == 2
        said = capsys.readouterr().err
        assert said.startswith("hakam serve: ")
        assert why in said
        assert said.count("\n") == 1


class TestCommand:
    def made(self, capsys: pytest.CaptureFixture[str], *args: str) -> tuple[str, str]:
        assert main(["token", *args]) == 0
        token, hashed = capsys.readouterr().out.splitlines()
        return token, hashed

    def test_a_new_token_and_its_line(self, capsys: pytest.CaptureFixture[str]) -> None:
        token, hashed = self.made(capsys)
        assert token.startswith("hakam_")
        assert len(base64.urlsafe_b64decode(token.removeprefix("hakam_") + "=")) == 32
        assert hashed == line(token)
        assert self.made(capsys)[0] != token

    def test_the_line_may_have_a_name(self, capsys: pytest.CaptureFixture[str]) -> None:
        token, hashed = self.made(capsys, "phone app")
        assert hashed == f"{line(token)} phone app"

    @pytest.mark.parametrize("name", ["a#b", "a\nb"])
    def test_a_name_that_would_break_the_line_is_refused(self, name: str) -> None:
        with pytest.raises(SystemExit, match="2"):
            main(["token", name])

    def test_what_it_prints_admits(
        self, channel: grpc.Channel, tokens: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        token, hashed = self.made(capsys, "phone")
        put(tokens, f"{hashed}\n".encode())
        assert asked(channel, f"Bearer {token}") == ""


def test_a_client_sends_it_with_every_call(server: Server) -> None:
    """As a client does it that does not think of it at each call."""
    with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        stub = pb_grpc.GameServiceStub(channel)
        metadata = (("authorization", f"Bearer {PHONE}"),)
        assert stub.ListGames(pb.ListGamesRequest(), metadata=metadata, timeout=30).games
