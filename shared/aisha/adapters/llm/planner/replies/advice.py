"""Format suggested steps, and what was done in similar cases."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from aisha.adapters.llm.planner.replies.formats import format_age, format_instant, numbered
from aisha.domain.wording import humanise, join_names


def format_advice(suggestions: Sequence[Mapping[str, Any]], name: str, note: str = "") -> str:
    """Format suggested steps as a numbered list with their reasons."""
    reasons = [str(one["reasoning"]).rstrip(".") for one in suggestions]
    pairs = zip(suggestions, reasons, strict=True)
    lines = [f"**{one['action']}** (**{one['priority']}**): {reason}." for one, reason in pairs]
    head = f"Here is what I'd do next{f' with **{name}**' if name else ''}:"
    return "\n\n".join([head, numbered(lines), *([note] if note else [])])


def format_cases(items: Sequence[Mapping[str, Any]], now: datetime) -> str:
    """Format earlier cases: what was done with whom, and how it ended."""
    lines = []
    for item in items:
        facts = dict(line.split(": ", 1) for line in str(item["text"]).splitlines() if ": " in line)
        about = facts.get("About", "").partition(" ")[2]
        done = (facts.get("Done") or facts.get("Situation") or str(item["text"])).rstrip(".")
        ended = humanise(str(facts.get("Outcome") or item.get("outcome") or ""))
        outcome = f" Outcome: {ended.rstrip('.')}." if ended else ""
        lines.append(f"{f'**{about}**: ' if about else ''}{done}.{outcome} ({format_age(str(item['when']), now)})")
    return f"This is what was done in similar cases:\n\n{numbered(lines)}"


def format_overdue(items: Sequence[Mapping[str, Any]]) -> str:
    """Tell what is overdue, before the advice; empty for nothing."""
    names = join_names([f"**{one['display_name']}**" for one in items])
    return f"Overdue, and first of all: {names}.\n\n" if items else ""


def format_planned(activity: Mapping[str, Any], now: datetime) -> str:
    """Tell what is planned next with a record, before the advice."""
    return f"Already planned: **{activity['display_name']}**, {format_instant(str(activity['due_at']), now)}."
