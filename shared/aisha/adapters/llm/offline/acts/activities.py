"""Acts on activities that are there: list, move, complete."""

import re
from datetime import datetime
from typing import Any

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.acts.ending import attached
from aisha.adapters.llm.offline.arguments import filters, owner_in
from aisha.adapters.llm.offline.intents import Intent, activity_type_of
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading import Reading
from aisha.adapters.llm.offline.results import Wanted, items_of, ref_of
from aisha.adapters.llm.offline.state import Ref, Topic
from aisha.adapters.llm.offline.subjects import Unknown


def activities(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    return activity_list(plan, reading, {})


def overdue(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    return activity_list(plan, reading, {"status": "overdue"})


def activity_list(plan: Plan, reading: Reading, fixed: dict[str, Any]) -> Answer:
    spec = plan.tools["list_activities"]
    arguments = {**filters(reading, spec, plan.now), **fixed}
    for name in ("name_contains", "company", "entity_type"):
        arguments.pop(name, None)
    kind_words = activity_type_of(reading)
    plural = re.search(r"\b(?:activit|follow|remind|appointment|history|task)", reading.text, re.IGNORECASE)
    if kind_words and not (plural and kind_words in ("call", "task")) and "activity_type" in spec.properties:
        arguments["activity_type"] = kind_words
    about: Ref | None = None
    if reading.names or reading.pronouns.keys() & {"person"}:
        subject = plan.finder().subject(reading)
        if isinstance(subject, Unknown) and owner_in(reading):
            subject = None
        if (answer := plan.unresolved(subject, reading.text, "")) is not None and subject is not None:
            return answer
        about = subject if isinstance(subject, Ref) else None
    if about is not None:
        arguments |= {"entity_type": about.type, "entity_id": about.id}
        arguments.pop("owner", None)
    return _activity_answer(plan, arguments, about)


def _activity_answer(plan: Plan, arguments: dict[str, Any], about: Ref | None) -> Answer:
    outcome = plan.need("list_activities", **arguments)
    if outcome.error:
        return plan.failure(outcome, Wanted("list_activities", arguments), "list the activities")
    items = items_of(outcome)
    late = arguments.get("status") == "overdue"
    noun = "overdue activities" if late else "activities"
    with_whom = f" with {about.name}" if about else ""
    topic = Topic(tuple(ref_of(item) for item in items), "list_activities", arguments, len(items))
    if not items:
        text = "Nothing is overdue. Well done!" if late and not about else f"There are no {noun}{with_whom} for that."
        return Answer(text, topic=topic)
    return Answer(
        f"{len(items)} {noun if len(items) != 1 else noun.replace('ies', 'y')}{with_whom}:\n\n{phrasing.numbered(items, plan.now)}",
        topic=topic,
    )


def reschedule(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    wanted: dict[str, Any] = {"status": "scheduled"}
    if kind := activity_type_of(reading):
        wanted["activity_type"] = kind
    found = attached(plan, "activity", reading, wanted)
    if isinstance(found, Answer):
        return found
    span = reading.times[-1]
    due = span.moment(plan.now)
    if span.first is None and span.clock is not None and span.exact is None:
        planned = (plan.record(found) or {}).get("due_at")
        day = datetime.fromisoformat(planned).astimezone(plan.now.tzinfo) if planned else due
        due = max(day.replace(hour=span.clock.hour, minute=span.clock.minute), due)
    arguments = {"activity_id": found.id, "due_date": due.isoformat()}
    outcome = plan.need("update_activity", **arguments)
    if outcome.error:
        return plan.failure(outcome, Wanted("update_activity", arguments), f"move {found.name}")
    text = f"I've moved **{found.name}** to {phrasing.instant(due.isoformat(), plan.now)}."
    return Answer(text, topic=Topic((found,), written=text))


def complete(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    wanted: dict[str, Any] = {"status": "scheduled"}
    if (kind := activity_type_of(reading)) and kind != "task":
        wanted["activity_type"] = kind
    found = attached(plan, "activity", reading, wanted)
    if isinstance(found, Answer):
        return found
    if reading.has("cancel") and not reading.has("complete"):
        outcome, past = plan.need("update_activity", activity_id=found.id, status="cancelled"), "cancelled"
    else:
        told = reading.content or reading.text.partition(",")[2].strip() or None
        outcome, past = plan.need("complete_activity", activity_id=found.id, outcome=told), "completed"
    if outcome.error:
        return plan.failure(outcome, Wanted("complete_activity", {}), f"mark {found.name} as {past}")
    return Answer(
        f"**{found.name}** is marked as {past}.",
        topic=Topic((found,), written=f"You just marked {found.name} as {past}."),
    )
