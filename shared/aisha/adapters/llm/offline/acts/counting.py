"""Acts that count and sum up: numbers, the pipeline, the day."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.acts.activities import activity_list
from aisha.adapters.llm.offline.acts.asking import list_records
from aisha.adapters.llm.offline.acts.notes import notes
from aisha.adapters.llm.offline.arguments import filters, owner_in
from aisha.adapters.llm.offline.entity_resolution import PLURALS
from aisha.adapters.llm.offline.intent import Intent
from aisha.adapters.llm.offline.parser import Reading
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.results import Wanted, items_of
from aisha.adapters.llm.offline.state import Topic
from aisha.domain.tools import ToolSpec


def count(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    if reading.has("note"):
        return notes(plan, intent, reading)
    if intent.kind is None and (reading.has("activity") or reading.activities):
        if reading.has("overdue") or reading.times or reading.names or reading.pronouns.keys() & {"person"}:
            return activity_list(plan, reading, {"status": "overdue"} if reading.has("overdue") else {})
        return counted(plan, "activity", reading)
    if intent.kind is None and reading.names and not plan.topic.tool:
        return Answer(phrasing.NOT_UNDERSTOOD)
    kind = intent.kind or "lead"
    if (reading.times and reading.has("closing")) or reading.amounts:
        return list_records(plan, replace(intent, kind=kind), reading)
    return counted(plan, kind, reading)


_CUTS = ("status", "stage", "health", "type")
"""What records are counted by, by the names of the search tools' parameters."""
_OPEN = re.compile(r"\b(?:open|active|live|ongoing|in play)\b", re.IGNORECASE)
_SUM = re.compile(r"\b(?:worth|how much|value|total(?:s|ling)?|altogether|combined|add(?:s)? up)\b", re.IGNORECASE)
_OPEN_STATUSES = {
    "opportunity": ("prospecting", "qualification", "proposal", "negotiation"),
    "lead": ("new", "contacted", "warm", "qualified"),
    "activity": ("scheduled",),
}


def counted(plan: Plan, kind: str, reading: Reading, kept: Mapping[str, Any] | None = None) -> Answer:
    """How many, and for deals what they are worth. `kept` are filters of the question that this one goes on from."""
    spec = plan.tools["get_pipeline_summary"]
    said = filters(reading, plan.tools.get(f"search_{PLURALS.get(kind, 'leads')}", spec), plan.now)
    asked = {name: value for name, value in {**(kept or {}), **said}.items() if name in (*_CUTS, "owner")}
    status = next((asked[name] for name in _CUTS if name in asked), None)
    if (found := _searched(plan, kind, reading, {**(kept or {}), **said})) is not None:
        return found
    arguments = {"entity_type": kind, "owner": asked.get("owner"), "status": status} | _period(reading, spec, plan.now)
    outcome = plan.need("get_pipeline_summary", **arguments)
    if outcome.error:
        return plan.failure(outcome, Wanted("get_pipeline_summary", arguments), "count those")
    is_open = status is None and _OPEN.search(reading.text) is not None and kind in _OPEN_STATUSES
    wanted = _OPEN_STATUSES[kind] if is_open else None if status is None else (str(status),)
    label = phrasing.words(str(status)) if status else "open" if is_open else ""
    number, amount = _tally(outcome.value, kind, wanted)
    whose = asked.get("owner")
    counted_text = f"**{phrasing.count_of(number, kind, label)}**"
    if amount and (kind == "opportunity" or _SUM.search(reading.text)):
        counted_text += f" worth **{amount}**"
    text = _who(whose, number, counted_text)
    search = asked | ({"open_only": True} if is_open and kind == "opportunity" else {})
    tool = f"search_{PLURALS[kind]}" if kind in PLURALS else "list_activities"
    return Answer(text, topic=Topic((), tool, search, number, label, counted=True))


_WORDED = ("source", "state", "city", "industry", "company", "department", "job_title")
_BOUNDS = {
    f"{end}_{name}": f"{name} {words}"
    for name in ("score", "value", "amount", "revenue", "employees")
    for end, words in (("min", "at least"), ("max", "at most"))
}
_SEARCHED = (*_WORDED, *_BOUNDS, "contacted_after", "contacted_before", "last_contacted_after", "last_contacted_before")
"""Filters that the searches have and the summary has not."""


_WORTH = {"opportunity": "amount", "lead": "estimated_value"}
_MOST_ADDED = 50
"""Records of one page of a search: of more than these no sum is told."""


