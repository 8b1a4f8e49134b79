"""Fake providers, each a server that speaks the provider's protocol."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aisha.bootstrap.models import MODELS as MODELS_FILE
from aisha.settings import read_settings
from tests.fakes.aws.api_gateway import chat
from tests.fakes.models.anthropic_server import AnthropicServer
from tests.fakes.models.bedrock_server import BedrockServer
from tests.fakes.models.model_server import Answer, ModelServer
from tests.fakes.world import ALICE, World

KEYS = {
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "groq": "GROQ_API_KEY",
    "gemini": "GEMINI_API_KEY",
    "bedrock": "BEDROCK_REGION",
    "ollama": "OLLAMA_BASE_URL",
}
MODELS = {
    "openai": "gpt-6-luna",
    "anthropic": "claude-sonnet-5-5",
    "groq": "openai/gpt-oss-120b",
    "gemini": "gemini-flash-latest",
    "bedrock": "global.anthropic.claude-haiku-4-5-20251001-v1:0",
    "ollama": "ministral-3:14b",
}
QUESTION = "Which company does Jack Russel work for?"
CALLS = (
    ("call_1", "search_leads", '{"name_contains": "Jack"}'),
    ("call_2", "search_accounts", '{"name_contains": "ABC"}'),
)
REPLY = "Jack Russel works for ABC Corp, a software company."
ANSWERS = (Answer(calls=CALLS, characters=3), Answer(REPLY, characters=5))
SHORT = Answer("Hello from the second.")
ROUTED = Answer('{"tools": ["search_leads", "search_accounts"]}', usage=None)


def is_routing(body: dict[str, Any]) -> bool:
    """Return True for the router's request, in which a turn lets a cheap model choose tools."""
    return "choose tools" in json.dumps(body) and ("response_format" in body or "inferenceConfig" in body)


def turn_requests(server: ModelServer) -> list[dict[str, Any]]:
    """Return the requests of the turns themselves, without the router's."""
    return [body for body in server.requests if not is_routing(body)]


class Providers:
    """The providers of a test. The environment has keys for them alone."""

    def __init__(self, folder: Path, world: World) -> None:
        self.servers: dict[str, ModelServer] = {}
        self._folder, self.world = folder, world

    def serve(
        self, provider: str, *answers: Answer, play: Callable[[dict[str, Any]], Answer] | None = None
    ) -> ModelServer:
        kind = {"anthropic": AnthropicServer, "bedrock": BedrockServer}.get(provider, ModelServer)
        server = self.servers[provider] = kind(*answers)
        turn_play = play or server.play
        server.play = lambda body: ROUTED if is_routing(body) else turn_play(body)
        return server.__enter__()

    def environment(self, **more: str) -> dict[str, str]:
        """Return the variables that make the assistant use the servers."""
        urls = "".join(f'{provider} = "{server.url}"\n' for provider, server in self.servers.items())
        packaged = MODELS_FILE.read_text(encoding="utf-8")
        file = self._folder / "models.toml"
        file.write_text(packaged.replace("[base_urls]\n", f"[base_urls]\n{urls}"), encoding="utf-8")
        keys = {KEYS[provider]: f"key of {provider}" for provider in self.servers}
        if "ollama" in self.servers:
            keys[KEYS["ollama"]] = self.servers["ollama"].address
        if "bedrock" in self.servers:
            keys[KEYS["bedrock"]] = "eu-central-1"
        return {**keys, "AISHA_MODELS_FILE": str(file), **more}

    def use(self, **more: str) -> None:
        """Let the functions use the servers, with new clients and closed circuits."""
        self.world.use(settings=read_settings(self.environment(**more)))

    def close(self) -> None:
        self.world.close()
        for server in self.servers.values():
            server.__exit__(None, None, None)


def ask(**fields: Any) -> dict[str, Any]:
    """Run a turn that must succeed and return its JSON."""
    answer = chat({"message": QUESTION, **fields}, ALICE)
    assert answer.status == 200, answer.text
    body: dict[str, Any] = answer.json
    return body
