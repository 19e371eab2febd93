"""Chance out of a seed: what the seed commits to, and the outcome of every chance event.

Laws:
- Nothing here is random. The same seed, rules, entropy and event give the same outcome in every
  process, for ever: `docs/fairness.md` specifies every byte, and a change of any raises
  `CHANCE_VERSION`.
- A game's chance depends on its seed, its rules and its entropy only; event `n` depends on nothing
  that was drawn before it. So an outcome can be verified by itself.
- All outcomes are exactly uniform over what the event allows: numbers are found by rejection, decks
  by Fisher-Yates, throws by counting the ones among four fair bits.
- Whoever knows the seed knows every hand. Seeds, keys and words never enter a log or an error.
"""

import hmac
import struct
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final, TypeVar

from hakam.games.game import ChanceDue, ChanceKind, ChanceOutcome

__all__ = [
    "CHANCE_VERSION",
    "SEED_BYTES",
    "below",
    "commitment",
    "draw",
    "game_key",
    "shuffled",
    "words",
]

CHANCE_VERSION: Final = 1
SEED_BYTES: Final = 32

_COMMIT: Final = b"hakam/commit/v1"
_KEY: Final = b"hakam/key/v1"
_DRAW: Final = b"hakam/draw/v1"
# The values of one word of the stream.
_WORD: Final = 1 << 32
_BLOCK: Final = struct.Struct(">8I")

T = TypeVar("T")


def commitment(seed: bytes) -> bytes:
    """32 bytes that fix the seed without telling it, to be published before entropy is given."""
    return sha256(_COMMIT + _checked(seed)).digest()


def game_key(seed: bytes, rules: bytes, entropy: Sequence[bytes]) -> bytes:
    """The 32-byte key of a game's chance.

    `rules` is the canonical text of the rules in ASCII (`game=tjau revision=1 ...`); `entropy` is
    what the players added, in their order. Each is preceded by its length, so that no two lists
    give the same bytes. Raises ValueError for a seed that is not 32 bytes.
    """
    parts = [len(part).to_bytes(4, "big") + part for part in (rules, *entropy)]
    return hmac.digest(_checked(seed), _KEY + b"".join(parts), "sha256")


def draw(key: bytes, event: int, due: ChanceDue) -> ChanceOutcome:
    """The outcome of chance event number `event` (from 0) of a game, if it is `due`.

    An int for a throw or a seat, the shuffled deck, front first, for a deal.
    """
    stream = words(key, event)
    if due.kind == ChanceKind.DEAL:
        return shuffled(stream, due.deck)
    if due.kind == ChanceKind.SEAT:
        return below(stream, due.seats)
    return below(stream, 16).bit_count()


def words(key: bytes, event: int) -> Iterator[int]:
    """The endless stream of an event: numbers below 2**32, eight from each block."""
    start = hmac.new(key, _DRAW + event.to_bytes(4, "big"), sha256)
    block = 0
    while True:
        digest = start.copy()
        digest.update(block.to_bytes(4, "big"))
        yield from _BLOCK.unpack(digest.digest())
        block += 1


def below(stream: Iterator[int], bound: int) -> int:
    """The next number below `bound` (1 to 2**32), every one equally likely.

    Words at or above the greatest multiple of `bound` are passed over.
    """
    limit = _WORD - _WORD % bound
    word = next(stream)
    while word >= limit:
        word = next(stream)
    return word % bound


def shuffled(stream: Iterator[int], deck: Sequence[T]) -> tuple[T, ...]:
    """The deck in a new order, every one equally likely: Fisher-Yates from the end."""
    order = list(deck)
    for i in range(len(order) - 1, 0, -1):
        j = below(stream, i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def _checked(seed: bytes) -> bytes:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed is {SEED_BYTES} bytes")
    return seed
