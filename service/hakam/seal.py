"""Sealed bytes: what Hakam gives to those who may carry a state, but neither read nor change it.

    version (1) | kind (1) | key id (4) | header length (2) | header | AES-SIV ciphertext

Laws:
- AES-SIV is deterministic: the same content under the same key gives the same seal, so the same
  request still gives the same bytes. Equal contents are told apart by the salt inside a state.
- All that stands before the ciphertext is authenticated with it; the header is readable.
- The content is padded, so that its length tells nothing that the header does not.
- The first key seals, every key opens. Each kind has a key of its own, derived by HKDF.
"""

from collections.abc import Sequence
from enum import IntEnum
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from hakam.games.reasons import Reason

__all__ = [
    "KEY_BYTES",
    "MAX_BYTES",
    "VERSION",
    "KeyRing",
    "KeyRingError",
    "Kind",
    "SealError",
    "read_keys",
]

VERSION: Final = 1
KEY_BYTES: Final = 64
# The longest seal that is opened.
MAX_BYTES: Final = 16_384
_FIXED: Final = 8
_TAG: Final = 16
_BLOCK: Final = 256
_LENGTH: Final = 4


class Kind(IntEnum):
    """What is sealed."""

    STATE = 1
    PREPARED_SEED = 2


class SealError(Exception):
    """A seal that does not open; `reason` is one of the four SEAL_... reasons."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Final = reason


class KeyRingError(ValueError):
    """Keys that cannot be used; the text says which one and why, never the key."""


class KeyRing:
    """The keys of a service: the first seals, all open. No keys: nothing is sealed or opened."""

    def __init__(self, keys: Sequence[bytes] = ()) -> None:
        """Keys of exactly 64 bytes, each once; raises KeyRingError."""
        for number, key in enumerate(keys, start=1):
            if len(key) != KEY_BYTES:
                raise KeyRingError(f"key {number} must have {KEY_BYTES} bytes, and has {len(key)}")
            if key in keys[: number - 1]:
                raise KeyRingError(f"key {number} is there twice")
        self._ids: Final = tuple(_key_id(key) for key in keys)
        self._ciphers: Final = {
            (key_id, kind): _cipher(key, kind)
            for key_id, key in zip(self._ids, keys, strict=True)
            for kind in Kind
        }

    def __bool__(self) -> bool:
        return bool(self._ids)

    def seal(self, kind: Kind, header: bytes, content: bytes) -> bytes:
        """The content sealed under the first key, with a readable header."""
        key_id = self._ids[0]
        head = bytes((VERSION, kind)) + key_id + len(header).to_bytes(2, "big") + header
        return head + self._ciphers[key_id, kind].encrypt(_padded(content), [head])

    def open(self, kind: Kind, sealed: bytes) -> tuple[bytes, bytes]:
        """The header and the content; raises SealError."""
        if not _FIXED <= len(sealed) <= MAX_BYTES:
            raise SealError(Reason.SEAL_MALFORMED)
        if sealed[0] != VERSION:
            raise SealError(Reason.SEAL_VERSION_UNSUPPORTED)
        start = _FIXED + int.from_bytes(sealed[6:8], "big")
        if sealed[1] != kind or len(sealed) < start + _TAG:
            raise SealError(Reason.SEAL_MALFORMED)
        cipher = self._ciphers.get((sealed[2:6], kind))
        if cipher is None:
            raise SealError(Reason.SEAL_KEY_UNKNOWN)
        try:
            padded = cipher.decrypt(sealed[start:], [sealed[:start]])
        except InvalidTag:
            raise SealError(Reason.SEAL_REFUSED) from None
        return sealed[_FIXED:start], _unpadded(padded)


def _key_id(key: bytes) -> bytes:
    return sha256(b"hakam/key-id/v1" + key).digest()[:4]


def _cipher(key: bytes, kind: Kind) -> AESSIV:
    label = b"hakam/seal/v1/" + kind.name.lower().encode("ascii")
    return AESSIV(HKDF(SHA256(), KEY_BYTES, salt=None, info=label).derive(key))


def _padded(content: bytes) -> bytes:
    framed = len(content).to_bytes(_LENGTH, "big") + content
    return framed + bytes(-len(framed) % _BLOCK)


def _unpadded(padded: bytes) -> bytes:
    return padded[_LENGTH : _LENGTH + int.from_bytes(padded[:_LENGTH], "big")]


def read_keys(text: str) -> tuple[bytes, ...]:
    """Keys as `hakam keygen` writes them: 128 hex digits each, between white space or commas.

    A line that begins with `#` is a comment. Raises KeyRingError.
    """
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    keys = []
    for number, word in enumerate(" ".join(lines).replace(",", " ").split(), start=1):
        try:
            keys.append(bytes.fromhex(word))
        except ValueError:
            raise KeyRingError(f"key {number} is not hex digits") from None
    KeyRing(keys)
    return tuple(keys)
