"""Makes everything that is generated from proto/, in one go.

That is the Python code in service/hakam/v1, the descriptor set with its comments, and the
reference page. `python -m tools.generate` writes them into the tree; with `--check` it compares
instead, names what differs and fails. One generator, grpcio-tools: others differ byte for byte.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from tools import reference

TOP: Final = Path(__file__).resolve().parent.parent
CODE: Final = Path("service/hakam/v1")
DESCRIPTORS: Final = Path("proto/hakam.binpb")
REFERENCE: Final = Path("docs/reference.md")

MARKER: Final = (
    '"""The wire types of `hakam.v1`, generated from proto/ by `make gen`; not to be edited."""\n'
)


def protoc(protos: list[Path], *outputs: str) -> None:
    """Run the one generator."""
    arguments = ["--proto_path=proto", *outputs, *(str(path.relative_to(TOP)) for path in protos)]
    # The plugins of mypy-protobuf are found by name, and stand beside the interpreter.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    command = [sys.executable, "-m", "grpc_tools.protoc", *arguments]
    if subprocess.run(command, cwd=TOP, env={**os.environ, "PATH": path}, check=False).returncode:
        sys.exit("the protos do not compile")


def generate(out: Path) -> None:
    """Make every generated file below `out`, which mirrors the tree."""
    for file in (CODE, DESCRIPTORS.parent, REFERENCE.parent):
        (out / file).mkdir(parents=True)
    protos = sorted((TOP / "proto/hakam/v1").glob("*.proto"))
    services = [path for path in protos if path.stem.endswith("_service")]
    code = out / "service"
    protoc(services, f"--grpc_python_out={code}", f"--mypy_grpc_out=quiet:{code}")
    protoc(protos, f"--python_out={code}", f"--mypy_out=quiet:{code}")
    descriptors = f"--descriptor_set_out={out / DESCRIPTORS}"
    protoc(protos, descriptors, "--include_imports", "--include_source_info")
    (out / CODE / "__init__.py").write_text(MARKER, "utf-8")
    contract = FileDescriptorSet.FromString((out / DESCRIPTORS).read_bytes())
    (out / REFERENCE).write_text(reference.render(contract), "utf-8")


def files(tree: Path) -> dict[Path, bytes]:
    """The generated files that a tree holds."""
    code = (path for path in (tree / CODE).glob("*") if path.is_file())
    single = (path for path in (tree / DESCRIPTORS, tree / REFERENCE) if path.exists())
    return {path.relative_to(tree): path.read_bytes() for path in (*code, *single)}


def differing(have: dict[Path, bytes], want: dict[Path, bytes]) -> list[Path]:
    """The files that are missing, left over or of other content, by path."""
    return sorted(path for path in have.keys() | want.keys() if have.get(path) != want.get(path))


def update(tree: Path, want: dict[Path, bytes], paths: list[Path]) -> None:
    """Bring the named files of a tree to what is wanted, removing those that are not."""
    for path in paths:
        if path in want:
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_bytes(want[path])
        else:
            (tree / path).unlink()


def main(arguments: list[str]) -> int:
    """Write the generated files, or with `--check` say which are out of date."""
    with tempfile.TemporaryDirectory() as out:
        generate(Path(out))
        want = files(Path(out))
    paths = differing(files(TOP), want)
    if "--check" not in arguments:
        update(TOP, want, paths)
        print(*(f"{path} {'written' if path in want else 'removed'}" for path in paths), sep="\n")
        return 0
    if paths:
        print(*(f"{path} differs from proto/" for path in paths), sep="\n")
        print("run `make gen`, and commit what it writes")
    return 1 if paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
