"""Meetings with an invitation: who comes, when, how long."""

import re
from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.arguments import together
from aisha.adapters.llm.offline.pattern_intents.calls import called, names_somebody
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.state import Question, Ref
from aisha.adapters.llm.offline.times import find_times

_INVITE = re.compile(
    r"\binvite\s+(?!only\b)|\b(?:calendar|meeting)\s+(?:invite|invitation)s?\b|\binvitations?\s+(?:to|for|with)\b"
    r"|^\W*(?:(?:please|can|you)\s+)*(?:set\s+up|book|schedule|arrange|find|block)\s+(?:\d+|half\s+an)\s*(?:min|hour|h\b)\w*\s+with\b.*\band\b",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"^\s*(?:how|why|what|which|did|was|were|has|have|is|who|when)\b|\b(?:draft|e-?mail|notes?)\b(?!.*\binvit)|(?<!\bre):",
    re.IGNORECASE,
)
_DURATION = re.compile(
    r"\b(?P<count>\d{1,3}|an?|half\s+an?)[\s-]*(?P<unit>min(?:ute)?s?|h(?:ou)?rs?|h)\b", re.IGNORECASE
)
_TITLE = re.compile(
    r"\b(?:about|to\s+(?:discuss|talk\s+about|go\s+over|review)|regarding|re:?)\s+(?P<title>.+?)[.!?\s]*$",
    re.IGNORECASE,
)
_WHEN = "When should it take place? I need a date and time."


def invite(plan: Plan, text: str) -> Answer | None:
    """ "Invite Ann Lee and Bo Ek to a meeting on Friday at 11"."""
    if "schedule_meeting" not in plan.tools or not _INVITE.search(text) or _OTHERWISE.search(text):
        return None
    arguments, words = _length(text)
    times = find_times(words, plan.now)
    for span in reversed(times):
        words = words[: span.start] + " , " + words[span.end :]
    if title := _TITLE.search(words):
        said = title["title"].strip(" ,")
        arguments["title"] = said[:1].upper() + said[1:]
        words = words[: title.start()]
    if not names_somebody(plan, words) and "@" not in words:
        return None
    guests = _guests(plan, words, text)
    if isinstance(guests, Answer):
        return guests
    names, first = guests
    arguments |= {"attendees": names} | ({"entity_type": first.type, "entity_id": first.id} if first else {})
    if not times:
        return Answer(_WHEN, Question("missing", tool="schedule_meeting", arguments=arguments, field="date"))
    arguments["date"] = together(times).moment(plan.now).isoformat()

    def told(value: Mapping[str, Any]) -> str:
        return _told(value, plan)

    return called(plan, "schedule_meeting", "schedule that meeting", told, refs=(first,) if first else (), **arguments)


def _length(text: str) -> tuple[dict[str, Any], str]:
    """The duration in minutes, if one is said, and the words without it. "In an hour" says when."""
    match = _DURATION.search(text)
    if match is None or re.search(r"\bin\s+$", text[: match.start()], re.IGNORECASE):
        return {}, text
    said, is_hours = match["count"].lower(), match["unit"].lower().startswith("h")
    count = int(said) if said.isdigit() else 1
    minutes = 30 if said.startswith("half") else count * 60 if is_hours else count
    before = re.sub(r"\bfor\s+$", "", text[: match.start()], flags=re.IGNORECASE)
    return {"duration": minutes}, f"{before} {text[match.end() :]}"


def _guests(plan: Plan, words: str, text: str) -> tuple[list[str], Ref | None] | Answer:
    """Everybody's name or address, and the record that the meeting is about: that of the first one named."""
    reading = plan.read(words)
    named = [name.text for name in reading.names if name.strong]
    subject = plan.finder().subject(reading, None) if named or reading.pronouns else None
    if (named or reading.pronouns) and (answer := plan.unresolved(subject, text, "Whom shall I invite?")) is not None:
        return answer
    first = subject if isinstance(subject, Ref) else None
    people = [first.name, *named[1:]] if first else named
    return [*people, *(one for one in reading.emails if one not in people)], first


def _told(value: Mapping[str, Any], plan: Plan) -> str:
    record, invited = value["record"], value.get("invited") or ()
    said = f"Done: **{record['display_name']}**, {phrasing.instant(str(record['due_at']), plan.now)}."
    if invited:
        said += f" The invitation for {phrasing.listed([str(one) for one in invited])} is ready; nothing was sent."
    if without := value.get("not_invited"):
        said += f" There is no email address of {phrasing.listed([str(one) for one in without])}."
    return said
