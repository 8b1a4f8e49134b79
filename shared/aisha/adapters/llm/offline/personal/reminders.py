"""Reminders that are about no record: the user's sticky notes."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.arguments import together
from aisha.adapters.llm.offline.disambiguation import KINDS
from aisha.adapters.llm.offline.parser import Name, Reading
from aisha.adapters.llm.offline.personal.shared import MOST, items, kept, meant, numbered
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.state import Ref
from aisha.adapters.llm.offline.times import find_times
from aisha.domain.dates.parsing import TimeSpan

_NOTE = r"(?:sticky\s*notes?|stickies|sticky|post-?its?)"
_LIST = re.compile(
    rf"(?:(?:show|list|what|which|read|see|display|view|open|give|tell|are|do|any|have)\b[^:]*)?\b(?:{_NOTE}|personal\s+reminders?)\b[^:]*",
    re.IGNORECASE,
)
_REMINDERS = re.compile(
    r"(?:(?:so\s+)?(?:what|which)(?:'s|\s+are|\s+do)?|show(?:\s+me)?|list|see|read)?\s*(?:i\s+have\s+)?(?:all\s+)?(?:my|the)?\s*(?:open\s+|own\s+)?reminders(?:\s+(?:do\s+i\s+have|i\s+have|are\s+there|i\s+set))?[?.!\s]*",
    re.IGNORECASE,
)
"""Those kept here, if there are any; else the activities that remind of something."""
_STATUS = {
    "due": re.compile(r"\bdue\b", re.IGNORECASE),
    "resolved": re.compile(r"\b(?:resolved|done|old)\b", re.IGNORECASE),
}
_PUT_UP = re.compile(
    rf"(?:(?:add|make|create|put\s+up|write|stick|leave|new)\s+)(?:me\s+)?(?:(?:a|an|another|new|up)\s+)*{_NOTE}(?:\s+up)?"
    rf"\s*(?::|-|that\s+says|saying|to|for|about|that|reading)\s*(?P<text>.+)|(?:{_NOTE}|(?:make\s+a\s+)?note\s+(?:for|to)\s+(?:me|myself|self)\b[^:]*)\s*[:,-]\s*(?P<bare>.+)",
    re.IGNORECASE | re.DOTALL,
)
_RESOLVE = re.compile(
    rf"(?:(?:resolve|close|tick\s+off|check\s+off|finish|complete|remove|delete|clear|take\s+down)\b(?P<a>.*?)\b{_NOTE}\b(?P<b>.*)"
    rf"|mark\b(?P<c>.*?)\b{_NOTE}\b(?P<d>.*?)\b(?:as\s+)?(?:done|resolved|finished|complete)\b)[.!\s]*",
    re.IGNORECASE,
)
_SNOOZE = re.compile(rf"snooze\b(?P<what>.*?)(?:\b(?:{_NOTE}|reminders?)\b(?P<more>.*))?[.!\s]*", re.IGNORECASE)
_FOR_SO_LONG = re.compile(r"\b(?:for|by)\s+(?=(?:an?|\d+|half\s+an|another)\s+(?:hour|min|day|week))", re.IGNORECASE)
_REMIND = re.compile(
    r"(?:(?:remind|nudge|ping)\s+me|(?:don't|dont|do\s+not)\s+let\s+me\s+forget|(?:set|jot\s+down|write|make|leave|put\s+up)\s+(?:me\s+)?(?:up\s+)?a\s+(?:personal\s+)?reminder(?:\s+for\s+(?:me|myself))?)\b(?P<when>[^:]*?)"
    r"(?:\b(?:to|about|that|of)\b|:)\s*(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_PRIVATE = re.compile(
    r"\b(?:my|the|our)\s+(?:\w+\s+)?(?:dentist|doctor|vet|physio\w*|therapist|hairdresser|barber|landlord|neighbou?rs?|wife|husband|"
    r"spouse|fianc[ée]e?|girlfriend|boyfriend|mum|mom|mother|dad|father|parents?|sister|brother|grandm\w+|grandp\w+|aunt|uncle|"
    r"sons?|daughters?|kids?|children|baby|dog|cat|car|bike|house|flat|gym|school|passport|haircut)\b"
    r"|\b(?:dentist|doctor's|groceries|laundry|dry\s+cleaning|birthday|anniversary|flowers|milk|rent|vitamins|medicine|pills?|"
    r"haircut|workout|lunch\s+break|(?:a|the)\s+(?:table|restaurant|flight|hotel|train|taxi))\b"
    r"|\b(?:business\s+cards?|stationery|expenses?|expense\s+reports?|time\s?sheets?|visa|parking|passwords?|vacation|holidays?)\b"
    r"|^\W*(?:buy|pick\s+up|pay|water|feed|cook|clean|walk|drink|stretch|exercise|breathe|eat|sleep|go\s+home|take\s+(?:a|my)\b)",
    re.IGNORECASE,
)
"""Life beside work and the chores of an office. Nobody keeps these in a CRM."""
_TOWN = re.compile(
    r"\b(?:call|ring|phone|text|visit|email|go\s+to|see)\s+(?:the|an?)\s+(?:bank|plumber|electrician|garage|school|landlord|insurance|"
    r"hospital|clinic|pharmacy|post\s+office|florist|caterer|airline|travel\s+agent|tax\s+\w+|accountant|lawyer|council|embassy|locksmith|"
    r"helpdesk|it\s+desk|hotline|canteen|receptionist|cleaner|gardener|babysitter)\b",
    re.IGNORECASE,
)
"""Whom one calls in town, without a name."""
_BUSINESS = re.compile(
    r"\b(?:follow\w*|quotes?|proposals?|contracts?|invoices?|offers?|pricing|renewals?|customers?|clients?|prospects?|companies|"
    r"pipeline|sales|crm|next\s+steps?)\b",
    re.IGNORECASE,
)


def list_sticky_notes(plan: Plan, text: str) -> Answer | None:
    """ "Show my sticky notes", "which sticky notes are due?"."""
    if _REMINDERS.fullmatch(text):
        found = items(plan, "stickynotes", action="list", limit=MOST) if "stickynotes" in plan.tools else []
        return (
            kept(plan, "stickynotes", "look them up", lambda v: _listed(plan, v, None), action="list")
            if found
            else None
        )
    if not _LIST.fullmatch(text):
        return None
    status = next((name for name, said in _STATUS.items() if said.search(text)), None)
    shown = {"status": status} if status else {}
    return kept(plan, "stickynotes", "look them up", lambda value: _listed(plan, value, status), action="list", **shown)


def put_up(plan: Plan, text: str) -> Answer | None:
    """ "Put up a sticky note: buy flowers on Friday"."""
    match = _PUT_UP.fullmatch(text)
    return _create(plan, match["text"] or match["bare"], "") if match else None


def remind(plan: Plan, text: str) -> Answer | None:
    """ "Remind me to call my dentist tomorrow at 5pm". A reminder about a record is an activity, and none of these."""
    match = _REMIND.fullmatch(text)
    if match is None or "stickynotes" not in plan.tools or not _is_personal(plan, match["what"]):
        return None
    return _create(plan, match["what"], match["when"])


def resolve_sticky_note(plan: Plan, text: str) -> Answer | None:
    """ "Resolve the sticky note about flowers", "mark my dentist sticky note as done"."""
    match = _RESOLVE.fullmatch(text)
    if match is None:
        return None
    found = _found(plan, " ".join(filter(None, match.groups())))
    if isinstance(found, Answer):
        return found
    done = f'Done: "{found["text"]}" is resolved.'
    return kept(plan, "stickynotes", "resolve it", lambda _: done, action="resolve", note_id=found["id"])


def snooze_sticky_note(plan: Plan, text: str) -> Answer | None:
    """ "Snooze the dentist reminder until Friday"."""
    match = _SNOOZE.fullmatch(text)
    if match is None or "stickynotes" not in plan.tools:
        return None
    words, spans = _without_times(_FOR_SO_LONG.sub("in ", text), plan.now)
    said = re.sub(rf"\b(?:snooze|until|till|for|{_NOTE}|reminders?)\b", " ", words, flags=re.IGNORECASE)
    if match["more"] is None and not meant(said, items(plan, "stickynotes", action="list", limit=MOST)):
        return None
    found = _found(plan, said)
    if isinstance(found, Answer):
        return found
    until = {"due_at": _moment(spans, plan.now)} if spans else {}
    return kept(
        plan, "stickynotes", "snooze it", lambda value: f"Done: {_line(plan, value['items'][0])}.",
        action="snooze", note_id=found["id"], **until,
    )  # fmt: skip


def _is_personal(plan: Plan, what: str) -> bool:
    """Life beside work, or what names nobody and none of the things that are sold."""
    if _PRIVATE.search(what):
        return True
    reading = plan.read(what)
    if _TOWN.search(what) and not any(map(_names_somebody, reading.names)):
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
    """ "My visa" is a thing of one's own, as long as no record is called so."""
    return name.strong and (name.capital or name.before != "my")


