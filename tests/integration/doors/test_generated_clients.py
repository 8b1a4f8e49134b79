"""Clients that are generated from the API description: they import, and the chat can be called with them."""

import importlib
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from infra.local.server.server import ROOT
from tests.fakes.local import local_server, token

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """Generate a Python client and import it as `aisha_client`."""
    folder = tmp_path_factory.mktemp("generated")
    description = ROOT / "shared/aisha/assets/openapi.json"
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", str(description), "--meta", "none"]
    process = subprocess.run(
        [*command, "--output-path", str(folder / "aisha_client")], check=False, capture_output=True, text=True
    )
    assert process.returncode == 0, process.stdout + process.stderr
    assert "will not be generated" not in process.stdout
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield importlib.import_module("aisha_client")


def test_every_module_can_be_imported(client: ModuleType) -> None:
    modules = [info.name for info in pkgutil.walk_packages(client.__path__, "aisha_client.")]
    assert len(modules) > 100
    for name in modules:
        importlib.import_module(name)


def test_the_chat_can_be_called_and_its_answer_has_types(client: ModuleType, tmp_path: Path) -> None:
    chat = importlib.import_module("aisha_client.api.ai_sha.chat")
    models = importlib.import_module("aisha_client.models")
    with local_server(tmp_path) as server:
        signed_in = client.AuthenticatedClient(base_url=server.url, token=token(server, "alice"), timeout=60)
        with signed_in as connection:
            answer = chat.sync(client=connection, body=models.ChatRequest(message="Tell me about Jack Russel"))
    assert isinstance(answer, models.ChatResponse)
    assert "ABC Corp" in answer.response
    assert answer.conversation_id


def test_the_protocol_of_tools_can_be_called(client: ModuleType, tmp_path: Path) -> None:
    post = importlib.import_module("aisha_client.api.ai_sha.post_mcp")
    models = importlib.import_module("aisha_client.models")
    with local_server(tmp_path) as server:
        signed_in = client.AuthenticatedClient(base_url=server.url, token=token(server, "alice"), timeout=60)
        with signed_in as connection:
            answer = post.sync_detailed(client=connection, body=models.McpRequest(jsonrpc="2.0", id=1, method="ping"))
    assert answer.status_code == 200, answer.content
