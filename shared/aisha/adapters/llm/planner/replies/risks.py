"""Format the deals that may slip."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from aisha.adapters.llm.planner.replies.formats import numbered
from aisha.adapters.llm.planner.replies.profiles import format_line

Risky = tuple[Mapping[str, Any], Sequence[str]]
"""A deal and the reasons why it may slip."""


def format_risks(described: str, risky: Sequence[Risky], number: int, now: datetime) -> str:
    """Format the deals that may slip, each with its reasons. `described` are all that were looked at."""
    if not risky:
        return f"Nothing points to a risk for {described}."
    lines = [f"{format_line(deal, now)}: {'; '.join(reasons)}" for deal, reasons in risky]
    left = f"\n\n… and {number - len(risky)} more." if number > len(risky) else ""
    return f"Of {described}, {number} may slip, the likeliest first:\n\n{numbered(lines)}{left}"


def format_risk(deal: Mapping[str, Any], reasons: Sequence[str], now: datetime) -> str:
    """Format why one deal may slip."""
    line = format_line(deal, now)
    return f"{line}. It may slip: {'; '.join(reasons)}." if reasons else f"{line}. Nothing on record points to a risk."
