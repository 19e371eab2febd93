"""Renders a descriptor set with comments as one Markdown page: the reference of the contract.

The page is a function of the descriptor set and of nothing else: services first, then the files by
name, each in the order of its declarations. Types link to their sections; a section's anchor is the
name within the package, in small letters and without dots, as renderers derive it.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    ServiceDescriptorProto,
)

PACKAGE: Final = "hakam.v1"

HEAD: Final = f"""\
# Reference of `{PACKAGE}`

Generated from the comments in `proto/` by `make gen`; change it there. What a field may hold is
said in its comment, and every bound is enforced. An `optional` field tells absent from zero.
"""

# The numbers of descriptor.proto: where a comment's path leads from each kind of element.
MESSAGE, ENUM, SERVICE = 4, 5, 6
NESTED, NESTED_ENUM, FIELD, ONEOF, VALUE, METHOD = 3, 4, 2, 8, 2, 2

Path = tuple[int, ...]
Comments = dict[Path, str]


def render(descriptors: FileDescriptorSet) -> str:
    """The page, ending in a newline."""
    ours = [file for file in descriptors.file if file.package == PACKAGE]
    files = sorted(ours, key=lambda file: (not file.service, file.name))
    services = [block for file in files for block in _services(file)]
    sections = [block for file in files for block in _file(file)]
    return "\n".join([HEAD, *_contents(files), *services, *sections])


def _comments(file: FileDescriptorProto) -> Comments:
    return {
        tuple(location.path): location.leading_comments or location.trailing_comments
        for location in file.source_code_info.location
        if location.leading_comments or location.trailing_comments
    }


def _contents(files: Iterable[FileDescriptorProto]) -> Iterator[str]:
    for file in files:
        names = [service.name for service in file.service]
        names += [name for message in file.message_type for name in _names(message)]
        names += [enum.name for enum in file.enum_type]
        yield f"- `{file.name}`: " + ", ".join(f"[{name}](#{_anchor(name)})" for name in names)
    yield ""


def _names(message: DescriptorProto, within: str = "") -> Iterator[str]:
    name = within + message.name
    yield name
    for nested in message.nested_type:
        yield from _names(nested, f"{name}.")
    for enum in message.enum_type:
        yield f"{name}.{enum.name}"


def _services(file: FileDescriptorProto) -> Iterator[str]:
    comments = _comments(file)
    for number, service in enumerate(file.service):
        yield from _service(service, comments, (SERVICE, number))


def _service(service: ServiceDescriptorProto, comments: Comments, at: Path) -> Iterator[str]:
    yield f"## {service.name}\n"
    yield _prose(comments.get(at, ""))
    for number, method in enumerate(service.method):
        yield f"### {service.name}.{method.name}\n"
        yield f"{_link(method.input_type)} → {_link(method.output_type)}\n"
        yield _prose(comments.get((*at, METHOD, number), ""))


def _file(file: FileDescriptorProto) -> Iterator[str]:
    comments = _comments(file)
    if file.message_type or file.enum_type:
        yield f"## {file.name.rsplit('/', 1)[-1]}\n"
    for number, message in enumerate(file.message_type):
        yield from _message(message, message.name, comments, (MESSAGE, number))
    for number, enum in enumerate(file.enum_type):
        yield from _enum(enum, enum.name, comments, (ENUM, number))


def _message(message: DescriptorProto, name: str, comments: Comments, at: Path) -> Iterator[str]:
    yield f"### {name}\n"
    yield _prose(comments.get(at, ""))
    yield from _fields(message, comments, at)
    for number, nested in enumerate(message.nested_type):
        yield from _message(nested, f"{name}.{nested.name}", comments, (*at, NESTED, number))
    for number, enum in enumerate(message.enum_type):
        yield from _enum(enum, f"{name}.{enum.name}", comments, (*at, NESTED_ENUM, number))


def _fields(message: DescriptorProto, comments: Comments, at: Path) -> Iterator[str]:
    oneof = None
    for number, field in enumerate(message.field):
        real = field.HasField("oneof_index") and not field.proto3_optional
        group = field.oneof_index if real else None
        if group is not None and group != oneof:
            text = _prose(comments.get((*at, ONEOF, group), ""), "  ")
            yield f"- one of `{message.oneof_decl[group].name}`: {text}".rstrip()
        oneof = group
        indent = "" if group is None else "  "
        text = _prose(comments.get((*at, FIELD, number), ""), f"{indent}  ")
        head = f"{indent}- `{field.name}` = {field.number}, {_label(field)}{_type(field)}: "
        yield (head + text).rstrip()
    if message.field:
        yield ""


def _enum(enum: EnumDescriptorProto, name: str, comments: Comments, at: Path) -> Iterator[str]:
    yield f"### {name}\n"
    yield _prose(comments.get(at, ""))
    for number, value in enumerate(enum.value):
        text = _prose(comments.get((*at, VALUE, number), ""), "  ")
        yield f"- `{value.name}` = {value.number}: {text}".rstrip()
    yield ""


def _label(field: FieldDescriptorProto) -> str:
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return "repeated "
    return "optional " if field.proto3_optional else ""


def _type(field: FieldDescriptorProto) -> str:
    if field.type_name:
        return _link(field.type_name)
    return FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()


def _link(type_name: str) -> str:
    if not type_name.startswith(f".{PACKAGE}."):
        return f"`{type_name.removeprefix('.')}`"
    name = type_name.removeprefix(f".{PACKAGE}.")
    return f"[{name}](#{_anchor(name)})"


def _anchor(name: str) -> str:
    return name.replace(".", "").lower()


def _prose(comment: str, indent: str = "") -> str:
    """A comment as Markdown: its lines as they are, below a list item indented by `indent`."""
    lines = [line.removeprefix(" ").rstrip() for line in comment.rstrip().splitlines()]
    text = "\n".join(indent + line if line else "" for line in lines).strip()
    return text.replace("<", "&lt;") + ("" if indent else "\n")
