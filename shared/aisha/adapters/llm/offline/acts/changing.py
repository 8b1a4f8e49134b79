"""Acts that change a record's fields or stage."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.offline.acts.scheduling import named_records
from aisha.adapters.llm.offline.arguments import field_changes, new_owner, unwanted_channels
from aisha.adapters.llm.offline.entity_resolution import Unknown, module_of
from aisha.adapters.llm.offline.intent import STAGES, Intent, field_of
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.results import PlannedCall
from aisha.adapters.llm.offline.state import Question, Ref, Topic

_DURATION = pattern(
    r"\b(?:make|set|keep|change|extend|shorten) (?:it|that|this) (?:last |to |take )?(?:for )?"
    r"(?P<n>\d{1,3}|an|one|two|half an)\s*(?P<unit>min\w*|h(?:ou)?rs?)\b"
)
_NUMBER_WORDS = {"an": 1, "one": 1, "two": 2}
_BEFORE_VALUES = frozenset(("to", "as", "is", "be"))


def update(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    if (refs := named_records(plan, reading)) is not None:
        return _update_each(plan, refs, reading)
    reading = _without_values(reading)
    if (answer := _change_recent_activity(plan, reading)) is not None:
        return answer
    subject = plan.finder().subject(reading, kind_to_change(intent, reading))
    if isinstance(subject, Unknown) and len(reading.names) > 1:
        subject = plan.finder().subject(replace(reading, names=reading.names[:1]), None)
    subject = plan.require(subject, reading.text, "Which record should I change?")
    tool = f"update_{subject.type}"
    spec = plan.tools.get(tool)
    if spec is None:
        return Answer(phrasing.no_access(module_of(subject.type)))
    arguments: dict[str, Any] = {}
    for part in (reading, *reading.further):
        arguments |= field_changes(_without_subject(part, subject), spec, plan.now)
    arguments.pop(f"{subject.type}_id", None)
    if not arguments and unwanted_channels(reading.text):
        channels = " and ".join(unwanted_channels(reading.text))
        return Answer(
            f"There is no such field for {phrasing.LABELS[subject.type][1]}. Shall I note about {subject.name} "
            f"that they want no {channels}?",
            Question("offer", f"add a note for {subject.name}: wants no {channels}"),
            Topic((subject,)),
        )
    if not arguments:
        return Answer(
            f"What should I change on {subject.name}? For example its status, email or phone.",
            Question("who", reading.text),
        )
    plan.call(tool, f"update {subject.name}", **{f"{subject.type}_id": subject.id}, **arguments)
    changes_text = phrasing.join_names(
        [
            f"{phrasing.humanise(name)} is now **{phrasing.format_field(name, value, plan.now)}**"
            for name, value in arguments.items()
        ]
    )
    return Answer(
        f"I've updated {subject.name}: {changes_text}.",
        topic=Topic((subject,), written=f"You just updated {subject.name}: {changes_text}."),
    )


def kind_to_change(intent: Intent, reading: Reading) -> str | None:
    """Return the kind of record to change, named or implied by a deal stage; a company is a person's field."""
    if field_of(reading) == "company" and any(name.possessive for name in reading.names):
        return None
    if reading.values.keys() & {"prospecting", "proposal", "negotiation", "closed_won"} and not reading.pronouns:
        return "opportunity"
    return intent.kind if reading.has(intent.kind or "") else None


def advance(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    subject = plan.require(plan.finder().subject(reading, "opportunity"), reading.text, "Which deal should I move?")
    stage = next((value for value in reading.values if value in STAGES), None)
    outcome = plan.call("advance_opportunity_stage", f"move {subject.name}", opportunity_id=subject.id, stage=stage)
    record = outcome.value.get("record", outcome.value)
    text = f"{subject.name} is now in the **{phrasing.humanise(str(record.get('stage')))}** stage."
    return Answer(text, topic=Topic((subject,), written=text))


def _without_subject(reading: Reading, subject: Ref) -> Reading:
    return replace(reading, names=[name for name in reading.names if name.text.lower() not in subject.name.lower()])


def _update_each(plan: Plan, refs: Sequence[Ref], reading: Reading) -> Answer:
    """Make the same change to each of the records named."""
    calls = []
    for ref in refs:
        spec = plan.tools[f"update_{ref.type}"]
        arguments = field_changes(replace(reading, names=[]), spec, plan.now)
        if not arguments:
            return Answer("What should I change on them? For example their status.", Question("who", reading.text))
        calls.append(PlannedCall(spec.name, {f"{ref.type}_id": ref.id, **arguments}))
    for call, outcome in zip(calls, plan.need_all(calls), strict=True):
        if outcome.error:
            return plan.failure(outcome, call, "update them")
    changes_text = phrasing.join_names(
        [
            f"{phrasing.humanise(name)} is now **{phrasing.format_field(name, value, plan.now)}**"
            for name, value in calls[0].arguments.items()
            if not name.endswith("_id")
        ]
    )
    names = phrasing.join_names([ref.name for ref in refs])
    return Answer(
        f"I've updated {names}: {changes_text}.",
        topic=Topic(tuple(refs), written=f"You just updated {names}: {changes_text}."),
    )


def _change_recent_activity(plan: Plan, reading: Reading) -> Answer | None:
    """Change a field that only activities have: "change its priority to urgent"."""
    recent = next((entity for entity in plan.scene.entities if entity.type == "activity"), None)
    if (
        recent is not None
        and not any(one.strong and one.capital for one in reading.names)
        and (duration := _DURATION.search(reading.text))
    ):
        number = int(duration["n"]) if duration["n"].isdigit() else _NUMBER_WORDS.get(duration["n"].lower(), 0.5)
        minutes = int(number * (60 if duration["unit"].lower().startswith("h") else 1))
        plan.call("update_activity", f"change {recent.name}", activity_id=recent.id, duration_minutes=minutes)
        change = f"**{recent.name}** takes **{minutes} minutes** now"
        return Answer(
            f"I've changed it: {change}.", topic=Topic((Ref("activity", recent.id, recent.name),), written=change)
        )
    priority = next((value for value in ("urgent", "high", "normal", "low") if value in reading.values), None)
    if field_of(reading) != "priority" or recent is None or priority is None or reading.names:
        return None
    arguments = {"activity_id": recent.id, "priority": priority}
    plan.call("update_activity", f"change {recent.name}", **arguments)
    change = f"the priority of **{recent.name}** is now **{priority}**"
    return Answer(
        f"I've changed it: {change}.", topic=Topic((Ref("activity", recent.id, recent.name),), written=f"{change}.")
    )


def _without_values(reading: Reading) -> Reading:
    """Remove names that are values: "update his job title to Chief Executive"."""
    subject = [name for name in reading.names if name.strong and name.before not in _BEFORE_VALUES]
    if not reading.pronouns.keys() & {"person", "thing"} and not subject:
        return reading
    owner = new_owner(reading)
    return replace(
        reading,
        names=[
            name
            for name in reading.names
            if name.before not in _BEFORE_VALUES and not (len(subject) > 1 and name.text.lower() == owner)
        ],
    )
