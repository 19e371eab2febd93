"""Holds the requirement files to hashes, and to the floors of requirements/floors.toml.

Every pin names one version and at least one SHA-256, and none is older than the version that mended
a weakness that is known here. Needs no network, so it says the same everywhere.
"""

import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packaging.utils import canonicalize_name
from packaging.version import Version

__all__ = ["Floor", "faults", "floors", "main"]

REQUIREMENTS: Final = Path(__file__).resolve().parent.parent / "requirements"
_PIN: Final = re.compile(r"([\w.-]+)==([\w.!+]+)( ;.*)?")


@dataclass(frozen=True)
class Floor:
    """The oldest version of a package that may be pinned."""

    package: str
    version: str
    advisory: str
    why: str


def floors(path: Path) -> dict[str, Floor]:
    """The floors by package."""
    entries = tomllib.loads(path.read_text("utf-8"))["floor"]
    return {canonicalize_name(entry["package"]): Floor(**entry) for entry in entries}


def faults(text: str, known: dict[str, Floor]) -> Iterator[str]:
    """What is wrong with a requirement file."""
    for line in text.replace("\\\n", " ").splitlines():
        requirement, *hashes = (part.strip() for part in line.split("--hash="))
        pin = _PIN.fullmatch(requirement)
        if pin is None:
            yield f"{requirement or 'an empty line'}: not one package at one version"
            continue
        if not hashes or not all(re.fullmatch("sha256:[0-9a-f]{64}", one) for one in hashes):
            yield f"{pin[1]}: not every hash is a SHA-256, or there is none"
        floor = known.get(canonicalize_name(pin[1]))
        if floor is not None and Version(pin[2]) < Version(floor.version):
            yield f"{pin[1]} {pin[2]}: below {floor.version} ({floor.advisory}: {floor.why})"


def main(_arguments: Sequence[str]) -> int:
    """0 where no file has a fault."""
    known = floors(REQUIREMENTS / "floors.toml")
    wrong = [
        f"{path.name}: {fault}"
        for path in sorted(REQUIREMENTS.glob("*.txt"))
        for fault in faults(path.read_text("utf-8"), known)
    ]
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
