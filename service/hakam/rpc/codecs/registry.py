"""The codec of every game, by game id."""

from typing import Final

from hakam.rpc.codecs import tjau, trix
from hakam.rpc.codecs.common import Codec

__all__ = ["CODECS"]

CODECS: Final[dict[str, Codec]] = {"tjau": tjau, "trix": trix}
