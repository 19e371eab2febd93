"""A call as the transport knows it, and what is done for it: between the loop and the methods."""

import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final, Protocol, TypeAlias

import grpc
from grpc._cython import cygrpc  # type: ignore[attr-defined] # not in the stubs

__all__ = [
    "NO_FLAGS",
    "Begin",
    "BeginStream",
    "Ending",
    "Incoming",
    "Open",
    "Stream",
    "Task",
    "Work",
    "status",
]

NO_FLAGS: Final = 0

_Metadata: TypeAlias = Sequence[tuple[str, str | bytes]]


@dataclass(frozen=True)
class Ending:
    """An end without an answer: a gRPC code, its text, and what is sent behind it."""

    code: grpc.StatusCode
    text: str = ""
    metadata: _Metadata = ()


class Incoming:
    """One call, as the transport knows it."""

    __slots__ = ("_core", "_deadline", "answered", "arrived", "closed", "metadata", "path")

    def __init__(self, event: Any) -> None:
        details = event.call_details
        self._core: Final = event.call
        self._deadline: Final[float] = details.deadline
        self.path: Final[bytes] = details.method
        self.metadata: Final[_Metadata] = event.invocation_metadata
        # Seconds of `time.perf_counter`.
        self.arrived: Final = time.perf_counter()
        # Whether its answer is on the way, and whether its caller is known to have gone.
        self.answered = False
        self.closed = False

    def peer(self) -> str:
        """The address that the call came from, with its kind before it."""
        peer: bytes = self._core.peer()
        return peer.decode("ascii", "replace")

    def time_remaining(self) -> float:
        """Seconds for which the caller will wait; no more than 0 once he does not."""
        return self._deadline - time.time()

    def cancel(self) -> None:
        """End the call as if its caller had cancelled it."""
        self._core.cancel()

    def start(self, operations: Sequence[Any], then: "Callable[[Any], None]") -> None:
        """Let the core do something for the call; `then` is called when it is done."""
        self._core.start_server_batch(operations, then)


Task: TypeAlias = Generator[None, None, bytes | Ending]


class Work(Protocol):
    """What is to be done for a call with one request and one answer."""

    def work(self, raw: bytes) -> bytes | Ending | Task:
        """The answer to a request, at once or bit by bit."""

    def nothing(self, *, late: bool) -> Ending:
        """The end of a call without a request; `late` where one might still have come."""

    def gone(self, *, cancelled: bool) -> None:
        """The answer has been sent, or `cancelled`: nobody was left to take it."""


class Stream(Protocol):
    """What is to be done for a call with any number of messages."""

    def message(self, raw: bytes) -> None:
        """A message of the caller."""

    def ended(self) -> bool:
        """The caller has sent all that he will; gives whether the call is over by that."""

    def gone(self) -> None:
        """The call is over."""


# What a method does with a call that arrives: refuse it, or say what is to be done for it.
Begin: TypeAlias = Callable[[Incoming], Work | Ending]


class Open:
    """A call with any number of messages, for what answers it: `send` may be called anywhere."""

    def __init__(self, incoming: Incoming) -> None:
        self.incoming: Final = incoming
        self._lock: Final = Lock()
        self._unsent: Final[deque[bytes]] = deque()
        self._then: Callable[[], None] | None = None
        self._sends = False
        self._told = False
        self._ending: Ending | None = None
        self.gone = False

    def send(self, message: bytes) -> None:
        """Send a message, after those before it."""
        with self._lock:
            self._unsent.append(message)
            self._go_on()

    def end(self, ending: Ending) -> None:
        """End the call once all is sent."""
        with self._lock:
            if self._ending is None:
                self._ending = ending
                self._go_on()

    def when_sent(self, then: "Callable[[], None]") -> None:
        """Do something once all is sent: who does not take answers is not asked for more."""
        with self._lock:
            if self._sends:
                self._then = then
                return
        then()

    def _go_on(self) -> None:
        if self._sends or self.gone:
            return
        if self._unsent:
            operations = [cygrpc.SendMessageOperation(self._unsent.popleft(), NO_FLAGS)]
        elif self._ending is not None:
            operations = [status(self._ending)]
        else:
            return
        if not self._told:
            self._told = True
            operations.insert(0, cygrpc.SendInitialMetadataOperation(None, NO_FLAGS))
        self._sends = True
        self.incoming.start(operations, self._sent)

    def _sent(self, _event: Any) -> None:
        with self._lock:
            self._sends = False
            if self._ending is None or self._unsent:
                self._go_on()
            then = None if self._sends else self._then
            if then is not None:
                self._then = None
        if then is not None:
            then()


# The same of a method with any number of messages.
BeginStream: TypeAlias = Callable[[Open], Stream | Ending]


def status(ending: Ending) -> Any:
    """The operation of the core that sends an ending."""
    code: int = ending.code.value[0]
    return cygrpc.SendStatusFromServerOperation(
        tuple(ending.metadata), code, ending.text.encode(), NO_FLAGS
    )
