"""What one model call of a turn is given: the tools that are attached and the system prompt."""

import json
from collections.abc import Sequence

from aisha.application.knowledge import library as knowledge
from aisha.application.knowledge import on_demand_context as more_info
from aisha.application.knowledge.data_sections import data_sections
from aisha.application.prompt import OnDemand, PromptFacts, joined, sections_of
from aisha.application.tooling.registry import openai_function
from aisha.application.turn.state import TurnState
from aisha.domain.models import ModelMessage
from aisha.domain.records import RECORD_TYPES
from aisha.domain.tools import ToolSpec

_BRIEF = 64
CHARACTERS_PER_TOKEN = 4
"""Of English text, on average (OpenAI, "What are tokens and how to count them?"); a budget needs no more precision."""


def estimated_tokens(text: str) -> int:
    """About how many tokens a text is."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def attached_tools(state: TurnState) -> tuple[ToolSpec, ...]:
    """The tools sent with the next model call (C-X8): those always sent, chosen, asked for, or used in the last turn."""
    last = next((message for message in reversed(state.session.messages) if message.role == "assistant"), None)
    pending = state.session.conversation.pending
    chosen = {
        *state.more_info.attached.tools,
        *(call.name for call in (last.tool_calls if last else ())),
        *([pending.tool] if pending else ()),
        *(state.more_info.tools if state.routed is None else state.routed),
    }
    return tuple(
        spec
        for spec in state.tools
        if (spec.always or spec.name in chosen) and not (spec.name == more_info.NAME and state.more_info.is_closed)
    )


def prompt_facts(state: TurnState, tools: Sequence[ToolSpec]) -> PromptFacts:
    """What the prompt of the turn's next model call is written from."""
    principal, page = state.principal, state.request.context
    known = dict.fromkeys(record_type.MODULE for record_type in RECORD_TYPES.values())
    return PromptFacts(
        principal=principal,
        now=state.now,
        assistant_name=state.profile.assistant_name or state.deps.limits.assistant_name,
        entities=state.entities,
        messages=state.session.messages,
        tools=tools,
        closed_modules=[module for module in known if module in CLOSABLE and not principal.may_use(module)],
        labels={**state.deps.limits.labels, **state.profile.labels},
        spoken=state.request.format == "voice",
        page=page.page if page else None,
        on_demand=_on_demand(state, tools),
        summary=state.session.conversation.summary,
        instructions=[one.text for one in state.preferences.instructions],
        mode=state.mode,
        persona=state.profile.persona,
    )


def system_message(state: TurnState, tools: Sequence[ToolSpec]) -> ModelMessage:
    """The system prompt of the next model call; how large its parts are stands in `state.prompt_tokens`."""
    parts = sections_of(prompt_facts(state, tools))
    state.prompt_tokens = {name: estimated_tokens(text) for name, text in parts}
    return ModelMessage("system", joined(parts))


def _on_demand(state: TurnState, tools: Sequence[ToolSpec]) -> OnDemand:
    """What `req_more_info` could bring, and what it brought."""
    wanted, sent = state.more_info, {spec.name for spec in tools}
    blocks = wanted.blocks(state.context(state.message_id))
    if more_info.NAME not in sent:
        return OnDemand(blocks=blocks)
    attached = wanted.attached
    sections = {one.id: one.description for one in data_sections().values() if one.id not in attached.sections}
    return OnDemand(
        sections={
            **sections,
            **{name: "Sent by the user's app" for name in wanted.clients if name not in wanted.given},
        },
        knowledge={
            one.id: shortened(one.description) for one in knowledge.articles() if one.id not in attached.knowledge
        },
        tools={name: briefly(spec) for name, spec in wanted.tools.items() if name not in sent},
        blocks=blocks,
    )


def briefly(spec: ToolSpec) -> str:
    """The first sentence of what it does, shortened: enough to choose it by."""
    return shortened(spec.description.splitlines()[0])


def shortened(text: str) -> str:
    """Its first sentence, and of that the beginning."""
    first = text.partition(". ")[0].rstrip(".")
    return first if len(first) <= _BRIEF else f"{first[:_BRIEF].rpartition(' ')[0]} …"


CLOSABLE = frozenset(("leads", "contacts", "accounts", "opportunities", "activities", "notes"))
"""Modules that a tenant opens user by user."""


def measure_call(state: TurnState, said: Sequence[ModelMessage], tools: Sequence[ToolSpec]) -> None:
    """Adds what is sent beside the system prompt to `state.prompt_tokens`."""
    state.prompt_tokens["messages"] = sum(estimated_tokens(message.content) for message in said)
    state.prompt_tokens["tool_schemas"] = sum(schema_tokens(spec) for spec in tools)


_schemas: dict[str, tuple[ToolSpec, int]] = {}


def schema_tokens(spec: ToolSpec) -> int:
    """About how many tokens a tool takes as a function declaration."""
    known = _schemas.get(spec.name)
    if known is None or known[0] is not spec:
        _schemas[spec.name] = known = spec, estimated_tokens(json.dumps(openai_function(spec), separators=(",", ":")))
    return known[1]
