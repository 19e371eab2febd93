"""The container, without a builder of images: what it copies is enough, and what it starts serves.

The wheel is built from nothing but the files that the Containerfile copies, installed as it says,
and its entry command, its health command and its end are tried with its environment.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

TOP = Path(__file__).resolve().parents[2]
CONTAINERFILE = (TOP / "deploy/container/Containerfile").read_text("utf-8")
IGNORED = (TOP / "deploy/container/Containerfile.dockerignore").read_text("utf-8").splitlines()
BUILD, LAST = CONTAINERFILE.split("\nFROM ")[1:]
PATIENCE = 60
UV_INSTALL = (sys.executable, "-m", "uv", "pip", "install", "--quiet")
HATCH_BUILD = (sys.executable, "-m", "hatchling", "build", "--target", "wheel")


def joined(stage: str) -> list[str]:
    """The instructions of a stage, a line each."""
    lines = [line for line in stage.splitlines() if not line.lstrip().startswith("#")]
    return re.sub(r" *\\\n *", " ", "\n".join(lines)).splitlines()


def copied() -> list[tuple[list[str], str]]:
    """From where in the repository, and to where, the build copies."""
    copies = [line.split()[1:] for line in joined(BUILD) if line.startswith("COPY ")]
    return [(words[:-1], words[-1]) for words in copies]


def environment() -> dict[str, str]:
    """What the image sets, but for the path."""
    (line,) = (line for line in joined(LAST) if line.startswith("ENV "))
    pairs = dict(pair.split("=", 1) for pair in line.split()[1:])
    assert pairs.pop("PATH") == "/opt/hakam/bin:$PATH"
    return pairs


def command(instruction: str) -> list[str]:
    (found,) = re.findall(rf"^{instruction}[^\[\n]*(\[.*\])$", LAST, re.MULTILINE)
    words: list[str] = json.loads(found)
    return words


class TestText:
    def test_the_base_is_one_argument_with_an_exact_tag(self) -> None:
        assert re.search(r"^ARG BASE=\S+:3\.\d+\.\d+-slim-\w+$", CONTAINERFILE, re.MULTILINE)
        assert re.findall(r"^FROM (\S+)", CONTAINERFILE, re.MULTILINE) == ["${BASE}"] * 2

    def test_every_package_is_installed_by_hash_but_our_own(self) -> None:
        (first, second) = [line for line in joined(BUILD) if line.startswith("RUN ")]
        installs = [part for part in first.split("&&") if " install " in part]
        assert len(installs) == 2
        assert all("--require-hashes --only-binary :all: -r" in part for part in installs)
        assert second.count(" install ") == second.count("install --no-deps dist/hakam-*.whl") == 1

    def test_the_last_stage_installs_nothing(self) -> None:
        instructions = {line.split()[0] for line in joined(LAST)[1:] if line}
        assert "RUN" not in instructions
        assert "COPY --from=build /opt/hakam /opt/hakam" in joined(LAST)

    def test_who_serves_is_nobody_by_number(self) -> None:
        assert "USER 65532:65532" in joined(LAST)

    def test_nothing_else_is_sent_to_the_builder(self) -> None:
        sent = {line[1:] for line in IGNORED if line.startswith("!")}
        wanted = {
            re.sub(r"[^/]*\.txt$", "*.txt", place) for places, _ in copied() for place in places
        }
        assert IGNORED[1] == "*"
        assert sent == wanted

    @pytest.mark.parametrize("requirements", ["run", "otel"])
    def test_each_set_of_requirements_is_there(self, requirements: str) -> None:
        assert (TOP / f"requirements/{requirements}.txt").is_file()


def run(*words: object, cwd: Path | None = None) -> None:
    subprocess.run([str(word) for word in words], cwd=cwd, check=True, stdout=subprocess.DEVNULL)  # noqa: S603


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from what the Containerfile copies and by the builder that is pinned."""
    context = tmp_path_factory.mktemp("context")
    for places, target in copied():
        for place in places:
            source = TOP / place.replace("${REQUIREMENTS}", "run")
            into = context / target
            if source.is_dir():
                shutil.copytree(source, into, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                into.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, into)
    run(*HATCH_BUILD, "--directory", "dist", cwd=context)
    (built,) = (context / "dist").glob("hakam-*.whl")
    return built


