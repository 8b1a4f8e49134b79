"""Values as people write them: dates, amounts, lists and nouns."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

_BOOLEANS = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}
_EMPTY_WORDS = frozenset("a an the of new lead contact account deal deals activity".split())
"""Words of a description that say what the place of a name says already."""
MAX_NAMES = 5
"""Names of a long list that are shown; the others are counted."""
_VOWEL = re.compile(r"[aeiou]", re.IGNORECASE)


def boolean_of(text: str) -> bool | None:
    """Return what a word such as "yes" or "false" stands for; None for any other text."""
    return _BOOLEANS.get(text.lower())


def humanise(name: str) -> str:
    """Return an identifier as words: `at_risk` is "at risk"."""
    return " ".join(name.replace("_", " ").split())


def adds_to_name(description: str, name: str) -> bool:
    """Return whether a description says more than the identifier that it describes: "Status of the lead" does not."""
    return not {*description.casefold().rstrip(".").split()} <= {*name.casefold().split("_"), *_EMPTY_WORDS}


def on_one_line(text: str) -> str:
    """Return a text without line breaks, and with one space between its words."""
    return " ".join(text.split())


def truncate(text: str, max_length: int) -> str:
    """Return a text of at most `max_length` characters; a longer one is cut and ends with an ellipsis."""
    return text if len(text) <= max_length else f"{text[: max_length - 1]}…"


def count_noun(number: int, noun: str) -> str:
    """Return a number with its noun: "1 call", "3 activities"."""
    return f"{number} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Return the plural of a noun: "calls", "activities"."""
    # "day" is "days", "activity" is "activities".
    if noun.endswith("y") and not _VOWEL.match(noun[-2:]):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def with_article(noun: str) -> str:
    """Return a noun with its indefinite article: "a call", "an email"."""
    return f"{'an' if _VOWEL.match(noun) else 'a'} {noun}"


def quoted(text: str) -> str:
    """Return a text in quotation marks."""
    return f"“{text.strip()}”"


def join_names(names: Sequence[str], word: str = "and") -> str:
    """Join names: "A, B and C"."""
    return f"{', '.join(names[:-1])} {word} {names[-1]}" if len(names) > 1 else "".join(names)


def join_first(names: Sequence[str]) -> str:
    """Join at most `MAX_NAMES` names, with the number of the others: "A, B, C, D, E and 39 more"."""
    others = len(names) - MAX_NAMES
    return join_names([*names[:MAX_NAMES], f"{others} more"] if others > 0 else names)


def format_day(day: date, today: date) -> str:
    """Format a day: "today", "tomorrow", "Fri, Nov 27", and with its year unless that is this year."""
    if nearby := {0: "today", 1: "tomorrow", -1: "yesterday"}.get((day - today).days):
        return nearby
    year = f", {day.year}" if day.year != today.year else ""
    return f"{day:%a}, {day:%b} {day.day}{year}"


def format_moment(moment: datetime, now: datetime) -> str:
    """Format an instant in the zone of `now`: "tomorrow at 9:00 AM", "Fri, Nov 27 at 2:30 PM"."""
    # A time without a zone is the user's.
    local = moment.astimezone(now.tzinfo) if moment.tzinfo is not None else moment
    half = "AM" if local.hour < 12 else "PM"
    return f"{format_day(local.date(), now.date())} at {local.hour % 12 or 12}:{local:%M} {half}"


def format_money(value: Any, currency: str = "USD") -> str:
    """Format an amount: "$12,500", "12,500.50 EUR"; return any other value as a text."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    digits = f"{number:,.0f}" if number.is_integer() else f"{number:,.2f}"
    return f"${digits}" if currency == "USD" else f"{digits} {currency}"


def format_number(value: float) -> str:
    """Format a number: "1,200", "3.5"."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,}"


def format_members(value: Mapping[str, Any]) -> str:
    """Format a JSON object's values in one line, such as an address: "Main St 1, Berlin"."""
    return ", ".join(str(item) for item in value.values() if item not in (None, "", []))
