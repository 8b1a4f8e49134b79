"""List records in the order of a superlative: "the most valuable lead", "which deal closes first"."""

import re
from typing import Any

from aisha.adapters.llm.offline.entity_resolution import PLURALS
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.results import items_of, ref_of
from aisha.adapters.llm.offline.state import Topic

MAX_COMPARED = 50
"""Records compared; a search returns no more at once."""
_MUCH = (
    r"worth\s+(?:the\s+)?most|most\s+valuable|(?:biggest|largest|highest|greatest)"
    r"(?:[\s-]+(?:value|amount|revenue|deal\s+size))?|richest|top[\s-]value|most\s+revenue"
)
_LITTLE = r"worth\s+(?:the\s+)?least|smallest|lowest|least\s+valuable|tiniest"
_VALUES = {"lead": "estimated_value", "opportunity": "amount", "account": "annual_revenue"}
_CREATED = dict.fromkeys(PLURALS, "created_at")
_CLOSES_NEXT = (
    r"\bcloses? (?:first|soonest|earliest|next)|\bnext (?:one )?to close\b|\bclosing (?:first|soonest|next)\b"
)
_ORDERS: tuple[tuple[re.Pattern[str], dict[str, str], bool], ...] = (
    (pattern(r"\bmost (?:employees|people|staff)\b"), {"account": "employee_count"}, True),
    (pattern(r"\b(?:lowest|worst|coldest)[\s-]+(?:score|scoring|lead)|\bcoldest\b"), {"lead": "score"}, False),
    (pattern(rf"\b(?:{_MUCH})\b"), _VALUES, True),
    (pattern(rf"\b(?:{_LITTLE})\b"), _VALUES, False),
    (pattern(_CLOSES_NEXT), {"opportunity": "close_date"}, False),
    (pattern(r"\bcloses? last\b|\blast to close\b"), {"opportunity": "close_date"}, True),
    (pattern(r"\b(?:newest|latest|most recent)\b"), _CREATED, True),
    (pattern(r"\boldest\b"), _CREATED, False),
)
"""The words of an order, the field of each kind that it sorts by, and whether it descends."""
_SCORED = pattern(r"\bscor(?:e|es|ed|ing)\b")
_PLURAL = pattern(r"\b(?:leads|prospects|deals|opportunities|opps|accounts|companies|contacts|customers|ones)\b")
_FIELD_LABELS = {"estimated_value": "estimated value", "annual_revenue": "revenue", "employee_count": "employees"}


def rank_records(plan: Plan, kind: str, reading: Reading, arguments: dict[str, Any]) -> Answer | None:
    """List the first records in the order named; None when no order is named or the search has it already."""
    order = next(
        (
            (fields[kind], is_descending)
            for words, fields, is_descending in _ORDERS
            if kind in fields and words.search(reading.text)
        ),
        None,
    )
    if order is None or (kind == "lead" and _SCORED.search(reading.text) and order[1]):
        return None
    field, descending = order
    if field == "amount" and descending and not any(name.startswith("closing") for name in arguments):
        return None  # The search itself begins with the largest, unless it is about days.
    tool = f"search_{PLURALS[kind]}"
    search_arguments = {**arguments, "limit": MAX_COMPARED}
    if field == "close_date":
        search_arguments |= {"open_only": True}
        if not descending:  # the search itself begins with the one that closes first
            search_arguments |= {"closing_after": plan.now.date().isoformat(), "limit": reading.top or 1}
    outcome = plan.call(tool, "compare those", **search_arguments)
    records = [record for record in items_of(outcome) if record.get(field) is not None]
    total = outcome.value.get("total") or len(items_of(outcome))
    if not records or total > search_arguments["limit"] == MAX_COMPARED:
        return None
    records.sort(key=lambda record: _sort_key(record[field]), reverse=descending)
    is_plural = _PLURAL.search(reading.text) and not pattern(r"\b(?:which|what) (?:one )?of\b").search(reading.text)
    top = records[: reading.top or (5 if is_plural else 1)]
    refs = tuple(ref_of(record) for record in top)
    topic = Topic(refs, tool, {**arguments, "limit": len(top)}, len(top))
    lines = [f"{place}. {_format_ranked(plan, record, field)}" for place, record in enumerate(top, 1)]
    head = f"Of {phrasing.format_count(total, kind)}:" if len(top) > 1 or total > 1 else "There is only one:"
    return Answer(f"{head}\n\n" + "\n".join(lines), topic=topic)


def _sort_key(value: Any) -> tuple[float, str]:
    try:
        return float(value), ""
    except (TypeError, ValueError):
        return 0.0, str(value)


def _format_ranked(plan: Plan, record: dict[str, Any], field: str) -> str:
    more = (
        f", {_FIELD_LABELS[field]} {phrasing.format_field(field, record[field], plan.now)}"
        if field in _FIELD_LABELS
        else ""
    )
    return phrasing.format_line(record, plan.now) + more
