"""Open pages of the frontend."""

from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.state import Ref

_PAGE = r"(?:page|screen|view|tab|section|board)"
_GO = (
    r"(?:open|go\s+to|take\s+me\s+to|bring\s+me\s+to|navigate\s+to|bring\s+up|show\s+me|show|jump\s+to|switch\s+to"
    r"|pull\s+up)"
)
_NAMED = pattern(
    rf"{_GO} (?:(?:up|the|my|our) )*"
    rf"(?:{_PAGE} (?:of|with|for) (?:(?:the|my|our) )*(?P<of>[a-z]+)|(?P<page>[a-z]+(?: [a-z]+)?) {_PAGE})[.!\s]*"
)
_BARE = pattern(
    r"(?:open|go to|take me to|bring me to|navigate to|jump to|switch to) (?:(?:the|my|our) )*"
    r"(?P<page>dashboard|settings|home|calendar|pipeline)[.!\s]*"
)
_TRAVEL = pattern(r"(?:go|take me|bring me|navigate|jump|switch) to (?:(?:the|my|our) )*(?P<page>[a-z]+)[.!\s]*")
_OF_RECORD = pattern(rf"{_GO} (?:(?P<name>.+?)(?:['’]s?)? {_PAGE}|(?:the )?{_PAGE} (?:of|for) (?P<other>.+?))[.!\s]*")
_PAGE_NAMES = {
    "deals": "opportunities", "deal": "opportunities", "opportunity": "opportunities", "lead": "leads",
    "contact": "contacts", "account": "accounts", "companies": "accounts", "customers": "accounts",
    "tasks": "activities", "task": "activities", "activity": "activities", "home": "dashboard", "main": "dashboard",
    "start": "dashboard", "diary": "calendar", "note": "notes", "goal": "goals", "document": "documents",
    "setting": "settings", "prospects": "leads",
}  # fmt: skip
_PAGES_OF = {"lead": "leads", "contact": "contacts", "account": "accounts", "opportunity": "opportunities"}


def open_page(plan: Plan, text: str) -> Answer | None:
    """Match "open the pipeline page", "take me to Jack Russel's page"."""
    if "navigate_to_page" not in plan.tools:
        return None
    pages = plan.tools["navigate_to_page"].properties["page"].get("enum", ())
    if match := _NAMED.fullmatch(text) or _BARE.fullmatch(text) or _TRAVEL.fullmatch(text):
        page_name = " ".join(next(filter(None, match.groups())).lower().split())
        page = _PAGE_NAMES.get(page_name, page_name)
        if page in pages:
            return _go(plan, page=page)
    match = _OF_RECORD.fullmatch(text)
    return _to_record(plan, text, match["name"] or match["other"]) if match else None


def _to_record(plan: Plan, text: str, name: str) -> Answer | None:
    """Open a record's page; None for the next page of a list and the like."""
    reading = plan.read(f"show me {name}")
    if "person" not in reading.pronouns and not any(one.strong for one in reading.names):
        return None
    subject = plan.finder().subject(reading, None)
    if isinstance(subject, Ref) and subject.type in _PAGES_OF:
        return _go(plan, page=_PAGES_OF[subject.type], entity_type=subject.type, entity_id=subject.id)
    return plan.unresolved(subject, text, "Which page or whose page shall I open?")


def _go(plan: Plan, **arguments: Any) -> Answer:
    return plan.run("navigate_to_page", "open that page", _format_page, **arguments)


def _format_page(value: Mapping[str, Any]) -> str:
    name = (value.get("record") or {}).get("name")
    return (
        f"Opening {name} on the {value['navigate_to']} page." if name else f"Opening the {value['navigate_to']} page."
    )
