"""Schedule meetings with an invitation: guests, time, duration."""

from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.arguments import merge_times
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.reading.times import find_times
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.state import Question, Ref

# "invite Ann to", "send a calendar invitation".
_INVITE = pattern(
    r"\binvite (?!only\b)|\b(?:calendar|meeting) (?:invite|invitation)s?\b|\binvitations? (?:to|for|with)\b"
    r"|^\W*(?:(?:please|can|you) )*(?:set up|book|schedule|arrange|find|block) (?:\d+|half an)\s*(?:min|hour|h\b)\w*"
    r" with\b.*\band\b"
)
_NOT_AN_ORDER = pattern(
    r"^\s*(?:how|why|what|which|did|was|were|has|have|is|who|when)\b|\b(?:draft|e-?mail|notes?)\b(?!.*\binvit)"
    r"|(?<!\bre):"
)
_DURATION = pattern(r"\b(?P<count>\d{1,3}|an?|half an?)[\s-]*(?P<unit>min(?:ute)?s?|h(?:ou)?rs?|h)\b")
_TITLE = pattern(r"\b(?:about|to (?:discuss|talk about|go over|review)|regarding|re:?) (?P<title>.+?)[.!?\s]*$")
_WHEN = "When should it take place? I need a date and time."


def invite(plan: Plan, text: str) -> Answer | None:
    """Match "invite Ann Lee and Bo Ek to a meeting on Friday at 11"."""
    if "schedule_meeting" not in plan.tools or not _INVITE.search(text) or _NOT_AN_ORDER.search(text):
        return None
    arguments, words = _split_duration(text)
    times = find_times(words, plan.now)
    for span in reversed(times):
        words = words[: span.start] + " , " + words[span.end :]
    if title := _TITLE.search(words):
        topic = title["title"].strip(" ,")
        arguments["title"] = topic[:1].upper() + topic[1:]
        words = words[: title.start()]
    if not plan.mentions_record(words) and "@" not in words:
        return None
    guests = _guests(plan, words, text)
    names, first = guests
    arguments |= {"attendees": names} | ({"entity_type": first.type, "entity_id": first.id} if first else {})
    if not times:
        return Answer(_WHEN, Question("missing", tool="schedule_meeting", arguments=arguments, field="date"))
    arguments["date"] = merge_times(times).moment(plan.now).isoformat()

    def format_meeting(value: Mapping[str, Any]) -> str:
        return _format_invitation(value, plan)

    return plan.run(
        "schedule_meeting", "schedule that meeting", format_meeting, refs=(first,) if first else (), **arguments
    )


def _split_duration(text: str) -> tuple[dict[str, Any], str]:
    """Return the duration in minutes, if named, and the text without it. "In an hour" is a time, not a duration."""
    match = _DURATION.search(text)
    if match is None or pattern(r"\bin $").search(text[: match.start()]):
        return {}, text
    count_word, is_hours = match["count"].lower(), match["unit"].lower().startswith("h")
    count = int(count_word) if count_word.isdigit() else 1
    minutes = 30 if count_word.startswith("half") else count * 60 if is_hours else count
    before = pattern(r"\bfor $").sub("", text[: match.start()])
    return {"duration": minutes}, f"{before} {text[match.end() :]}"


def _guests(plan: Plan, words: str, text: str) -> tuple[list[str], Ref | None]:
    """Return everybody's name or address, and the record the meeting is about: that of the first person."""
    reading = plan.read(words)
    names = [name.text for name in reading.names if name.strong]
    first = None
    if names or reading.pronouns:
        first = plan.require(plan.finder().subject(reading, None), text, "Whom shall I invite?")
    people = [first.name, *names[1:]] if first else names
    return [*people, *(one for one in reading.emails if one not in people)], first


def _format_invitation(value: Mapping[str, Any], plan: Plan) -> str:
    record, invited = value["record"], value.get("invited") or ()
    text = f"Done: **{record['display_name']}**, {phrasing.format_instant(str(record['due_at']), plan.now)}."
    if invited:
        text += f" The invitation for {phrasing.join_names([str(one) for one in invited])} is ready; nothing was sent."
    if not_invited := value.get("not_invited"):
        text += f" There is no email address of {phrasing.join_names([str(one) for one in not_invited])}."
    return text
