"""`make live`: hold one conversation with every provider whose key is in the environment.

It is small, costs a fraction of a cent and touches no data: the model is given two tools, their results are made up
here, and its answer must have what was in them.
"""

import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from aisha.adapters.llm.provider import providers
from aisha.application.models.failover import ChainEntry
from aisha.bootstrap import Services
from aisha.domain.errors import AishaError
from aisha.domain.models import Caller, ModelFinished, ModelMessage, ModelRequest, TextChunk, Usage
from aisha.domain.ports import ChatModel
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolSpec
from aisha.settings import read_settings

SECONDS = 60.0
ROUNDS = 4
QUESTION = "Which company does Jack Russel work for, and what is its industry? Look it up."
SYSTEM = (
    "You are a CRM assistant. Look people and companies up with the tools before you answer. Answer in one sentence."
)
RESULTS = {
    "search_leads": '{"items": [{"name": "Jack Russel", "company": "ABC Corp"}]}',
    "search_accounts": '{"items": [{"name": "ABC Corp", "industry": "Shipbuilding"}]}',
}
# Without its first letter, which may be a capital or not.
EXPECTED = ("ABC", "hipbuilding")
JSON_QUESTION = 'Give me {"company": ...} of Jack Russel, who works for ABC Corp, as a JSON object.'
CALLER = Caller(Principal("demo", "alice"), datetime(2026, 3, 2, 9, tzinfo=UTC))


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's last answer, its tool calls, and its usage."""

    text: str
    calls: tuple[str, ...]
    usage: Usage
    first_words_ms: float


def converse(model: ChatModel, tools: Sequence[ToolSpec]) -> Answer:
    """Hold the conversation, with invented tool results. Raises `AishaError`."""
    messages = [ModelMessage("system", SYSTEM), ModelMessage("user", QUESTION)]
    calls, usage, first_words = list[str](), Usage(), 0.0
    for _ in range(ROUNDS):
        start, texts, finished = time.monotonic(), list[str](), ModelFinished("", "")
        for event in model.stream(ModelRequest(messages, tools, CALLER, start + SECONDS)):
            if isinstance(event, TextChunk):
                first_words = first_words if texts else (time.monotonic() - start) * 1000
                texts.append(event.text)
            else:
                finished = event
        usage += finished.usage
        if not finished.tool_calls:
            return Answer("".join(texts), tuple(calls), usage, first_words)
        calls += [call.name for call in finished.tool_calls]
        messages += [
            ModelMessage("assistant", "".join(texts), finished.tool_calls),
            *(ModelMessage("tool", RESULTS.get(call.name, "{}"), tool_call_id=call.id) for call in finished.tool_calls),
        ]
    return Answer("", tuple(calls), usage, first_words)


def ask_for_json(model: ChatModel) -> str:
    """Return a JSON object from the model. Raises `AishaError`, also for other text."""
    request = ModelRequest(
        [ModelMessage("user", JSON_QUESTION)], (), CALLER, time.monotonic() + SECONDS, "json_strict", json_mode=True
    )
    return "".join(event.text for event in model.stream(request) if isinstance(event, TextChunk))


def problem_of(answer: Answer, json_text: str) -> str | None:
    """Return what is wrong with the answers, or None."""
    if not answer.calls:
        return "it called no tool"
    if missing := [word for word in EXPECTED if word not in answer.text]:
        return f"its answer lacks {' and '.join(missing)}: {answer.text!r}"
    return None if "ABC" in json_text else f"its JSON lacks ABC: {json_text}"


def try_out(link: ChainEntry, tools: Sequence[ToolSpec]) -> tuple[bool, str]:
    """Return whether the conversation succeeded, and a line of its result."""
    try:
        answer, json_text = converse(link.chat(), tools), ask_for_json(link.chat())
    except AishaError as error:
        return False, f"{link.name}: FAILED, {error.message} {error.detail or ''}".rstrip()
    if problem := problem_of(answer, json_text):
        return False, f"{link.name}: FAILED, {problem}"
    usage = answer.usage
    return True, (
        f"{link.name}: ok, called {', '.join(answer.calls)}; first words after {answer.first_words_ms:.0f} ms; "
        f"{usage.input_tokens} + {usage.output_tokens} tokens, ${usage.cost_usd:.5f}"
    )


def main(environment: Mapping[str, str] | None = None) -> int:
    """Print a line for each model, and the missing keys. Return 0 if at least one was asked and none failed."""
    services = Services(settings=read_settings(os.environ if environment is None else environment))
    chain = services.model_chains.chain("chat_tools")
    tools = [spec for spec in services.tools.specs() if spec.name in RESULTS]
    outcomes = []
    try:
        for link in chain:
            outcomes.append(try_out(link, tools))
            print(outcomes[-1][1], flush=True)
    finally:
        services.close()
    usable = {link.provider for link in chain}
    for provider, declared in providers().items():
        if provider not in usable:
            print(f"{provider}: not asked, set {declared.variable}")
    return 0 if outcomes and all(well for well, _ in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
