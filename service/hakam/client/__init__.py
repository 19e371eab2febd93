"""A client of Hakam: games by handle, typed errors, retries; blocking and for asyncio.

No rule of any game is in it: it sends, receives, and keeps the newest state. Messages are those of
`hakam.v1`. clients/python/README.md tells the rest.
"""

from hakam.client.aio import AsyncClient, AsyncGame
from hakam.client.asks import AnyMove, AnyRules, AnyState, Language, Viewer
from hakam.client.channel import Tls, channel_options
from hakam.client.errors import (
    DeadlineExceededError,
    FieldFault,
    HakamError,
    IllegalMoveError,
    InvalidRequestError,
    LimitExceededError,
    NotAllowedError,
    ServiceFaultError,
    StaleMoveError,
    UnauthenticatedError,
    UnavailableError,
    UnsupportedError,
    from_rpc_error,
    from_status,
)
from hakam.client.record import view_digest
from hakam.client.sync import Client, Game

__all__ = [
    "AnyMove",
    "AnyRules",
    "AnyState",
    "AsyncClient",
    "AsyncGame",
    "Client",
    "DeadlineExceededError",
    "FieldFault",
    "Game",
    "HakamError",
    "IllegalMoveError",
    "InvalidRequestError",
    "Language",
    "LimitExceededError",
    "NotAllowedError",
    "ServiceFaultError",
    "StaleMoveError",
    "Tls",
    "UnauthenticatedError",
    "UnavailableError",
    "UnsupportedError",
    "Viewer",
    "channel_options",
    "from_rpc_error",
    "from_status",
    "view_digest",
]
