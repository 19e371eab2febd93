"""The build hook of the accelerated wheel: the rules compiled by mypyc, their sources beside them.

Hatchling runs it only where HATCH_BUILD_HOOKS_ENABLE is set, as `make build-fast` does; without it
the wheel is the same pure package for every machine. Python prefers a compiled module to its
source, so nothing else tells the two packages apart. A C compiler and Python's headers are needed.
"""

import os
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

__all__ = ["FastHook", "modules"]

TOP: Final = Path(__file__).resolve().parent.parent
# What is compiled: modules, and packages with all that is in them.
COMPILED: Final = (
    "chance.py",
    "games/cards.py",
    "games/jackaroo",
    "games/tjau",
    "games/trix",
    "notation.py",
    "record.py",
    "referee.py",
    "rpc/codecs",
    "rpc/endpoint.py",
    "rpc/gate.py",
    "rpc/servicer.py",
    "rpc/tally.py",
    "seal.py",
)
# Nothing but names and texts.
INTERPRETED: Final = ("__init__", "registry", "texts")
# It asks whether a number is a bool, which mypyc answers otherwise than Python.
LEFT_OUT: Final = "rpc/codecs/rules.py"


def modules(package: Path) -> list[Path]:
    """The sources to be compiled, ascending; `package` is the folder of `hakam`."""
    places = [package / place for place in COMPILED]
    found = {path for place in places for path in (place, *place.rglob("*.py"))}
    left_out = {path for path in found if path.stem in INTERPRETED or path.suffix != ".py"}
    return sorted(found - left_out - {package / LEFT_OUT})


class FastHook(BuildHookInterface[Any]):
    """Puts the compiled modules into the wheel and names it after the machine that it is for."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless what is built is an editable install."""
        if version == "editable":
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        out = Path(self.root) / "build/fast"
        os.chdir(self.root)
        for library in _compile(out):
            build_data["force_include"][str(library)] = library.relative_to(out / "lib").as_posix()


def _compile(out: Path) -> list[Path]:
    """The shared libraries, in the places where they are imported from."""
    # Here, since whoever lists the modules needs neither of them.
    from mypyc.build import mypycify  # noqa: PLC0415
    from setuptools import Distribution  # noqa: PLC0415

    sources = [str(path) for path in modules(Path("service/hakam"))]
    extensions = mypycify(sources, opt_level="3", target_dir=str(out / "c"), group_name="hakam")
    package = Distribution({"name": "hakam", "ext_modules": extensions})
    command = package.get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(out / "lib"), str(out / "temp")
    command.ensure_finalized()
    command.run()
    return [Path(output) for output in command.get_outputs()]
