"""The transport: gRPC's core driven by one thread, which does everything that a worker does.

grpcio's own server hands every call over between threads three times, and whatever it asks of
Python runs cold after each. Here one thread takes what the core has for it, works on what is ready
back to back, and answers: a call costs less than an empty handler does there; docs/performance.md
has the figures. It stands on grpcio's bindings of the core, the few that grpcio's server is written
with.

Laws:
- One thread calls every method; nothing else of a worker takes Python's lock from it for long.
- A call that waits for its peer, to send its request or to take its answer, costs no thread, and is
  cancelled when it has waited too long, or sooner where others need its place.
- Work that takes long is a generator and is worked on in slices, small calls between them.
"""

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from threading import Event, Lock, Thread
from typing import Any, Final, TypeVar

import grpc
from grpc._cython import cygrpc  # type: ignore[attr-defined] # not in the stubs

from hakam.rpc.incoming import (
    NO_FLAGS,
    Begin,
    BeginStream,
    Ending,
    Incoming,
    Open,
    Task,
    Work,
    status,
)

__all__ = ["Loop"]

A = TypeVar("A")
T = TypeVar("T")

# Events of the core that are taken before work is done, and calls that are worked on before more
# are taken: what comes is known soon, and shed where it is too much.
_TAKEN: Final = 256
_WORKED: Final = 32
# For how long work that takes long goes on before small calls are let in.
_SLICE_SECONDS: Final = 0.001
# How often the calls are looked at that wait for their peers, and for how long those may that stand
# in the way of others.
_LOOK_SECONDS: Final = 1.0
_PATIENCE_SECONDS: Final = 1.0
# Calls that the core may have for us at once.
_REQUESTED: Final = 16
_FAULT: Final = Ending(grpc.StatusCode.INTERNAL)
_OK: Final = int(cygrpc.StatusCode.ok)
_DOWN: Final = "down"
_ARRIVED: Final = "arrived"


