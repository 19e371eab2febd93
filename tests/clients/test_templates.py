"""The templates for languages whose generators are not at hand: what buf would tell them.

In the place of each plugin stands a program that writes down what it is asked for. It shows that a
template is well-formed and reaches its plugins, and nothing about the code that they make.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from tests.clients.runner import TOP

FOLDER = TOP / "clients/templates"
BUF = Path(sys.executable).with_name("buf")
PLUGINS = {
    "csharp": {"protoc-gen-csharp": "file_extension=.g.cs", "grpc_csharp_plugin": "no_server"},
    "dart": {"protoc-gen-dart": "grpc"},
    "swift": {
        "protoc-gen-swift": "Visibility=Public,FileNaming=PathToUnderscores",
        "protoc-gen-grpc-swift-2": "Visibility=Public,FileNaming=PathToUnderscores,Server=false",
    },
}
# Writes the request down beside itself, and answers with nothing but that optional is understood.
PLUGIN = f"""#!{sys.executable}
import sys
open(sys.argv[0] + ".asked", "wb").write(sys.stdin.buffer.read())
sys.stdout.buffer.write(b"\\x10\\x01")
"""


def test_there_is_a_template_for_each() -> None:
    assert {path.suffixes[1][1:] for path in FOLDER.glob("buf.gen.*.yaml")} == set(PLUGINS)


@pytest.mark.parametrize("language", PLUGINS)
def test_a_template_asks_its_plugins_for_the_contract(language: str, tmp_path: Path) -> None:
    for plugin in PLUGINS[language]:
        (tmp_path / plugin).write_text(PLUGIN)
        (tmp_path / plugin).chmod(0o755)
    template = FOLDER / f"buf.gen.{language}.yaml"
    command = [str(BUF), "generate", "--template", str(template), "--output", str(tmp_path / "out")]
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    subprocess.run(command, cwd=TOP, env={**os.environ, "PATH": path}, check=True)  # noqa: S603
    for plugin, options in PLUGINS[language].items():
        asked = CodeGeneratorRequest.FromString((tmp_path / f"{plugin}.asked").read_bytes())
        assert asked.parameter == options
        protos = {str(p.relative_to(TOP / "proto")) for p in TOP.glob("proto/hakam/v1/*.proto")}
        assert set(asked.file_to_generate) == protos
        assert {file.options.csharp_namespace for file in asked.proto_file} == {"Hakam.V1"}
