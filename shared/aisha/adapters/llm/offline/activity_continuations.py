"""Short sentences that go on from activities: "and the week after that?", "another one next week, same time"."""

import re
from datetime import datetime, timedelta
from typing import Any

from aisha.adapters.llm.offline.acts.activities import activity_answer
from aisha.adapters.llm.offline.acts.scheduling import scheduled
from aisha.adapters.llm.offline.arguments import time_bounds, together
from aisha.adapters.llm.offline.parser import Reading
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.results import Wanted
from aisha.adapters.llm.offline.state import Ref

_THEREAFTER = re.compile(
    r"\s*(?:(?:and|what\s+about|how\s+about|then|ok)\s+)*(?:(?:the\s+)?(?P<unit>day|week|month)\s+after(?:\s+(?:that|it))?|after\s+that)[?.!\s]*",
    re.IGNORECASE,
)
_ASKS_WHEN = re.compile(r"\s*(?:and|what\s+about|how\s+about|ok\s+and)\b", re.IGNORECASE)
_AGAIN = re.compile(
    r"\s*(?:and\s+|then\s+|also\s+|ok\s+)*(?:(?:add|book|schedule|create|put\s+in|make|set\s+up)\s+)?(?:(?:another|a\s+new)(?:\s+one|\s+(?:call|meeting|demo))?|one\s+more|the\s+same(?:\s+again)?|same\s+again)\s*[,]?\s*(?P<rest>.+)",
    re.IGNORECASE,
)
_SAME_TIME = re.compile(r"[\s,]*\b(?:at\s+(?:the\s+)?|the\s+)?same\s+(?:time|hour)\b", re.IGNORECASE)
_AFTER = re.compile(
    r"\b(?:the\s+)?(?P<unit>day|week)\s+after\b(?!\s+next)|\ba\s+(?P<later>day|week)\s+later\b", re.IGNORECASE
)
_SHORT = 7
"""Words of a question that only changes the time of the one before."""


def later_activities(plan: Plan, reading: Reading) -> Answer | None:
    """The list of activities just given, for the time after it or for the one that is said."""
    given = plan.topic.arguments
    if plan.topic.tool != "list_activities" or not {"due_after", "due_before"} <= given.keys():
        return None
    if match := _THEREAFTER.fullmatch(reading.text):
        first, last = (datetime.fromisoformat(str(given[name])) for name in ("due_after", "due_before"))
        long = timedelta(days={"day": 1, "week": 7, "month": 30}.get((match["unit"] or "").lower(), 0))
        long = long or timedelta(days=(last - first).days + 1)
        start, end = first + long, last + long
        if long < last - first:
            start, end = last + timedelta(seconds=1), last + long
    elif (
        reading.times
        and _ASKS_WHEN.match(reading.text)
        and len(reading.text.split()) <= _SHORT
        and not (reading.names or reading.activities or reading.has("create", "schedule", "note"))
    ):
        said_first, said_last = time_bounds(reading.times[0], plan.now)
        if said_first is None or said_last is None:
            return None
        start, end = said_first, said_last
    else:
        return None
    return activity_answer(plan, {**given, "due_after": start.isoformat(), "due_before": end.isoformat()}, None)


def once_more(plan: Plan, reading: Reading) -> Answer | None:
    """Another activity like the one just scheduled, at another time."""
    match = _AGAIN.fullmatch(reading.text)
    refs = plan.topic.refs
    recent = refs[0] if len(refs) == 1 and refs[0].type == "activity" else None
    if recent is None and (one := next((one for one in plan.scene.entities if one.type == "activity"), None)):
        recent = Ref("activity", one.id, one.name)
    if (
        match is None
        or recent is None
        or not _WRITTEN.search(plan.topic.written)
        or any(n.strong for n in reading.names)
    ):
        return None
    record = plan.record(recent) or {}
    due = _due(plan, reading, record)
    related: dict[str, Any] = record.get("related") or {}
    if due is None or not related.get("id"):
        return None
    kept = {name: record[name] for name in ("duration_minutes", "priority", "body") if record.get(name)}
    arguments = {
        "entity_type": related["type"], "entity_id": related["id"], "title": record["title"],
        "activity_type": record["activity_type"], "due_date": due.isoformat(), **kept,
    }  # fmt: skip
    about = Ref(str(related["type"]), str(related["id"]), str(related.get("name") or ""))
    return scheduled(plan, [Wanted("create_activity", arguments)], [about])


_WRITTEN = re.compile(r"\b(?:scheduled|completed|cancelled|moved)\b")


def _due(plan: Plan, reading: Reading, record: dict[str, Any]) -> datetime | None:
    """The day that is said or counted from the first activity, with its clock time when none is said."""
    if not record.get("due_at"):
        return None
    first = datetime.fromisoformat(str(record["due_at"])).astimezone(plan.now.tzinfo)
    said = [span for span in reading.times if not _AFTER.search(reading.text[span.start : span.end])]
    after = _AFTER.search(_SAME_TIME.sub("", reading.text))
    if after:
        day = first + timedelta(days=7 if (after["unit"] or after["later"]).lower() == "week" else 1)
    elif said and (together(said).first is not None or together(said).exact is not None):
        day = together(said).moment(plan.now)
    else:
        return None
    clock = next((span.clock for span in said if span.clock), None) or first.time()
    return day.replace(hour=clock.hour, minute=clock.minute)
