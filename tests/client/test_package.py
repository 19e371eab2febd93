"""The client as it is packed, and what it needs of the rest."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
SOURCES = {
    path.relative_to(TOP / "service").as_posix()
    for path in (TOP / "service/hakam/client").glob("*.*")
}
# Plays nothing, and tells what was loaded to do so.
PROGRAM = """
import sys
import hakam.client
hakam.client.Client("127.0.0.1:1").close()
print(hakam.client.__file__)
print(*sorted({name for name in sys.modules if name.startswith("hakam.")}))
"""


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the archive of sources."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    subprocess.run(command, cwd=TOP, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
    return folder


def test_wheel_and_archive_have_all_of_it(packed: Path) -> None:
    wanted = {*SOURCES, "hakam/py.typed"}
    assert "hakam/client/service_config.json" in wanted
    (wheel,) = packed.glob("*.whl")
    (archive,) = packed.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as opened:
        assert wanted <= set(opened.namelist())
    with tarfile.open(archive) as sources:
        top = archive.name.removesuffix(".tar.gz")
        assert {f"{top}/service/{name}" for name in wanted} <= set(sources.getnames())


def test_out_of_the_wheel_it_loads_the_contract_and_nothing_of_the_service(
    packed: Path, tmp_path: Path
) -> None:
    (wheel,) = packed.glob("*.whl")
    shown = subprocess.run(  # noqa: S603
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONPATH": str(wheel)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    place, modules = shown.stdout.splitlines()
    assert place.startswith(str(wheel))
    parts = {name.split(".")[1] for name in modules.split()}
    assert parts == {"client", "v1"}