def _names_a_record(plan: Plan, reading: Reading) -> bool:
    named = [name for name in reading.names if name.strong or name.before not in _ARTICLES]
    return bool(named) and isinstance(plan.finder().subject(reading, None), Ref)


_ARTICLES = frozenset(("the", "a", "an"))
"""What comes after one in small letters is a thing, such as "the bank", and no record's name."""


def _create(plan: Plan, what: str, when: str) -> Answer:
    words, spans = _without_times(what, plan.now)
    spans = spans or find_times(when, plan.now)
    said = re.sub(r"(?:\s+(?:on|at|by|in|for|from|until))+$", "", words.strip(" ,.!?"), flags=re.IGNORECASE).strip(
        " ,."
    )
    due = {"due_at": _moment(spans, plan.now)} if spans else {}
    return kept(
        plan, "stickynotes", "put up that sticky note", lambda value: f"Done: {_line(plan, value['items'][0])}.",
        action="create", text=said[:1].upper() + said[1:], **due,
    )  # fmt: skip


def _without_times(text: str, now: datetime) -> tuple[str, Sequence[TimeSpan]]:
    spans = find_times(text, now)
    words = text
    for span in reversed(spans):
        ahead = re.sub(r"\b(?:on|at|by|in|for|until|till)\s*$", "", words[: span.start], flags=re.IGNORECASE)
        words = f"{ahead.rstrip()} {words[span.end :].lstrip()}"
    return words, spans


