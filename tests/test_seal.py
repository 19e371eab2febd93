"""Seals by themselves: what opens, what does not and why, and keys from their file to their end."""

import secrets
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import chain
from pathlib import Path
from random import Random

import pytest

from hakam.cli import main
from hakam.games.reasons import Reason
from hakam.seal import (
    KEY_BYTES,
    MAX_BYTES,
    VERSION,
    KeyRing,
    KeyRingError,
    Kind,
    SealError,
    read_keys,
)

OLD = bytes(range(64))
NEW = bytes(range(64, 128))
RING = KeyRing([OLD])
HEADER = b"game=tjau revision=1 ply=3"
CONTENT = bytes(range(256)) + b"the hands"
FIXED = 8  # version, kind, key id, header length
GOLDEN = "c995a9c21c4e7535318941376203a73bbf35fbe18223c7c2204e6f7f7b3e8eff"
KIND_AT, KEY_AT, LENGTH_AT = 1, slice(2, 6), slice(6, 8)


def sealed(header: bytes = HEADER, content: bytes = CONTENT, kind: Kind = Kind.STATE) -> bytes:
    return RING.seal(kind, header, content)


def reason(seal: bytes, ring: KeyRing = RING, kind: Kind = Kind.STATE) -> Reason:
    """Why the seal does not open."""
    with pytest.raises(SealError) as refused:
        ring.open(kind, seal)
    return refused.value.reason


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("length", [0, 1, 251, 252, 253, 4000])
def test_what_was_sealed_comes_out(kind: Kind, length: int) -> None:
    content = Random(length).randbytes(length)
    assert RING.open(kind, RING.seal(kind, HEADER, content)) == (HEADER, content)


def test_the_same_is_sealed_to_the_same_bytes_in_every_process() -> None:
    assert sealed() == KeyRing([OLD]).seal(Kind.STATE, HEADER, CONTENT)
    # Replicas of different releases stand side by side: layout, padding and derived keys are fixed.
    seal = sealed(b"h", b"c")
    assert seal[:9].hex() == "0101847d5492000168"
    assert sha256(seal).hexdigest() == GOLDEN


def test_neither_content_nor_key_is_seen_in_a_seal() -> None:
    seal = sealed(content=b"A" * 500)
    assert b"AAAA" not in seal
    assert all(OLD[i : i + 4] not in seal for i in range(KEY_BYTES - 4))
    other = sealed(content=b"B" + b"A" * 499)
    body = FIXED + len(HEADER)
    same = sum(a == b for a, b in zip(seal[body:], other[body:], strict=True))
    assert same < len(seal) // 16


def test_lengths_are_padded_to_steps_that_hide_small_differences() -> None:
    lengths = {len(sealed(content=bytes(n))) for n in range(253)}
    assert len(lengths) == 1
    assert len(sealed(content=bytes(253))) == lengths.pop() + 256


def test_every_flipped_bit_of_a_seal_is_refused() -> None:
    seal = sealed()
    seen: dict[Reason, set[int]] = {}
    for at in range(len(seal)):
        for bit in range(8):
            bent = bytearray(seal)
            bent[at] ^= 1 << bit
            seen.setdefault(reason(bytes(bent)), set()).add(at)
    assert seen.pop(Reason.SEAL_VERSION_UNSUPPORTED) == {0}
    assert seen.pop(Reason.SEAL_KEY_UNKNOWN) == {2, 3, 4, 5}
    # The kind, and the length of a header that would be longer than the seal.
    assert seen.pop(Reason.SEAL_MALFORMED) == {1, 6}
    assert seen.pop(Reason.SEAL_REFUSED) >= {7, *range(FIXED, len(seal))}
    assert not seen


def test_a_seal_cut_short_at_any_length_is_refused() -> None:
    seal = sealed()
    assert {reason(seal[:n]) for n in range(FIXED)} == {Reason.SEAL_MALFORMED}
    reasons = {reason(seal[:n]) for n in range(FIXED, len(seal))}
    assert reasons == {Reason.SEAL_MALFORMED, Reason.SEAL_REFUSED}


