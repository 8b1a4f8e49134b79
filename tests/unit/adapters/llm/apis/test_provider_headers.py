"""The headers that the chat models send, compared with those of the providers' own SDKs."""

from typing import Any

import anthropic
import openai

from aisha.adapters.llm.apis.anthropic_chat import AnthropicChatModel
from aisha.adapters.llm.apis.openai_chat import OpenAIChatModel
from aisha.adapters.llm.apis.provider_chat import ProviderChatModel
from tests.fakes.models.anthropic_server import AnthropicServer
from tests.fakes.models.model_server import Answer, ModelServer
from tests.support.model_over_server import ModelOverServer


def _headers_of(model: ProviderChatModel, server: ModelServer) -> dict[str, str]:
    ModelOverServer(model).answer()
    ModelOverServer.close_all()
    (headers,) = server.headers
    return {name.lower(): text for name, text in headers.items()}


def _headers_of_sdk(client: Any) -> dict[str, str]:
    headers = {**client.auth_headers, **client.default_headers}
    return {name.lower(): text for name, text in headers.items() if isinstance(text, str)}


def test_openai_gets_the_key_and_the_content_type_as_from_its_sdk() -> None:
    with ModelServer(Answer("Hi")) as server:
        sent = _headers_of(OpenAIChatModel("sk-test", server.url, "gpt-4o"), server)
    expected = _headers_of_sdk(openai.OpenAI(api_key="sk-test"))
    for name in ("authorization", "content-type"):
        assert sent[name] == expected[name]


def test_anthropic_gets_the_key_and_the_version_as_from_its_sdk() -> None:
    with AnthropicServer(Answer("Hi")) as server:
        sent = _headers_of(AnthropicChatModel("sk-test", server.url, "claude-opus-4-6"), server)
    expected = _headers_of_sdk(anthropic.Anthropic(api_key="sk-test"))
    for name in ("authorization", "content-type", "anthropic-version"):
        assert sent[name] == expected[name]


def test_a_provider_learns_nothing_of_the_machine() -> None:
    with ModelServer(Answer("Hi")) as server:
        sent = _headers_of(OpenAIChatModel("sk-test", server.url, "gpt-4o"), server)
    assert sent["user-agent"] == "AiSHA"
    assert not [name for name in sent if "stainless" in name]
