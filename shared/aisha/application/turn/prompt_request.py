"""What one model call of a turn is given: the tools that are attached and the system prompt."""

import json
from collections.abc import Sequence

from aisha.application.knowledge import library as knowledge
from aisha.application.knowledge import on_demand_context as more_info
from aisha.application.knowledge.data_sections import data_sections
from aisha.application.prompt import OnDemand, PromptFacts, joined, sections_of
from aisha.application.tooling.registry import openai_function
from aisha.application.turn.record import TurnRecord, TurnTimings
from aisha.application.turn.state import Turn, TurnInput
from aisha.domain.models import ModelMessage
from aisha.domain.records import RECORD_TYPES
from aisha.domain.tools import ToolSpec

_BRIEF = 64
CHARACTERS_PER_TOKEN = 4
"""Of English text, on average (OpenAI, "What are tokens and how to count them?"); a budget needs no more precision."""


def estimated_tokens(text: str) -> int:
    """About how many tokens a text is."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def attached_tools(turn_input: TurnInput, record: TurnRecord) -> tuple[ToolSpec, ...]:
    """Return the tools of the next model call (C-X8): always sent, chosen, asked for, or used in the last turn."""
    last = next((message for message in reversed(turn_input.session.messages) if message.role == "assistant"), None)
    pending = turn_input.session.conversation.pending
    chosen = {
        *record.more_info.attached.tools,
        *(call.name for call in (last.tool_calls if last else ())),
        *([pending.tool] if pending else ()),
        *(record.more_info.tools if record.chosen_tools is None else record.chosen_tools),
    }
    return tuple(
        spec
        for spec in turn_input.tools
        if (spec.always or spec.name in chosen) and not (spec.name == more_info.NAME and record.more_info.is_closed)
    )


def prompt_facts(turn: Turn, tools: Sequence[ToolSpec]) -> PromptFacts:
    """What the prompt of the turn's next model call is written from."""
    principal, page = turn.input.principal, turn.input.request.context
    known = dict.fromkeys(record_type.MODULE for record_type in RECORD_TYPES.values())
    return PromptFacts(
        principal=principal,
        now=turn.input.now,
        assistant_name=turn.input.profile.assistant_name or turn.input.deps.limits.assistant_name,
        entities=turn.input.entities,
        messages=turn.input.session.messages,
        tools=tools,
        closed_modules=[module for module in known if module in CLOSABLE and not principal.may_use(module)],
        labels={**turn.input.deps.limits.labels, **turn.input.profile.labels},
        spoken=turn.input.request.format == "voice",
        page=page.page if page else None,
        on_demand=_on_demand(turn, tools),
        summary=turn.input.session.conversation.summary,
        instructions=[one.text for one in turn.input.preferences.instructions],
        mode=turn.input.mode,
        persona=turn.input.profile.persona,
    )


def system_message(turn: Turn, tools: Sequence[ToolSpec]) -> ModelMessage:
    """The system prompt of the next model call; how large its parts are stands in `turn.timings.prompt_tokens`."""
    parts = sections_of(prompt_facts(turn, tools))
    turn.timings.prompt_tokens = {name: estimated_tokens(text) for name, text in parts}
    return ModelMessage("system", joined(parts))


def _on_demand(turn: Turn, tools: Sequence[ToolSpec]) -> OnDemand:
    """What `req_more_info` could bring, and what it brought."""
    wanted, sent = turn.record.more_info, {spec.name for spec in tools}
    blocks = wanted.blocks(turn.context(turn.input.message_id))
    if more_info.NAME not in sent:
        return OnDemand(blocks=blocks)
    attached = wanted.attached
    sections = {one.id: one.description for one in data_sections().values() if one.id not in attached.sections}
    return OnDemand(
        sections={
            **sections,
            **{name: "Sent by the user's app" for name in wanted.client_sections if name not in wanted.client_data},
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


def measure_call(timings: TurnTimings, said: Sequence[ModelMessage], tools: Sequence[ToolSpec]) -> None:
    """Adds what is sent beside the system prompt to `turn.timings.prompt_tokens`."""
    timings.prompt_tokens["messages"] = sum(estimated_tokens(message.content) for message in said)
    timings.prompt_tokens["tool_schemas"] = sum(schema_tokens(spec) for spec in tools)


_schemas: dict[str, tuple[ToolSpec, int]] = {}


def schema_tokens(spec: ToolSpec) -> int:
    """About how many tokens a tool takes as a function declaration."""
    known = _schemas.get(spec.name)
    if known is None or known[0] is not spec:
        _schemas[spec.name] = known = spec, estimated_tokens(json.dumps(openai_function(spec), separators=(",", ":")))
    return known[1]
