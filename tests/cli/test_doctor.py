"""What `hakam doctor` finds, what it says, and what it never says."""

import os
import resource
import socket
from collections.abc import Callable, Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from certificates import DAY, Authority, Signed

from hakam.cli import doctor
from hakam.cli.doctor import Grade, examine
from hakam.settings import Settings

OURS = Authority("ours")
KEY, TOKEN, KEEPER = "a1" * 64, "hakam_5ec4e7", "5ec4e7" * 5
HASH = sha256(TOKEN.encode()).hexdigest()

Files = Callable[..., dict[str, str]]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is set from outside, and the machine has room."""
    for name in [name for name in os.environ if name.startswith("HAKAM_")]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (65536, 65536))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr(doctor, "_CPU_LIMIT", Path("/none"))


def found(subject: str, **settings: Any) -> list[tuple[Grade, str]]:
    chosen = Settings(**{"port": 0, "metrics_port": 0} | settings)
    return [(f.grade, f.text) for f in examine(chosen) if f.subject == subject]


def worst(subject: str, **settings: Any) -> tuple[Grade, str]:
    """What is said first of the worst that is found."""
    order = [Grade.WRONG, Grade.LOOK, Grade.FINE]
    return min(found(subject, **settings), key=lambda finding: order.index(finding[0]))


def put(path: Path, content: str | bytes, mode: int = 0o600) -> str:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    path.chmod(mode)
    return str(path)


@pytest.fixture
def tls(tmp_path: Path) -> Files:
    """The settings of TLS with a certificate and its key, and what else stands in the files."""

    def files(signed: Signed, *more: bytes, key: bytes = b"") -> dict[str, str]:
        chain = b"".join((signed.certificate, *more))
        return {
            "tls_cert_file": put(tmp_path / "chain.pem", chain),
            "tls_key_file": put(tmp_path / "key.pem", key or signed.key),
        }

    return files


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


class TestCommand:
    def test_all_well_is_0(self, hakam: Callable[..., Any]) -> None:
        ended = hakam("doctor", "--port", "0", "--metrics-port", "0")
        assert ended.code == 0
        assert ended.out.endswith("ready to serve\n")
        assert "WRONG" not in ended.out

    def test_something_wrong_is_1_and_counted(
        self, hakam: Callable[..., Any], taken: int, tmp_path: Path
    ) -> None:
        flags = ("--metrics-port", "0", "--tokens-file", tmp_path / "none")
        ended = hakam("doctor", "--port", taken, *flags)
        assert ended.code == 1
        assert ended.out.endswith("2 wrong\n")

    def test_a_setting_that_cannot_be_is_named(
        self, hakam: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HAKAM_PROT", "1")
        ended = hakam("doctor")
        assert ended.code == 1
        assert "HAKAM_PROT is no setting" in ended.out

    def test_no_secret_is_printed(
        self,
        hakam: Callable[..., Any],
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
        tls: Files,
    ) -> None:
        signed = OURS.sign("service")
        flags = {
            **tls(signed),
            "port": "0",
            "metrics_port": "0",
            "tokens_file": put(tmp_path / "tokens", f"{HASH} a phone\nnot a hash {TOKEN}\n"),
            "keeper_sha256": sha256(KEEPER.encode()).hexdigest(),
        }
        monkeypatch.setenv("HAKAM_KEYS", f"{KEY},{KEY}")
        given = [part for k, v in flags.items() for part in (f"--{k.replace('_', '-')}", v)]
        ended = hakam("doctor", *given)
        assert ended.code == 1
        secrets = [
            KEY,
            TOKEN,
            HASH,
            flags["keeper_sha256"],
            *signed.key.decode().splitlines()[1:-1],
        ]
        assert [secret for secret in secrets if secret in ended.out + ended.err] == []


class TestKeys:
    def test_none_is_worth_a_look(self) -> None:
        assert worst("keys") == (
            Grade.LOOK,
            "none, so sealed states are refused: see `hakam keygen`",
        )

    def test_good_ones_are_fine(self, tmp_path: Path) -> None:
        assert worst("keys", keys_file=put(tmp_path / "keys", KEY))[0] is Grade.FINE

    def test_a_file_for_everybody_is_worth_a_look(self, tmp_path: Path) -> None:
        grade, text = worst("keys", keys_file=put(tmp_path / "keys", KEY, 0o644))
        assert grade is Grade.LOOK
        assert "every user" in text

    @pytest.mark.parametrize("content", ["abc", "zz" * 64, f"{KEY} {KEY}", "\u0663"])
    def test_what_is_no_key_is_wrong(self, tmp_path: Path, content: str) -> None:
        assert worst("keys", keys_file=put(tmp_path / "keys", content))[0] is Grade.WRONG

    def test_keys_from_two_places_are_wrong(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HAKAM_KEYS", KEY)
        assert worst("keys", keys_file=put(tmp_path / "keys", KEY))[0] is Grade.WRONG


class TestTrust:
    def test_on_loopback_all_is_fine(self) -> None:
        assert worst("trust")[0] is Grade.FINE

    def test_open_to_strangers_is_worth_two_looks(self) -> None:
        assert [grade for grade, _ in found("trust", host="0.0.0.0")] == [Grade.LOOK] * 2  # noqa: S104

    def test_a_keeper_that_nobody_can_be_is_worth_a_look(self) -> None:
        grade, text = worst("trust", plain_states="keeper")
        assert grade is Grade.LOOK
        assert "names none" in text

    def test_tokens_that_cannot_be_read_are_wrong(self, tmp_path: Path) -> None:
        assert worst("tokens", tokens_file=put(tmp_path / "t", f"{HASH}\n"))[0] is Grade.FINE
        assert worst("tokens", tokens_file=put(tmp_path / "t", ""))[0] is Grade.WRONG


class TestTls:
    def test_a_certificate_in_its_time_is_fine(self, tls: Files) -> None:
        grades = {grade for grade, _ in found("TLS", **tls(OURS.sign("a", ends=99 * DAY)))}
        assert grades == {Grade.FINE}

    def test_one_that_ends_soon_is_worth_a_look(self, tls: Files) -> None:
        grade, text = worst("TLS", **tls(OURS.sign("a", ends=9 * DAY)))
        assert grade is Grade.LOOK
        assert text.endswith("in 8 days")

    @pytest.mark.parametrize(
        ("starts", "ends", "said"),
        [(-9 * DAY, -DAY, "ended on"), (DAY, 9 * DAY, "not valid before")],
    )
    def test_one_out_of_its_time_is_wrong(
        self, tls: Files, starts: timedelta, ends: timedelta, said: str
    ) -> None:
        grade, text = worst("TLS", **tls(OURS.sign("a", starts=starts, ends=ends)))
        assert grade is Grade.WRONG
        assert said in text

    def test_the_key_of_another_is_wrong(self, tls: Files) -> None:
        grade, text = worst("TLS", **tls(OURS.sign("a"), key=OURS.sign("b").key))
        assert grade is Grade.WRONG
        assert "not the key" in text

    def test_a_chain_leads_from_one_to_the_next(self, tls: Files) -> None:
        signed, others = OURS.sign("a", ends=99 * DAY), Authority("others").certificate
        assert worst("TLS", **tls(signed, OURS.certificate))[0] is Grade.FINE
        grade, text = worst("TLS", **tls(signed, others))
        assert grade is Grade.WRONG
        assert text == "certificate 1 is not signed by the next one of the file"

    def test_one_without_hosts_is_wrong(self, tls: Files) -> None:
        grade, text = worst("TLS", **tls(OURS.sign("a", hosts=False)))
        assert grade is Grade.WRONG
        assert "subjectAltName" in text

    def test_half_of_it_is_wrong(self, tls: Files) -> None:
        half = {"tls_cert_file": tls(OURS.sign("a"))["tls_cert_file"]}
        assert worst("TLS", **half)[0] is Grade.WRONG

    def test_authorities_of_clients_are_looked_at(self, tls: Files, tmp_path: Path) -> None:
        ended = OURS.sign("authority", starts=-9 * DAY, ends=-DAY)
        authorities = put(tmp_path / "clients.pem", OURS.certificate + ended.certificate)
        grade, text = worst("TLS", **tls(OURS.sign("a")), tls_client_ca_file=authorities)
        assert grade is Grade.WRONG
        assert text.startswith("authority 2 of ")


class TestPorts:
    def test_a_taken_one_is_wrong(self, taken: int) -> None:
        for name in ("port", "metrics_port"):
            grade, text = worst("ports", **{name: taken})
            assert grade is Grade.WRONG
            assert f"127.0.0.1:{taken}: Address already in use" in text

    def test_one_for_both_is_wrong(self) -> None:
        assert worst("ports", port=50051, metrics_port=50051)[0] is Grade.WRONG

    def test_a_host_that_is_none_is_wrong(self) -> None:
        assert worst("ports", host="no.host.invalid")[0] is Grade.WRONG


class TestLimits:
    @pytest.mark.parametrize(
        ("limit", "grade"),
        [(-1, Grade.FINE), (65536, Grade.FINE), (1024, Grade.LOOK), (64, Grade.WRONG)],
    )
    def test_open_files(self, monkeypatch: pytest.MonkeyPatch, limit: int, grade: Grade) -> None:
        monkeypatch.setattr(resource, "getrlimit", lambda _: (limit, limit))
        assert worst("open files")[0] is grade

    @pytest.mark.parametrize(
        ("workers", "limit", "grade"),
        [
            (0, "max 100000", Grade.FINE),
            (2, "200000 100000", Grade.FINE),
            (3, "max 100000", Grade.LOOK),
            (0, "150000 100000", Grade.LOOK),
            (1, "50000 100000", Grade.LOOK),
        ],
    )
    def test_workers_are_held_against_cores_and_the_containers_limit(
        self,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
        workers: int,
        limit: str,
        grade: Grade,
    ) -> None:
        monkeypatch.setattr(doctor, "_CPU_LIMIT", Path(put(tmp_path / "cpu.max", limit)))
        assert worst("workers", workers=workers)[0] is grade

    def test_several_workers_need_a_folder(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
        assert worst("temporary", workers=1)[0] is Grade.FINE
        grade, text = worst("temporary", workers=2)
        assert grade is Grade.WRONG
        assert "TMPDIR" in text

    def test_and_room_in_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert worst("temporary", workers=2)[0] is Grade.FINE
        full = SimpleNamespace(f_bavail=1, f_frsize=4096)
        monkeypatch.setattr(os, "statvfs", lambda _: full)
        assert worst("temporary", workers=2)[0] is Grade.WRONG
