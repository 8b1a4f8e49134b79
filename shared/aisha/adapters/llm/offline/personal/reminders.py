"""Keep the user's sticky notes: reminders about no record."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from aisha.adapters.llm.offline.arguments import merge_times
from aisha.adapters.llm.offline.personal.shared import MAX_ITEMS, best_matches, list_items, number_lines
from aisha.adapters.llm.offline.plan import Answer, EarlyAnswer, Plan
from aisha.adapters.llm.offline.reading.disambiguation import KINDS
from aisha.adapters.llm.offline.reading.parser import Name, Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.reading.times import find_times
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.state import Ref
from aisha.domain.dates.parsing import TimeSpan

_NOTE = r"(?:sticky\s*notes?|stickies|sticky|post-?its?)"
_LIST = pattern(
    r"(?:(?:show|list|what|which|read|see|display|view|open|give|tell|are|do|any|have)\b[^:]*)?\b"
    rf"(?:{_NOTE}|personal reminders?)\b[^:]*"
)
_REMINDERS = pattern(
    r"(?:(?:so )?(?:what|which)(?:'s| are| do)?|show(?: me)?|list|see|read)?\s*(?:i have )?(?:all )?(?:my|the)?\s*"
    r"(?:open |own )?reminders(?: (?:do i have|i have|are there|i set))?[?.!\s]*"
)
"""Recognises a question for reminders: the sticky notes, else the activities."""
_STATUS = {
    "due": pattern(r"\bdue\b"),
    "resolved": pattern(r"\b(?:resolved|done|old)\b"),
}
# "put up a sticky note: ...".
_CREATE = re.compile(
    rf"(?:(?:add|make|create|put\s+up|write|stick|leave|new)\s+)(?:me\s+)?(?:(?:a|an|another|new|up)\s+)*{_NOTE}"
    r"(?:\s+up)?\s*(?::|-|that\s+says|saying|to|for|about|that|reading)\s*(?P<text>.+)"
    rf"|(?:{_NOTE}|(?:make\s+a\s+)?note\s+(?:for|to)\s+(?:me|myself|self)\b[^:]*)\s*[:,-]\s*(?P<bare>.+)",
    re.IGNORECASE | re.DOTALL,
)
_RESOLVE = pattern(
    rf"(?:(?:resolve|close|tick off|check off|finish|complete|remove|delete|clear|take down)\b(?P<a>.*?)\b{_NOTE}\b"
    rf"(?P<b>.*)|mark\b(?P<c>.*?)\b{_NOTE}\b(?P<d>.*?)\b(?:as )?(?:done|resolved|finished|complete)\b)[.!\s]*"
)
# "snooze the dentist reminder until Friday", "snooze it".
_SNOOZE = pattern(rf"snooze\b(?P<what>.*?)(?:\b(?:{_NOTE}|reminders?)\b(?P<more>.*))?[.!\s]*")
# "snooze it for an hour" ends in an hour: "in an hour" is a time, "for an hour" a duration.
_FOR_DURATION = pattern(r"\b(?:for|by) (?=(?:an?|\d+|half an|another) (?:hour|min|day|week))")
# "remind me to ... tomorrow", "don't let me forget to ...".
_REMIND = re.compile(
    r"(?:(?:remind|nudge|ping)\s+me|(?:don't|dont|do\s+not)\s+let\s+me\s+forget"
    r"|(?:set|jot\s+down|write|make|leave|put\s+up)\s+(?:me\s+)?(?:up\s+)?a\s+(?:personal\s+)?reminder"
    r"(?:\s+for\s+(?:me|myself))?)\b(?P<when>[^:]*?)(?:\b(?:to|about|that|of)\b|:)\s*(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_PRIVATE = pattern(
    r"\b(?:my|the|our) (?:\w+ )?(?:dentist|doctor|vet|physio\w*|therapist|hairdresser|barber|landlord|neighbou?rs?|wife"
    r"|husband|spouse|fianc[ée]e?|girlfriend|boyfriend|mum|mom|mother|dad|father|parents?|sister|brother|grandm\w+"
    r"|grandp\w+|aunt|uncle|sons?|daughters?|kids?|children|baby|dog|cat|car|bike|house|flat|gym|school|passport"
    r"|haircut)\b|\b(?:dentist|doctor's|groceries|laundry|dry cleaning|birthday|anniversary|flowers|milk|rent|vitamins"
    r"|medicine|pills?|haircut|workout|lunch break|(?:a|the) (?:table|restaurant|flight|hotel|train|taxi))\b"
    r"|\b(?:business cards?|stationery|expenses?|expense reports?|time\s?sheets?|visa|parking|passwords?|vacation"
    r"|holidays?)\b|^\W*"
    r"(?:buy|pick up|pay|water|feed|cook|clean|walk|drink|stretch|exercise|breathe|eat|sleep|go home|take (?:a|my)\b)"
)
"""Recognises private life and office chores, which do not belong in a CRM."""
_LOCAL_SERVICE = pattern(
    r"\b(?:call|ring|phone|text|visit|email|go to|see) (?:the|an?) (?:bank|plumber|electrician|garage|school|landlord"
    r"|insurance|hospital|clinic|pharmacy|post office|florist|caterer|airline|travel agent|tax \w+|accountant|lawyer"
    r"|council|embassy|locksmith|helpdesk|it desk|hotline|canteen|receptionist|cleaner|gardener|babysitter)\b"
)
"""Recognises services called without a name."""
# Words of the sales process: such a reminder is an activity of the CRM rather than a sticky note.
_BUSINESS = pattern(
    r"\b(?:follow\w*|quotes?|proposals?|contracts?|invoices?|offers?|pricing|renewals?|customers?|clients?|prospects?"
    r"|companies|pipeline|sales|crm|next steps?)\b"
)
_ARTICLES = frozenset(("the", "a", "an"))
"""Articles before a thing in small letters, such as "the bank"."""


def list_sticky_notes(plan: Plan, text: str) -> Answer | None:
    """Match "show my sticky notes", "which sticky notes are due?"."""
    if _REMINDERS.fullmatch(text):
        stored_notes = (
            list_items(plan, "stickynotes", action="list", limit=MAX_ITEMS) if "stickynotes" in plan.tools else []
        )
        return (
            plan.run("stickynotes", "look them up", lambda v: _format_notes(plan, v, None), action="list")
            if stored_notes
            else None
        )
    if not _LIST.fullmatch(text):
        return None
    status = next((name for name, words in _STATUS.items() if words.search(text)), None)
    return plan.run(
        "stickynotes", "look them up", lambda value: _format_notes(plan, value, status), action="list", status=status
    )


def create_sticky_note(plan: Plan, text: str) -> Answer | None:
    """Match "put up a sticky note: buy flowers on Friday"."""
    match = _CREATE.fullmatch(text)
    return _create(plan, match["text"] or match["bare"], "") if match else None


def remind(plan: Plan, text: str) -> Answer | None:
    """Match "remind me to call my dentist tomorrow at 5pm". A reminder about a record is an activity instead."""
    match = _REMIND.fullmatch(text)
    if match is None or "stickynotes" not in plan.tools or not _is_personal(plan, match["what"]):
        return None
    return _create(plan, match["what"], match["when"])


def resolve_sticky_note(plan: Plan, text: str) -> Answer | None:
    """Match "resolve the sticky note about flowers", "mark my dentist sticky note as done"."""
    match = _RESOLVE.fullmatch(text)
    if match is None:
        return None
    note = _find_note(plan, " ".join(filter(None, match.groups())))
    reply = f'Done: "{note["text"]}" is resolved.'
    return plan.run("stickynotes", "resolve it", lambda _: reply, action="resolve", note_id=note["id"])


def snooze_sticky_note(plan: Plan, text: str) -> Answer | None:
    """Match "snooze the dentist reminder until Friday"."""
    match = _SNOOZE.fullmatch(text)
    if match is None or "stickynotes" not in plan.tools:
        return None
    words, spans = _without_times(_FOR_DURATION.sub("in ", text), plan.now)
    description = re.sub(rf"\b(?:snooze|until|till|for|{_NOTE}|reminders?)\b", " ", words, flags=re.IGNORECASE)
    if match["more"] is None and not best_matches(
        description, list_items(plan, "stickynotes", action="list", limit=MAX_ITEMS)
    ):
        return None
    note = _find_note(plan, description)
    until = _moment(spans, plan.now) if spans else None
    return plan.run(
        "stickynotes", "snooze it", lambda value: f"Done: {_format_note(plan, value['items'][0])}.",
        action="snooze", note_id=note["id"], due_at=until,
    )  # fmt: skip


def _is_personal(plan: Plan, what: str) -> bool:
    """Return whether the reminder is private, or names no record and no business matter."""
    if _PRIVATE.search(what):
        return True
    reading = plan.read(what)
    if _LOCAL_SERVICE.search(what) and not any(map(_names_somebody, reading.names)):
        return True
    if (
        _BUSINESS.search(what)
        or reading.has(*KINDS, "note", "activity")
        or reading.pronouns.keys() & {"person", "thing"}
    ):
        return False
    if reading.activities or any(map(_names_somebody, reading.names)):
        return False
    return not plan.scene.entities and not _names_a_record(plan, reading)


def _names_somebody(name: Name) -> bool:
    """Return whether the name is a person's: "my visa" is a thing, unless a record has that name."""
    return name.strong and (name.capital or name.before != "my")


