"""The codec of every game, by game id."""

from typing import Final

from hakam.rpc.codecs import jackaroo, tjau, trix
from hakam.rpc.codecs.common import Codec

__all__ = ["CODECS"]

CODECS: Final[dict[str, Codec]] = {"jackaroo": jackaroo, "tjau": tjau, "trix": trix}
