"""The recorded data of proto/testdata: what clients in any language are tested against.

    PYTHONPATH=tests/rpc python -m tests.wire.record [--check]

asks real servers and writes what they answer; with `--check` it compares instead, names what
differs and fails. A difference that nobody meant is a change of the contract.
"""

import json
import sys
import tempfile
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from calls import METHODS, request_type, response_type
from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message
from google.rpc import code_pb2, error_details_pb2, status_pb2

from tests.wire import games
from tests.wire.asked import OPEN, Asked, candidates
from tests.wire.beginnings import beginnings
from tests.wire.cases import cases
from tests.wire.features import shown
from tests.wire.services import Answer, asking
from tools.generate import differing, update

__all__ = ["FOLDER", "main", "recorded"]

TOP: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = Path("proto/testdata")

# A request and its answer, in the order in which they are written.
Exchange = dict[str, Any]


def recorded() -> dict[Path, bytes]:
    """Every file of the data, by its path in the tree."""
    files = {f"games/{plan.name}": games.text_of(plan) for plan in games.PLANS}
    with tempfile.TemporaryDirectory() as folder, asking(Path(folder)) as ask:
        found: dict[str, list[Exchange]] = {rpc: [] for rpc in METHODS}
        for asked, answer in _worth_recording(ask):
            found[asked.rpc].append(_exchange(asked, answer))
    files |= {f"wire/{rpc}": _text(exchanges) for rpc, exchanges in found.items()}
    return {FOLDER / f"{name}.json": text.encode("ascii") for name, text in files.items()}


def _worth_recording(ask: Any) -> Iterator[tuple[Asked, Answer]]:
    """The single cases, and the candidates that show of their rpc what none before them has."""
    seen: dict[str, set[str]] = {rpc: set() for rpc in METHODS}
    for asked in (*beginnings(), *cases(), *candidates()):
        answer = ask(asked)
        features = _features(asked, answer)
        if asked.single or features - seen[asked.rpc]:
            seen[asked.rpc] |= features
            yield asked, answer


def _features(asked: Asked, answer: Answer) -> set[str]:
    request = _request(asked)
    of_request = shown(request) if request is not None else set()
    if not answer.is_error:
        return of_request | shown(response_type(asked.rpc).FromString(answer.raw))
    status = status_pb2.Status.FromString(answer.raw)
    info = error_details_pb2.ErrorInfo()
    status.details[0].Unpack(info)
    return of_request | {f"error {info.reason}"}


def _request(asked: Asked) -> Message | None:
    """The request, or None where its bytes are no message."""
    try:
        return request_type(asked.rpc).FromString(asked.raw)
    except DecodeError:
        return None


def _exchange(asked: Asked, answer: Answer) -> Exchange:
    set_up = {} if asked.service == OPEN else {"service": asked.service}
    return {"name": asked.name, **set_up, "request": _asked(asked), **_answered(asked, answer)}


def _asked(asked: Asked) -> Exchange:
    binary = {"binary": _base64(asked.raw)}
    request = _request(asked)
    if request is None:
        return binary | {"malformed": True}
    if _has_unknown(request):
        return binary | {"unknown_fields": True}
    return binary | {"json": json_format.MessageToDict(request)}


def _has_unknown(message: Message) -> bool:
    size = message.ByteSize()
    message.DiscardUnknownFields()
    return message.ByteSize() != size


def _answered(asked: Asked, answer: Answer) -> Exchange:
    if not answer.is_error:
        message = response_type(asked.rpc).FromString(answer.raw)
        json_form = json_format.MessageToDict(message)
        return {"answer": {"binary": _base64(answer.raw), "json": json_form}}
    status = status_pb2.Status.FromString(answer.raw)
    info = error_details_pb2.ErrorInfo()
    status.details[0].Unpack(info)
    error = {
        "code": code_pb2.Code.Name(status.code),
        "reason": info.reason,
        "status": _base64(answer.raw),
        "json": json_format.MessageToDict(status),
    }
    return {"error": error}


def _base64(raw: bytes) -> str:
    return b64encode(raw).decode("ascii")


def _text(exchanges: list[Exchange]) -> str:
    """The exchanges, a request or an answer a line."""
    lines = (
        ",\n".join(
            f' "{key}": {json.dumps(value, separators=(",", ":"), sort_keys=True)}'
            for key, value in one.items()
        )
        for one in exchanges
    )
    return "[\n" + ",\n".join(f"{{\n{part}\n}}" for part in lines) + "\n]\n"


def main(arguments: list[str]) -> int:
    """Write the data, or with `--check` say which of them differ."""
    want = recorded()
    have = {p.relative_to(TOP): p.read_bytes() for p in (TOP / FOLDER).glob("*/*.json")}
    paths = differing(have, want)
    if "--check" in arguments:
        print(*(f"{path} differs from what the service answers" for path in paths), sep="\n")
        return 1 if paths else 0
    update(TOP, want, paths)
    print(*(f"{path} {'written' if path in want else 'removed'}" for path in paths), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
