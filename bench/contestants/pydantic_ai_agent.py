"""An agent of pydantic-ai with the same instructions and tools."""

from collections.abc import Iterator
from typing import Any

from pydantic_ai import Agent, Tool
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from bench.contestants.conversation import KEY, MODEL, Conversation


class PydanticAiAgent:
    """The agent is made once and run for each turn."""

    def __init__(self, conversation: Conversation) -> None:
        self._question = conversation.question
        model = OpenAIChatModel(MODEL, provider=OpenAIProvider(base_url=conversation.url, api_key=KEY))
        tools = [_tool(conversation, item["function"]) for item in conversation.tools]
        self._agent = Agent(model, instructions=conversation.system, tools=tools)

    def whole(self) -> str:
        return str(self._agent.run_sync(self._question).output)

    def streamed(self) -> Iterator[str]:
        run = self._agent.run_stream_sync(self._question)
        yield from run.stream_text(delta=True, debounce_by=None)


def _tool(conversation: Conversation, function: dict[str, Any]) -> Tool[None]:
    name: str = function["name"]

    def run(**arguments: Any) -> str:
        return conversation.run(name, **arguments)

    return Tool.from_schema(run, name, function["description"], function["parameters"])
