"""The threads that work on calls, and how many calls are with them."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any

__all__ = ["CountingPool"]


class CountingPool(ThreadPoolExecutor):
    """A thread pool that knows how much it has to do: `pending` counts waiting and running work.

    gRPC's synchronous server queues without bound; a handler that sees a long queue sheds its call.
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