def _moment(spans: Sequence[TimeSpan], now: datetime) -> str:
    return together(spans).moment(now).isoformat()


def _found(plan: Plan, said: str) -> Mapping[str, Any] | Answer:
    """The only open note that fits, or the answer that says why it is not one."""
    known = items(plan, "stickynotes", action="list", limit=MOST)
    found = meant(re.sub(r"\b(?:about|sticky|notes?)\b", " ", said, flags=re.IGNORECASE), known)
    if len(found) == 1:
        return found[0]
    if not known:
        return Answer("You have no open sticky notes.")
    return Answer(f"Which sticky note do you mean?\n{numbered([_line(plan, one) for one in found or known])}")


def _listed(plan: Plan, value: Mapping[str, Any], status: str | None) -> str:
    lines = [_line(plan, one) for one in value["items"]]
    if not lines:
        kind = f"{status} sticky notes" if status else "sticky notes"
        return f'You have no {kind}. For example: "Remind me to call my dentist tomorrow at 5pm".'
    more = value["total"] - len(lines)
    return f"Your sticky notes:\n{numbered(lines)}" + (f"\nand {more} more" if more > 0 else "")


def _line(plan: Plan, note: Mapping[str, Any]) -> str:
    when = note.get("due_at")
    told = ", due now" if note.get("is_due") else f", due {phrasing.instant(when, plan.now)}" if when else ""
    return f"sticky note **{note['text']}**{told}"