def _names_a_record(plan: Plan, reading: Reading) -> bool:
    named = [name for name in reading.names if name.strong or name.before not in _ARTICLES]
    return bool(named) and isinstance(plan.finder().subject(reading, None), Ref)


def _create(plan: Plan, what: str, when: str) -> Answer:
    words, spans = _without_times(what, plan.now)
    spans = spans or find_times(when, plan.now)
    note_text = pattern(r"(?: (?:on|at|by|in|for|from|until))+$").sub("", words.strip(" ,.!?")).strip(" ,.")
    due = _moment(spans, plan.now) if spans else None
    return plan.run(
        "stickynotes", "put up that sticky note", lambda value: f"Done: {_format_note(plan, value['items'][0])}.",
        action="create", text=note_text[:1].upper() + note_text[1:], due_at=due,
    )  # fmt: skip


def _without_times(text: str, now: datetime) -> tuple[str, Sequence[TimeSpan]]:
    spans = find_times(text, now)
    words = text
    for span in reversed(spans):
        before = pattern(r"\b(?:on|at|by|in|for|until|till)\s*$").sub("", words[: span.start])
        words = f"{before.rstrip()} {words[span.end :].lstrip()}"
    return words, spans


def _moment(spans: Sequence[TimeSpan], now: datetime) -> str:
    return merge_times(spans).moment(now).isoformat()