def test_a_seal_with_more_behind_it_is_refused() -> None:
    assert {reason(sealed() + bytes(n)) for n in range(1, 300)} == {Reason.SEAL_REFUSED}
    assert reason(sealed() + bytes(MAX_BYTES)) is Reason.SEAL_MALFORMED


HEADERS = {
    "rules": b"game=tjau revision=2 ply=3",
    "ply": b"game=tjau revision=1 ply=4",
    "shorter": b"game=tjau",
    "empty": b"",
}


@pytest.mark.parametrize("field", HEADERS)
def test_a_header_of_one_seal_put_on_another_is_refused(field: str) -> None:
    mine, other = sealed(), sealed(HEADERS[field])
    body = mine[FIXED + len(HEADER) :]
    assert reason(other[: FIXED + len(HEADERS[field])] + body) is Reason.SEAL_REFUSED


def test_the_border_between_header_and_content_does_not_move() -> None:
    seal = bytearray(sealed())
    for length in range(len(HEADER)):
        seal[LENGTH_AT] = length.to_bytes(2, "big")
        assert reason(bytes(seal)) is Reason.SEAL_REFUSED


def test_another_version_is_named() -> None:
    for version in set(range(256)) - {VERSION}:
        seal = bytes([version]) + sealed()[1:]
        assert reason(seal) is Reason.SEAL_VERSION_UNSUPPORTED


def test_a_seal_of_one_kind_is_none_of_the_other() -> None:
    for kind, other in ((Kind.STATE, Kind.PREPARED_SEED), (Kind.PREPARED_SEED, Kind.STATE)):
        seal = bytearray(sealed(kind=kind))
        assert reason(bytes(seal), kind=other) is Reason.SEAL_MALFORMED
        seal[KIND_AT] = other
        assert reason(bytes(seal), kind=other) is Reason.SEAL_REFUSED


def test_the_key_id_of_one_key_on_a_seal_of_another_is_refused() -> None:
    ring = KeyRing([OLD, NEW])
    seal = bytearray(sealed())
    seal[KEY_AT] = KeyRing([NEW]).seal(Kind.STATE, b"", b"")[KEY_AT]
    assert reason(bytes(seal), ring) is Reason.SEAL_REFUSED
    assert reason(bytes(seal)) is Reason.SEAL_KEY_UNKNOWN


def test_without_keys_nothing_opens() -> None:
    assert not KeyRing()
    assert reason(sealed(), KeyRing()) is Reason.SEAL_KEY_UNKNOWN


def test_random_bytes_never_open_and_never_crash() -> None:
    rng = Random(4)
    start = sealed()[: FIXED + len(HEADER)]
    for _ in range(3000):
        junk = rng.randbytes(rng.randrange(600))
        assert reason(junk)
        assert reason(start + junk)


def overlapping(*rings: tuple[bytes, ...]) -> Iterator[tuple[KeyRing, KeyRing]]:
    """Every pair of replicas that stand side by side: one seals, the other opens."""
    made = [KeyRing(keys) for keys in rings]
    return ((one, other) for one in made for other in made)


def test_keys_are_changed_in_two_roll_outs_without_a_seal_that_does_not_open() -> None:
    begun = sealed()
    first = overlapping((OLD,), (OLD, NEW))  # the new key last, everywhere
    second = overlapping((OLD, NEW), (NEW, OLD))  # then in front
    for one, other in chain(first, second):
        assert other.open(Kind.STATE, one.seal(Kind.STATE, HEADER, CONTENT)) == (HEADER, CONTENT)
        assert other.open(Kind.STATE, begun) == (HEADER, CONTENT)
    # Done: what is sealed again is under the new key, and once the old one is dropped only that.
    renewed = KeyRing([NEW, OLD]).seal(Kind.STATE, HEADER, CONTENT)
    assert KeyRing([NEW]).open(Kind.STATE, renewed) == (HEADER, CONTENT)
    assert reason(begun, KeyRing([NEW])) is Reason.SEAL_KEY_UNKNOWN