@pytest.fixture(
    scope="module",
    params=["as pinned for development", pytest.param("by hash", marks=pytest.mark.system)],
)
def installed(
    request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The programs of a clean environment with the wheel and what it needs.

    That is installed by hash where packages may be fetched; else it is what is installed here, in
    the same versions.
    """
    place = tmp_path_factory.mktemp("opt") / "hakam"
    venv.create(place, with_pip=False)
    python = place / "bin/python"
    install = [*UV_INSTALL, "--compile-bytecode", "--python", python]  # as pip does
    if request.param == "by hash":
        wanted = TOP / "requirements/run.txt"
        run(*install, "--require-hashes", "--only-binary", ":all:", "-r", wanted)
    else:
        (packages,) = place.glob("lib/*/site-packages")
        (packages / "here.pth").write_text(str(here()), "utf-8")
    run(*install, "--offline", "--no-deps", wheel)
    return place / "bin"


def here() -> Path:
    """Where this environment has its packages."""
    import grpc  # noqa: PLC0415 - of all of them, one

    return Path(grpc.__file__).parents[1]


def variables(installed: Path, tmp_path: Path) -> dict[str, str]:
    """Those of the image and of who runs it: free ports, a folder to write in, and nothing else."""
    ports = {"HAKAM_METRICS_PORT": "0", "HAKAM_PORT": "0"}
    return {**environment(), **ports, "PATH": f"{installed}:/usr/bin:/bin", "TMPDIR": str(tmp_path)}


@pytest.fixture(params=["1", "2"])
def serving(
    request: pytest.FixtureRequest, installed: Path, tmp_path: Path
) -> Iterator["subprocess.Popen[str]"]:
    """The entry command with one worker, and with several, in a folder that has nothing."""
    words = [*command("ENTRYPOINT"), *command("CMD")]
    given = {**variables(installed, tmp_path), "HAKAM_WORKERS": request.param}
    program = str(installed / words[0])
    with (
        subprocess.Popen(  # noqa: S603
            [program, *words[1:]], env=given, cwd=tmp_path, stderr=subprocess.PIPE, text=True
        ) as process
    ):
        yield process
        process.kill()


def lines_until(process: "subprocess.Popen[str]", event: str) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    for line in process.stderr or ():
        lines.append(json.loads(line))
        if lines[-1]["event"] == event:
            break
    return lines


class TestEntry:
    def test_it_serves_says_that_it_is_well_and_ends_when_told(
        self, serving: "subprocess.Popen[str]", installed: Path, tmp_path: Path
    ) -> None:
        said = {line["event"]: line for line in lines_until(serving, "metrics")}
        assert {"unprotected", "serving"} <= said.keys()
        address = said["serving"]["address"]
        assert address.startswith("0.0.0.0:")
        given = {**variables(installed, tmp_path), "HAKAM_PORT": address.rpartition(":")[2]}
        words = command("HEALTHCHECK")
        asked = subprocess.run(  # noqa: S603
            [str(installed / words[0]), *words[1:]], env=given, cwd=tmp_path, check=False
        )
        assert asked.returncode == 0
        serving.send_signal(signal.SIGTERM)
        assert serving.wait(PATIENCE) == 0
        assert list(tmp_path.iterdir()) == []

    def test_its_code_is_that_of_the_wheel(self, installed: Path, tmp_path: Path) -> None:
        where = "import hakam; print(hakam.__file__)"
        shown = subprocess.run(  # noqa: S603
            [str(installed / "python"), "-c", where],
            env=variables(installed, tmp_path),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        assert shown.stdout.startswith(f"{installed.parent}{os.sep}")