def _find_note(plan: Plan, description: str) -> Mapping[str, Any]:
    """Return the only open note that fits. Raises `EarlyAnswer` when there is none or more than one."""
    notes = list_items(plan, "stickynotes", action="list", limit=MAX_ITEMS)
    matches = best_matches(pattern(r"\b(?:about|sticky|notes?)\b").sub(" ", description), notes)
    if len(matches) == 1:
        return matches[0]
    if not notes:
        raise EarlyAnswer(Answer("You have no open sticky notes."))
    lines = number_lines([_format_note(plan, one) for one in matches or notes])
    raise EarlyAnswer(Answer(f"Which sticky note do you mean?\n{lines}"))


def _format_notes(plan: Plan, value: Mapping[str, Any], status: str | None) -> str:
    lines = [_format_note(plan, one) for one in value["items"]]
    if not lines:
        kind = f"{status} sticky notes" if status else "sticky notes"
        return f'You have no {kind}. For example: "Remind me to call my dentist tomorrow at 5pm".'
    more = value["total"] - len(lines)
    return f"Your sticky notes:\n{number_lines(lines)}" + (f"\nand {more} more" if more > 0 else "")


def _format_note(plan: Plan, note: Mapping[str, Any]) -> str:
    when = note.get("due_at")
    due_text = ", due now" if note.get("is_due") else f", due {phrasing.format_instant(when, plan.now)}" if when else ""
    return f"sticky note **{note['text']}**{due_text}"
