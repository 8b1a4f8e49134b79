"""An agent of langchain on langchain-openai with the same instructions and tools."""

from collections.abc import Iterator
from typing import Any

from langchain.agents import create_agent
from langchain_core.tools import StructuredTool
from langchain_openai import ChatOpenAI

from bench.contestants.conversation import KEY, MODEL, Conversation


class LangchainAgent:
    """The agent is made once and run for each turn."""

    def __init__(self, conversation: Conversation) -> None:
        self._input: Any = {"messages": [{"role": "user", "content": conversation.question}]}
        model = ChatOpenAI(model=MODEL, api_key=KEY, base_url=conversation.url, stream_usage=True)
        tools = [_tool(conversation, item["function"]) for item in conversation.tools]
        self._agent: Any = create_agent(model, tools, system_prompt=conversation.system)

    def whole(self) -> str:
        return str(self._agent.invoke(self._input)["messages"][-1].content)

    def streamed(self) -> Iterator[str]:
        for piece, _ in self._agent.stream(self._input, stream_mode="messages"):
            if piece.type == "AIMessageChunk" and piece.content:
                yield piece.content


def _tool(conversation: Conversation, function: dict[str, Any]) -> StructuredTool:
    name: str = function["name"]

    def run(**arguments: Any) -> str:
        return conversation.run(name, **arguments)

    return StructuredTool(name=name, description=function["description"], args_schema=function["parameters"], func=run)
