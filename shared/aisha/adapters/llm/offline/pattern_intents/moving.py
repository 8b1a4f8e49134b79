"""Move all activities of a period at once, after a question: "move all my calls of tomorrow to Friday"."""

import re
from datetime import datetime
from typing import Any

from aisha.adapters.llm.offline.arguments import time_bounds
from aisha.adapters.llm.offline.intent import activity_type_of
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.reading.times import find_times
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.results import PlannedCall, items_of, ref_of
from aisha.adapters.llm.offline.state import Question, Topic

# "move all my calls of tomorrow to Friday".
_ALL = pattern(
    r"(?:please )?(?:move|push|shift|postpone|reschedule|bring)"
    r" (?:all (?:of )?(?:my|the|our)?|every(?:thing)?|my|the)\s*(?P<what>(?:\w+ ){0,2}?"
    r"(?:calls|meetings|demos|tasks|emails|activities|appointments|follow[\s-]?ups|things|everything)?)\s*"
    r"(?:(?:of|from|for|on|planned for|scheduled for|that are) )?(?P<old>.+?) (?:to|until|into) (?P<new>[^,]+?)"
    r"(?P<agreed>, as agreed)?[.!\s]*"
)
_PLURAL = pattern(
    r"\b(?:calls|meetings|demos|tasks|emails|activities|appointments|things|everything|follow[\s-]?ups)\b"
)
_MAX_MOVED = 10


def move_all(plan: Plan, text: str) -> Answer | None:
    """List what would be moved and ask; after a yes, each activity keeps its clock time on the new day."""
    match = _ALL.fullmatch(text)
    if match is None or not _PLURAL.search(text) or "update_activity" not in plan.tools:
        return None
    old, new = find_times(match["old"], plan.now), find_times(match["new"], plan.now)
    if len(old) != 1 or len(new) != 1 or new[0].first is None or plan.read(match["old"]).names:
        return None
    start, end = time_bounds(old[0], plan.now)
    activity_filters: dict[str, Any] = {"status": "scheduled", "owner": "me"}
    activity_filters |= {"due_after": start.isoformat()} if start else {}
    activity_filters |= {"due_before": end.isoformat()} if end else {}
    if (kind := activity_type_of(plan.read(match["what"]))) and not re.search("activit|task|thing", match["what"]):
        activity_filters["activity_type"] = kind
    outcome = plan.call("list_activities", "list the activities", **activity_filters)
    items = items_of(outcome)
    noun = "activities" if kind is None else f"{kind}s"
    if not items:
        return Answer(f"You have no open {noun} there, so there is nothing to move.")
    refs = tuple(ref_of(item) for item in items)
    day = new[0].moment(plan.now)
    if len(items) > _MAX_MOVED:
        return Answer(
            f"That would be {len(items)} {noun}; I move at most {_MAX_MOVED} at once. Name a shorter time, please."
        )
    if not match["agreed"]:
        lines = phrasing.format_numbered(items, plan.now)
        question = Question("offer", f"{text.rstrip('.!? ')}, as agreed")
        count = f"this {noun.removesuffix('s')}" if len(items) == 1 and kind else f"these {len(items)} {noun}"
        return Answer(
            f"Shall I move {count} to {phrasing.format_day(day.date())}?\n\n{lines}",
            question,
            Topic(refs, total=len(items)),
        )
    is_timed = new[0].clock is not None
    calls = [
        PlannedCall("update_activity", {"activity_id": item["id"], "due_date": _moved(item, day, is_timed)})
        for item in items
    ]
    for call, outcome_of_call in zip(calls, plan.need_all(calls), strict=True):
        if outcome_of_call.error:
            return plan.failure(outcome_of_call, call, "move them all")
    names = phrasing.join_names([f"**{ref.name}**" for ref in refs])
    return Answer(
        f"I've moved {names} to {phrasing.format_day(day.date())}.", topic=Topic(refs, written=f"You moved {names}.")
    )


def _moved(item: dict[str, Any], day: datetime, is_timed: bool) -> str:
    if is_timed or not item.get("due_at"):
        return day.isoformat()
    clock = datetime.fromisoformat(str(item["due_at"])).astimezone(day.tzinfo)
    return day.replace(hour=clock.hour, minute=clock.minute).isoformat()
