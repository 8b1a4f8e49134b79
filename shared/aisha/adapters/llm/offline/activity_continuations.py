"""Continue from activities: "and the week after that?", "another one next week, same time"."""

import re
from datetime import datetime, timedelta
from typing import Any

from aisha.adapters.llm.offline.acts.activities import activity_answer
from aisha.adapters.llm.offline.acts.scheduling import schedule_calls
from aisha.adapters.llm.offline.arguments import merge_times, time_bounds
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.results import PlannedCall
from aisha.adapters.llm.offline.state import Ref

_THEREAFTER = pattern(
    r"\s*(?:(?:and|what about|how about|then|ok) )*"
    r"(?:(?:the )?(?P<unit>day|week|month) after(?: (?:that|it))?|after that)[?.!\s]*"
)
_ASKS_WHEN = pattern(r"\s*(?:and|what about|how about|ok and)\b")
_AGAIN = pattern(
    r"\s*(?:and |then |also |ok )*(?:(?:add|book|schedule|create|put in|make|set up) )?(?:(?:another|a new)"
    r"(?: one| (?:call|meeting|demo))?|one more|the same(?: again)?|same again)\s*[,]?\s*(?P<rest>.+)"
)
_SAME_TIME = pattern(r"[\s,]*\b(?:at (?:the )?|the )?same (?:time|hour)\b")
_AFTER = pattern(r"\b(?:the )?(?P<unit>day|week) after\b(?! next)|\ba (?P<later>day|week) later\b")
_MAX_WORDS = 7
"""Words at most of a question that only changes the time of the one before."""
_ACTIVITY_WRITTEN = re.compile(r"\b(?:scheduled|completed|cancelled|moved)\b")


def later_activities(plan: Plan, reading: Reading) -> Answer | None:
    """List the activities again, for the time after or for the one named."""
    filters = plan.topic.arguments
    if plan.topic.tool != "list_activities" or not {"due_after", "due_before"} <= filters.keys():
        return None
    if match := _THEREAFTER.fullmatch(reading.text):
        first, last = (datetime.fromisoformat(str(filters[name])) for name in ("due_after", "due_before"))
        shift = timedelta(days={"day": 1, "week": 7, "month": 30}.get((match["unit"] or "").lower(), 0))
        shift = shift or timedelta(days=(last - first).days + 1)
        start, end = first + shift, last + shift
        if shift < last - first:
            start, end = last + timedelta(seconds=1), last + shift
    elif (
        reading.times
        and _ASKS_WHEN.match(reading.text)
        and len(reading.text.split()) <= _MAX_WORDS
        and not (reading.names or reading.activities or reading.has("create", "schedule", "note"))
    ):
        new_start, new_end = time_bounds(reading.times[0], plan.now)
        if new_start is None or new_end is None:
            return None
        start, end = new_start, new_end
    else:
        return None
    return activity_answer(plan, {**filters, "due_after": start.isoformat(), "due_before": end.isoformat()}, None)


def repeat_activity(plan: Plan, reading: Reading) -> Answer | None:
    """Schedule another activity like the last one at another time."""
    match = _AGAIN.fullmatch(reading.text)
    refs = plan.topic.refs
    recent = refs[0] if len(refs) == 1 and refs[0].type == "activity" else None
    if recent is None and (one := next((one for one in plan.scene.entities if one.type == "activity"), None)):
        recent = Ref("activity", one.id, one.name)
    if (
        match is None
        or recent is None
        or not _ACTIVITY_WRITTEN.search(plan.topic.written)
        or any(n.strong for n in reading.names)
    ):
        return None
    record = plan.record(recent) or {}
    due = _due(plan, reading, record)
    related: dict[str, Any] = record.get("related") or {}
    if due is None or not related.get("id"):
        return None
    copied = {name: record[name] for name in ("duration_minutes", "priority", "body") if record.get(name)}
    arguments = {
        "entity_type": related["type"], "entity_id": related["id"], "title": record["title"],
        "activity_type": record["activity_type"], "due_date": due.isoformat(), **copied,
    }  # fmt: skip
    about = Ref(str(related["type"]), str(related["id"]), str(related.get("name") or ""))
    return schedule_calls(plan, [PlannedCall("create_activity", arguments)], [about])


def _due(plan: Plan, reading: Reading, record: dict[str, Any]) -> datetime | None:
    """Return the day named, or counted from the first activity, with that one's clock time when none is named."""
    if not record.get("due_at"):
        return None
    first = datetime.fromisoformat(str(record["due_at"])).astimezone(plan.now.tzinfo)
    spans = [span for span in reading.times if not _AFTER.search(reading.text[span.start : span.end])]
    after = _AFTER.search(_SAME_TIME.sub("", reading.text))
    if after:
        day = first + timedelta(days=7 if (after["unit"] or after["later"]).lower() == "week" else 1)
    elif spans and (merge_times(spans).first is not None or merge_times(spans).exact is not None):
        day = merge_times(spans).moment(plan.now)
    else:
        return None
    clock = next((span.clock for span in spans if span.clock), None) or first.time()
    return day.replace(hour=clock.hour, minute=clock.minute)
