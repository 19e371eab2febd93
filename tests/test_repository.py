"""What must hold of the tree as a whole, whoever changes it."""

import ast
import importlib
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import hakam

TOP = Path(__file__).resolve().parent.parent
SERVICE = TOP / "service"
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]

NOT_OURS = {"build", "dist", "node_modules", "__pycache__"}
FILES_AT_THE_TOP = {
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "pyproject.toml",
}
FOLDERS_AT_THE_TOP = {"bench", "clients", "deploy", "docs", "proto", "service", "tests"}


def tracked() -> list[Path]:
    """The files of the repository, by git if there is one, else all that are not build output."""
    command = ["git", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)  # noqa: S603
    if listed.returncode == 0:
        return [TOP / name for name in listed.stdout.split("\0") if name and (TOP / name).is_file()]
    return [path for path in TOP.rglob("*") if path.is_file() and is_ours(path.relative_to(TOP))]


def is_ours(path: Path) -> bool:
    caches = (part for part in path.parts[:-1] if part.startswith(".") and part != ".ci")
    return not any(caches) and NOT_OURS.isdisjoint(path.parts)


def texts() -> Iterator[tuple[Path, str]]:
    """The tracked files that are text, with their content."""
    for path in tracked():
        try:
            yield path.relative_to(TOP), path.read_text("utf-8")
        except UnicodeDecodeError:
            continue


class TestLayout:
    def test_the_top_level_is_as_designed(self) -> None:
        have = {path.name for path in TOP.iterdir()}
        assert have >= FILES_AT_THE_TOP | FOLDERS_AT_THE_TOP | {".ci"}

    def test_the_licence_is_apache_2(self) -> None:
        licence = (TOP / "LICENSE").read_text("utf-8")
        assert "Apache License" in licence
        assert "Version 2.0, January 2004" in licence
        assert PROJECT["license"] == "Apache-2.0"

    def test_the_version_is_one_number(self) -> None:
        changelog = (TOP / "CHANGELOG.md").read_text("utf-8")
        newest = re.search(r"^## \[?(\d+\.\d+\.\d+)", changelog, re.MULTILINE)
        assert newest is not None
        assert newest[1] == PROJECT["version"] == hakam.__version__


