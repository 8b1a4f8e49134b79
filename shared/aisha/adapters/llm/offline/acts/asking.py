"""Acts that look something up: a record, one of its fields, a list, what was done."""

from typing import Any

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.acts.scheduling import several
from aisha.adapters.llm.offline.arguments import filters
from aisha.adapters.llm.offline.intents import Intent, field_of, fields_of
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading import Reading
from aisha.adapters.llm.offline.results import Wanted, items_of, ref_of
from aisha.adapters.llm.offline.state import Ref, Topic
from aisha.adapters.llm.offline.subjects import PLURALS, Unknown


def inquire(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    if (refs := several(plan, reading)) is not None:
        if isinstance(refs, Answer):
            return refs
        profiles = [phrasing.profile(record, plan.now) for ref in refs if (record := plan.record(ref))]
        return Answer("\n\n".join(profiles), topic=Topic(tuple(refs)))
    subject = plan.finder().subject(reading, intent.kind, always_search=True, must_name=True)
    if (answer := plan.unresolved(subject, reading.text, "Who or what would you like to know about?")) is not None:
        if isinstance(subject, Unknown) and not any(name.strong for name in reading.names):
            return Answer(phrasing.NOT_UNDERSTOOD)
        return answer
    assert isinstance(subject, Ref)  # noqa: S101 - the other cases were answered above
    record = plan.record(subject)
    text = phrasing.profile(record, plan.now) if record else f"I couldn't read {subject.name}."
    return Answer(text, topic=Topic(refs=(subject,)))


def field_of_record(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    kind = None if field_of(reading) == "company" else intent.kind
    subject = plan.finder().subject(reading, kind)
    if (answer := plan.unresolved(subject, reading.text, "Whose do you mean?")) is not None:
        return answer
    assert isinstance(subject, Ref)  # noqa: S101
    record = plan.record(subject) or {}
    said = [_field_text(plan, subject, record, name) for name in fields_of(reading) or [""]]
    return Answer(" ".join(said), topic=Topic(refs=(subject,)))


def _field_text(plan: Plan, subject: Ref, record: dict[str, Any], name: str) -> str:
    """One field of a record in a sentence."""
    if name in ("amount", "estimated_value"):
        name = {"lead": "estimated_value", "account": "annual_revenue"}.get(subject.type, "amount")
    if name == "status" and "status" not in record:
        name = "stage" if "stage" in record else "type"
    label = phrasing.words(name).removesuffix(" at")
    if record.get(name) in (None, ""):
        return f"There is no {label} on record for {subject.name}."
    if name == "address":
        place = ", ".join(str(part) for part in record["address"].values() if part)
        return f"{subject.name} is in **{place}**."
    shown = (
        phrasing.ago(str(record[name]), plan.now)
        if name == "last_contacted_at"
        else phrasing.value_of(name, record[name], plan.now)
    )
    verb = "was" if name == "last_contacted_at" else "is"
    return f"{subject.name}'s {label} {verb} **{shown}**."


def list_records(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    kind = intent.kind or "lead"
    tool = f"search_{PLURALS[kind]}"
    arguments = filters(reading, plan.tools[tool], plan.now)
    return listing(plan, kind, tool, arguments)


def listing(plan: Plan, kind: str, tool: str, arguments: dict[str, Any]) -> Answer:
    outcome = plan.need(tool, **arguments)
    if outcome.error:
        return plan.failure(outcome, Wanted(tool, arguments), "list those")
    items = items_of(outcome)
    total = outcome.value.get("total")
    label = " ".join(
        phrasing.words(str(arguments[name]))
        for name in ("status", "stage")
        if name in arguments and not isinstance(arguments[name], list)
    )
    refs = tuple(ref_of(item) for item in items)
    topic = Topic(refs, tool, arguments, total if total is not None else len(items), label)
    if not items:
        return Answer(
            f"There are no {label + ' ' if label else ''}{phrasing.LABELS[kind][1]} matching that.", topic=topic
        )
    more = total is not None and total > len(items)
    head = (
        f"Here are {len(items)} of {phrasing.count_of(total, kind, label)}"
        if more
        else f"I found {phrasing.count_of(len(items), kind, label)}"
    )
    return Answer(f"{head}:\n\n{phrasing.numbered(items, plan.now)}", topic=topic)


def people(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    subject = (
        plan.finder().subject(reading, "account") if reading.names else plan.finder().mentioned(reading, "account")
    )
    if subject is None:
        subject = plan.finder().mentioned(reading)
    if (answer := plan.unresolved(subject, reading.text, "At which company?")) is not None:
        return answer
    assert isinstance(subject, Ref)  # noqa: S101
    if subject.type == "account":
        return listing(plan, "contact", "search_contacts", {"account_id": subject.id})
    company = (plan.record(subject) or {}).get("company")
    return listing(plan, "contact", "search_contacts", {"company": company} if company else {})


def recall(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    if plan.topic.written:
        return Answer(plan.topic.written, topic=plan.topic)
    for message in reversed(plan.scene.history):
        lines = [
            call.line
            for call in message.tool_calls
            if not call.name.startswith(("search_", "list_", "get_", "suggest_"))
        ]
        if lines:
            return Answer("Last I did this: " + " ".join(lines))
    return Answer("I haven't changed anything in this conversation yet.")
