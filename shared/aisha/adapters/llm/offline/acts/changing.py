"""Acts that change a record: its fields, its stage."""

import re
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.acts.scheduling import several
from aisha.adapters.llm.offline.arguments import changes, new_owner, wants_no
from aisha.adapters.llm.offline.entity_resolution import Unknown, module_of
from aisha.adapters.llm.offline.fields import field_of
from aisha.adapters.llm.offline.intent import STAGES, Intent
from aisha.adapters.llm.offline.parser import Reading
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.results import Wanted
from aisha.adapters.llm.offline.state import Question, Ref, Topic


def update(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    if (refs := several(plan, reading)) is not None:
        return refs if isinstance(refs, Answer) else _update_each(plan, refs, reading)
    reading = _about_the_pronoun(reading)
    if (answer := _of_an_activity(plan, reading)) is not None:
        return answer
    subject = plan.finder().subject(reading, kind_meant(intent, reading))
    if isinstance(subject, Unknown) and len(reading.names) > 1:
        subject = plan.finder().subject(replace(reading, names=reading.names[:1]), None)
    if (answer := plan.unresolved(subject, reading.text, "Which record should I change?")) is not None:
        return answer
    assert isinstance(subject, Ref)  # noqa: S101
    tool = f"update_{subject.type}"
    spec = plan.tools.get(tool)
    if spec is None:
        return Answer(phrasing.no_access(module_of(subject.type)))
    arguments: dict[str, Any] = {}
    for part in (reading, *reading.further):
        arguments |= changes(_without_subject(part, subject), spec, plan.now)
    arguments.pop(f"{subject.type}_id", None)
    if not arguments and wants_no(reading.text):
        told = f"wants no {' and '.join(wants_no(reading.text))}"
        return Answer(
            f"There is no such field for {phrasing.LABELS[subject.type][1]}. Shall I note about {subject.name} that they want no "
            f"{' and '.join(wants_no(reading.text))}?",
            Question("offer", f"add a note for {subject.name}: {told}"),
            Topic((subject,)),
        )
    if not arguments:
        return Answer(
            f"What should I change on {subject.name}? For example its status, email or phone.",
            Question("who", reading.text),
        )
    outcome = plan.need(tool, **{f"{subject.type}_id": subject.id}, **arguments)
    if outcome.error:
        return plan.failure(outcome, Wanted(tool, arguments), f"update {subject.name}")
    said = phrasing.listed(
        [
            f"{phrasing.words(name)} is now **{phrasing.value_of(name, value, plan.now)}**"
            for name, value in arguments.items()
        ]
    )
    return Answer(
        f"I've updated {subject.name}: {said}.",
        topic=Topic((subject,), written=f"You just updated {subject.name}: {said}."),
    )


def kind_meant(intent: Intent, reading: Reading) -> str | None:
    """The kind said; a stage that only deals have says it too, and somebody's company is a field of theirs."""
    if field_of(reading) == "company" and any(name.possessive for name in reading.names):
        return None
    if reading.values.keys() & {"prospecting", "proposal", "negotiation", "closed_won"} and not reading.pronouns:
        return "opportunity"
    return intent.kind if reading.has(intent.kind or "") else None


def advance(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    subject = plan.finder().subject(reading, "opportunity")
    if (answer := plan.unresolved(subject, reading.text, "Which deal should I move?")) is not None:
        return answer
    assert isinstance(subject, Ref)  # noqa: S101
    stage = next((value for value in reading.values if value in STAGES), None)
    outcome = plan.need("advance_opportunity_stage", opportunity_id=subject.id, stage=stage)
    if outcome.error:
        return plan.failure(outcome, Wanted("advance_opportunity_stage", {}), f"move {subject.name}")
    record = outcome.value.get("record", outcome.value)
    text = f"{subject.name} is now in the **{phrasing.words(str(record.get('stage')))}** stage."
    return Answer(text, topic=Topic((subject,), written=text))


def _without_subject(reading: Reading, subject: Ref) -> Reading:
    return replace(reading, names=[name for name in reading.names if name.text.lower() not in subject.name.lower()])


def _update_each(plan: Plan, refs: Sequence[Ref], reading: Reading) -> Answer:
    """The same change to each of the records named."""
    calls = []
    for ref in refs:
        spec = plan.tools[f"update_{ref.type}"]
        arguments = changes(replace(reading, names=[]), spec, plan.now)
        if not arguments:
            return Answer("What should I change on them? For example their status.", Question("who", reading.text))
        calls.append(Wanted(spec.name, {f"{ref.type}_id": ref.id, **arguments}))
    for call, outcome in zip(calls, plan.need_all(calls), strict=True):
        if outcome.error:
            return plan.failure(outcome, call, "update them")
    said = phrasing.listed(
        [
            f"{phrasing.words(name)} is now **{phrasing.value_of(name, value, plan.now)}**"
            for name, value in calls[0].arguments.items()
            if not name.endswith("_id")
        ]
    )
    names = phrasing.listed([ref.name for ref in refs])
    return Answer(
        f"I've updated {names}: {said}.", topic=Topic(tuple(refs), written=f"You just updated {names}: {said}.")
    )


def _of_an_activity(plan: Plan, reading: Reading) -> Answer | None:
    """ "change its priority to urgent": a field that only activities have."""
    recent = next((entity for entity in plan.scene.entities if entity.type == "activity"), None)
    if (
        recent is not None
        and not any(one.strong and one.capital for one in reading.names)
        and (long := _LONG.search(reading.text))
    ):
        number = int(long["n"]) if long["n"].isdigit() else _SO_MANY.get(long["n"].lower(), 0.5)
        minutes = int(number * (60 if long["unit"].lower().startswith("h") else 1))
        outcome = plan.need("update_activity", activity_id=recent.id, duration_minutes=minutes)
        if outcome.error:
            return plan.failure(outcome, Wanted("update_activity", {}), f"change {recent.name}")
        said = f"**{recent.name}** takes **{minutes} minutes** now"
        return Answer(
            f"I've changed it: {said}.", topic=Topic((Ref("activity", recent.id, recent.name),), written=said)
        )
    priority = next((value for value in ("urgent", "high", "normal", "low") if value in reading.values), None)
    if field_of(reading) != "priority" or recent is None or priority is None or reading.names:
        return None
    arguments = {"activity_id": recent.id, "priority": priority}
    outcome = plan.need("update_activity", **arguments)
    if outcome.error:
        return plan.failure(outcome, Wanted("update_activity", arguments), f"change {recent.name}")
    said = f"the priority of **{recent.name}** is now **{priority}**"
    return Answer(
        f"I've changed it: {said}.", topic=Topic((Ref("activity", recent.id, recent.name),), written=f"{said}.")
    )


_LONG = re.compile(
    r"\b(?:make|set|keep|change|extend|shorten)\s+(?:it|that|this)\s+(?:last\s+|to\s+|take\s+)?(?:for\s+)?(?P<n>\d{1,3}|an|one|two|half\s+an)\s*(?P<unit>min\w*|h(?:ou)?rs?)\b",
    re.IGNORECASE,
)


_SO_MANY = {"an": 1, "one": 1, "two": 2}


def _about_the_pronoun(reading: Reading) -> Reading:
    """ "update his job title to Chief Executive": what comes after "to" is a value, no name."""
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


_BEFORE_VALUES = frozenset(("to", "as", "is", "be"))