# A link of Markdown, `[text](target)`, with no address of another site.
LINK = re.compile(r"\[[^\]]*\]\((?!\w+:)([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def anchors(page: str) -> set[str]:
    """The anchors of a page's headings, as renderers derive them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", page), re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    }


def broken_links(file: Path, page: str) -> list[str]:
    """The links of a page that lead to no file or to no heading."""
    return [target for target in LINK.findall(FENCE.sub("", page)) if not resolves(file, target)]


def resolves(file: Path, target: str) -> bool:
    path, _, anchor = target.partition("#")
    place = (file.parent / path) if path else file
    if not place.exists():
        return False
    return not anchor or anchor in anchors(place.read_text("utf-8"))


class TestLinks:
    def test_every_link_of_every_page_leads_somewhere(self) -> None:
        pages = [path for path in tracked() if path.suffix == ".md"]
        broken = {path.name: broken_links(path, path.read_text("utf-8")) for path in pages}
        assert {name: links for name, links in broken.items() if links} == {}

    def test_a_link_to_nowhere_is_seen(self, tmp_path: Path) -> None:
        page = tmp_path / "page.md"
        page.write_text("# One two\n[a](#one-two) [b](#three) [c](none.md) [d](page.md#one-two)\n")
        assert broken_links(page, page.read_text("utf-8")) == ["#three", "none.md"]


# Fields in which package managers record the host that they were run against.
HOSTS = re.compile(
    r'"resolved": *"https?:|--(?:extra-)?index-url|--find[-]links|^(?:extra-)?index-url'
    r'|"?registry"? *[:=] *"?https?:|distribution[U]rl|wrapper[U]rl',
    re.MULTILINE,
)
LOCKS_WITH_HOSTS = {
    "uv.lock",
    "pylock.toml",
    "poetry.lock",
    "yarn.lock",
    "maven-wrapper.properties",
}
# In pieces, so that this file does not find itself.
ADDRESS, FLAG = "https://example.org", "--"
# Parents that say nothing about whose machine it is.
COMMON_PARENTS = {Path(p) for p in ("/", "/home", "/opt", "/srv", "/tmp", "/usr/src", "/var/tmp")}  # noqa: S108


def private_paths() -> list[str]:
    """The paths of this one machine, which no file may name."""
    places = {TOP, TOP.parent, Path.home()} - COMMON_PARENTS
    return [f"{place}/" for place in places]


class TestHygiene:
    def test_requirement_files_name_versions_and_hashes_only(self) -> None:
        line = re.compile(r"[\w.-]+==[\w.]+( ; [^\\]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?")
        for path in (TOP / "requirements").glob("*.txt"):
            wrong = [
                text for text in path.read_text("utf-8").splitlines() if not line.fullmatch(text)
            ]
            assert wrong == [], path.name

    def test_no_file_records_the_host_of_a_registry(self) -> None:
        assert [path for path, text in texts() if HOSTS.search(text)] == []
        assert [path for path in tracked() if path.name in LOCKS_WITH_HOSTS] == []

    def test_no_file_names_a_place_outside_the_repository(self) -> None:
        outside = [*private_paths(), "../" + "shared", "../" + "seeds"]
        assert [path for path, text in texts() if any(place in text for place in outside)] == []

    @pytest.mark.parametrize(
        "line",
        [
            f'"resolved": "{ADDRESS}/a.tgz"',
            f"{FLAG}extra-index-url {ADDRESS}",
            f"{FLAG}find-links /wheels",
            f"index-url = {ADDRESS}",
            f"registry={ADDRESS}",
        ],
    )
    def test_a_recorded_host_is_seen(self, line: str) -> None:
        assert HOSTS.search(line)


def pins(name: str) -> dict[str, str]:
    """The versions of a requirement file by package."""
    found = re.findall(
        r"^([\w.-]+)==([\w.]+)", (TOP / f"requirements/{name}.txt").read_text("utf-8"), re.MULTILINE
    )
    return {canonicalize_name(package): version for package, version in found}


class TestLocks:
    @pytest.mark.parametrize("part", ["run", "build", "otel"])
    def test_the_development_set_has_the_same_versions(self, part: str) -> None:
        assert pins(part).items() <= pins("dev").items()

    def test_what_the_package_declares_is_what_is_locked(self) -> None:
        locked = pins("run")
        for requirement in map(Requirement, PROJECT["dependencies"]):
            assert requirement.specifier.contains(locked[canonicalize_name(requirement.name)])

    def test_what_builds_the_package_is_what_is_locked(self) -> None:
        system = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["build-system"]
        for requirement in map(Requirement, system["requires"]):
            assert requirement.specifier.contains(pins("build")[requirement.name])

    def test_the_floors_follow_the_generator(self) -> None:
        generator = pins("dev")["grpcio-tools"]
        floor = next(r for r in map(Requirement, PROJECT["dependencies"]) if r.name == "grpcio")
        assert f">={generator}" in str(floor.specifier).split(",")


def modules() -> list[str]:
    """The modules written by hand, by their import names."""
    files = [path.relative_to(SERVICE) for path in (SERVICE / "hakam").rglob("*.py")]
    by_hand = [path for path in files if path.parts[1] != "v1" and path.stem != "__main__"]
    return sorted(
        ".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in by_hand
    )


def public_definitions(module: ModuleType) -> set[str]:
    """The classes, functions and constants that a module defines without an underscore."""
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    names = {name for node in tree.body for name in defined(node)}
    return {
        name for name in names if not name.startswith("_") and not is_type_variable(module, name)
    }


def defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return []


def is_type_variable(module: ModuleType, name: str) -> bool:
    return type(getattr(module, name)).__name__ in {"TypeVar", "ParamSpec"}


class TestPublicNames:
    @pytest.mark.parametrize("name", modules())
    def test_all_is_complete_and_true(self, name: str) -> None:
        module = importlib.import_module(name)
        public = list(getattr(module, "__all__", ()))
        assert len(public) == len(set(public))
        assert [word for word in public if not hasattr(module, word)] == []
        assert sorted(public_definitions(module) - set(public)) == []

    def test_the_package_is_typed(self) -> None:
        assert (SERVICE / "hakam/py.typed").exists()


# All that rules may need of the standard library: types and arithmetic, nothing of the world.
PURE = {"bisect", "collections", "dataclasses", "enum", "functools", "itertools", "math"}
PURE |= {"operator", "re", "types", "typing"}


def imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [str(node.module)]
    return []


class TestPurity:
    def test_the_rules_import_nothing_of_the_world(self) -> None:
        for path in sorted((SERVICE / "hakam/games").rglob("*.py")):
            tree = ast.parse(path.read_text("utf-8"))
            names = {name for node in ast.walk(tree) for name in imported(node)}
            outside = {name for name in names if not f"{name}.".startswith("hakam.games.")}
            assert {name.split(".")[0] for name in outside} <= PURE, path
