"""Follow-up suggestions: 2 to 4 buttons after every reply (C-A5)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from aisha.application.tooling import ToolRegistry
from aisha.application.tooling.followups import (
    CREATE_ACTIVITY,
    LIST_NOTES,
    MY_DAY,
    NEXT_STEPS,
    NEXT_STEPS_FOR_RECORD,
    PIPELINE,
    WARM_LEADS,
)
from aisha.application.tooling.gate.policy import is_open
from aisha.domain.conversations.conversation import PendingConfirmation, SessionEntity
from aisha.domain.conversations.tool_results import found_in, record_id_in
from aisha.domain.crm.records import SUBJECT_TYPES
from aisha.domain.principal import Principal
from aisha.domain.tools import FollowUp, ToolCall, ToolSpec

MIN_CHOICES = 2
"""A question with fewer records to choose from gets no buttons for them."""
MAX_FOLLOW_UPS = 4
DECISION_MESSAGES = {True: "Yes, go ahead", False: "No, leave it"}
"""The user's message for an approval and for a refusal that are given by a button or a parameter."""
DECISIONS = (FollowUp(DECISION_MESSAGES[True], "✅"), FollowUp(DECISION_MESSAGES[False], "✖️"))
MAX_CHOICES = 3
NEVER_MIND = FollowUp("Never mind", "↩️")
RECORD_FOLLOW_UPS = (NEXT_STEPS_FOR_RECORD, CREATE_ACTIVITY, LIST_NOTES)
GENERAL_FOLLOW_UPS = (
    NEXT_STEPS,
    MY_DAY,
    WARM_LEADS,
    PIPELINE,
    FollowUp("What can you do?", "❓"),
    FollowUp("Help me get started", "🧭"),
)


def decisions(question: PendingConfirmation) -> tuple[FollowUp, ...]:
    """Return the buttons of a question: yes and no, or the first alternatives and no."""
    if not question.alternatives:
        return DECISIONS
    choices = (FollowUp(alternative.label, "👉") for alternative in question.alternatives[:MAX_CHOICES])
    return (*choices, DECISIONS[1])


def follow_ups(
    calls: Sequence[ToolCall],
    reply: str,
    entities: Sequence[SessionEntity],
    registry: ToolRegistry,
    principal: Principal,
) -> tuple[FollowUp, ...]:
    """Return the follow-ups of the tools just used, then of the record in focus, then the general ones.

    Those that the user may not do are left out. A reply that asks which of several records the user means gets a button
    for each of them instead.
    """
    if choices := _choices(calls, reply):
        return choices
    focus = next((entity for entity in entities if entity.type in SUBJECT_TYPES), None)
    steps = [*_typical(calls, focus), *(RECORD_FOLLOW_UPS if focus else ()), *GENERAL_FOLLOW_UPS]
    filled = _fill(steps, focus, registry)
    allowed = (step for step in filled if is_permitted(step, registry, principal))
    chosen: dict[str, FollowUp] = {}
    for step in allowed:
        chosen.setdefault(step.text, step)
        if len(chosen) == MAX_FOLLOW_UPS:
            break
    return tuple(chosen.values())


def _typical(calls: Sequence[ToolCall], focus: SessionEntity | None) -> list[FollowUp]:
    """Return the tools' own follow-ups, last call first: of writes, else of calls about the focus, else of others.

    A list without hits suggests nothing.
    """
    done = [call for call in reversed(calls) if call.spec and call.result.ok]
    writes = [call for call in done if call.spec and call.spec.access != "read"]
    ids = {call.id: {entity.id for entity in found_in(call.result)} for call in done}
    about_focus = [call for call in done if focus and focus.id in ids[call.id]]
    # What shows the record itself comes before what only refers to it, such as the list of its activities.
    about_focus.sort(key=lambda call: focus is None or focus.id not in _shown_by(call))
    chosen = writes or about_focus or [call for call in done if ids[call.id] or not _is_list(call)]
    # What has just failed, such as the next stage of a closed deal, is not offered.
    failed = {call.name for call in calls if not call.result.ok}
    return [step for call in chosen if call.spec for step in call.spec.typical_followups if step.tool not in failed]


