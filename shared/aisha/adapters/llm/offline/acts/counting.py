"""Acts that count and sum up: numbers, the pipeline, the day."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.acts.activities import activity_list
from aisha.adapters.llm.offline.acts.asking import list_records
from aisha.adapters.llm.offline.acts.notes import notes
from aisha.adapters.llm.offline.arguments import filters, owner_in
from aisha.adapters.llm.offline.intents import Intent
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading import Reading
from aisha.adapters.llm.offline.results import Wanted
from aisha.adapters.llm.offline.state import Topic
from aisha.adapters.llm.offline.subjects import PLURALS
from aisha.domain.tools import ToolSpec


def count(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    if reading.has("note"):
        return notes(plan, intent, reading)
    if intent.kind is None and (reading.has("activity") or reading.activities):
        if reading.has("overdue") or reading.times or reading.names or reading.pronouns.keys() & {"person"}:
            return activity_list(plan, reading, {"status": "overdue"} if reading.has("overdue") else {})
        return _counted(plan, "activity", reading)
    kind = intent.kind or "lead"
    if (reading.times and reading.has("closing")) or reading.amounts:
        return list_records(plan, replace(intent, kind=kind), reading)
    return _counted(plan, kind, reading)


def _counted(plan: Plan, kind: str, reading: Reading) -> Answer:
    spec = plan.tools["get_pipeline_summary"]
    asked = filters(reading, plan.tools.get(f"search_{PLURALS.get(kind, 'leads')}", spec), plan.now)
    asked = {name: value for name, value in asked.items() if name in ("status", "stage", "owner", "type", "health")}
    status = next((asked[name] for name in ("status", "stage", "health", "type") if name in asked), None)
    arguments: dict[str, Any] = {"entity_type": kind, "owner": asked.get("owner")}
    if status is not None and "status" in spec.properties:
        arguments["status"] = status
    arguments |= _period(reading, spec, plan.now)
    outcome = plan.need("get_pipeline_summary", **arguments)
    if outcome.error:
        return plan.failure(outcome, Wanted("get_pipeline_summary", arguments), "count those")
    number = phrasing_count(outcome.value, kind, status)
    whose = asked.get("owner")
    who = (
        "You have"
        if whose == "me"
        else f"{str(whose).capitalize()} has"
        if whose
        else "You have"
        if number == 1
        else "There are"
    )
    text = f"{who} **{phrasing.count_of(number, kind, phrasing.words(status) if status else '')}**"
    text += "." if whose or number == 1 else " in the CRM."
    search = {name: value for name, value in asked.items() if name in ("status", "stage", "owner", "health", "type")}
    tool = f"search_{PLURALS[kind]}" if kind in PLURALS else "list_activities"
    return Answer(text, topic=Topic((), tool, search, number, phrasing.words(status) if status else ""))


def summary(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    spec = plan.tools["get_pipeline_summary"]
    arguments: dict[str, Any] = {"owner": owner_in(reading), "entity_type": intent.kind} | _period(
        reading, spec, plan.now
    )
    outcome = plan.need("get_pipeline_summary", **arguments)
    if outcome.error:
        return plan.failure(outcome, Wanted("get_pipeline_summary", arguments), "sum up the pipeline")
    return Answer(summary_text(outcome.value))


def agenda(plan: Plan, intent: Intent, reading: Reading) -> Answer:
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


def phrasing_count(value: Any, kind: str, status: str | None) -> int:
    """The number in a pipeline summary, whichever way it is cut."""
    if not isinstance(value, dict):
        return 0
    section = _section(value, kind)
    if status is not None:
        for key in ("by_status", "by_stage", "by_health"):
            rows = section.get(key) or {}
            if isinstance(rows, dict) and status in rows:
                row = rows[status]
                return int(row.get("count", 0) if isinstance(row, dict) else row)
            if isinstance(rows, list):
                return sum(
                    int(row.get("count", 0))
                    for row in rows
                    if status in (row.get("status"), row.get("stage"), row.get("value"))
                )
    return int(section.get("count", section.get("total", 0)) or 0)


def _section(value: dict[str, Any], kind: str) -> dict[str, Any]:
    for container in (value.get("by_type"), value.get("types"), value):
        if isinstance(container, dict) and isinstance(container.get(kind), dict):
            return dict(container[kind])
    sections = value.get("sections") or value.get("summaries")
    if isinstance(sections, list):
        return next((dict(item) for item in sections if item.get("entity_type") == kind), {})
    return value


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
