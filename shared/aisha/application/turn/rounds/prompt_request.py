"""The input of one model call of a turn: its tools and its system prompt."""

import json
import re
from collections.abc import Sequence
from functools import lru_cache

from aisha.application.knowledge import library as knowledge
from aisha.application.knowledge import on_demand_context as more_info
from aisha.application.knowledge.data_sections import data_sections
from aisha.application.prompt import OnDemand, PromptFacts, join_sections, render_sections, stable_sections
from aisha.application.tooling.formats import openai_function
from aisha.application.turn.record import TurnRecord, TurnTimings
from aisha.application.turn.state import Turn, TurnInput
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.models import ModelMessage
from aisha.domain.tools import ToolSpec

MAX_BRIEF_LENGTH, MIN_BRIEF_LENGTH = 36, 9
_CLAUSE_END = re.compile(
    r"[:;] |, (?=(?:and |or )?(?:how|what|when|which|who|whether|its|their|with|so|each|all|for|from|in|to|optionally|"
    r"newest)\b|and \w+ \w+ \w+)| (?=(?:by|about|to an?) [\w ]+, \w+(?:,| or ))"
)
"""A colon, a semicolon, a comma before the opening of another clause, or the word before a list of three or more."""
CHARACTERS_PER_TOKEN = 4
"""Average for English text (OpenAI, "What are tokens and how to count them?"); a budget needs no more precision."""
CLOSABLE = frozenset(("leads", "contacts", "accounts", "opportunities", "activities", "notes"))
"""Modules that a tenant can open or close for single users."""


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def attached_tools(turn_input: TurnInput, record: TurnRecord) -> tuple[ToolSpec, ...]:
    """Return the tools of the next model call (C-X8): always sent, chosen, requested, or used in the last turn."""
    # The tools of the last answer and of its question are sent again, because the message may continue them.
    last = next((message for message in reversed(turn_input.session.messages) if message.role == "assistant"), None)
    pending = turn_input.session.conversation.pending
    names = {
        *record.more_info.attached.tools,
        *(call.name for call in (last.tool_calls if last else ())),
        *([pending.tool] if pending else ()),
        *(record.more_info.tools if record.chosen_tools is None else record.chosen_tools),
    }
    # A model that attaches a tool has shown that the choice among all of them was incomplete.
    if not record.sends_only_chosen or record.more_info.attached.tools:
        names |= {spec.name for spec in turn_input.tools if spec.always}
    names.add(more_info.NAME)
    if record.more_info.is_closed:
        names.remove(more_info.NAME)
    return tuple([spec for spec in turn_input.tools if spec.name in names])


def prompt_facts(turn: Turn, tools: Sequence[ToolSpec]) -> PromptFacts:
    """Return the facts for the prompt of the turn's next model call."""
    principal, page = turn.input.principal, turn.input.request.context
    modules = dict.fromkeys(record_type.MODULE for record_type in RECORD_TYPES.values())
    return PromptFacts(
        principal=principal,
        now=turn.input.now,
        assistant_name=turn.input.assistant_name,
        entities=turn.input.entities,
        messages=turn.input.session.messages,
        tools=tools,
        closed_modules=[module for module in modules if module in CLOSABLE and not principal.may_use(module)],
        labels=turn.input.labels,
        spoken=turn.input.is_spoken,
        page=page.page if page else None,
        on_demand=_on_demand(turn, tools),
        summary=turn.input.session.conversation.summary,
        instructions=[instruction.text for instruction in turn.input.preferences.instructions],
        mode=turn.input.mode,
        persona=turn.input.profile.persona,
    )


def system_messages(facts: PromptFacts, timings: TurnTimings) -> list[ModelMessage]:
    """Return the system prompt of a model call: what is the same in every turn of the tenant, then the rest.

    Set `timings.prompt_tokens` to the sizes of its sections and of the tools' schemas.
    """
    rendered = render_sections(facts)
    timings.prompt_tokens = {name: estimate_tokens(text) for name, text in rendered}
    timings.prompt_tokens["tool_schemas"] = _tokens_of(facts.tools)
    stable = [section for section in rendered if section[0] in stable_sections()]
    variable = [section for section in rendered if section[0] not in stable_sections()]
    return [ModelMessage("system", join_sections(part)) for part in (stable, variable) if part]


def _on_demand(turn: Turn, tools: Sequence[ToolSpec]) -> OnDemand:
    context, tool_names = turn.record.more_info, {spec.name for spec in tools}
    blocks = context.blocks(turn.context(turn.input.message_id))
    if more_info.NAME not in tool_names:
        return OnDemand(blocks=blocks)
    attached = context.attached
    attachable = [item for item in data_sections().values() if item.id not in attached.sections]
    sections = {item.id: _briefly(item.description) for item in attachable}
    from_client = {
        name: _briefly(text) for name, text in context.client_sections.items() if name not in context.client_data
    }
    articles = [article for article in knowledge.articles() if article.id not in attached.knowledge]
    return OnDemand(
        sections=sections | from_client,
        knowledge={article.id: _briefly(article.description) for article in articles},
        tools={name: describe_briefly(spec) for name, spec in context.tools.items() if name not in tool_names},
        blocks=blocks,
    )


def describe_briefly(spec: ToolSpec) -> str:
    """Return the first sentence of a tool's description, or its first clause if it is long: enough to choose it."""
    return _briefly(spec.description)


@lru_cache(maxsize=512)
def _briefly(text: str) -> str:
    first = text.partition("\n")[0].partition(". ")[0].rstrip(".")
    if len(first) <= MAX_BRIEF_LENGTH:
        return first
    # The first clause that is long enough to say something; one without a boundary stays whole.
    ends = (match.start() for match in _CLAUSE_END.finditer(first) if match.start() >= MIN_BRIEF_LENGTH)
    return first[: next(ends, len(first))]


def measure_messages(timings: TurnTimings, messages: Sequence[ModelMessage]) -> None:
    """Set the size of the messages in `timings.prompt_tokens`."""
    timings.prompt_tokens["messages"] = sum(estimate_tokens(message.content) for message in messages)


_schema_tokens: dict[str, tuple[ToolSpec, int]] = {}


def schema_tokens(spec: ToolSpec) -> int:
    """Return about how many tokens a tool takes as a function declaration."""
    # A spec has dicts and is not hashable, so the cache is by name. Two registries may use a name for different tools.
    cached = _schema_tokens.get(spec.name)
    if cached is None or cached[0] is not spec:
        cached = spec, estimate_tokens(json.dumps(openai_function(spec), separators=(",", ":")))
        _schema_tokens[spec.name] = cached
    return cached[1]


_last_tools: tuple[Sequence[ToolSpec], int] = ((), 0)


def _tokens_of(specs: Sequence[ToolSpec]) -> int:
    """Return about how many tokens the tools of a model call take."""
    global _last_tools
    # The turns of a user mostly send the same specs, so that comparing them compares identities.
    last, tokens = _last_tools
    if last != specs:
        tokens = sum(map(schema_tokens, specs))
        _last_tools = specs, tokens
    return tokens
