"""The act that lists people who have not been contacted for some time."""

from datetime import timedelta
from typing import Any

from aisha.adapters.llm.offline.arguments import date_value, enum_arguments, owner_in, time_bounds
from aisha.adapters.llm.offline.entity_resolution import PLURALS
from aisha.adapters.llm.offline.intent import Intent
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.reading.times import length_in_days
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.results import PlannedCall, items_of, ref_of
from aisha.adapters.llm.offline.state import Topic

DEFAULT_DAYS = 30
"""Days without contact when the user names none."""
_FIRST_PERSON = pattern(r"\b(?:i|i've|i'm|my|me)\b")
_CUSTOMERS = pattern(r"\b(?:customers?|clients?|accounts?|compan(?:y|ies))\b")


def list_not_contacted(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    """List leads and contacts last contacted before the time named, of one kind when one is named."""
    days = _days(plan, reading)
    kinds = (intent.kind,) if intent.kind in ("lead", "contact") else ("lead", "contact")
    if intent.kind == "account" or _CUSTOMERS.search(reading.text):
        kinds = ("contact",)
    calls = [_search(plan, kind, reading, days) for kind in kinds if f"search_{PLURALS[kind]}" in plan.tools]
    outcomes = plan.need_all(calls)
    blocks, refs, total = [], [], 0
    for call, outcome in zip(calls, outcomes, strict=True):
        if outcome.error:
            return plan.failure(outcome, call, "look that up")
        items = items_of(outcome)
        refs += [ref_of(item) for item in items]
        count = outcome.value.get("total") or len(items)
        total += count
        if items:
            kind = "lead" if call.tool == "search_leads" else "contact"
            lines = "\n".join(
                _format_person(plan, item, place) for place, item in enumerate(items, len(refs) - len(items) + 1)
            )
            count_text = f"{len(items)} of {count}" if count > len(items) else str(count)
            blocks.append(f"**{phrasing.LABELS[kind][1].capitalize()}** ({count_text})\n\n{lines}")
    if not blocks:
        return Answer(f"Nobody: everyone there was contacted in the last {days} days.", topic=Topic(()))
    head = f"Not contacted in the last {days} days:"
    single_call = calls[0] if len(calls) == 1 else PlannedCall("", {})
    return Answer(
        "\n\n".join([head, *blocks]), topic=Topic(tuple(refs), single_call.tool, single_call.arguments, total)
    )


def _search(plan: Plan, kind: str, reading: Reading, days: int) -> PlannedCall:
    spec = plan.tools[f"search_{PLURALS[kind]}"]
    arguments: dict[str, Any] = enum_arguments(reading, spec)
    if kind == "contact" and pattern(r"\b(?:customers?|clients?)\b").search(reading.text):
        arguments["status"] = "customer"
    owner = owner_in(reading) or ("me" if _FIRST_PERSON.search(reading.text) else None)
    before = date_value(spec, "contacted_before", plan.now - timedelta(days=days))
    return PlannedCall(spec.name, arguments | ({"owner": owner} if owner else {}) | {"contacted_before": before})


def _days(plan: Plan, reading: Reading) -> int:
    if (duration := length_in_days(reading.text)) is not None:
        return duration
    if reading.times:
        first, _ = time_bounds(reading.times[0], plan.now)
        if first is not None and first < plan.now:
            return max((plan.now - first).days, 1)
    return DEFAULT_DAYS


def _format_person(plan: Plan, record: dict[str, Any], place: int) -> str:
    about = f" ({record['company']})" if record.get("company") else ""
    last = record.get("last_contacted_at")
    when = f", last contacted {phrasing.format_age(str(last), plan.now)}" if last else ""
    return f"{place}. **{record.get('display_name')}**{about}{when}"
