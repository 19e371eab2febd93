"""A page in a real browser: calls by gRPC-Web through Envoy, and what an error says."""

from collections.abc import Iterator
from queue import Queue
from typing import Any
from urllib.parse import quote

import pytest

from tests.e2e.processes import PATIENCE, servers
from tests.system.browser.chromium import bundled, chromium, served
from tests.system.conftest import envoy

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def web() -> Iterator[int]:
    with servers() as start, envoy([start().address, start().address]) as port:
        yield port


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Queue[Any]]]:
    """Where the page is served, and what it tells."""
    folder = tmp_path_factory.mktemp("page")
    bundled("page.ts", folder)
    with served(folder) as where:
        yield where


def told(host: str, web: int, site: tuple[int, Queue[Any]]) -> Any:
    """What the page tells when it is read from a host."""
    port, said = site
    with chromium() as show:
        show(f"http://{host}:{port}/?envoy={quote(f'http://127.0.0.1:{web}')}")
        return said.get(timeout=PATIENCE)


def test_a_page_plays_and_reads_a_refusal(web: int, site: tuple[int, Queue[Any]]) -> None:
    answer = told("localhost", web, site)
    assert answer["games"] == ["jackaroo", "tjau", "trix"]
    assert answer["notation"] == "throw"
    assert answer["ply"] == 1
    refusal = answer["refusal"]
    assert refusal["code"] == "FailedPrecondition"
    assert refusal["reason"] == "PLY_MISMATCH"
    assert any("\u0600" <= letter <= "\u06ff" for letter in refusal["text"])


def test_a_page_of_a_stranger_gets_nothing(web: int, site: tuple[int, Queue[Any]]) -> None:
    answer = told("stranger.localhost", web, site)
    assert set(answer) == {"failed"}
    assert answer["failed"] == "Unavailable: [unavailable] Failed to fetch"
