"""Admission: who may call at all, by a list of bearer tokens.

The list is a file with the SHA-256 of each token, so that who reads it can call nobody. Whoever is
not admitted is refused before his request is received. Health checks need no token.
"""

import hmac
import re
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any, Final, NoReturn

import grpc
from structlog.typing import FilteringBoundLogger

from hakam.games.reasons import Reason
from hakam.rpc.call import refuse
from hakam.rpc.errors import Refusal
from hakam.rpc.watched import Watched
from hakam.settings import Settings, SettingsError
from hakam.texts import Language

__all__ = ["Admission", "admission"]

_HASH: Final = re.compile(r"[0-9a-f]{64}", re.ASCII | re.IGNORECASE)
_SCHEME: Final = "bearer "


def admission(
    settings: Settings, log: FilteringBoundLogger, always_open: str
) -> "list[grpc.ServerInterceptor]":
    """The admission that the settings ask for, or nothing; raises SettingsError."""
    if not settings.tokens_file:
        return []

    def read(contents: Sequence[bytes]) -> tuple[bytes, ...]:
        return _hashes(settings.tokens_file, contents[0])

    tokens = Watched([settings.tokens_file], read, log)
    return [Admission(tokens.get, always_open)]


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


class Admission(grpc.ServerInterceptor):
    """Lets those in who bring a token whose SHA-256 is among `hashes`; `always_open` needs none."""

    def __init__(self, hashes: Callable[[], Iterable[bytes]], always_open: str) -> None:
        self._hashes: Final = hashes
        self._always_open: Final = always_open

    def intercept_service(
        self,
        continuation: "Callable[[grpc.HandlerCallDetails], grpc.RpcMethodHandler[Any, Any] | None]",
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "grpc.RpcMethodHandler[Any, Any] | None":
        """The method's handler, or one that refuses."""
        handler = continuation(handler_call_details)
        if handler is None or handler_call_details.method.startswith(f"/{self._always_open}/"):
            return handler
        if any(map(self._knows, _tokens(handler_call_details))):
            return handler
        return grpc.stream_unary_rpc_method_handler(_refuse)

    def _knows(self, token: str) -> bool:
        given = sha256(token.encode()).digest()
        # A list: the time it takes does not say which of them it was.
        return any([hmac.compare_digest(given, known) for known in self._hashes()])  # noqa: C419


def _tokens(details: grpc.HandlerCallDetails) -> list[str]:
    values = [v for k, v in details.invocation_metadata or () if k == "authorization"]
    texts = [value for value in values if isinstance(value, str)]
    return [t[len(_SCHEME) :].strip() for t in texts if t[: len(_SCHEME)].lower() == _SCHEME]


def _refuse(_requests: object, context: grpc.ServicerContext) -> NoReturn:
    refuse(context, Refusal(Reason.ADMISSION_REFUSED), Language.EN)