class Loop:
    """Serves `methods` and `streams`, both by the paths of their methods, from `start` to `stop`.

    A call is cancelled if its peer makes it wait for `max_wait_seconds`. `options` are gRPC's own.
    `settle` is called before the answers to what was worked on leave, and now and then. Methods
    should not raise: it is told to `fault`, and the call at hand ends with INTERNAL.
    """

    def __init__(
        self,
        methods: Mapping[str, Begin],
        streams: Mapping[str, BeginStream],
        options: "Sequence[tuple[str, int]]",
        max_wait_seconds: float,
        *,
        settle: "Callable[[], None]",
        fault: "Callable[[], None]",
    ) -> None:
        self._methods: Final = {path.encode(): begin for path, begin in methods.items()}
        self._streams: Final = {path.encode(): opened for path, opened in streams.items()}
        self._max_wait: Final = max_wait_seconds
        self._settle: Final = settle
        self._fault: Final = fault
        self._queue: Final = cygrpc.CompletionQueue()
        self._server: Final = cygrpc.Server(tuple(options), False)  # noqa: FBT003 - no xDS
        self._server.register_completion_queue(self._queue)
        # In the order in which they began to wait for their peers: since when, and what for: for an
        # answer to be taken where there is no work, else for a request.
        self._waiting: Final[dict[Incoming, tuple[float, Work | None]]] = {}
        self._ready: Final[deque[tuple[Incoming, Work, bytes]]] = deque()
        self._tasks: Final[deque[tuple[Incoming, Work, Task]]] = deque()
        self._looks_at = 0.0
        self._stopping = False
        # Held by whoever still needs the core's server; once it is down, there is none.
        self._is_down = False
        self._ending: Final = Lock()
        self._ended: Final = Event()
        self._thread: Final = Thread(target=self._serve, name="hakam-loop", daemon=True)

    def bind(self, address: str, credentials: grpc.ServerCredentials | None = None) -> int:
        """Listen at an address; gives the port. Raises RuntimeError where that cannot be."""
        place = address.encode()
        # As grpcio's own server does it.
        doors = () if credentials is None else (credentials._credentials,)  # type: ignore[attr-defined]  # noqa: SLF001
        port: int = self._server.add_http2_port(place, *doors)
        if port == 0:
            raise RuntimeError(f"cannot listen at {address}")
        return port

    def start(self) -> None:
        """Begin to serve."""
        self._server.start()
        for _ in range(_REQUESTED):
            self._request_call()
        self._thread.start()

    def stop(self, grace_seconds: float) -> None:
        """Take no more calls, let those under way finish for so long, and cancel what is left."""
        if not self._thread.is_alive():
            return
        self._stopping = True
        with self._ending:
            self._server.shutdown(self._queue, _DOWN)
        if not self._ended.wait(grace_seconds):
            with self._ending:
                if not self._is_down:
                    self._server.cancel_all_calls()
            self._ended.wait()

    def make_room(self) -> None:
        """Cancel the call that has waited longest for its peer, if that was long enough."""
        for incoming, (since, _) in self._waiting.items():
            if time.monotonic() - since > _PATIENCE_SECONDS:
                incoming.cancel()
            return

    def end_late(self, now: float) -> None:
        """End the calls that have waited too long for their peers."""
        for incoming, (since, work) in list(self._waiting.items()):
            if now - since < self._max_wait:
                return
            if work is None:
                incoming.cancel()
            else:
                self._answer(incoming, work.nothing(late=True), work)

    def _request_call(self) -> None:
        self._server.request_call(self._queue, self._queue, _ARRIVED)

    def _serve(self) -> None:
        while not self._is_down:
            try:
                self._take()
                self._work()
                self._go_on()
                self._look()
                self._settled()
            except Exception:  # nothing may end the loop but its stop
                self._fault()
        self._server.destroy()
        self._queue.shutdown()
        while self._queue.poll().completion_type != cygrpc.CompletionType.queue_shutdown:
            pass
        self._ended.set()

    def _take(self) -> None:
        """Take what the core has; wait for something if there is nothing to do meanwhile."""
        busy = self._ready or self._tasks
        until = 0.0 if busy else time.time() + _LOOK_SECONDS
        for _ in range(_TAKEN):
            event = self._queue.poll(until)
            if event.completion_type == cygrpc.CompletionType.queue_timeout:
                return
            self._handle(event)
            # A reference to the call of an event must not live on into the next poll.
            del event
            until = 0.0

    def _handle(self, event: Any) -> None:
        if event.tag is _ARRIVED:
            if not self._stopping:
                self._request_call()
            if event.success:
                self._arrive(Incoming(event))
        elif event.tag is _DOWN:
            with self._ending:
                self._is_down = True
        else:
            event.tag(event)

    def _arrive(self, incoming: Incoming) -> None:
        begin = self._methods.get(incoming.path)
        if begin is None:
            self._arrive_other(incoming)
            return
        work = self._guarded(begin, incoming)
        if isinstance(work, Ending):
            self._answer(incoming, work, None)
            return
        self._waiting[incoming] = (time.monotonic(), work)

        def received(event: Any) -> None:
            if incoming.answered:  # it was too late
                return
            del self._waiting[incoming]
            raw: bytes | None = event.batch_operations[0].message()
            if raw is None:
                self._answer(incoming, work.nothing(late=False), work)
            else:
                self._ready.append((incoming, work, raw))

        incoming.start((cygrpc.ReceiveMessageOperation(NO_FLAGS),), received)

    def _arrive_other(self, incoming: Incoming) -> None:
        opened = self._streams.get(incoming.path)
        if opened is None:
            self._answer(incoming, Ending(grpc.StatusCode.UNIMPLEMENTED, "Method not found!"), None)
            return
        call = Open(incoming)
        stream = self._guarded(opened, call)
        if isinstance(stream, Ending):
            self._answer(incoming, stream, None)
            return

        def closed(_event: Any) -> None:
            call.gone = True
            stream.gone()

        def received(event: Any) -> None:
            raw: bytes | None = event.batch_operations[0].message()
            if raw is not None:
                stream.message(raw)
                call.when_sent(receive)
            elif stream.ended():
                call.end(Ending(grpc.StatusCode.OK))

        def receive() -> None:
            incoming.start((cygrpc.ReceiveMessageOperation(NO_FLAGS),), received)

        incoming.start((cygrpc.ReceiveCloseOnServerOperation(NO_FLAGS),), closed)
        receive()

    def _work(self) -> None:
        """Work first and send afterwards, so that neither finds the caches full of the other."""
        taken = [self._ready.popleft() for _ in range(min(len(self._ready), _WORKED))]
        answers = [self._guarded(work.work, raw) for _, work, raw in taken]
        for (incoming, work, _), answer in zip(taken, answers, strict=True):
            if isinstance(answer, (bytes, Ending)):
                self._answer(incoming, answer, work)
            else:
                self._begin_task(incoming, work, answer)

    def _begin_task(self, incoming: Incoming, work: Work, task: Task) -> None:
        """Only of what takes long it is worth knowing that its caller has gone."""

        def closed(_event: Any) -> None:
            incoming.closed = True

        incoming.start((cygrpc.ReceiveCloseOnServerOperation(NO_FLAGS),), closed)
        self._tasks.append((incoming, work, task))

    def _go_on(self) -> None:
        """A slice of the work that takes long; every piece of it has its turn."""
        if not self._tasks:
            return
        incoming, work, task = self._tasks.popleft()
        answer = self._guarded(_slice, task)
        if answer is None:
            self._tasks.append((incoming, work, task))
        else:
            self._answer(incoming, answer, work, knows_close=True)

    def _answer(
        self,
        incoming: Incoming,
        answer: bytes | Ending,
        work: Work | None,
        *,
        knows_close: bool = False,
    ) -> None:
        operations = [cygrpc.SendInitialMetadataOperation(None, NO_FLAGS)]
        if isinstance(answer, Ending):
            operations.append(status(answer))
        else:
            operations.append(cygrpc.SendMessageOperation(answer, NO_FLAGS))
            operations.append(cygrpc.SendStatusFromServerOperation((), _OK, b"", NO_FLAGS))
        if not knows_close:
            operations.append(cygrpc.ReceiveCloseOnServerOperation(NO_FLAGS))
        self._settled()
        incoming.answered = True
        self._waiting.pop(incoming, None)
        self._waiting[incoming] = (time.monotonic(), None)

        def sent(event: Any) -> None:
            del self._waiting[incoming]
            if work is not None:
                closing = event.batch_operations[-1]
                work.gone(cancelled=not knows_close and closing.cancelled())

        incoming.start(operations, sent)

    def _guarded(self, function: Callable[[A], T], argument: A) -> T | Ending:
        try:
            return function(argument)
        except Exception:  # one call's fault must not end others
            self._fault()
            return _FAULT

    def _settled(self) -> None:
        try:
            self._settle()
        except Exception:  # an answer must leave all the same
            self._fault()

    def _look(self) -> None:
        now = time.monotonic()
        if now >= self._looks_at:
            self._looks_at = now + _LOOK_SECONDS
            self.end_late(now)


def _slice(task: Task) -> bytes | Ending | None:
    """Go on with the work for a while; the answer once it is done."""
    ends = time.monotonic() + _SLICE_SECONDS
    try:
        while time.monotonic() < ends:
            next(task)
    except StopIteration as end:
        answer: bytes | Ending = end.value
        return answer
    return None
