from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from tools import generate


def contract() -> FileDescriptorSet:
    return FileDescriptorSet.FromString((generate.TOP / generate.DESCRIPTORS).read_bytes())


def test_missing_changed_and_left_over_files_differ() -> None:
    have = {Path("same"): b"1", Path("changed"): b"1", Path("left over"): b"1"}
    want = {Path("same"): b"1", Path("changed"): b"2", Path("missing"): b"1"}
    found = generate.differing(have, want)
    assert found == [Path("changed"), Path("left over"), Path("missing")]


def test_an_update_leaves_exactly_what_is_wanted(tmp_path: Path) -> None:
    for name in ("old_pb2.py", "rules_pb2.py"):
        file = tmp_path / generate.CODE / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"old")
    want = {generate.CODE / "rules_pb2.py": b"new", generate.REFERENCE: b"page"}
    generate.update(tmp_path, want, generate.differing(generate.files(tmp_path), want))
    assert generate.files(tmp_path) == want


def test_the_reference_page_names_everything_in_the_contract() -> None:
    page = (generate.TOP / generate.REFERENCE).read_text("utf-8")
    for file in (file for file in contract().file if file.package == "hakam.v1"):
        names = [f"## {service.name}" for service in file.service]
        names += [f"### {s.name}.{method.name}" for s in file.service for method in s.method]
        names += [f"### {message.name}" for message in file.message_type]
        names += [f"- `{f.name}` = {f.number}," for m in file.message_type for f in m.field]
        names += [f"- `{v.name}` = {v.number}:" for enum in file.enum_type for v in enum.value]
        assert [name for name in names if name not in page] == []


def test_the_descriptor_set_has_the_comments() -> None:
    for file in contract().file:
        assert any(place.leading_comments for place in file.source_code_info.location)
