"""The threads that work on calls, and how a call comes to one of them.

gRPC's own unary handler waits in a worker's thread, without end, for a request to arrive: as many
callers as there are workers, each with a header and no message, would stop the service. Here a
call gets a worker's place once its request is there, and what does not come in time is cancelled.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Any, Final

import grpc

from hakam.games.game import Fault
from hakam.games.reasons import Reason
from hakam.rpc.call import refuse
from hakam.rpc.errors import Refusal, invalid
from hakam.texts import Language

__all__ = ["Arrivals", "CountingPool"]


class CountingPool(ThreadPoolExecutor):
    """A thread pool that knows how much it has to do: `pending` counts waiting and running work.

    gRPC's synchronous server queues without bound; a call that finds too many others is shed.
    """

    def __init__(self, threads: int) -> None:
        super().__init__(max_workers=threads, thread_name_prefix="hakam")
        self.pending = 0
        self._pending_lock = Lock()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Queue the work and count it until it is done."""
        with self._pending_lock:
            self.pending += 1
        future = super().submit(fn, *args, **kwargs)
        future.add_done_callback(self._done)
        return future

    def _done(self, _: Future[Any]) -> None:
        with self._pending_lock:
            self.pending -= 1


_MISSING: Final = invalid([Fault("", Reason.REQUEST_MALFORMED, "there is no message")])
# How often somebody looks for requests that do not come.
_LOOK_SECONDS: Final = 1.0


class Arrivals(grpc.ServerInterceptor):
    """Receives every request, and gives its call one of `places` to be worked on.

    `check_load` refuses a call before its request is received. Methods below `always_open` are
    neither checked nor wait for a place: health has to answer under any load.
    """

    def __init__(
        self, check_load: Callable[[], None], places: int, max_seconds: float, always_open: str
    ) -> None:
        self._check_load: Final = check_load
        # The free places: a semaphore, but several times faster than Python's own.
        self._places: Final = SimpleQueue[None]()
        for _ in range(places):
            self._places.put(None)
        self._max_seconds: Final = max_seconds
        self._always_open: Final = always_open
        # In the order in which their time is up, since all have the same.
        self._waiting: Final[dict[grpc.ServicerContext, float]] = {}
        self._stopped: Final = Event()
        self._looker: Final = Thread(target=self._look, name="hakam-arrivals", daemon=True)

    def start(self) -> None:
        """Begin to look for requests that do not come."""
        self._looker.start()

    def stop(self) -> None:
        """End the looking."""
        self._stopped.set()

    def intercept_service(
        self,
        continuation: "Callable[[grpc.HandlerCallDetails], grpc.RpcMethodHandler[Any, Any] | None]",
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "grpc.RpcMethodHandler[Any, Any] | None":
        """The method's handler, with its request received here."""
        handler = continuation(handler_call_details)
        if handler is None or handler.request_streaming:
            return handler
        behavior: Any = handler.unary_stream if handler.response_streaming else handler.unary_unary
        arrive = self._wait if self._is_open(handler_call_details.method) else self._work

        def arrived(requests: Iterator[Any], context: grpc.ServicerContext, *more: Any) -> Any:
            return arrive(behavior, requests, context, *more)

        codecs = (handler.request_deserializer, handler.response_serializer)
        if not handler.response_streaming:
            return grpc.stream_unary_rpc_method_handler(arrived, *codecs)
        # gRPC asks the behavior itself whether it holds on to its thread.
        holds_none = getattr(behavior, "experimental_non_blocking", False)
        arrived.experimental_non_blocking = holds_none  # type: ignore[attr-defined] # by gRPC
        return grpc.stream_stream_rpc_method_handler(arrived, *codecs)

    def _is_open(self, path: str) -> bool:
        return path.startswith(f"/{self._always_open}/")

    def _wait(
        self, behavior: Any, requests: Iterator[Any], context: grpc.ServicerContext, *more: Any
    ) -> Any:
        return behavior(self._receive(requests, context), context, *more)

    def _work(
        self, behavior: Any, requests: Iterator[Any], context: grpc.ServicerContext, *more: Any
    ) -> Any:
        try:
            self._check_load()
        except Refusal as refusal:
            refuse(context, refusal, Language.EN)
        request = self._receive(requests, context)
        place = self._places.get()
        try:
            return behavior(request, context, *more)
        finally:
            self._places.put(place)

    def _receive(self, requests: Iterator[Any], context: grpc.ServicerContext) -> Any:
        due = self._waiting[context] = time.monotonic() + self._max_seconds
        request = None
        try:
            request = next(requests, None)
        except grpc.RpcError:  # cancelled, by us or by the caller
            if time.monotonic() < due:
                raise
        finally:
            del self._waiting[context]
        if request is None:
            late = time.monotonic() >= due
            refuse(context, Refusal(Reason.DEADLINE_EXCEEDED) if late else _MISSING, Language.EN)
        return request

    def _look(self) -> None:
        while not self._stopped.wait(_LOOK_SECONDS):
            self.cancel_late(time.monotonic())

    def cancel_late(self, now: float) -> None:
        """Cancel the calls whose request should have been here."""
        for context, due in list(self._waiting.items()):
            if due > now:
                return
            context.cancel()