def _searched(plan: Plan, kind: str, reading: Reading, asked: Mapping[str, Any]) -> Answer | None:
    """How many a search finds, when it is asked for what only a search knows; with their sum when that is asked too."""
    tool = f"search_{PLURALS.get(kind, '')}"
    if tool not in plan.tools or not any(name in asked for name in _SEARCHED):
        return None
    known = {name: value for name, value in asked.items() if name != "limit"}
    adds_up = kind in _WORTH and _SUM.search(reading.text) is not None
    outcome = plan.need(tool, **known, **({"limit": _MOST_ADDED} if adds_up else {}))
    total = outcome.value.get("total") if isinstance(outcome.value, Mapping) else None
    if total is None:
        return None
    status = next((str(known[name]) for name in _CUTS if name in known), "")
    said = [phrasing.words(str(known[name])) for name in _WORDED if name in known]
    said += [f"{words} {known[name]:,}" for name, words in _BOUNDS.items() if name in known]
    label = phrasing.words(status)
    among = f" ({', '.join(said)})" if said else ""
    worth = ""
    if adds_up and len(found := items_of(outcome)) == total:
        worth = f" worth **{phrasing.money(sum(float(one.get(_WORTH[kind]) or 0) for one in found))}**"
    text = _who(known.get("owner"), total, f"**{phrasing.count_of(total, kind, label)}**{among}{worth}")
    return Answer(text, topic=Topic((), tool, known, total, label, counted=True))


def _who(whose: str | None, number: int, counted_text: str) -> str:
    if whose not in (None, "me"):
        return f"{str(whose).capitalize()} has {counted_text}."
    if whose == "me" or number == 1:
        return f"You have {counted_text}."
    return f"There are {counted_text} in the CRM."


def _tally(value: Any, kind: str, statuses: Sequence[str] | None) -> tuple[int, str]:
    """Number and sum of a pipeline summary, of some statuses or of all; the sum is empty where there is none."""
    section: dict[str, Any] = next((part for part in value.get("sections", ()) if part.get("entity_type") == kind), {})
    rows = section.get("by_status", ())
    parts = [section] if statuses is None else [row for row in rows if row.get("status") in statuses]
    if statuses is not None and not parts and section.get("count"):
        parts = [section]  # counted by something else than the rows, e.g. accounts by type
    sums: dict[str, float] = {}
    for part in parts:
        for money in part.get("by_currency") or [part]:
            if money.get("amount"):
                currency = str(money.get("currency") or "USD")
                sums[currency] = sums.get(currency, 0) + float(money["amount"])
    shown = [phrasing.money(amount, currency) for currency, amount in sums.items() if amount]
    return sum(int(part.get("count", 0)) for part in parts), phrasing.listed(shown)


def summary(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    spec = plan.tools["get_pipeline_summary"]
    arguments: dict[str, Any] = {"owner": owner_in(reading), "entity_type": intent.kind} | _period(
        reading, spec, plan.now
    )
    return summed_up(plan, arguments)


def summed_up(plan: Plan, arguments: Mapping[str, Any]) -> Answer:
    """The pipeline by status; "only bob's" goes on from it."""
    outcome = plan.need("get_pipeline_summary", **arguments)
    if outcome.error:
        return plan.failure(outcome, Wanted("get_pipeline_summary", dict(arguments)), "sum up the pipeline")
    known = {name: value for name, value in arguments.items() if value is not None}
    return Answer(summary_text(outcome.value), topic=Topic((), "get_pipeline_summary", known))


def agenda(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    today = plan.now.date()
    if any(span.first and (span.first, span.last or span.first) != (today, today) for span in reading.times):
        return activity_list(plan, reading, {"owner": "me"})
    outcome = plan.need("get_my_day")
    if outcome.error:
        return plan.failure(outcome, Wanted("get_my_day", {}), "put your day together")
    return Answer(day_text(outcome.value, plan.now))


def _period(reading: Reading, spec: ToolSpec, now: datetime) -> dict[str, Any]:
    """The period parameter that a counting question names, as the tool's schema spells it."""
    options = (spec.properties.get("period") or {}).get("enum", ())
    lowered = reading.text.lower()
    for option in options:
        if str(option).replace("_", " ") in lowered:
            return {"period": option}
    if reading.times and reading.times[0].first and "first" in spec.properties:
        return {"first": reading.times[0].first.isoformat(), "last": (reading.times[0].last or now.date()).isoformat()}
    return {}


def summary_text(value: Any) -> str:
    sections = value.get("sections") or [value]
    lines = []
    for section in sections:
        rows = section.get("by_status") or []
        parts = [
            f"{phrasing.words(str(row.get('status')))} {row.get('count')}"
            + (f" ({phrasing.money(row['amount'])})" if float(row.get("amount") or 0) else "")
            for row in rows
        ]
        lines.append(
            f"- **{phrasing.count_of(int(section.get('count', 0)), str(section.get('entity_type')))}**: "
            + ", ".join(parts)
        )
    return "Here is where things stand:\n\n" + "\n".join(lines)


def day_text(value: dict[str, Any], now: datetime) -> str:
    blocks = []
    titles = {"overdue": "Overdue", "due_today": "Due today", "hot_leads": "Hot leads", "closing_soon": "Closing soon"}
    for key, items in value.items():
        records = items.get("items") if isinstance(items, dict) else items
        if isinstance(records, list) and records and isinstance(records[0], dict):
            blocks.append(
                f"**{titles.get(key, phrasing.words(key).capitalize())}**\n\n{phrasing.numbered(records[:5], now)}"
            )
    return (
        "Your priorities for today:\n\n" + "\n\n".join(blocks)
        if blocks
        else "Your day is clear: nothing is due, overdue or about to close."
    )
