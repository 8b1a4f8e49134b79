"""What the user may want next: 2 to 4 buttons after every reply (C-A5)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from aisha.application.tooling import ToolRegistry
from aisha.application.tooling.policy import is_open
from aisha.domain.conversation import SessionEntity
from aisha.domain.principal import Principal
from aisha.domain.records import SUBJECT_TYPES
from aisha.domain.tool_results import found_in
from aisha.domain.tools import FollowUp, ToolCall, ToolSpec

FEWEST, MOST = 2, 4
ANSWERS = (FollowUp("Yes, go ahead", "✅"), FollowUp("No, leave it", "✖️"))
NEVER_MIND = FollowUp("Never mind", "↩️")
ABOUT_SOMEONE = (
    FollowUp("What should I do next with {name}?", "💡", "suggest_next_actions"),
    FollowUp("Create an activity for {name}", "📅", "create_activity"),
    FollowUp("Are there any notes about {name}?", "📝", "list_notes"),
)
ALWAYS = (
    FollowUp("What should I do next?", "💡", "suggest_next_actions"),
    FollowUp("What is on my plate today?", "🗓️", "get_my_day"),
    FollowUp("Show me my warm leads", "🔥", "search_leads"),
    FollowUp("How does my pipeline look?", "📊", "get_pipeline_summary"),
    FollowUp("What can you do?", "❓"),
    FollowUp("Help me get started", "🧭"),
)


def follow_ups(
    calls: Sequence[ToolCall],
    reply: str,
    entities: Sequence[SessionEntity],
    registry: ToolRegistry,
    principal: Principal,
) -> tuple[FollowUp, ...]:
    """From the tools just used, the record in focus and what is always good; none that the user may not do."""
    if choices := _choices(calls, reply):
        return choices
    focus = next((entity for entity in entities if entity.type in SUBJECT_TYPES), None)
    steps = [*_typical(calls, focus), *(ABOUT_SOMEONE if focus else ()), *ALWAYS]
    filled = _filled(steps, focus, registry)
    allowed = (step for step in filled if is_permitted(step, registry, principal))
    return tuple({step.text: step for step in allowed}.values())[:MOST]


def _typical(calls: Sequence[ToolCall], focus: SessionEntity | None) -> list[FollowUp]:
    """Those of the calls that brought something: of writes if there were any, of what is in focus, the last first."""
    done = [call for call in reversed(calls) if call.spec and call.result.ok]
    writes = [call for call in done if call.spec and call.spec.access != "read"]
    found = {call.id: {entity.id for entity in found_in(call.result)} for call in done}
    about = [call for call in done if focus and focus.id in found[call.id]]
    chosen = writes or about or [call for call in done if found[call.id] or not _is_list(call)]
    return [step for call in chosen if call.spec for step in call.spec.typical_followups]


def _is_list(call: ToolCall) -> bool:
    return isinstance(call.result.value, Mapping) and "items" in call.result.value


def _choices(calls: Sequence[ToolCall], reply: str) -> tuple[FollowUp, ...]:
    """One button for each record when the reply asks which of several is meant."""
    if "?" not in reply or any(call.has_written for call in calls):
        return ()
    question = reply.rstrip().rpartition("\n")[2].lower()
    found = {entity.id: entity for call in calls if call.result.ok for entity in found_in(call.result)}
    named = [
        entity for entity in found.values() if entity.type in SUBJECT_TYPES and entity.name.lower() in reply.lower()
    ]
    words = [set(entity.name.lower().split()) for entity in named]
    if len(named) < FEWEST or not set.intersection(*words) or "which" not in question:
        return ()
    return (*(FollowUp(_told_apart(entity, reply), "👤") for entity in named[: MOST - 1]), NEVER_MIND)


def _told_apart(entity: SessionEntity, reply: str) -> str:
    """`John Doe (ABC Corp)`: the company is the alias that is neither a word of the name nor an address.

    Aliases are in lower case; the reply has it as it is written.
    """
    name = entity.name.lower()
    company = next((alias for alias in entity.aliases if alias not in name and "@" not in alias), None)
    if company is None:
        return entity.name
    place = reply.lower().find(company)
    return f"{entity.name} ({reply[place : place + len(company)] if place >= 0 else company.title()})"


def _filled(steps: Iterable[FollowUp], focus: SessionEntity | None, registry: ToolRegistry) -> Iterator[FollowUp]:
    for step in steps:
        if "{" not in step.text:
            yield step
        elif focus is not None and "{name}" in step.text:
            arguments = step.arguments or _about(focus, registry.spec(step.tool) if step.tool else None)
            yield replace(step, text=step.text.replace("{name}", focus.name), arguments=arguments)


def _about(focus: SessionEntity, spec: ToolSpec | None) -> dict[str, str] | None:
    """The arguments that point at the record, as far as the tool has such parameters."""
    if spec is None:
        return None
    if "entity_id" in spec.properties:
        return {"entity_type": focus.type, "entity_id": focus.id}
    own = f"{focus.type}_id"
    return {own: focus.id} if own in spec.properties else None


def is_permitted(step: FollowUp, registry: ToolRegistry, principal: Principal) -> bool:
    """Whether the user may do what the step would run."""
    if step.tool is None:
        return True
    spec = registry.spec(step.tool)
    return spec is not None and is_open(principal, spec)
