"""Every task of docs/clients.md, done: by two services without TLS, and by one with it."""

import re
import subprocess
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest
from certificates import Authority

from tests.clients.languages import TOURS
from tests.clients.runner import KEYS, TOP
from tests.e2e.processes import servers

pytestmark = pytest.mark.clients

TOKEN = "hakam_tour"  # noqa: S105 - of a service that lives for a test


@pytest.mark.parametrize("command", TOURS.values(), ids=TOURS)
def test_a_tour_ends_well(command: Sequence[str], tmp_path: Path) -> None:
    authority, listed = Authority("authority"), tmp_path / "tokens"
    certificate, key, trusted = (tmp_path / name for name in ("cert.pem", "key.pem", "ca.pem"))
    authority.sign("service").put(certificate, key)
    trusted.write_bytes(authority.certificate)
    listed.write_text(sha256(TOKEN.encode()).hexdigest())
    with servers() as start:
        replicas = [start(HAKAM_KEYS=KEYS), start(HAKAM_KEYS=KEYS)]
        secure = start(
            HAKAM_TLS_CERT_FILE=str(certificate),
            HAKAM_TLS_KEY_FILE=str(key),
            HAKAM_TOKENS_FILE=str(listed),
        )
        addresses = ",".join(replica.address for replica in replicas)
        arguments = [*command, addresses, secure.address, str(trusted), TOKEN]
        ended = subprocess.run(  # noqa: S603
            arguments, cwd=TOP, capture_output=True, text=True, timeout=120, check=False
        )
    assert (ended.returncode, ended.stderr) == (0, "")
    refused = re.search(r"^[A-Z_]+ J\d.*$", ended.stdout, re.MULTILINE)
    assert refused is not None
    assert not refused[0].isascii(), "its text is Arabic"