def _shown_by(call: ToolCall) -> set[str]:
    """Return the ids of the records that the call returned, itself or in a list, without those they refer to."""
    value = call.result.value if isinstance(call.result.value, Mapping) else {}
    items = value.get("items")
    records = [value, *value.values(), *(items if isinstance(items, list) else ())]
    return {record_id for record in records if (record_id := record_id_in(record)) is not None}


def _is_list(call: ToolCall) -> bool:
    return isinstance(call.result.value, Mapping) and "items" in call.result.value


def _choices(calls: Sequence[ToolCall], reply: str) -> tuple[FollowUp, ...]:
    """Return a button for each record when the reply asks which of several records of one name is meant."""
    if "?" not in reply or any(call.has_written for call in calls):
        return ()
    question = reply.rstrip().rpartition("\n")[2].lower()
    entities = {entity.id: entity for call in calls if call.result.ok for entity in found_in(call.result)}
    candidates = [
        entity for entity in entities.values() if entity.type in SUBJECT_TYPES and entity.name.lower() in reply.lower()
    ]
    # Candidates have a word in common, such as John Doe and John Smith. Other records are only mentioned.
    words = [set(entity.name.lower().split()) for entity in candidates]
    if len(candidates) < MIN_CHOICES or not set.intersection(*words) or "which" not in question:
        return ()
    labels = [_format_choice(entity, reply) for entity in candidates[: MAX_FOLLOW_UPS - 1]]
    # Two records of one name and company, such as a lead and the contact that it became, are told apart by their kind.
    texts = [
        f"{label}, {entity.type}" if labels.count(label) > 1 else label
        for label, entity in zip(labels, candidates, strict=False)
    ]
    return (*(FollowUp(text, "👤") for text in texts), *_all_of(candidates), NEVER_MIND)


def _all_of(candidates: Sequence[SessionEntity]) -> tuple[FollowUp, ...]:
    """Return the button for all people of one given name, where the candidates leave room for it."""
    given_names = {entity.name.partition(" ")[0] for entity in candidates}
    is_of_people = all(entity.type in ("lead", "contact") for entity in candidates)
    if len(candidates) >= MAX_CHOICES or len(given_names) != 1 or not is_of_people:
        return ()
    return (FollowUp(f"Show all {given_names.pop()}s", "👥"),)


def _format_choice(entity: SessionEntity, reply: str) -> str:
    """Format a record with its company, e.g. `John Doe (ABC Corp)`."""
    # The company is the alias that is neither part of the name nor an address. Aliases are in lower case, so its
    # spelling is taken from the reply.
    name = entity.name.lower()
    company = next((alias for alias in entity.aliases if alias not in name and "@" not in alias), None)
    if company is None:
        return entity.name
    place = reply.lower().find(company)
    return f"{entity.name} ({reply[place : place + len(company)] if place >= 0 else company.title()})"


def _fill(steps: Iterable[FollowUp], focus: SessionEntity | None, registry: ToolRegistry) -> Iterator[FollowUp]:
    for step in steps:
        if "{" not in step.text:
            yield step
        elif focus is not None and "{name}" in step.text:
            arguments = step.arguments or _record_arguments(focus, registry.spec(step.tool) if step.tool else None)
            yield replace(step, text=step.text.replace("{name}", focus.name), arguments=arguments)


def _record_arguments(focus: SessionEntity, spec: ToolSpec | None) -> dict[str, str] | None:
    """Return the arguments by which the tool takes the record, None if it has no such parameters."""
    if spec is None:
        return None
    if "entity_id" in spec.properties:
        return {"entity_type": focus.type, "entity_id": focus.id}
    parameter = f"{focus.type}_id"
    return {parameter: focus.id} if parameter in spec.properties else None


def is_permitted(step: FollowUp, registry: ToolRegistry, principal: Principal) -> bool:
    """Return whether the user may call the step's tool."""
    if step.tool is None:
        return True
    spec = registry.spec(step.tool)
    return spec is not None and is_open(principal, spec)
