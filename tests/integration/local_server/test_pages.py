"""The pages that people open, in a real browser: Chromium without a window."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.local.server.server import LocalServer
from tests.fakes.local import local_server

pytestmark = pytest.mark.slow
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    if CHROMIUM is None:
        pytest.skip("needs Chromium")
    with local_server(tmp_path_factory.mktemp("pages")) as running:
        yield running


def opened(url: str, folder: Path) -> str:
    """Return the page's document once its scripts have run for some seconds of virtual time."""
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}"]
    process = subprocess.run(
        [str(CHROMIUM), *options, "--virtual-time-budget=15000", "--dump-dom", url],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return process.stdout


def test_the_documentation_shows_every_operation(server: LocalServer, tmp_path: Path) -> None:
    page = opened(f"{server.url}/docs", tmp_path)
    documented_paths = set(re.findall(r'data-path="([^"]+)"', page))
    assert {"/api/ai/chat", "/api/ai/flow-chat", "/v1/chat/completions", "/mcp", "/health"} <= documented_paths
    assert "Send a message to the assistant" in page
    assert "Authorize" in page
    assert "Refused:" not in page
    assert "Failed to load" not in page
