"""Format single values: moments, money, names of fields and of kinds of records, and lists of names."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from aisha.adapters.llm.planner.state import Ref
from aisha.domain.wording import format_day, format_moment, format_money, humanise, join_names

LABELS: Mapping[str, tuple[str, ...]] = {
    "lead": ("lead", "leads"),
    "contact": ("contact", "contacts"),
    "account": ("account", "accounts"),
    "opportunity": ("deal", "deals"),
    "activity": ("activity", "activities"),
    "note": ("note", "notes"),
}
_MONEY = frozenset(("amount", "estimated_value", "annual_revenue", "weighted", "total_amount", "value"))


def format_instant(text: str, now: datetime) -> str:
    """Format an ISO instant: "tomorrow at 9:00 AM", "Fri, Nov 27 at 2:30 PM"."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return format_moment(moment, now)


def at_instant(text: str, now: datetime) -> str:
    """Format when something happens: "tomorrow at 9:00 AM", "on Fri, Nov 27 at 2:30 PM"."""
    moment = format_instant(text, now)
    return f"on {moment}" if moment[:1].isupper() else moment


def format_age(text: str, now: datetime) -> str:
    """Format how many days ago an ISO instant was: "today", "3 days ago"."""
    try:
        days = (now.date() - datetime.fromisoformat(text).astimezone(now.tzinfo).date()).days
    except ValueError:
        return text
    if days <= 0:
        return "today"
    return "yesterday" if days == 1 else f"{days} days ago"


def whose(owner: Any) -> str:
    """Return an owner as it stands before what it owns: "your", "Bob's"; "the" without an owner."""
    if owner == "me":
        return "your"
    return f"{str(owner).capitalize()}'s" if owner else "the"


def format_field(field: str, value: Any, now: datetime, currency: str = "USD") -> str:
    """Format one field's value."""
    if field == "owner" and value == "me":
        return "you"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if field in ("due_date", "due_at") and "T" in str(value):
        return format_instant(str(value), now)
    if field in _MONEY:
        return format_money(value, currency)
    if field.endswith("_at"):
        return format_instant(str(value), now)
    if field == "close_date":
        return format_day(date.fromisoformat(str(value)[:10]), now.date())
    if field == "employee_count":
        return f"{value:,}"
    if field == "probability":
        return f"{value}%"
    return humanise(str(value)) if field in ("status", "stage", "source", "health", "type", "priority") else str(value)


def state_of(record: Mapping[str, Any], field: str) -> str:
    """Return a record's stage or status in words, by the team's own name of it where its CRM has one."""
    return str((record.get("custom") or {}).get(field) or humanise(str(record.get(field) or "")))


def format_count(number: int, kind: str, qualifier: str = "") -> str:
    """Format a count: "1 warm lead", "12 deals"."""
    noun = LABELS.get(kind, (kind, kind + "s"))[0 if number == 1 else 1]
    return " ".join(part for part in (str(number), qualifier, noun) if part)


_LONGEST_MONTH = 31
_FIELD_NOUNS: Mapping[str, str] = {
    "last_contacted_at": "last contact",
    "created_at": "creation date",
    "employee_count": "number of employees",
    "estimated_value": "estimated value",
    "expected": "expected value",
    "phone": "phone number",
    "email": "email address",
    "due_at": "due date",
    "body": "description",
}


def field_noun(field: str) -> str:
    """Return what a field is called in a sentence."""
    return _FIELD_NOUNS.get(field) or humanise(field)


def format_period(first: Any, last: Any, *, is_past: bool = False) -> str:
    """Format two ISO days: "from Sun, Mar 1 to Sat, Mar 7", "in March 2026", "since …", "by …"; empty for none."""
    begin, end = (date.fromisoformat(str(one)[:10]) if one else None for one in (first, last))
    if begin and end:
        if begin == end:
            return f"on {_short_day(begin)}"
        after = end + timedelta(days=1)
        if begin.day == after.day == 1 and begin.month == after.month and after.year == begin.year + 1:
            return f"in {begin.year}" if begin.month == 1 else f"from {begin:%B %Y} to {end:%B %Y}"
        if begin.day == after.day == 1 and (after - begin).days <= _LONGEST_MONTH:
            return f"in {begin:%B %Y}"
        return f"from {_short_day(begin)} to {_short_day(end)}"
    if begin:
        return f"since {_short_day(begin)}" if is_past else f"from {_short_day(begin)} on"
    return f"{'on or before' if is_past else 'by'} {_short_day(end)}" if end else ""


def _short_day(day: date) -> str:
    return f"{day:%a}, {day:%b} {day.day}"


def format_value(record: Mapping[str, Any], field: str, now: datetime, user: str = "") -> str:
    """Format a field of a record as it stands in a sentence."""
    value = record[field]
    if field == "owner":
        return "you" if value in ("me", user) else str(value).capitalize()
    if field == "address" and isinstance(value, Mapping):
        return ", ".join(str(part) for part in value.values() if part)
    if field in ("last_contacted_at", "created_at"):
        return format_age(str(value), now)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return format_field(field, value, now, str(record.get("currency") or "USD"))


def format_sums(sums: Mapping[str, float]) -> str:
    """Format sums by their currency: "$12,500 and 300 EUR"."""
    return join_names([format_money(round(total, 2), currency) for currency, total in sums.items()])


def bold(refs: Sequence[Ref]) -> str:
    """Return the names of records in bold: "**Ann Lee** (Acme) and **Bob Ray**"."""
    return join_names([f"**{ref.name}**" + ref.shown.removeprefix(ref.name) for ref in refs])


MAX_LINES = 10


def quote_all(texts: Sequence[str]) -> str:
    """Join texts in quotation marks: “a” and “b”."""
    return join_names([f"“{text}”" for text in texts])


def number_lines(lines: Iterable[str], first: int = 1) -> str:
    """Return lines with their places before them, counted from `first`."""
    return "\n".join(f"{place}. {line}" for place, line in enumerate(lines, first))


def numbered(lines: Sequence[str], total: int | None = None) -> str:
    """Number the first ten lines, and say how many more there are. `total` counts those of further pages, too."""
    first_lines = number_lines(lines[:MAX_LINES])
    left = (total or len(lines)) - len(lines[:MAX_LINES])
    return first_lines + (f"\n… and {left} more." if left > 0 else "")
