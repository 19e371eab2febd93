"""The one error table: every reason, its gRPC code, and how an error travels.

Laws:
- A handler refuses by raising `Refusal`; nothing else that it raises reaches a caller.
- Every error carries ErrorInfo; details stay under 4 KiB, because a client loses an error whose
  trailers grow past 8.
- No text of an exception, no card, no seed and no state is ever part of an error.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

import grpc
from google.protobuf import any_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from hakam.games.game import Catalogue, Fault, Violation
from hakam.games.reasons import Reason
from hakam.rpc.codecs.common import write_fault, write_violation
from hakam.texts import Language, sentence, violation_text
from hakam.v1 import card_pb2, error_pb2

__all__ = ["MAX_FAULTS", "Refusal", "code_of", "invalid", "to_call_error", "to_status"]

M = TypeVar("M", bound=Message)

MAX_FAULTS: Final = 32
# What the field violations of one error may take, in bytes; the rest of it is small.
_FAULT_BYTES: Final = 3_000

_BY_CODE: Final[dict[grpc.StatusCode, tuple[Reason, ...]]] = {
    grpc.StatusCode.INVALID_ARGUMENT: (
        Reason.REQUEST_MALFORMED,
        Reason.FIELD_UNKNOWN,
        Reason.FIELD_MISSING,
        Reason.FIELD_NOT_ALLOWED,
        Reason.VALUE_OUT_OF_RANGE,
        Reason.VALUE_UNKNOWN,
        Reason.LENGTH_OUT_OF_RANGE,
        Reason.NOTATION_INVALID,
        Reason.RULES_INVALID,
        Reason.REVISION_UNSUPPORTED,
        Reason.CHANCE_VERSION_UNSUPPORTED,
        Reason.GAME_MISMATCH,
        Reason.STATE_INVALID,
        Reason.DUPLICATE,
        Reason.CARD_MISSING,
        Reason.COUNT_WRONG,
        Reason.PHASE_INCONSISTENT,
        Reason.SEAL_MALFORMED,
        Reason.SEAL_VERSION_UNSUPPORTED,
        Reason.SEAL_KEY_UNKNOWN,
        Reason.SEAL_REFUSED,
    ),
    grpc.StatusCode.UNAUTHENTICATED: (Reason.CREDENTIAL_MISSING, Reason.ADMISSION_REFUSED),
    grpc.StatusCode.PERMISSION_DENIED: (Reason.CREDENTIAL_WRONG, Reason.PLAIN_STATE_REFUSED),
    grpc.StatusCode.RESOURCE_EXHAUSTED: (
        Reason.REQUEST_TOO_LARGE,
        Reason.ANSWER_TOO_LARGE,
        Reason.TOO_MANY_ITEMS,
        Reason.RECORD_TOO_LONG,
    ),
    grpc.StatusCode.UNAVAILABLE: (Reason.OVERLOADED, Reason.DRAINING),
    grpc.StatusCode.DEADLINE_EXCEEDED: (Reason.DEADLINE_EXCEEDED,),
    grpc.StatusCode.UNIMPLEMENTED: (Reason.NOT_BUILT,),
    grpc.StatusCode.INTERNAL: (Reason.INTERNAL,),
}
_CODES: Final = {reason: code for code, reasons in _BY_CODE.items() for reason in reasons}


def code_of(reason: Reason) -> grpc.StatusCode:
    """The gRPC code of a reason: FAILED_PRECONDITION for every rule of a game."""
    return _CODES.get(reason, grpc.StatusCode.FAILED_PRECONDITION)


class Refusal(Exception):  # noqa: N818 - a refusal is an answer, not a mistake of ours
    """An answer that is an error: a reason, and what it is about.

    `faults` name fields; `violation` names a clause, and then `catalogue` is its game; `metadata`
    holds ids and numbers.
    """

    def __init__(
        self,
        reason: Reason,
        *,
        faults: Sequence[Fault] = (),
        violation: Violation | None = None,
        catalogue: Catalogue[Any] | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason: Final = reason
        self.faults: Final = tuple(faults)
        self.violation: Final = violation
        self.catalogue: Final = catalogue
        self.metadata: Final = dict(metadata or {})

    def text(self, language: Language) -> str:
        """The sentence for people."""
        if self.violation is not None and self.catalogue is not None:
            return violation_text(self.catalogue, self.violation, language)
        return sentence(self.reason, language)


def invalid(faults: Sequence[Fault]) -> Refusal:
    """The refusal of a request whose fields are at fault."""
    return Refusal(faults[0].reason, faults=faults)


def to_status(refusal: Refusal, language: Language) -> grpc.Status:
    """The refusal as the status of a call, with its details packed."""
    code: int = code_of(refusal.reason).value[0]
    text = refusal.text(language)
    status = status_pb2.Status(code=code, message=refusal.text(Language.EN))
    _pack(status, _error_info(refusal))
    if refusal.faults:
        _pack(status, _bad_request(refusal.faults))
    locale = "ar" if language is Language.AR else "en"
    _pack(status, error_details_pb2.LocalizedMessage(locale=locale, message=text))
    return rpc_status.to_status(status)


def _pack(status: status_pb2.Status, detail: Any) -> None:
    packed = any_pb2.Any()
    packed.Pack(detail, deterministic=True)  # else the order of metadata is the process's own
    status.details.append(packed)


def _error_info(refusal: Refusal) -> error_details_pb2.ErrorInfo:
    metadata = dict(refusal.metadata)
    if refusal.faults:
        metadata["faults"] = str(len(refusal.faults))
    if refusal.violation is not None:
        metadata |= _violation_metadata(refusal.violation)
    return error_details_pb2.ErrorInfo(
        reason=refusal.reason.value, domain="hakam", metadata=metadata
    )


def _violation_metadata(violation: Violation) -> dict[str, str]:
    message = write_violation(violation, "")
    metadata = {
        field.name: str(value)
        for field, value in message.ListFields()
        if field.name in ("clause", "seat", "marble", "cell")
    }
    if message.card and message.card in card_pb2.Card.values():  # a caller may name any number
        metadata["card"] = card_pb2.Card.Name(message.card)
    return metadata


def _bad_request(faults: Sequence[Fault]) -> error_details_pb2.BadRequest:
    violations = map(_field_violation, faults[:MAX_FAULTS])
    return error_details_pb2.BadRequest(field_violations=_fitting(violations))


def _field_violation(fault: Fault) -> Any:
    allowed = f" (allowed: {', '.join(fault.allowed)})" if fault.allowed else ""
    return error_details_pb2.BadRequest.FieldViolation(
        field=fault.path, description=f"{fault.detail}{allowed}", reason=fault.reason.value
    )


def _fitting(messages: Iterable[M]) -> Iterator[M]:
    """The first of them, as many as one error has room for."""
    size = 0
    for message in messages:
        size += message.ByteSize() + 4
        if size > _FAULT_BYTES:
            return
        yield message


def to_call_error(refusal: Refusal, language: Language) -> error_pb2.CallError:
    """The refusal as the result of one item of a batch."""
    text = refusal.text(language)
    error = error_pb2.CallError(
        code=code_of(refusal.reason).value[0],
        reason=error_pb2.Reason.Value(f"REASON_{refusal.reason}"),
        message=text,
        fault_count=len(refusal.faults),
    )
    if refusal.violation is not None:
        error.violation.CopyFrom(write_violation(refusal.violation, text))
    error.faults.extend(_fitting(map(write_fault, refusal.faults[:MAX_FAULTS])))
    return error
