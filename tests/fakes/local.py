"""The local server in a test's process, with the offline planner or a model of the test."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest
from msgspec.structs import replace

from aisha.application.turn.brainlets.registry import Brainlets
from aisha.domain.ports import ChatModel
from infra.local.checks.api_check import KEYS
from infra.local.server.server import LocalServer


@cache
def _demo_files() -> dict[str, bytes]:
    """Return the files of a server's data folder with the demo data as new, by name."""
    with TemporaryDirectory() as folder:
        with LocalServer(Path(folder)):
            pass
        return {file.name: file.read_bytes() for file in (Path(folder) / "data").glob("*.json")}


def place_demo_data(folder: Path) -> None:
    """Write the demo data into the data folder of a `LocalServer`; seeding takes seconds, so a process does it once."""
    (folder / "data").mkdir()
    for name, content in _demo_files().items():
        (folder / "data" / name).write_bytes(content)


@contextmanager
def local_server(folder: Path) -> Iterator[LocalServer]:
    """Run a server on a free port with the demo data, without the keys in this machine's environment."""
    with pytest.MonkeyPatch.context() as patch:
        for name in KEYS:
            patch.delenv(name, raising=False)
        if not (folder / "data").exists():
            place_demo_data(folder)
        with LocalServer(folder) as running:
            yield running


def token(server: LocalServer, user: str = "alice", tenant: str = "demo") -> str:
    response = httpx.get(f"{server.url}/local/token", params={"user": user, "tenant": tenant}, trust_env=False)
    text: str = response.json()["token"]
    return text


@contextmanager
def with_settings(server: LocalServer, **changes: object) -> Iterator[None]:
    """Let the functions of the server work with other settings inside the block."""
    before = server.services.settings
    server.services.settings = before.model_copy(update=changes)
    try:
        yield
    finally:
        server.services.settings = before


@contextmanager
def with_model(server: LocalServer, model: ChatModel) -> Iterator[None]:
    """Let `model` answer every turn of the server inside the block; without brainlets it gets no other request."""
    deps = server.services.turn_dependencies
    server.services.turn_dependencies = replace(deps, model=model, brainlets=Brainlets(()), answers_as_json=True)
    try:
        yield
    finally:
        server.services.turn_dependencies = deps
