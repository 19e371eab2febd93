"""What `make lint` finds among the requirements and the secrets."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tools import audit, secret_scan

TOP = Path(__file__).resolve().parent.parent
HASH = f"    --hash=sha256:{'0' * 64}"
FLOOR = audit.Floor("grpcio", "1.66.2", "CVE-0", "it fails")
# In pieces, so that this file does not find itself.
PLANTED = {
    "AWS Access Key": "AKIA" + "IOSFODNN7EXAMPLE",
    "Hakam Token Or Key": "hakam_" + "A-" * 21 + "0",
    "Private Key": "-----BEGIN EC " + "PRIVATE KEY-----",
    "GitHub Token": "ghp_" + "a1B2" * 9,
    "Secret Keyword": "pass" + 'word = "a long and winding road"',
}


class TestPins:
    def test_those_of_the_repository_are_sound(self) -> None:
        known = audit.floors(TOP / "requirements/floors.toml")
        for path in (TOP / "requirements").glob("*.txt"):
            assert list(audit.faults(path.read_text("utf-8"), known)) == []

    def test_every_floor_is_of_something_that_is_pinned(self) -> None:
        pinned = "".join(path.read_text("utf-8") for path in (TOP / "requirements").glob("*.txt"))
        for package, floor in audit.floors(TOP / "requirements/floors.toml").items():
            assert f"\n{package}==" in f"\n{pinned}", package
            assert floor.advisory.startswith("CVE-")

    @pytest.mark.parametrize("version", ["1.66.1", "1.9.0", "1.66.2rc1"])
    def test_a_version_below_its_floor_is_found(self, version: str) -> None:
        (fault,) = audit.faults(f"grpcio=={version} \\\n{HASH}\n", {"grpcio": FLOOR})
        assert fault == f"grpcio {version}: below 1.66.2 (CVE-0: it fails)"

    @pytest.mark.parametrize("version", ["1.66.2", "1.100.0", "2.0"])
    def test_the_floor_itself_and_what_is_above_are_sound(self, version: str) -> None:
        assert not list(audit.faults(f"grpcio=={version} \\\n{HASH}\n", {"grpcio": FLOOR}))

    @pytest.mark.parametrize(
        "line",
        [
            "grpcio==2.0",
            "grpcio==2.0 \\\n    --hash=md5:00",
            f"grpcio==2.0 \\\n{HASH} \\\n    --hash=sha256:0",
            f"grpcio>=2.0 \\\n{HASH}",
            f"grpcio \\\n{HASH}",
            "--pre",
            "",
        ],
    )
    def test_what_is_not_pinned_by_version_and_hash_is_found(self, line: str) -> None:
        assert len(list(audit.faults(f"{line}\n", {}))) == 1


class TestSecrets:
    @pytest.mark.parametrize("kind", PLANTED)
    def test_a_planted_secret_is_found(self, tmp_path: Path, kind: str) -> None:
        (tmp_path / "settings.py").write_text(f"# one\nTWO = 2\n\n{PLANTED[kind]}\n")
        (finding,) = secret_scan.found(["settings.py"], tmp_path)
        assert finding[:2] == ("settings.py", kind)

    def test_what_the_commands_make_is_found(self, tmp_path: Path) -> None:
        for command in ("token", "keygen"):
            made = subprocess.run(  # noqa: S603
                [sys.executable, "-m", "hakam", command],
                cwd=TOP / "service",
                capture_output=True,
                text=True,
                check=True,
            )
            (tmp_path / "notes.md").write_text(f"it is `{made.stdout.splitlines()[0]}`, I think\n")
            (finding,) = secret_scan.found(["notes.md"], tmp_path)
            assert finding[1] == "Hakam Token Or Key"

    def test_where_it_stands_does_not_matter(self, tmp_path: Path) -> None:
        file = tmp_path / "a.txt"
        file.write_text(PLANTED["AWS Access Key"])
        before = secret_scan.found(["a.txt"], tmp_path)
        file.write_text("\n\n" + PLANTED["AWS Access Key"])
        assert secret_scan.found(["a.txt"], tmp_path) == before

    def test_in_tests_a_name_alone_is_none_and_a_key_is_one(self, tmp_path: Path) -> None:
        (tmp_path / "tests").mkdir()
        planted = "\n".join([PLANTED["Secret Keyword"], PLANTED["Private Key"]])
        (tmp_path / "tests/a.py").write_text(planted)
        (finding,) = secret_scan.found(["tests/a.py"], tmp_path)
        assert finding[1] == "Private Key"

    def test_hashes_seeds_and_plain_words_are_none(self, tmp_path: Path) -> None:
        (tmp_path / "a.py").write_text(f'SEED = "{"0f" * 32}"\ntoken = read(path)\n')
        assert secret_scan.found(["a.py"], tmp_path) == set()

    def test_the_baseline_says_what_is_none_and_holds_none(self) -> None:
        results = json.loads(secret_scan.BASELINE.read_text("utf-8"))["results"]
        assert all((TOP / name).is_file() for name in results)
        assert secret_scan.found(results) >= {
            (name, one["type"], one["hash"]) for name, ones in results.items() for one in ones
        }
