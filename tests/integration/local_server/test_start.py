"""Servers with unusable settings end before the first request and report the reason in one line."""

import asyncio
import socket
import threading
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from aisha.settings import read_settings, settings
from infra.local.cli import main
from tests.fakes.aws.api_gateway import function
from tests.fakes.world import World

FUNCTIONS = ("chat", "flow_chat", "openai")
NO_KEY = (
    "Tenant DEMO is to be served by groq, which can't be asked here: set GROQ_API_KEY, and name a model of it in the "
    "models file."
)


def start_app(name: str) -> MutableMapping[str, Any]:
    """Start a function's app as a server does and return the app's first message."""

    async def exchange() -> MutableMapping[str, Any]:
        to_app: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
        from_app: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
        to_app.put_nowait({"type": "lifespan.startup"})
        to_app.put_nowait({"type": "lifespan.shutdown"})
        await function(name).app({"type": "lifespan", "asgi": {"version": "3.0"}}, to_app.get, from_app.put)
        return from_app.get_nowait()

    return asyncio.run(exchange())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_whose_models_can_t_be_asked_does_not_start(name: str, world: World) -> None:
    world.use(settings=read_settings({"OPENAI_API_KEY": "sk-1", "LLM_PROVIDER__TENANT_DEMO": "groq"}))
    assert start_app(name) == {"type": "lifespan.startup.failed", "message": f"AiSHA can't start: {NO_KEY}"}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("environment", [{}, {"OPENAI_API_KEY": "sk-1"}], ids=["no key", "a key"])
def test_a_function_that_is_set_up_starts(name: str, environment: dict[str, str], world: World) -> None:
    world.use(settings=read_settings(environment))
    assert start_app(name) == {"type": "lifespan.startup.complete"}


def test_the_server_ends_before_it_answers_a_request(
    world: World, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "models.toml"
    file.write_text('[capabilities]\nchat_tools = [{ provider = "acme", model = "x" }]\n', encoding="utf-8")
    world.use(settings=read_settings({"AISHA_MODELS_FILE": str(file)}))
    server = uvicorn.Server(uvicorn.Config(function("chat").app, log_config=None))
    timeout = threading.Timer(10, setattr, (server, "should_exit", True))
    timeout.start()
    with socket.create_server(("127.0.0.1", 0)) as listening, pytest.raises(SystemExit) as ended:
        server.run([listening])
    timeout.cancel()
    assert ended.value.code
    assert not server.started
    messages = [record.getMessage() for record in caplog.records if "can't start" in record.getMessage()]
    assert len(messages) == 1
    assert "Unsupported provider: acme" in messages[0]
    assert "\n" not in messages[0]


def test_the_local_server_prints_the_reason_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    monkeypatch.setenv("LLM_PROVIDER__TENANT_DEMO", "groq")
    settings.cache_clear()
    try:
        assert main(["serve", "--folder", str(tmp_path), "--port", "0"]) == 1
    finally:
        settings.cache_clear()
    assert capsys.readouterr().err == f"error: AiSHA can't start: {NO_KEY}\n"
