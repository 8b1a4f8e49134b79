"""Acts on existing activities: list, reschedule, complete."""

from datetime import datetime
from typing import Any

from aisha.adapters.llm.offline.acts.convert_delete import find_attached
from aisha.adapters.llm.offline.arguments import merge_times, owner_in, search_filters
from aisha.adapters.llm.offline.entity_resolution import Unknown
from aisha.adapters.llm.offline.intent import Intent, activity_type_of
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.results import PlannedCall, items_of, ref_of
from aisha.adapters.llm.offline.state import Ref, Topic
from aisha.domain.dates.parsing import TimeSpan


def activities(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    done = pattern(r"\b(?:did|done)\b").search(reading.text) and not reading.has("activity")
    return activity_list(plan, reading, {"status": "completed"} if done else {})


def overdue(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    return activity_list(plan, reading, {"status": "overdue"})


def activity_list(plan: Plan, reading: Reading, fixed_filters: dict[str, Any]) -> Answer:
    spec = plan.tools["list_activities"]
    arguments = {**search_filters(reading, spec, plan.now), **fixed_filters}
    for name in ("name_contains", "company", "entity_type"):
        arguments.pop(name, None)
    kind_words = activity_type_of(reading)
    plural = pattern(r"\b(?:activit|follow|remind|appointment|history|task)").search(reading.text)
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
    """List the activities that match, those of one record when `about` is set."""
    outcome = plan.call("list_activities", "list the activities", **arguments)
    items = items_of(outcome)
    is_overdue = arguments.get("status") == "overdue"
    noun = "overdue activities" if is_overdue else "activities"
    whose = f" with {about.name}" if about else ""
    topic = Topic(tuple(ref_of(item) for item in items), "list_activities", arguments, len(items))
    if not items:
        text = "Nothing is overdue. Well done!" if is_overdue and not about else f"There are no {noun}{whose} for that."
        return Answer(text, topic=topic)
    head = f"{len(items)} {noun if len(items) != 1 else noun.replace('ies', 'y')}{whose}"
    return Answer(f"{head}:\n\n{phrasing.format_numbered(items, plan.now)}", topic=topic)


def reschedule(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    """Move an activity to another time, or change its type."""
    kind = _type_not_excluded(reading)
    activity_filters: dict[str, Any] = {"status": "scheduled"} | (
        {"activity_type": kind} if kind and reading.times else {}
    )
    activity = find_attached(plan, "activity", reading, activity_filters)
    arguments: dict[str, Any] = {"activity_id": activity.id}
    if reading.times:
        arguments["due_date"] = _new_time(plan, activity, merge_times(reading.times)).isoformat()
    if kind and not reading.times:
        arguments["activity_type"] = kind
    plan.call("update_activity", f"change {activity.name}", **arguments)
    change = (
        f"moved **{activity.name}** to {phrasing.format_instant(arguments['due_date'], plan.now)}"
        if reading.times
        else ""
    )
    change = change or f"made **{activity.name}** a {kind}"
    return Answer(f"I've {change}.", topic=Topic((activity,), written=f"You just {change}."))


def _type_not_excluded(reading: Reading) -> str | None:
    """Return the activity type, but not one that is excluded: "a demo, not a call"."""
    ruled_out = pattern(r"\b(?:not|instead of|rather than) (?:an? )?(?P<type>\w+)").search(reading.text)
    types = sorted((spans[0][0], name) for name, spans in reading.activities.items())
    return next((name for start, name in types if ruled_out is None or start != ruled_out.start("type")), None)


def _new_time(plan: Plan, activity: Ref, span: TimeSpan) -> datetime:
    """Return the new instant. A clock time alone keeps the planned day, and a day alone the planned clock time."""
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
    activity_filters: dict[str, Any] = {"status": "scheduled"}
    if (kind := activity_type_of(reading)) and kind != "task":
        activity_filters["activity_type"] = kind
    activity = find_attached(plan, "activity", reading, activity_filters)
    if reading.has("cancel") and not reading.has("complete"):
        outcome, past = plan.need("update_activity", activity_id=activity.id, status="cancelled"), "cancelled"
    else:
        outcome_text = reading.content or reading.text.partition(",")[2].strip() or None
        outcome, past = plan.need("complete_activity", activity_id=activity.id, outcome=outcome_text), "completed"
    if outcome.error:
        return plan.failure(outcome, PlannedCall("complete_activity", {}), f"mark {activity.name} as {past}")
    return Answer(
        f"**{activity.name}** is marked as {past}.",
        topic=Topic((activity,), written=f"You just marked {activity.name} as {past}."),
    )
