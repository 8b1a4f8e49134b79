"""Lists in the order of a superlative: "the most valuable lead", "our smallest account", "which deal closes first"."""

import re
from typing import Any

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.entity_resolution import PLURALS
from aisha.adapters.llm.offline.parser import Reading
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.results import Wanted, items_of, ref_of
from aisha.adapters.llm.offline.state import Topic

MOST = 50
"""Records that are compared; a search gives no more at once."""
_MUCH = r"worth\s+(?:the\s+)?most|most\s+valuable|(?:biggest|largest|highest|greatest)(?:[\s-]+(?:value|amount|revenue|deal\s+size))?|richest|top[\s-]value|most\s+revenue"
_LITTLE = r"worth\s+(?:the\s+)?least|smallest|lowest|least\s+valuable|tiniest"
_ORDERS: tuple[tuple[str, re.Pattern[str], dict[str, str], bool], ...] = (
    ("by employees", re.compile(r"\bmost\s+(?:employees|people|staff)\b", re.IGNORECASE), {"account": "employee_count"}, True),
    ("by score", re.compile(r"\b(?:lowest|worst|coldest)[\s-]+(?:score|scoring|lead)|\bcoldest\b", re.IGNORECASE), {"lead": "score"}, False),
    ("by value", re.compile(rf"\b(?:{_MUCH})\b", re.IGNORECASE), {"lead": "estimated_value", "opportunity": "amount", "account": "annual_revenue"}, True),
    ("by value", re.compile(rf"\b(?:{_LITTLE})\b", re.IGNORECASE), {"lead": "estimated_value", "opportunity": "amount", "account": "annual_revenue"}, False),
    ("by closing day", re.compile(r"\bcloses?\s+(?:first|soonest|earliest|next)|\bnext\s+(?:one\s+)?to\s+close\b|\bclosing\s+(?:first|soonest|next)\b", re.IGNORECASE), {"opportunity": "close_date"}, False),
    ("by closing day", re.compile(r"\bcloses?\s+last\b|\blast\s+to\s+close\b", re.IGNORECASE), {"opportunity": "close_date"}, True),
    ("by age", re.compile(r"\b(?:newest|latest|most\s+recent)\b", re.IGNORECASE), dict.fromkeys(PLURALS, "created_at"), True),
    ("by age", re.compile(r"\boldest\b", re.IGNORECASE), dict.fromkeys(PLURALS, "created_at"), False),
)  # fmt: skip
_SCORED = re.compile(r"\bscor(?:e|es|ed|ing)\b", re.IGNORECASE)
_PLURAL = re.compile(
    r"\b(?:leads|prospects|deals|opportunities|opps|accounts|companies|contacts|customers|ones)\b", re.IGNORECASE
)
_SHOWN = {"estimated_value": "estimated value", "annual_revenue": "revenue", "employee_count": "employees"}


def ranking(plan: Plan, kind: str, reading: Reading, arguments: dict[str, Any]) -> Answer | None:
    """The first of those that fit, in the order said; None when no order is said or the search has it already."""
    order = next(
        ((fields[kind], down) for _, said, fields, down in _ORDERS if kind in fields and said.search(reading.text)),
        None,
    )
    if order is None or (kind == "lead" and _SCORED.search(reading.text) and order[1]):
        return None
    field, descending = order
    if field == "amount" and descending and not any(name.startswith("closing") for name in arguments):
        return None  # The search itself begins with the largest, unless it is about days.
    tool = f"search_{PLURALS[kind]}"
    wanted = {**arguments, "limit": MOST}
    if field == "close_date":
        wanted |= {"open_only": True}
        if not descending:  # the search itself begins with the one that closes first
            wanted |= {"closing_after": plan.now.date().isoformat(), "limit": reading.top or 1}
    outcome = plan.need(tool, **wanted)
    if outcome.error:
        return plan.failure(outcome, Wanted(tool, wanted), "compare those")
    found = [record for record in items_of(outcome) if record.get(field) is not None]
    total = outcome.value.get("total") or len(items_of(outcome))
    if not found or total > wanted["limit"] == MOST:
        return None
    found.sort(key=lambda record: _key(record[field]), reverse=descending)
    several = _PLURAL.search(reading.text) and not re.search(
        r"\b(?:which|what)\s+(?:one\s+)?of\b", reading.text, re.IGNORECASE
    )
    shown = found[: reading.top or (5 if several else 1)]
    refs = tuple(ref_of(record) for record in shown)
    topic = Topic(refs, tool, {**arguments, "limit": len(shown)}, len(shown))
    lines = [f"{place}. {_line(plan, record, field)}" for place, record in enumerate(shown, 1)]
    head = f"Of {phrasing.count_of(total, kind)}:" if len(shown) > 1 or total > 1 else "There is only one:"
    return Answer(f"{head}\n\n" + "\n".join(lines), topic=topic)


def _key(value: Any) -> tuple[float, str]:
    try:
        return float(value), ""
    except (TypeError, ValueError):
        return 0.0, str(value)


def _line(plan: Plan, record: dict[str, Any], field: str) -> str:
    more = f", {_SHOWN[field]} {phrasing.value_of(field, record[field], plan.now)}" if field in _SHOWN else ""
    return phrasing.one_line(record, plan.now) + more
