"""Admission: who may call at all, by a list of bearer tokens.

The list is a file with the SHA-256 of each token, so that who reads it can call nobody. Whoever is
not admitted is refused before his request is received. Health checks need no token.
"""

import hmac
import re
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Final

from structlog.typing import FilteringBoundLogger

from hakam.games.reasons import Reason
from hakam.rpc.errors import Refusal
from hakam.rpc.incoming import Incoming
from hakam.rpc.watched import Watched
from hakam.settings import Settings, SettingsError

__all__ = ["Admission", "admission"]

_HASH: Final = re.compile(r"[0-9a-f]{64}", re.ASCII | re.IGNORECASE)
_SCHEME: Final = "bearer "


def admission(settings: Settings, log: FilteringBoundLogger) -> "list[Admission]":
    """The admission that the settings ask for, or nothing; raises SettingsError."""
    if not settings.tokens_file:
        return []

    def read(contents: Sequence[bytes]) -> tuple[bytes, ...]:
        return _hashes(settings.tokens_file, contents[0])

    tokens = Watched([settings.tokens_file], read, log)
    return [Admission(tokens.get)]


def _hashes(path: str, content: bytes) -> tuple[bytes, ...]:
    """The first word of every line; what follows it is a name, and # begins a comment."""
    hashes = []
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
        words = line.partition("#")[0].split()
        if words and not _HASH.fullmatch(words[0]):
            raise SettingsError(f"{path}: line {number} does not begin with a SHA-256")
        hashes += [bytes.fromhex(word) for word in words[:1]]
    if not hashes:
        raise SettingsError(f"{path}: no token in it, so nobody could call")
    return tuple(hashes)


class Admission:
    """Refuses who brings no token whose SHA-256 is among `hashes`."""

    def __init__(self, hashes: Callable[[], Iterable[bytes]]) -> None:
        self._hashes: Final = hashes

    def __call__(self, incoming: Incoming) -> None:
        """Refuse the call if it may not be."""
        if not any(map(self._knows, _tokens(incoming))):
            raise Refusal(Reason.ADMISSION_REFUSED)

    def _knows(self, token: str) -> bool:
        given = sha256(token.encode()).digest()
        # A list: the time it takes does not say which of them it was.
        return any([hmac.compare_digest(given, known) for known in self._hashes()])  # noqa: C419


def _tokens(incoming: Incoming) -> list[str]:
    values = [v for k, v in incoming.metadata if k == "authorization"]
    texts = [value for value in values if isinstance(value, str)]
    return [t[len(_SCHEME) :].strip() for t in texts if t[: len(_SCHEME)].lower() == _SCHEME]
