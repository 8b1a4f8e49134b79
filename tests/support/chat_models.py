"""The three kinds of chat models, each over the fake server of its API."""

from collections.abc import Callable
from typing import Any, NamedTuple

from aisha.adapters.llm.apis.anthropic_chat import AnthropicChatModel
from aisha.adapters.llm.apis.openai_chat import OpenAIChatModel
from aisha.adapters.llm.provider import Access
from aisha.adapters.llm.providers.bedrock import BedrockChatModel
from aisha.adapters.llm.terms import ModelTerms
from tests.fakes.models.anthropic_server import AnthropicServer
from tests.fakes.models.bedrock_server import BedrockServer
from tests.fakes.models.model_server import MODEL, ModelServer
from tests.support.model_over_server import ClosableModel, ModelOverServer

HAIKU = "global.anthropic.claude-haiku-4-5-20251001-v1:0"


class Api(NamedTuple):
    """An API as its fake server speaks it. `answering` is the model that an answer of `model` names.

    `description` reads a tool's description from a request, `length` is the stop reason at the length limit.
    """

    provider: str
    server: type[ModelServer]
    connect: Callable[..., ClosableModel]
    model: str
    answering: str
    request_id_header: str
    length: str
    description: Callable[[dict[str, Any]], str]


def _bedrock(
    model: str = HAIKU,
    *,
    base_url: str,
    terms: ModelTerms | None = None,
    guardrail: str = "",
    sleep: Callable[[float], None] | None = None,
) -> BedrockChatModel:
    settings = {"BEDROCK_GUARDRAIL": guardrail} if guardrail else {}
    return BedrockChatModel(model, Access("eu-central-1", base_url, settings), terms or ModelTerms())


def _openai(model: str = "gpt-4o", **options: Any) -> OpenAIChatModel:
    return OpenAIChatModel("sk-test", model=model, **options)


def _anthropic(model: str = "claude-sonnet-5-5", **options: Any) -> AnthropicChatModel:
    return AnthropicChatModel("sk-ant-test", model=model, **options)


OPENAI = Api(
    "openai",
    ModelServer,
    _openai,
    "gpt-4o",
    MODEL,
    "x-request-id",
    "length",
    lambda body: str(body["tools"][0]["function"]["description"]),
)
ANTHROPIC = Api(
    "anthropic",
    AnthropicServer,
    _anthropic,
    "claude-sonnet-5-5",
    "claude-sonnet-5-5",
    "request-id",
    "max_tokens",
    lambda body: str(body["tools"][0]["description"]),
)
BEDROCK = Api(
    "bedrock",
    BedrockServer,
    _bedrock,
    HAIKU,
    HAIKU,
    "x-amzn-RequestId",
    "max_tokens",
    lambda body: str(body["toolConfig"]["tools"][0]["toolSpec"]["description"]),
)
APIS = (OPENAI, ANTHROPIC, BEDROCK)


class Asked(ModelOverServer):
    """A model over a fake server; pauses between tries are remembered, not taken, but Bedrock's."""

    def __init__(self, api: Api, server: ModelServer, **options: Any) -> None:
        self.pauses: list[float] = []
        super().__init__(api.connect(base_url=server.url, sleep=self.pauses.append, **options))
