"""`hakam doctor`: what would go wrong with `hakam serve`, said before it does, in plain words.

Laws:
- It judges by the very functions that serve, with the same flags and variables; it serves nothing
  and changes nothing.
- It names files, settings and numbers; never anything of a key, a token or a credential.
"""

import os
import resource
import socket
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.x509 import (
    Certificate,
    ExtensionNotFound,
    SubjectAlternativeName,
    load_pem_x509_certificates,
)
from structlog.typing import FilteringBoundLogger

from hakam.cli.keys import load_keys
from hakam.rpc.admission import admission
from hakam.rpc.logs import make_log
from hakam.rpc.server import address_text
from hakam.rpc.tls import credentials
from hakam.rpc.tracing import make_tracer
from hakam.settings import KEYS_VARIABLE, Settings, SettingsError, add_flags, load

__all__ = ["Finding", "Grade", "add_command", "examine"]

# A certificate that ends sooner is due.
_SOON: Final = timedelta(days=14)
# Below this a process can hardly serve; below the second, not many clients.
_FEWEST_FILES: Final = 256
_FEW_FILES: Final = 4096
# What a worker writes its metrics into grows to some MiB.
_TEMPORARY_BYTES: Final = 16 * 1024 * 1024
_READABLE_BY_ALL: Final = 0o004
_CPU_LIMIT: Final = Path("/sys/fs/cgroup/cpu.max")


class Grade(Enum):
    """How bad it is; the value is what is printed."""

    FINE = "ok"
    LOOK = "look"
    WRONG = "WRONG"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    grade: Grade
    subject: str
    text: str


def add_command(parser: ArgumentParser) -> None:
    """The flags of `hakam serve`."""
    parser.description = (
        "Check what `hakam serve` would be started with: give it the same flags and variables. "
        "Exit code 0: it can serve (what says `look` is worth a look); 1: something is wrong. "
        "Nothing secret is printed. Beside a service that runs, its ports are taken."
    )
    add_flags(parser)
    parser.set_defaults(run=_run)


def _run(args: Namespace) -> int:
    try:
        settings = load(args, os.environ)
    except SettingsError as error:
        findings = [Finding(Grade.WRONG, "settings", str(error))]
    else:
        findings = list(examine(settings))
    for finding in findings:
        print(f"{finding.grade.value:5}  {finding.subject:12}  {finding.text}")
    wrong = sum(finding.grade is Grade.WRONG for finding in findings)
    print(f"\n{wrong} wrong" if wrong else "\nready to serve")
    return 1 if wrong else 0


def examine(settings: Settings) -> Iterator[Finding]:
    """Everything that is looked at, in a fixed order."""
    yield Finding(Grade.FINE, "settings", "every flag and variable can be read")
    for subject, check in _CHECKS:
        try:
            for grade, text in check(settings):
                yield Finding(grade, subject, text)
        except SettingsError as error:
            yield Finding(Grade.WRONG, subject, str(error))


_Findings = Iterator[tuple[Grade, str]]


def _keys(settings: Settings) -> _Findings:
    if not load_keys(settings, os.environ):
        yield Grade.LOOK, "none, so sealed states are refused: see `hakam keygen`"
        return
    source = settings.keys_file or KEYS_VARIABLE
    yield Grade.FINE, f"can be read from {source}"
    if settings.keys_file:
        yield from _privacy(settings.keys_file)


def _privacy(path: str) -> _Findings:
    if Path(path).stat().st_mode & _READABLE_BY_ALL:
        yield Grade.LOOK, f"{path} can be read by every user of this machine"


def _trust(settings: Settings) -> _Findings:
    strict = settings.plain_states == "keeper"
    if strict and not settings.keeper_sha256:
        yield Grade.LOOK, "plain states are for the keeper, but --keeper-sha256 names none"
    if settings.unprotected:
        yield Grade.LOOK, f"no TLS and no tokens, and {settings.host} can be reached from elsewhere"
    if settings.unprotected and not strict:
        yield Grade.LOOK, "strangers may use plain states: see --plain-states keeper"
    if not (strict or settings.unprotected):
        yield Grade.FINE, "only those who are let in, or this machine, can call"


def _tokens(settings: Settings) -> _Findings:
    if admission(settings, _silent()):
        yield Grade.FINE, f"{settings.tokens_file} can be read"
        return
    yield Grade.FINE, "not asked for"


def _tls(settings: Settings) -> _Findings:
    if credentials(settings, _silent()) is None:
        yield Grade.FINE, "not asked for"
        return
    chain = load_pem_x509_certificates(Path(settings.tls_cert_file).read_bytes())
    yield Grade.FINE, f"the key in {settings.tls_key_file} is that of the certificate"
    for number, certificate in enumerate(chain, 1):
        yield _in_time(f"certificate {number} of {settings.tls_cert_file}", certificate)
    yield from _order(chain)
    yield from _names(chain[0])
    yield from _privacy(settings.tls_key_file)
    if settings.tls_client_ca_file:
        authorities = load_pem_x509_certificates(Path(settings.tls_client_ca_file).read_bytes())
        for number, certificate in enumerate(authorities, 1):
            yield _in_time(f"authority {number} of {settings.tls_client_ca_file}", certificate)


