"""Calls of /v1 with LangChain or pydantic-ai, run as a program in the environment that has them.

usage: framework_clients.py URL TOKEN NAME... Prints the outcome of each named call, or its error, as a line of JSON.
"""

import json
import sys
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider

WHO, EMAIL, WHERE = "Tell me about Jack Russel", "What is his email?", "Where does Jack Russel work?"


class Company(BaseModel):
    """The company that somebody works for."""

    company: str


def weather(city: str) -> str:
    """Return the weather of a city."""
    return f"Sunny in {city}."


WEATHER = tool(weather)


class LangChain:
    """`ChatOpenAI` pointed at the server."""

    def __init__(self, url: str, token: str) -> None:
        place: dict[str, Any] = {"model": "aisha", "base_url": f"{url}/v1", "api_key": token, "max_retries": 0}
        self.model, self.responses = ChatOpenAI(**place), ChatOpenAI(**place, use_responses_api=True)

    def invoke(self) -> Any:
        return self.model.invoke([SystemMessage("Be brief."), HumanMessage(WHO)]).content

    def history(self) -> Any:
        first = self.model.invoke(WHO)
        return self.model.invoke([HumanMessage(WHO), first, HumanMessage(EMAIL)]).content

    def foreign_history(self) -> Any:
        return self.model.invoke([HumanMessage(WHO), AIMessage("He is a lead."), HumanMessage(EMAIL)]).content

    def stream(self) -> Any:
        return "".join(str(chunk.content) for chunk in self.model.stream(WHO))

    def bind_tools(self) -> Any:
        answer = self.model.bind_tools([WEATHER], parallel_tool_calls=False).invoke(WHO)
        return [answer.content, answer.tool_calls]

    def agent(self) -> Any:
        answer = create_agent(self.model, [WEATHER]).invoke({"messages": [HumanMessage(WHO)]})
        return answer["messages"][-1].content

    def structured_by_schema(self) -> Any:
        return self.model.with_structured_output(Company).invoke(WHERE).model_dump()

    def structured_by_call(self) -> Any:
        form = self.model.with_structured_output(Company, method="function_calling")
        return form.invoke(WHERE).model_dump()

    def responses_api(self) -> Any:
        return self.responses.invoke(WHO).text


class PydanticAI:
    """Agents of pydantic-ai pointed at the server."""

    def __init__(self, url: str, token: str) -> None:
        provider = OpenAIProvider(base_url=f"{url}/v1", api_key=token)
        self.model = OpenAIChatModel("aisha", provider=provider)
        self.responses = OpenAIResponsesModel("aisha", provider=provider)

    def history(self) -> Any:
        agent = Agent(self.model)
        first = agent.run_sync(WHO)
        return agent.run_sync(EMAIL, message_history=first.all_messages()).output

    def stream(self) -> Any:
        return "".join(Agent(self.model).run_stream_sync(WHO).stream_text(delta=True))

    def tools(self) -> Any:
        return Agent(self.model, tools=[weather]).run_sync(WHO).output

    def output_type(self) -> Any:
        return Agent(self.model, output_type=Company).run_sync(WHERE).output.model_dump()

    def native_output(self) -> Any:
        return Agent(self.model, output_type=NativeOutput(Company)).run_sync(WHERE).output.model_dump()

    def responses_api(self) -> Any:
        return Agent(self.responses).run_sync(WHO).output


def outcome(url: str, token: str, name: str) -> Any:
    framework, _, call = name.partition(".")
    client = {"langchain": LangChain, "pydantic_ai": PydanticAI}[framework](url, token)
    try:
        return getattr(client, call)()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    for name in sys.argv[3:]:
        print(json.dumps(outcome(sys.argv[1], sys.argv[2], name)), flush=True)