def test_a_new_key_put_in_front_at_once_would_break_games() -> None:
    ahead, behind = KeyRing([NEW, OLD]), KeyRing([OLD])
    assert reason(ahead.seal(Kind.STATE, HEADER, CONTENT), behind) is Reason.SEAL_KEY_UNKNOWN


def test_keys_are_read_between_spaces_commas_lines_and_comments() -> None:
    text = f"# the old one\n{OLD.hex()}\n  # the new one\n\t{NEW.hex().upper()},\n"
    assert read_keys(text) == (OLD, NEW)
    assert read_keys(f"{OLD.hex()},{NEW.hex()}") == (OLD, NEW)
    assert read_keys("") == read_keys("# none yet\n") == ()


BAD_KEYS = {
    "short": (OLD.hex()[:-2], "key 1 must have 64 bytes, and has 63"),
    "long": (OLD.hex() + "00", "key 1 must have 64 bytes, and has 65"),
    "twice": (f"{OLD.hex()}\n{NEW.hex()}\n{OLD.hex().upper()}", "key 3 is there twice"),
    "odd": (OLD.hex()[:-1], "key 1 is not hex digits"),
    "no hex": (f"{OLD.hex()} {OLD.hex()[:-1]}g", "key 2 is not hex digits"),
    "comment behind a key": (f"{OLD.hex()} # mine", "key 2 is not hex digits"),
}


@pytest.mark.parametrize("what", BAD_KEYS)
def test_keys_that_cannot_be_are_named_and_not_shown(what: str) -> None:
    text, message = BAD_KEYS[what]
    with pytest.raises(KeyRingError) as refused:
        read_keys(text)
    assert str(refused.value) == message
    assert refused.value.__cause__ is None


def from_file(text: str, path: Path, _patch: pytest.MonkeyPatch) -> list[str]:
    file = path / "keys"
    file.write_text(text, "utf-8")
    return ["serve", "--port=0", "--metrics-port=0", f"--keys-file={file}"]


def from_variable(text: str, _path: Path, patch: pytest.MonkeyPatch) -> list[str]:
    patch.setenv("HAKAM_KEYS", text)
    return ["serve", "--port=0", "--metrics-port=0"]


Source = Callable[[str, Path, pytest.MonkeyPatch], list[str]]


@pytest.mark.parametrize("source", [from_file, from_variable])
@pytest.mark.parametrize("what", [*BAD_KEYS, "no ASCII"])
def test_a_start_with_keys_that_cannot_be_ends_with_2_and_shows_no_key(
    source: Source,
    what: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text, message = BAD_KEYS.get(what, (f"{OLD.hex()}é", "not ASCII text|key 1 is not hex"))
    assert main(source(text, tmp_path, monkeypatch)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("hakam serve: ")
    assert err.count("\n") == 1
    assert any(part in err for part in message.split("|"))
    assert "keys: " in err.lower()
    shown = [word for word in text.replace(",", " ").split() if len(word) > 40]
    assert not any(word[i : i + 12] in err for word in shown for i in range(len(word) - 12))


def test_a_start_without_the_file_or_with_keys_from_two_places_ends_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", f"--keys-file={tmp_path / 'none'}"]) == 2
    assert "none: No such file" in capsys.readouterr().err
    assert main(["serve", f"--keys-file={tmp_path}"]) == 2
    assert "directory" in capsys.readouterr().err
    monkeypatch.setenv("HAKAM_KEYS", OLD.hex())
    assert main(from_file(NEW.hex(), tmp_path, monkeypatch)) == 2
    err = capsys.readouterr().err
    assert "not from both" in err
    assert OLD.hex() not in err


def test_what_keygen_prints_is_a_key_and_never_the_same(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keys: list[bytes] = []
    for _ in range(3):
        assert main(["keygen"]) == 0
        keys += read_keys(capsys.readouterr().out)
    assert len(set(keys)) == 3
    assert {len(key) for key in keys} == {KEY_BYTES}
    assert len(KeyRing(keys).seal(Kind.STATE, b"", b"")) > FIXED
    monkeypatch.setattr(secrets, "token_hex", lambda n: "ab" * n)
    assert main(["keygen"]) == 0
    assert capsys.readouterr().out == "ab" * KEY_BYTES + "\n"
