"""Pages in a Chromium without a window: bundled, served, shown, each in a profile of its own."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import IO, Any

from tests.system.conftest import OURSELVES, as_user, home

__all__ = ["Pages", "bundled", "chromium", "served"]

SOURCES = Path(__file__).resolve().parent
# `make test-system` has put the bundler and the client there.
TOOLS = SOURCES.parents[2] / "build/browser"
PATIENCE = 60


def bundled(page: str, folder: Path) -> None:
    """Put a page with the client that it uses into a folder: one script, and what loads it."""
    assert (TOOLS / "made").exists(), "the page's packages are missing: run `make test-system`"
    script = folder / "page.js"
    esbuild = str(TOOLS / "node_modules/.bin/esbuild")
    done = subprocess.run(  # noqa: S603
        [esbuild, str(SOURCES / page), "--bundle", "--format=esm", f"--outfile={script}"],
        env={**os.environ, "NODE_PATH": str(TOOLS / "node_modules")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    html = '<!doctype html><meta charset="utf-8"><script type="module" src="page.js"></script>\n'
    (folder / "index.html").write_text(html)


class Pages(SimpleHTTPRequestHandler):
    """Serves a page, and takes what it tells."""

    def __init__(self, said: Queue[Any], *args: Any, **more: Any) -> None:
        self.said = said
        super().__init__(*args, **more)

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers["content-length"]))

    def answer(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.said.put(json.loads(self.body()))
        self.answer(204)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@contextmanager
def served(folder: Path, pages: Callable[..., Pages] = Pages) -> Iterator[tuple[int, Queue[Any]]]:
    """Where a folder is served, and what its pages tell."""
    said: Queue[Any] = Queue()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(pages, said, directory=str(folder)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port, said
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def chromium() -> Iterator[Callable[[str], None]]:
    """Shows pages, each in a profile of its own: no page has anything of another's."""
    program = shutil.which("chromium")
    assert program, "Chromium is not installed: run `make test-system`"
    # Its sandbox needs rights that a container's user does not have.
    switches = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
    orders_out, orders_in = os.pipe()
    answers_out, answers_in = os.pipe()
    # It is told what to do by descriptor 3, and answers by 4.
    pipes = f'exec "$@" 3<&{orders_out} 4>&{answers_in}'
    with home(OURSELVES) as folder, (folder / "log").open("wb") as log:
        profile = (f"--user-data-dir={folder}/profile", "--remote-debugging-pipe")
        process = subprocess.Popen(  # type: ignore[call-overload] # noqa: S603
            ["bash", "-c", pipes, "bash", "env", f"HOME={folder}", program, *switches, *profile],  # noqa: S607
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=(orders_out, answers_in),
            start_new_session=True,
            **as_user(OURSELVES),
        )
        os.close(orders_out)
        os.close(answers_in)
        with os.fdopen(orders_in, "wb", 0) as orders, os.fdopen(answers_out, "rb") as answers:
            try:
                yield partial(_show, orders, answers)
            finally:
                process.terminate()
                process.wait(PATIENCE)
                # Its helpers may outlive it, and write to the profile.
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


def _show(orders: IO[bytes], answers: IO[bytes], page: str) -> None:
    context = _order(orders, answers, "Target.createBrowserContext")["browserContextId"]
    _order(orders, answers, "Target.createTarget", url=page, browserContextId=context)


def _order(orders: IO[bytes], answers: IO[bytes], method: str, **parameters: str) -> Any:
    """The result of a command of the DevTools protocol; messages end with a zero."""
    order = {"id": 1, "method": method, "params": parameters}
    orders.write(json.dumps(order).encode() + b"\0")
    while True:
        answer = json.loads(b"".join(iter(partial(answers.read, 1), b"\0")))
        if answer.get("id") == 1:
            return answer["result"]
