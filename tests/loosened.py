"""Values that no type allows: `make test-fast` has classes that do not hold them."""

from dataclasses import replace
from typing import Any, TypeVar

import pytest

__all__ = ["loosened"]

T = TypeVar("T")


def loosened(whole: T, **changes: Any) -> T:
    """The dataclass with some fields replaced, by values of any type.

    A compiled class refuses the wrong ones itself: then there is nothing left to test.
    """
    try:
        return replace(whole, **changes)  # type: ignore[type-var] # any dataclass
    except TypeError:
        if hasattr(whole, "__mypyc_attrs__"):
            pytest.skip("a compiled class holds no value of another type")
        raise
