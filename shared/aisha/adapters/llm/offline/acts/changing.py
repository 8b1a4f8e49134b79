"""Acts that change a record: its fields, its stage."""

from dataclasses import replace

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.arguments import changes
from aisha.adapters.llm.offline.intents import STAGES, Intent
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading import Reading
from aisha.adapters.llm.offline.results import Wanted
from aisha.adapters.llm.offline.state import Question, Ref, Topic
from aisha.adapters.llm.offline.subjects import Unknown, module_of


def update(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    subject = plan.finder().subject(reading, intent.kind if reading.has(intent.kind or "") else None)
    if isinstance(subject, Unknown) and len(reading.names) > 1:
        subject = plan.finder().subject(replace(reading, names=reading.names[:1]), None)
    if (answer := plan.unresolved(subject, reading.text, "Which record should I change?")) is not None:
        return answer
    assert isinstance(subject, Ref)  # noqa: S101
    tool = f"update_{subject.type}"
    spec = plan.tools.get(tool)
    if spec is None:
        return Answer(phrasing.no_access(module_of(subject.type)))
    arguments = changes(_without_subject(reading, subject), spec, plan.now)
    arguments.pop(f"{subject.type}_id", None)
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
