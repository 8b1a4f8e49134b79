"""Acts on activities that are there: list, move, complete."""

import re
from datetime import datetime
from typing import Any

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.acts.convert_delete import attached
from aisha.adapters.llm.offline.arguments import filters, owner_in, together
from aisha.adapters.llm.offline.entity_resolution import Unknown
from aisha.adapters.llm.offline.intent import Intent, activity_type_of
from aisha.adapters.llm.offline.parser import Reading
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.results import Wanted, items_of, ref_of
from aisha.adapters.llm.offline.state import Ref, Topic
from aisha.domain.dates.parsing import TimeSpan


def activities(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    done = re.search(r"\b(?:did|done)\b", reading.text, re.IGNORECASE) and not reading.has("activity")
    return activity_list(plan, reading, {"status": "completed"} if done else {})


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
    return activity_answer(plan, arguments, about)


def activity_answer(plan: Plan, arguments: dict[str, Any], about: Ref | None) -> Answer:
    """The activities that fit, those of one record when `about` is given."""
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
    """Moves an activity to another time, or makes it another kind of activity."""
    kind = _meant_type(reading)
    wanted: dict[str, Any] = {"status": "scheduled"} | ({"activity_type": kind} if kind and reading.times else {})
    found = attached(plan, "activity", reading, wanted)
    if isinstance(found, Answer):
        return found
    arguments: dict[str, Any] = {"activity_id": found.id}
    if reading.times:
        arguments["due_date"] = _new_time(plan, found, together(reading.times)).isoformat()
    if kind and not reading.times:
        arguments["activity_type"] = kind
    outcome = plan.need("update_activity", **arguments)
    if outcome.error:
        return plan.failure(outcome, Wanted("update_activity", arguments), f"change {found.name}")
    told = f"moved **{found.name}** to {phrasing.instant(arguments['due_date'], plan.now)}" if reading.times else ""
    told = told or f"made **{found.name}** a {kind}"
    return Answer(f"I've {told}.", topic=Topic((found,), written=f"You just {told}."))


def _meant_type(reading: Reading) -> str | None:
    """The activity type said, but not one that is only ruled out: "a demo, not a call"."""
    ruled_out = re.search(
        r"\b(?:not|instead\s+of|rather\s+than)\s+(?:an?\s+)?(?P<type>\w+)", reading.text, re.IGNORECASE
    )
    types = sorted((spans[0][0], name) for name, spans in reading.activities.items())
    return next((name for start, name in types if ruled_out is None or start != ruled_out.start("type")), None)


def _new_time(plan: Plan, activity: Ref, span: TimeSpan) -> datetime:
    """The instant said; a clock time alone keeps the day that was planned, and a day alone its clock time."""
    due = span.moment(plan.now)
    if span.first is None and span.clock is not None and span.exact is None:
        planned = (plan.record(activity) or {}).get("due_at")
        day = datetime.fromisoformat(planned).astimezone(plan.now.tzinfo) if planned else due
        due = max(day.replace(hour=span.clock.hour, minute=span.clock.minute), due)
    if span.clock is None and span.exact is None and span.first is not None and not span.is_range:
        planned = (plan.record(activity) or {}).get("due_at")
        if planned:
            clock = datetime.fromisoformat(planned).astimezone(plan.now.tzinfo)
            return due.replace(hour=clock.hour, minute=clock.minute)
    return due


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
