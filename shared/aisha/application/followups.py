"""What the user may want next: 2 to 4 buttons after every reply (C-A5)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from aisha.application.entities import SUBJECTS, entities_in
from aisha.application.tooling import ToolRegistry, decide
from aisha.domain.conversation import SessionEntity
from aisha.domain.principal import Principal
from aisha.domain.tools import FollowUp, ToolCall

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
    focus = next((entity for entity in entities if entity.type in SUBJECTS), None)
    done = [call for call in calls if call.spec is not None and call.result.ok]
    writes = [call for call in done if call.spec and call.spec.access != "read"]
    proposed = (step for call in reversed(writes or done) if call.spec for step in call.spec.typical_followups)
    filled = _filled([*proposed, *(ABOUT_SOMEONE if focus else ()), *ALWAYS], focus)
    allowed = (step for step in filled if _is_permitted(step, registry, principal))
    return tuple({step.text: step for step in allowed}.values())[:MOST]


def _choices(calls: Sequence[ToolCall], reply: str) -> tuple[FollowUp, ...]:
    """One button for each record when the reply asks which of several is meant."""
    if "?" not in reply or any(call.spec and call.spec.access != "read" and call.result.ok for call in calls):
        return ()
    question = reply.rstrip().rpartition("\n")[2].lower()
    found = {entity.id: entity for call in calls if call.result.ok for entity in entities_in(call.result.value)}
    named = [entity for entity in found.values() if entity.type in SUBJECTS and entity.name.lower() in reply.lower()]
    words = [set(entity.name.lower().split()) for entity in named]
    if len(named) < FEWEST or not set.intersection(*words) or "which" not in question:
        return ()
    return (*(FollowUp(_told_apart(entity), "👤") for entity in named[: MOST - 1]), NEVER_MIND)


def _told_apart(entity: SessionEntity) -> str:
    """`John Doe (ABC Corp)`: the company is the alias that is neither a word of the name nor an address."""
    name = entity.name.lower()
    company = next((alias for alias in entity.aliases if alias not in name and "@" not in alias), None)
    return f"{entity.name} ({company.title()})" if company else entity.name


def _filled(steps: Iterable[FollowUp], focus: SessionEntity | None) -> Iterator[FollowUp]:
    for step in steps:
        if "{" not in step.text:
            yield step
        elif focus is not None and "{name}" in step.text:
            arguments = step.arguments or ({"entity_type": focus.type, "entity_id": focus.id} if step.tool else None)
            yield replace(step, text=step.text.replace("{name}", focus.name), arguments=arguments)


def _is_permitted(step: FollowUp, registry: ToolRegistry, principal: Principal) -> bool:
    if step.tool is None:
        return True
    spec = registry.spec(step.tool)
    return spec is not None and decide(principal, spec).verdict != "deny"
