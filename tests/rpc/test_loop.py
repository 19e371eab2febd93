"""The transport by itself, with methods of its own that do what ours must not."""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import grpc
import pytest
from http2 import Reluctant, until

from hakam.rpc.incoming import Begin, Ending, Incoming, Open, Task
from hakam.rpc.loop import Loop

Code = grpc.StatusCode


class Method:
    """A method that does its work as a function says."""

    def __init__(self, behavior: Callable[[bytes], Any]) -> None:
        self._behavior = behavior
        self.gone_ones = 0

    def work(self, raw: bytes) -> bytes | Ending | Task:
        answer: bytes | Ending | Task = self._behavior(raw)
        return answer

    def nothing(self, *, late: bool) -> Ending:
        return Ending(Code.DEADLINE_EXCEEDED if late else Code.INVALID_ARGUMENT)

    def gone(self, *, cancelled: bool) -> None:
        del cancelled
        self.gone_ones += 1


class Echo:
    """A stream that answers each message with so many bytes, and counts them."""

    def __init__(self, call: Open, size: int) -> None:
        self._call, self._size = call, size
        self.heard = 0

    def message(self, raw: bytes) -> None:
        self.heard += 1
        self._call.send(raw.ljust(self._size, b"."))

    def ended(self) -> bool:
        return True

    def gone(self) -> None:
        """Nothing is kept of it."""


def failing(_: object) -> Any:
    raise LookupError


def broken() -> None:
    raise OSError


def failing_later(_raw: bytes) -> Generator[None, None, bytes]:
    yield
    raise LookupError


@contextmanager
def served(
    methods: dict[str, Begin], streams: Any = None, settle: Callable[[], None] = lambda: None
) -> Iterator[tuple[int, list[str]]]:
    """The port of a loop, and the faults that it tells."""
    faults: list[str] = []
    told = partial(faults.append, "fault")
    loop = Loop(methods, streams or {}, [], 30, settle=settle, fault=told)
    port = loop.bind("127.0.0.1:0")
    loop.start()
    try:
        yield port, faults
    finally:
        loop.stop(0)


def beginning(method: Method) -> Begin:
    def begin(_incoming: Incoming) -> Method:
        return method

    return begin


def code(channel: grpc.Channel, path: str) -> grpc.StatusCode:
    call: Any = channel.unary_unary(path)
    return call.with_call(b"x", timeout=30)[1].code() if path == "/echo" else raised(call)


def raised(call: Any) -> grpc.StatusCode:
    with pytest.raises(grpc.RpcError) as failed:
        call(b"x", timeout=30)
    found: grpc.StatusCode = failed.value.code()
    return found


def test_a_method_that_raises_ends_its_own_call_and_no_other() -> None:
    work, later, echo = Method(failing), Method(failing_later), Method(lambda raw: raw)
    methods = {
        "/begin": failing,
        "/work": beginning(work),
        "/later": beginning(later),
        "/echo": beginning(echo),
    }
    streams = {"/stream": failing}
    with (
        served(methods, streams) as (port, faults),
        grpc.insecure_channel(f"127.0.0.1:{port}") as channel,
    ):
        for path in ("/begin", "/work", "/later", "/stream"):
            assert code(channel, path) is Code.INTERNAL
            assert code(channel, "/echo") is Code.OK
        calls: list[Any] = [channel.unary_unary(p) for p in ("/work", "/echo") * 20]
        futures = [call.future(b"x", timeout=30) for call in calls]
        assert [it.code() for it in futures] == [Code.INTERNAL, Code.OK] * 20
        until(lambda: (work.gone_ones, later.gone_ones, echo.gone_ones) == (21, 1, 24))
    assert faults == ["fault"] * 24


def test_what_was_done_is_settled_before_any_answer_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log: list[str] = []
    start = Incoming.start

    def started(incoming: Incoming, *operations: Any) -> None:
        if incoming.answered:
            log.append("answer")
        start(incoming, *operations)

    def refuse(_: object) -> Ending:
        log.append("work")
        return Ending(Code.OUT_OF_RANGE)

    def work(raw: bytes) -> bytes:
        log.append("work")
        return raw

    def later(raw: bytes) -> Generator[None, None, bytes]:
        yield
        return work(raw)

    monkeypatch.setattr(Incoming, "start", started)
    methods = {"/now": beginning(Method(work)), "/later": beginning(Method(later)), "/no": refuse}
    with (
        served(methods, settle=lambda: log.append("settle")) as (port, faults),
        grpc.insecure_channel(f"127.0.0.1:{port}") as channel,
    ):
        calls: list[Any] = [channel.unary_unary(path) for path in methods] * 10
        futures = [call.future(b"x", timeout=30) for call in calls]
        assert [it.code() for it in futures] == [Code.OK, Code.OK, Code.OUT_OF_RANGE] * 10
    assert faults == []
    assert (log.count("work"), log.count("answer")) == (30, 30)
    for done, answered in zip(positions(log, "work"), positions(log, "answer"), strict=True):
        assert "settle" in log[done:answered]


def positions(log: list[str], what: str) -> list[int]:
    return [i for i, entry in enumerate(log) if entry == what]


def test_answers_leave_also_where_nothing_can_be_settled() -> None:
    with (
        served({"/echo": beginning(Method(bytes))}, settle=broken) as (port, faults),
        grpc.insecure_channel(f"127.0.0.1:{port}") as channel,
    ):
        assert [code(channel, "/echo") for _ in range(3)] == [Code.OK] * 3
    assert set(faults) == {"fault"}


def test_a_stream_is_answered_in_order() -> None:
    with (
        served({}, {"/stream": lambda call: Echo(call, 1)}) as (port, faults),
        grpc.insecure_channel(f"127.0.0.1:{port}") as channel,
    ):
        call: Any = channel.stream_stream("/stream")
        sent = [bytes([i]) for i in range(200)]
        assert list(call(iter(sent), timeout=30)) == sent
    assert faults == []


def test_who_takes_no_answers_is_not_heard_again() -> None:
    echoes: list[Echo] = []

    def opened(call: Open) -> Echo:
        echoes.append(Echo(call, 10_000))
        return echoes[0]

    with served({}, {"/stream": opened}) as (port, _), Reluctant(port) as caller:
        caller.ask("/stream", [b"x"] * 50, end=False)
        until(lambda: bool(echoes) and echoes[0].heard > 0)
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            for _i in range(20):  # the loop has had its turns meanwhile
                assert raised(channel.unary_unary("/none")) is Code.UNIMPLEMENTED
        assert echoes[0].heard == 1
