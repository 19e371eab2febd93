"""The way to a service: its addresses, TLS, a token, retries; the same for both kinds of client."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

import grpc

__all__ = ["Bearer", "Tls", "Way", "channel_options", "way"]

# Attempts have no time limit of their own without the first.
_OPTIONS: Final = (
    ("grpc.experimental.enable_hedging", 1),
    ("grpc.max_reconnect_backoff_ms", 1000),
    ("grpc.per_rpc_retry_buffer_size", 4 * 1024 * 1024),
)
_SCHEME: Final = re.compile(r"(?:dns|ipv4|ipv6):(?://[^/]*/)?")


@dataclass(frozen=True, kw_only=True)
class Tls:
    """How TLS is spoken; all in PEM form.

    `ca` are the authorities that may have signed the service's certificate; None: those that gRPC
    trusts (GRPC_DEFAULT_SSL_ROOTS_FILE_PATH names others). `certificate` and `key` are the client's
    own, where the service asks for one. `server_name` is the name in the service's certificate,
    where it is not the address; several addresses need one.
    """

    ca: bytes | None = None
    certificate: bytes | None = None
    key: bytes | None = field(default=None, repr=False)
    server_name: str | None = None


class Bearer(grpc.UnaryUnaryClientInterceptor, grpc.aio.UnaryUnaryClientInterceptor):
    """Brings a token with every call, of a blocking channel or of one for asyncio.

    Both know an interceptor by its base class; a continuation gives a call or the promise of one.
    """

    def __init__(self, token: str) -> None:
        self._header: Final = ("authorization", f"Bearer {token}")

    def intercept_unary_unary(
        self, continuation: Any, client_call_details: Any, request: Any
    ) -> Any:
        """The call with its token."""
        metadata = [*(client_call_details.metadata or ()), self._header]
        return continuation(client_call_details._replace(metadata=metadata), request)


@dataclass(frozen=True)
class Way:
    """What either kind of channel is opened with; no credentials: without TLS."""

    target: str
    options: Sequence[tuple[str, Any]]
    credentials: grpc.ChannelCredentials | None
    interceptors: Sequence[Bearer]


def way(
    addresses: str | Sequence[str],
    *,
    tls: Tls | None,
    token: str | None,
    token_in_clear: bool,
    wait: bool,
) -> Way:
    """The way to the addresses.

    Raises ValueError for addresses that cannot be used together, and for a token that would go to
    another machine without TLS.
    """
    target = addresses if isinstance(addresses, str) else _target(addresses)
    if token is not None and tls is None and not (token_in_clear or _is_here(target)):
        raise ValueError("without TLS a token goes to this machine only, unless token_in_clear")
    options = channel_options(wait=wait)
    credentials = None
    if tls is not None:
        if tls.server_name is not None:
            options.append(("grpc.default_authority", tls.server_name))
        elif "," in target:
            raise ValueError("several addresses over TLS need a server_name")
        credentials = grpc.ssl_channel_credentials(tls.ca, tls.key, tls.certificate)
    return Way(target, options, credentials, [] if token is None else [Bearer(token)])


def channel_options(*, wait: bool) -> list[tuple[str, str | int]]:
    """The options of a channel of your own: round robin over several addresses, and retries.

    One that waits does so where there is no service, until the deadline of the call; one that does
    not is told within a second.
    """
    config = json.loads(files("hakam.client").joinpath("service_config.json").read_text("utf-8"))
    for method in config["methodConfig"]:
        method["waitForReady"] = wait
    return [("grpc.service_config", json.dumps(config)), *_OPTIONS]


def _target(addresses: Sequence[str]) -> str:
    """What gRPC calls several addresses; one is what it is."""
    if len(addresses) == 1:
        return addresses[0]
    versions = set(map(_version, addresses))
    if len(versions) != 1:
        raise ValueError("addresses are all of IPv4 or all of IPv6, and there is at least one")
    return f"ipv{versions.pop()}:{','.join(addresses)}"


def _version(address: str) -> int:
    host = _host(address)
    try:
        return ip_address(host).version
    except ValueError:
        raise ValueError(
            f"{host!r} is no IP address: several addresses are IP addresses, or one name for all "
            "of them (dns:///NAME:PORT)"
        ) from None


def _is_here(target: str) -> bool:
    """Whether all that is called stays on this machine."""
    if target.startswith(("unix:", "unix-abstract:")):
        return True
    return all(_is_loopback(_host(place)) for place in _SCHEME.sub("", target, 1).split(","))


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _host(address: str) -> str:
    return urlsplit(f"//{address}").hostname or ""
