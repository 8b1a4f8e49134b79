"""The offline planner for tenants with their own words for record types: it reads and says the standard ones."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from aisha.domain.language.tenant_words import StandardText, TenantWords
from aisha.domain.models import ModelEvent, ModelFinished, ModelMessage, TextChunk, TurnRequest


def in_own_words(request: TurnRequest, stream: Callable[[TurnRequest], Iterator[ModelEvent]]) -> Iterator[ModelEvent]:
    """Yield the events of a turn whose words are the tenant's.

    Values of calls that stand in the user's message stay as they are written there, and so do texts of records.
    """
    words, facts = TenantWords(request.facts.labels), request.facts
    message = words.standard(facts.user_text)
    history = tuple(
        replace(one, content=words.standard(one.content).text) if one.role == "user" else one for one in facts.history
    )
    sources = [facts.user_text, *(one.content for one in request.messages if one.role == "tool")]
    facts = replace(facts, user_text=message.text, history=history)
    # The planner plans again in each round, and finds what it has called by the arguments.
    messages = [_with_values(one, message.standard) for one in request.messages]
    for event in stream(replace(request, messages=messages, facts=facts)):
        if isinstance(event, TextChunk):
            yield TextChunk(words.own(event.text, sources))
        else:
            yield _with_original_values(event, message, words)


def _with_original_values(event: ModelFinished, message: StandardText, words: TenantWords) -> ModelFinished:
    event = _with_values(event, message.original)
    calls = tuple(replace(call, doubt=words.own(call.doubt)) for call in event.tool_calls)
    return replace(event, tool_calls=calls, postponed=tuple(message.original(text) for text in event.postponed))


def _with_values[T: (ModelMessage, ModelFinished)](item: T, change: Callable[[str], str]) -> T:
    """Return a message or an event with `change` applied to every text in the arguments of its calls."""
    calls = tuple(
        replace(call, arguments=json.dumps(_changed(json.loads(call.arguments or "{}"), change)))
        for call in item.tool_calls
    )
    return replace(item, tool_calls=calls)


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_changed(item, change) for item in value]
    if isinstance(value, dict):
        # A type of record is one of the schema's words, whatever the user calls it.
        return {key: item if key == "entity_type" else _changed(item, change) for key, item in value.items()}
    return value
