"""What both kinds of client are made with."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Generic, TypeVar

from hakam.client.asks import Language, Settings
from hakam.client.channel import Tls, Way, way

__all__ = ["Connection"]

W = TypeVar("W")


class Connection(ABC, Generic[W]):
    """A connection to one service, through any number of replicas; `W` is what sends on it."""

    def __init__(
        self,
        addresses: str | Sequence[str],
        *,
        tls: Tls | None = None,
        token: str | None = None,
        token_in_clear: bool = False,
        keeper: bytes = b"",
        language: Language = "en",
        timeout: float = 10.0,
        wait: bool = False,
    ) -> None:
        """Open a way to the service; nothing is sent before the first call.

        `addresses` is one HOST:PORT, any name that gRPC resolves (`dns:///NAME:PORT` for all
        addresses of a name), or several HOST:PORT of IP addresses: calls go round, and past a
        replica that is gone. `token` admits the caller where the service asks for one; without TLS
        it goes to this machine only, or with `token_in_clear`. `keeper` is the keeper's credential,
        for whoever runs a service that gives plain states to nobody else. `language` is that of
        texts; `timeout` is what a call gets in seconds, retries included.

        Calls are retried as the service config in this package says. Where there is no service at
        all a call fails within a second or so; with `wait` it waits for one until its time is up.

        Raises ValueError for addresses that cannot be used together, and for a token that would go
        to another machine in clear.
        """
        opened = way(addresses, tls=tls, token=token, token_in_clear=token_in_clear, wait=wait)
        self._settings: Final = Settings(language, keeper)
        self._wire: Final = self._open(opened, timeout)

    @abstractmethod
    def _open(self, opened: Way, timeout: float) -> W:
        """What sends on the way."""

    def _speaking(self, language: Language | None) -> Settings:
        return self._settings if language is None else replace(self._settings, language=language)
