"""Describe what a search finds, and format its list."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from aisha.adapters.llm.planner.replies.formats import LABELS, format_period
from aisha.adapters.llm.planner.replies.profiles import format_numbered
from aisha.domain.wording import format_money, humanise, join_names, plural

_ADJECTIVES = ("status", "stage", "health", "type", "priority")
_TAILS: Mapping[str, str] = {
    "name_contains": "named “{}”",
    "source": "from {}",
    "industry": "in {}",
    "state": "in {}",
    "city": "in {}",
    "department": "in {}",
    "company": "at {}",
    "job_title": "with the title {}",
    "min_score": "with a score of {}",
    "min_employees": "with {} employees",
    "max_employees": "with {} employees",
}
_EMPLOYEES = ("min_employees", "max_employees")
_BELONGING = {"lead": "at", "contact": "at", "opportunity": "with", "activity": "with", "note": "about"}
_SOURCES: Mapping[str, str] = {
    "website": "the website",
    "referral": "referrals",
    "cold_call": "cold calls",
    "trade_show": "trade shows",
    "other": "other sources",
}
_DENIED = "that are not "
_CENT = 0.01
_ROUND = 5
"""Round numbers are multiples of it."""
_SUMS = {"value": "worth", "revenue": "with revenue of"}
_MOMENTS = {"created": "created", "contacted": "last contacted", "closing": "closing", "due": "due"}
_OPEN_STAGES = frozenset(("prospecting", "qualification", "proposal", "negotiation"))
_SHORT_STAGES = {"closed_won": "won", "closed_lost": "lost"}

NO_REASONS = "The records don't say why."


def describe(kind: str, arguments: Mapping[str, Any], number: int, names: Mapping[str, str]) -> str:
    """Describe what a search finds: "warm leads in TX". `names` are those of records that its ids mean."""
    words = [adjective_of(name, str(arguments[name])) for name in _ADJECTIVES if name in arguments]
    words += ["open"] * bool(arguments.get("open_only"))
    # "accounts at risk", "deals in negotiation"
    tails = [word for word in words if " " in word] + [f"in {word}" for word in words if word in _OPEN_STAGES]
    words = [word for word in words if " " not in word and word not in _OPEN_STAGES]
    named = [name for name in _TAILS if name in arguments]
    if arguments.keys() >= {*_EMPLOYEES}:
        named = [name for name in named if name not in _EMPLOYEES]
        tails.append(f"with {arguments[_EMPLOYEES[0]]:,} to {arguments[_EMPLOYEES[1]]:,} employees")
    tails += [_TAILS[name].format(_named(name, str(arguments[name]))) for name in named]
    owners = [names[value] for value in map(str, arguments.values()) if value in names]
    tails += [f"{preposition(kind)} {name}" for name in owners]
    for name, text in _SUMS.items():
        least, most = (arguments.get(f"{end}_{name}") for end in ("min", "max"))
        if least is not None and least == most:
            tails.append(f"{text} {format_money(least)}")
        else:
            bounds = [format_least(float(least))] if least is not None else []
            bounds += [format_most(float(most))] if most is not None else []
            both = " and ".join(bounds).replace("at least ", "", 1).replace(" and at most ", " to ", 1)
            tails += [f"{text} {both if ' to ' in both else ' and '.join(bounds)}"] if bounds else []
    is_closed = str(arguments.get("stage", "")).startswith("closed")
    for name, text in _MOMENTS.items():
        is_past = name in ("created", "contacted") or (name == "closing" and is_closed)
        verb = "closed" if name == "closing" and is_closed else text
        first, last = arguments.get(f"{name}_after"), arguments.get(f"{name}_before")
        if period := format_period(first, last, is_past=is_past):
            tails.append(f"{verb} {period}")
    activity = str(arguments.get("activity_type") or "")
    nouns = (activity, plural(activity)) if activity else LABELS.get(kind, (kind, f"{kind}s"))
    noun = nouns[0 if number == 1 else 1]
    return " ".join([*words, noun, *tails])


def preposition(kind: str) -> str:
    """Return the preposition between records and whom they belong to: "contacts at Globex"."""
    return _BELONGING.get(kind, "of")


def format_least(amount: float) -> str:
    """Return a lower bound of money in words; one with a single cent leaves out the amount below it."""
    whole = round(amount - _CENT, 2)
    return f"over {format_money(whole)}" if whole.is_integer() else f"at least {format_money(amount)}"


def format_most(amount: float) -> str:
    """Return an upper bound of money in words; one that lacks a cent leaves out the amount above it."""
    whole = round(amount + _CENT, 2)
    return f"under {format_money(whole)}" if whole.is_integer() else f"at most {format_money(amount)}"


def format_bound(number: float, *, is_least: bool) -> str:
    """Return a bound of a whole number in words: at least 81 is "over 80"."""
    if is_least:
        return f"over {number - 1:g}" if number % _ROUND == 1 else f"at least {number:g}"
    return f"under {number + 1:g}" if number % _ROUND == _ROUND - 1 else f"at most {number:g}"


def adjective_of(name: str, value: str) -> str:
    """Return a value as it stands before a noun: "won" deals, "high-priority" calls."""
    if name == "priority":
        return value if value == "urgent" else f"{value}-priority"
    return _SHORT_STAGES.get(value, humanise(value))


def told_values(name: str, values: Sequence[str]) -> tuple[str, str]:
    """Return the words for records with one of the values of a field, and for all others: "from referrals"."""
    said = " or ".join(_SOURCES.get(one, humanise(one)) if name == "source" else humanise(one) for one in values)
    if name == "source":
        return f"from {said}", f"not from {said}"
    if name == "stage" and _OPEN_STAGES.issuperset(values):
        return f"in {said}", f"not in {said}"
    return f"that are {said}", f"that are not {said}"


def _named(name: str, value: str) -> str:
    """Return an argument of a search as it stands in a sentence: "Albany" for "albany"."""
    if name.startswith(("min_", "max_")):
        return format_bound(float(value), is_least=name.startswith("min_"))
    if name == "source":
        return str(_SOURCES.get(value, humanise(value)))
    is_name = name in ("state", "city", "company", "industry", "department") and value.islower()
    return value.title() if is_name else humanise(value)


def merged(texts: Iterable[str], number: int) -> list[str]:
    """Return the words for conditions, denied states as one: "that are not lost or unqualified"."""
    denied = [text.removeprefix(_DENIED) for text in texts if text.startswith(_DENIED)]
    others = [text for text in texts if not text.startswith(_DENIED)]
    whole = [*others, *([_DENIED + join_names(denied, "or")] if denied else [])]
    return [text.replace("that are ", "that is ", 1) for text in whole] if number == 1 else whole


def format_total(owner: Any, number: int, described: str) -> str:
    """Say how many there are: "You have 7 warm leads", "There are no deals", "Bob has 3 deals"."""
    holder = "There is" if number == 1 else "There are"
    if owner:
        holder = "You have" if owner == "me" else f"{str(owner).capitalize()} has"
    return f"{holder} {number:,} {described}" if number else f"{holder} no {described}"


def no_colleague(name: str) -> str:
    return f"I know no colleague called {name.capitalize()}: nobody of that name owns a record."


def with_limits(text: str, unknown: Sequence[str], checked: int = 0) -> str:
    """Say before a text which conditions it leaves out, and that only the first `checked` records were looked at."""
    starts_plainly = text.partition(" ")[0] in ("You", "Your", "There", "Here", "The", "Of")
    lowered = text[:1].lower() + text[1:] if starts_plainly else text
    unknown = list(dict.fromkeys(" ".join(one.split()) for one in unknown))
    if unknown:
        quoted = join_names([f"“{one}”" for one in unknown])
        text = f"I don't know how to filter by {quoted}; without {'it' if len(unknown) == 1 else 'them'}, {lowered}"
    return f"{text} (I looked at the first {checked} only.)" if checked else text


def without_measures(text: str, measures: Sequence[str]) -> str:
    """Say before a text which mean or share that was asked for it does not tell."""
    quoted = join_names([f"“{one}”" for one in measures])
    return f"I can't work out the {quoted} here; this is what I have. {text}" if measures else text


def format_list(
    head: str,
    records: Sequence[Mapping[str, Any]],
    total: int | None,
    now: datetime,
    *,
    has_more: bool = False,
    columns: Sequence[str] = (),
    user: str = "",
) -> str:
    """Format a list under its head. `total` counts those not shown, too; None when it is not known."""
    if not records:
        return f"{head}."
    left = (total or 0) - len(records)
    more = [f"… and {left:,} more."] if left > 0 else []
    if has_more or left > 0:
        more.append("Say “show more” for the next ones." if has_more else "Tell me how many you want to see.")
    return f"{head}:\n\n{format_numbered(records, now, columns, user)}" + ("\n\n" + " ".join(more) if more else "")
