"""A running local server with the demo data, one for each module of tests."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from infra.local.server.server import LocalServer
from tests.fakes.local import place_demo_data
from tests.support.local_http import connect


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("local")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[LocalServer]:
    place_demo_data(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("OPENAI_API_KEY", raising=False)
        patch.setenv("http_proxy", "http://127.0.0.1:1")
        with LocalServer(folder) as running:
            yield running


@pytest.fixture
def http(server: LocalServer) -> Iterator[httpx.Client]:
    with connect(server) as client:
        yield client