def _in_time(name: str, certificate: Certificate) -> tuple[Grade, str]:
    now, ends = datetime.now(UTC), certificate.not_valid_after_utc
    if now < certificate.not_valid_before_utc:
        return (
            Grade.WRONG,
            f"{name} is not valid before {certificate.not_valid_before_utc:%F %R} UTC",
        )
    if now > ends:
        return Grade.WRONG, f"{name} ended on {ends:%F %R} UTC"
    grade = Grade.LOOK if ends - now < _SOON else Grade.FINE
    return grade, f"{name} ends on {ends:%F}, in {(ends - now).days} days"


def _order(chain: list[Certificate]) -> _Findings:
    for number, (signed, signer) in enumerate(pairwise(chain), 1):
        try:
            signed.verify_directly_issued_by(signer)
        except (InvalidSignature, ValueError, TypeError):
            yield Grade.WRONG, f"certificate {number} is not signed by the next one of the file"


def _names(certificate: Certificate) -> _Findings:
    try:
        certificate.extensions.get_extension_for_class(SubjectAlternativeName)
    except ExtensionNotFound:
        yield Grade.WRONG, "the certificate names no host (subjectAltName): clients refuse it"


def _ports(settings: Settings) -> _Findings:
    both = ((settings.host, settings.port), (settings.metrics_host, settings.metrics_port))
    if settings.port and settings.port == settings.metrics_port:
        yield Grade.WRONG, f"calls and metrics both want port {settings.port}"
    for name, (host, port) in zip(("calls", "metrics"), both, strict=True):
        yield _bind(name, host, port)


def _bind(name: str, host: str, port: int) -> tuple[Grade, str]:
    where = f"{name} on {address_text(host, port)}"
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(place)
    except OSError as error:
        return Grade.WRONG, f"{where}: {error.strerror}"
    return Grade.FINE, f"{where}: free" if port else f"{where}: any free port"


def _files(_settings: Settings) -> _Findings:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= _FEW_FILES:
        yield Grade.FINE, "enough may be open at once (ulimit -n)"
        return
    grade = Grade.WRONG if soft < _FEWEST_FILES else Grade.LOOK
    yield grade, f"only {soft} may be open at once, and every connection is one: raise `ulimit -n`"


def _workers(settings: Settings) -> _Findings:
    cores = len(os.sched_getaffinity(0))
    workers = settings.workers or cores
    allowed = min(cores, _allowed_cores(_CPU_LIMIT))
    text = f"{workers} for {allowed:g} cores"
    if workers <= allowed:
        yield Grade.FINE, text
    elif settings.workers:
        yield Grade.LOOK, f"{text}: more than can run at once"
    else:
        yield Grade.LOOK, f"{text}: the limit of the container is not seen by --workers 0; set it"


def _allowed_cores(limit: Path) -> float:
    """The cores that a control group lets this process use; infinite where it says nothing."""
    try:
        quota, period = limit.read_text("ascii").split()
        return int(quota) / int(period)
    except (OSError, ValueError):  # no group, another version of groups, or "max"
        return float("inf")


def _temporary(settings: Settings) -> _Findings:
    if (settings.workers or len(os.sched_getaffinity(0))) == 1:
        yield Grade.FINE, "one worker needs none"
        return
    try:
        with tempfile.TemporaryDirectory(prefix="hakam-doctor-") as folder:
            place = os.statvfs(folder)
    except OSError:
        yield Grade.WRONG, "several workers share metrics in files: no folder for them; set TMPDIR"
        return
    free = place.f_bavail * place.f_frsize
    grade = Grade.FINE if free >= _TEMPORARY_BYTES else Grade.WRONG
    yield grade, f"{tempfile.gettempdir()} can be written, {free // 1024**2} MiB free"


def _tracing(settings: Settings) -> _Findings:
    exported = make_tracer(settings, _silent()) is not None
    yield Grade.FINE, "spans are exported" if exported else "not asked for"


def _silent() -> FilteringBoundLogger:
    return make_log("json", "error", StringIO())


_CHECKS: Final[tuple[tuple[str, Callable[[Settings], _Findings]], ...]] = (
    ("keys", _keys),
    ("trust", _trust),
    ("tokens", _tokens),
    ("TLS", _tls),
    ("ports", _ports),
    ("open files", _files),
    ("workers", _workers),
    ("temporary", _temporary),
    ("tracing", _tracing),
)
