"""A page in a real browser: calls by gRPC-Web through Envoy, and what an error says."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any
from urllib.parse import quote

import pytest
from google.rpc import error_details_pb2

from tests.e2e.processes import PATIENCE, servers
from tests.system.conftest import OURSELVES, envoy, home, running

pytestmark = pytest.mark.system

TOP = Path(__file__).resolve().parents[2]
# `make test-system` has put the packages of the page there.
TOOLS = TOP / "build/browser"
PAGE = TOP / "tests/system/browser/page.ts"


class Pages(SimpleHTTPRequestHandler):
    """Serves the page, and takes what it tells."""

    def __init__(self, said: "Queue[Any]", *args: Any, **more: Any) -> None:
        self.said = said
        super().__init__(*args, **more)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.send_response(204)
        self.end_headers()
        self.said.put(json.loads(body))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


def built(folder: Path) -> None:
    """The page with code generated from the contract, as one script."""
    assert (TOOLS / "made").exists(), "the page's packages are missing: run `make test-system`"
    source = folder / "source"
    source.mkdir()
    shutil.copy(PAGE, source)
    (source / "node_modules").symlink_to(TOOLS / "node_modules")
    (source / "gen").mkdir()
    google = Path(error_details_pb2.__file__).parents[2]
    protos = [*(TOP / "proto/hakam/v1").glob("*.proto"), google / "google/rpc/error_details.proto"]
    run(
        *(sys.executable, "-m", "grpc_tools.protoc", f"-I{TOP / 'proto'}", f"-I{google}"),
        f"--plugin=protoc-gen-es={TOOLS / 'node_modules/.bin/protoc-gen-es'}",
        *(f"--es_out={source / 'gen'}", "--es_opt=target=ts,import_extension=js"),
        *protos,
    )
    esbuild = TOOLS / "node_modules/.bin/esbuild"
    run(esbuild, source / "page.ts", "--bundle", "--format=esm", f"--outfile={folder / 'page.js'}")
    script = '<!doctype html><meta charset="utf-8"><script type="module" src="page.js"></script>\n'
    (folder / "index.html").write_text(script)


def run(*command: object) -> None:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def browser(page: str) -> Iterator[None]:
    """A browser that looks at a page."""
    program = shutil.which("chromium")
    assert program, "Chromium is not installed: run `make test-system`"
    with home(OURSELVES) as folder:
        # Its sandbox needs rights that a container's user does not have.
        switches = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
        profile = f"--user-data-dir={folder}/profile"
        with running(OURSELVES, folder, "env", f"HOME={folder}", program, *switches, profile, page):
            yield


@pytest.fixture(scope="module")
def web() -> Iterator[int]:
    with servers() as start, envoy([start().address, start().address]) as port:
        yield port


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, "Queue[Any]"]]:
    """Where the page is served, and what it tells."""
    folder = tmp_path_factory.mktemp("page")
    built(folder)
    said: Queue[Any] = Queue()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Pages, said, directory=str(folder)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield server.server_port, said
    server.shutdown()
    thread.join()
    server.server_close()


def told(host: str, web: int, site: tuple[int, "Queue[Any]"]) -> Any:
    """What the page tells when it is read from a host."""
    port, said = site
    with browser(f"http://{host}:{port}/?envoy={quote(f'http://127.0.0.1:{web}')}"):
        return said.get(timeout=PATIENCE)


def test_a_page_plays_and_reads_a_refusal(web: int, site: tuple[int, "Queue[Any]"]) -> None:
    answer = told("localhost", web, site)
    assert answer["games"] == ["jackaroo", "tjau", "trix"]
    assert answer["notation"] == "throw"
    assert answer["ply"] == 1
    refusal = answer["refusal"]
    assert refusal["code"] == "FailedPrecondition"
    assert refusal["domain"] == "hakam"
    assert refusal["reason"] == "PLY_MISMATCH"
    assert refusal["locale"] == "ar"
    assert any("\u0600" <= letter <= "\u06ff" for letter in refusal["message"])


def test_a_page_of_a_stranger_gets_nothing(web: int, site: tuple[int, "Queue[Any]"]) -> None:
    answer = told("stranger.localhost", web, site)
    assert set(answer) == {"failed"}
    assert "fetch" in answer["failed"]
