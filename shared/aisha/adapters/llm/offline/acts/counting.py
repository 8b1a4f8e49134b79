"""Acts that count and summarise: numbers, the pipeline, the day."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.offline.acts.activities import activity_list
from aisha.adapters.llm.offline.acts.asking import list_records
from aisha.adapters.llm.offline.acts.notes import notes
from aisha.adapters.llm.offline.arguments import owner_in, search_filters
from aisha.adapters.llm.offline.entity_resolution import PLURALS
from aisha.adapters.llm.offline.intent import Intent
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.results import items_of
from aisha.adapters.llm.offline.state import Topic
from aisha.domain.tools import ToolSpec

_GROUP_FIELDS = ("status", "stage", "health", "type")
"""Fields that records are counted by, named as in the search tools."""
_OPEN = pattern(r"\b(?:open|active|live|ongoing|in play)\b")
# "how much is it worth", "what do they add up to".
_SUM = pattern(r"\b(?:worth|how much|value|total(?:s|ling)?|altogether|combined|add(?:s)? up)\b")
_OPEN_STATUSES = {
    "opportunity": ("prospecting", "qualification", "proposal", "negotiation"),
    "lead": ("new", "contacted", "warm", "qualified"),
    "activity": ("scheduled",),
}
_TEXT_FILTERS = ("source", "state", "city", "industry", "company", "department", "job_title")
_BOUND_FILTERS = {
    f"{end}_{name}": f"{name} {words}"
    for name in ("score", "value", "amount", "revenue", "employees")
    for end, words in (("min", "at least"), ("max", "at most"))
}
_SEARCH_ONLY_FILTERS = (
    *_TEXT_FILTERS,
    *_BOUND_FILTERS,
    "contacted_after",
    "contacted_before",
    "last_contacted_after",
    "last_contacted_before",
)
"""Filters that the searches have and the summary lacks."""
_VALUE_FIELDS = {"opportunity": "amount", "lead": "estimated_value"}
_MAX_SUMMED = 50
"""Records on one page of a search; no sum is given of more."""


def count(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    if reading.has("note"):
        return notes(plan, intent, reading)
    if intent.kind is None and (reading.has("activity") or reading.activities):
        if reading.has("overdue") or reading.times or reading.names or reading.pronouns.keys() & {"person"}:
            return activity_list(plan, reading, {"status": "overdue"} if reading.has("overdue") else {})
        return count_records(plan, "activity", reading)
    if intent.kind is None and reading.names and not plan.topic.tool:
        return Answer(phrasing.NOT_UNDERSTOOD)
    kind = intent.kind or "lead"
    if (reading.times and reading.has("closing")) or reading.amounts:
        return list_records(plan, replace(intent, kind=kind), reading)
    return count_records(plan, kind, reading)


def count_records(plan: Plan, kind: str, reading: Reading, last_filters: Mapping[str, Any] | None = None) -> Answer:
    """Count records, with their value for deals. `last_filters` are those of the question that this one continues."""
    spec = plan.tools["get_pipeline_summary"]
    new_filters = search_filters(reading, plan.tools.get(f"search_{PLURALS.get(kind, 'leads')}", spec), plan.now)
    conditions = {
        name: value
        for name, value in {**(last_filters or {}), **new_filters}.items()
        if name in (*_GROUP_FIELDS, "owner")
    }
    status = next((conditions[name] for name in _GROUP_FIELDS if name in conditions), None)
    if (search_answer := _count_by_search(plan, kind, reading, {**(last_filters or {}), **new_filters})) is not None:
        return search_answer
    arguments = {"entity_type": kind, "owner": conditions.get("owner"), "status": status} | _period(
        reading, spec, plan.now
    )
    outcome = plan.call("get_pipeline_summary", "count those", **arguments)
    is_open = status is None and _OPEN.search(reading.text) is not None and kind in _OPEN_STATUSES
    statuses = _OPEN_STATUSES[kind] if is_open else None if status is None else (str(status),)
    label = phrasing.humanise(str(status)) if status else "open" if is_open else ""
    number, amount = _tally(outcome.value, kind, statuses)
    owner = conditions.get("owner")
    counted_text = f"**{phrasing.format_count(number, kind, label)}**"
    if amount and (kind == "opportunity" or _SUM.search(reading.text)):
        counted_text += f" worth **{amount}**"
    text = _owner_sentence(owner, number, counted_text)
    search = conditions | ({"open_only": True} if is_open and kind == "opportunity" else {})
    tool = f"search_{PLURALS[kind]}" if kind in PLURALS else "list_activities"
    return Answer(text, topic=Topic((), tool, search, number, label, counted=True))


def _count_by_search(plan: Plan, kind: str, reading: Reading, conditions: Mapping[str, Any]) -> Answer | None:
    """Count the records a search finds, with their sum when asked, for conditions that only a search has."""
    tool = f"search_{PLURALS.get(kind, '')}"
    if tool not in plan.tools or not any(name in conditions for name in _SEARCH_ONLY_FILTERS):
        return None
    search_arguments = {name: value for name, value in conditions.items() if name != "limit"}
    adds_up = kind in _VALUE_FIELDS and _SUM.search(reading.text) is not None
    outcome = plan.need(tool, **search_arguments, **({"limit": _MAX_SUMMED} if adds_up else {}))
    total = outcome.value.get("total") if isinstance(outcome.value, Mapping) else None
    if total is None:
        return None
    status = next((str(search_arguments[name]) for name in _GROUP_FIELDS if name in search_arguments), "")
    condition_texts = [
        phrasing.humanise(str(search_arguments[name])) for name in _TEXT_FILTERS if name in search_arguments
    ]
    condition_texts += [
        f"{words} {search_arguments[name]:,}" for name, words in _BOUND_FILTERS.items() if name in search_arguments
    ]
    label = phrasing.humanise(status)
    conditions_text = f" ({', '.join(condition_texts)})" if condition_texts else ""
    worth = ""
    # Only a complete page gives a correct sum.
    if adds_up and len(records := items_of(outcome)) == total:
        worth = f" worth **{phrasing.format_money(sum(float(one.get(_VALUE_FIELDS[kind]) or 0) for one in records))}**"
    text = _owner_sentence(
        search_arguments.get("owner"), total, f"**{phrasing.format_count(total, kind, label)}**{conditions_text}{worth}"
    )
    return Answer(text, topic=Topic((), tool, search_arguments, total, label, counted=True))


def _owner_sentence(owner: str | None, number: int, counted_text: str) -> str:
    if owner not in (None, "me"):
        return f"{str(owner).capitalize()} has {counted_text}."
    if owner == "me" or number == 1:
        return f"You have {counted_text}."
    return f"There are {counted_text} in the CRM."


def _tally(value: Any, kind: str, statuses: Sequence[str] | None) -> tuple[int, str]:
    """Return the count and the sum of a pipeline summary, for some statuses or all; "" without amounts."""
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
    sums_text = [phrasing.format_money(amount, currency) for currency, amount in sums.items() if amount]
    return sum(int(part.get("count", 0)) for part in parts), phrasing.join_names(sums_text)


def summary(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    spec = plan.tools["get_pipeline_summary"]
    arguments: dict[str, Any] = {"owner": owner_in(reading), "entity_type": intent.kind} | _period(
        reading, spec, plan.now
    )
    return summarise(plan, arguments)


def summarise(plan: Plan, arguments: Mapping[str, Any]) -> Answer:
    """Summarise the pipeline by status, as a topic that "only bob's" can narrow."""
    outcome = plan.call("get_pipeline_summary", "sum up the pipeline", **arguments)
    filters = {name: value for name, value in arguments.items() if value is not None}
    return Answer(summary_text(outcome.value), topic=Topic((), "get_pipeline_summary", filters))


def agenda(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    today = plan.now.date()
    if any(span.first and (span.first, span.last or span.first) != (today, today) for span in reading.times):
        return activity_list(plan, reading, {"owner": "me"})
    outcome = plan.call("get_my_day", "put your day together")
    return Answer(day_text(outcome.value, plan.now))


def _period(reading: Reading, spec: ToolSpec, now: datetime) -> dict[str, Any]:
    """Return the period parameter that a counting question names, as the tool's schema spells it."""
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
            f"{phrasing.humanise(str(row.get('status')))} {row.get('count')}"
            + (f" ({phrasing.format_money(row['amount'])})" if float(row.get("amount") or 0) else "")
            for row in rows
        ]
        lines.append(
            f"- **{phrasing.format_count(int(section.get('count', 0)), str(section.get('entity_type')))}**: "
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
                f"**{titles.get(key, phrasing.humanise(key).capitalize())}**\n\n"
                + phrasing.format_numbered(records[:5], now)
            )
    return (
        "Your priorities for today:\n\n" + "\n\n".join(blocks)
        if blocks
        else "Your day is clear: nothing is due, overdue or about to close."
    )
