"""Pages that the frontend is to open."""

import re
from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.personal.shared import kept
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.state import Ref

_PAGE = r"(?:page|screen|view|tab|section|board)"
_GO = r"(?:open|go\s+to|take\s+me\s+to|bring\s+me\s+to|navigate\s+to|bring\s+up|show\s+me|show|jump\s+to|switch\s+to|pull\s+up)"
_NAMED = re.compile(
    rf"{_GO}\s+(?:(?:up|the|my|our)\s+)*(?:{_PAGE}\s+(?:of|with|for)\s+(?:(?:the|my|our)\s+)*(?P<of>[a-z]+)|(?P<page>[a-z]+(?:\s+[a-z]+)?)\s+{_PAGE})[.!\s]*",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?:open|go\s+to|take\s+me\s+to|bring\s+me\s+to|navigate\s+to|jump\s+to|switch\s+to)\s+(?:(?:the|my|our)\s+)*"
    r"(?P<page>dashboard|settings|home|calendar|pipeline)[.!\s]*",
    re.IGNORECASE,
)
_TRAVEL = re.compile(
    r"(?:go|take\s+me|bring\s+me|navigate|jump|switch)\s+to\s+(?:(?:the|my|our)\s+)*(?P<page>[a-z]+)[.!\s]*",
    re.IGNORECASE,
)
_OF_RECORD = re.compile(
    rf"{_GO}\s+(?:(?P<name>.+?)(?:['’]s?)?\s+{_PAGE}|(?:the\s+)?{_PAGE}\s+(?:of|for)\s+(?P<other>.+?))[.!\s]*",
    re.IGNORECASE,
)
_CALLED = {
    "deals": "opportunities", "deal": "opportunities", "opportunity": "opportunities", "lead": "leads", "contact": "contacts",
    "account": "accounts", "companies": "accounts", "customers": "accounts", "tasks": "activities", "task": "activities",
    "activity": "activities", "home": "dashboard", "main": "dashboard", "start": "dashboard", "diary": "calendar",
    "note": "notes", "goal": "goals", "document": "documents", "setting": "settings", "prospects": "leads",
}  # fmt: skip
_PAGES_OF = {"lead": "leads", "contact": "contacts", "account": "accounts", "opportunity": "opportunities"}


def open_page(plan: Plan, text: str) -> Answer | None:
    """ "Open the pipeline page", "take me to Jack Russel's page"."""
    if "navigate_to_page" not in plan.tools:
        return None
    pages = plan.tools["navigate_to_page"].properties["page"].get("enum", ())
    if match := _NAMED.fullmatch(text) or _BARE.fullmatch(text) or _TRAVEL.fullmatch(text):
        said = " ".join(next(filter(None, match.groups())).lower().split())
        page = _CALLED.get(said, said)
        if page in pages:
            return _go(plan, page=page)
    match = _OF_RECORD.fullmatch(text)
    return _to_record(plan, text, match["name"] or match["other"]) if match else None


def _to_record(plan: Plan, text: str, name: str) -> Answer | None:
    """Whose page it is; None for the next page of a list and the like."""
    reading = plan.read(f"show me {name}")
    if "person" not in reading.pronouns and not any(one.strong for one in reading.names):
        return None
    subject = plan.finder().subject(reading, None)
    if isinstance(subject, Ref) and subject.type in _PAGES_OF:
        return _go(plan, page=_PAGES_OF[subject.type], entity_type=subject.type, entity_id=subject.id)
    return plan.unresolved(subject, text, "Which page or whose page shall I open?")


def _go(plan: Plan, **arguments: Any) -> Answer:
    return kept(plan, "navigate_to_page", "open that page", _opened, **arguments)


def _opened(value: Mapping[str, Any]) -> str:
    name = (value.get("record") or {}).get("name")
    return (
        f"Opening {name} on the {value['navigate_to']} page." if name else f"Opening the {value['navigate_to']} page."
    )
