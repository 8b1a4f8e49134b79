"""The local server in a test's process, with the offline planner or a model that the test brings."""

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
    """Write the demo data to where a `LocalServer` of this folder keeps it: seeding takes seconds, once in a process."""
    (folder / "data").mkdir()
    for name, content in _demo_files().items():
        (folder / "data" / name).write_bytes(content)


@contextmanager
def local_server(folder: Path) -> Iterator[LocalServer]:
    """A server on a free port with the demo data; no key of this machine is used."""
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
    """The functions of the server work with other settings meanwhile."""
    before = server.services.settings
    server.services.settings = before.model_copy(update=changes)
    try:
        yield
    finally:
        server.services.settings = before


@contextmanager
def answering(server: LocalServer, model: ChatModel) -> Iterator[None]:
    """`model` answers every turn of the server meanwhile, and nothing else is asked of it."""
    deps = server.services.turn_dependencies
    server.services.turn_dependencies = replace(deps, model=model, brainlets=Brainlets(()))
    try:
        yield
    finally:
        server.services.turn_dependencies = deps
