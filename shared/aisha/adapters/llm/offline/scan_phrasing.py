"""Words for the results of the scan tools."""

from collections.abc import Mapping
from typing import Any

MOST_TOLD = 5
"""Findings that are told of each scan."""
_PRIORITIES = ((9, "Urgent"), (7, "High"), (0, "Normal"))


def told(value: Any) -> str | None:
    """A scan's report or a briefing in words; None for anything else."""
    if not isinstance(value, Mapping):
        return None
    if "findings_total" in value and isinstance(value.get("findings"), list):
        return _report(value)
    is_briefing = isinstance(value.get("text"), str) and value.keys() <= {"text", "data"}
    return str(value["text"]) if is_briefing else None


def _report(value: Mapping[str, Any]) -> str:
    title, total, examined = value.get("title"), int(value["findings_total"]), value.get("examined")
    looked = f"looked at {examined} {'record' if examined == 1 else 'records'}"
    if value.get("truncated"):
        looked += " (there are more than one run reads)"
    if not total:
        return f"The {title} scan {looked} and found nothing that needs attention."
    lines = [f"{place}. {_line(one)}" for place, one in enumerate(value["findings"][:MOST_TOLD], 1)]
    more = f"\n\nThere are {total - len(lines)} more." if total > len(lines) else ""
    count = f"{total} {'finding' if total == 1 else 'findings'}"
    return f"The {title} scan {looked} and has {count}:\n\n" + "\n".join(lines) + more


def _line(finding: Mapping[str, Any]) -> str:
    head, _, reason = str(finding.get("text", "")).partition(": ")
    priority = next(word for least, word in _PRIORITIES if int(finding.get("priority", 0)) >= least)
    return f"**{head}** (**{priority}**)" + (f": {reason}" if reason else "")
