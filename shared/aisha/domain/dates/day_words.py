"""Parse days in words: "tomorrow", "next Tuesday", "in two weeks", "end of the month", "this week"."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache

from dateutil.relativedelta import relativedelta

_WEEKDAYS = {
    name: index
    for index, names in enumerate(
        ("monday mon", "tuesday tue tues", "wednesday wed weds", "thursday thu thur thurs", "friday fri",
         "saturday sat", "sunday sun")
    )
    for name in names.split()
}  # fmt: skip
_MONTHS = {
    name: index
    for index, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
         "september sep sept", "october oct", "november nov", "december dec"),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "a couple of": 2, "a couple": 2, "couple": 2, "a few": 3, "few": 3,
}  # fmt: skip
NUMBER = (
    r"(?P<n>\d{1,3}|a couple of|a couple|couple of|couple|a few|few|an|a|"
    + "|".join(w for w in _NUMBERS if len(w) > 2 and " " not in w)
    + ")"
)
_UNIT = r"(?P<unit>days?|weeks?|wks?|months?|quarters?|years?)"
_DAY_NAME = r"(?P<day>" + "|".join(sorted(_WEEKDAYS, key=len, reverse=True)) + r")(?!\w)"
_MONTH_NAME = r"(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?(?!\w)"
_PERIOD = r"(?P<period>week|month|quarter|year)"


def whole(text: str) -> int:
    """Return the number that `NUMBER` matches, in digits or as a lower-case word."""
    # "couple of" is the only number without an entry in the table.
    return int(text) if text.isdigit() else _NUMBERS.get(text.strip(), 2 if text.startswith("couple") else 1)


def _shift(count: int, unit: str) -> relativedelta:
    unit = unit.rstrip("s")
    unit = {"wk": "week"}.get(unit, unit)
    if unit == "quarter":
        return relativedelta(months=3 * count)
    return relativedelta(**{f"{unit}s": count})  # type: ignore[arg-type]


def period_days(period: str, today: date, offset: int = 0) -> tuple[date, date]:
    """Return the first and last day of the week (from Monday), month, quarter or year of `today`, moved by `offset`."""
    if period == "week":
        first = today - timedelta(days=today.weekday()) + timedelta(weeks=offset)
        return first, first + timedelta(days=6)
    if period == "month":
        first = today.replace(day=1) + relativedelta(months=offset)
        return first, first + relativedelta(months=1, days=-1)
    if period == "quarter":
        first = date(today.year, 3 * ((today.month - 1) // 3) + 1, 1) + relativedelta(months=3 * offset)
        return first, first + relativedelta(months=3, days=-1)
    first = date(today.year + offset, 1, 1)
    return first, date(first.year, 12, 31)


Days = tuple[date, date]


def _fixed(match: re.Match[str], today: date) -> Days:
    word = re.sub(r"\s+", " ", match.group(0))
    is_today = word.startswith(("today", "tonight", "this", "now"))
    days = 2 if "after" in word else 0 if is_today else -1 if word == "yesterday" else 1
    return (day := today + timedelta(days=days)), day


def _weekday(match: re.Match[str], today: date) -> Days:
    index, which = _WEEKDAYS[match["day"]], match["which"] or ""
    ahead = (index - today.weekday()) % 7
    if which == "next":
        # Of the next calendar week: on a Monday, "next Tuesday" is in eight days and "Tuesday" is tomorrow.
        day = period_days("week", today, 1)[0] + timedelta(days=index)
    elif which in ("last", "past"):
        day = today - timedelta(days=(today.weekday() - index) % 7 or 7)
    else:
        # On a Tuesday, "Tuesday" is in a week.
        day = today + timedelta(days=ahead or 7)
    return day, day


def _weekday_in(match: re.Match[str], today: date) -> Days:
    offset = {"this": 0, "last": -1, "past": -1, "previous": -1}.get(match["week"], 1)
    day = period_days("week", today, offset)[0] + timedelta(days=_WEEKDAYS[match["day"]])
    return day, day


def _week_from(match: re.Match[str], today: date) -> Days:
    anchor = match["anchor"]
    base = today + timedelta(days=1 if anchor.startswith("tom") else 0)
    if anchor in _WEEKDAYS:
        base = today + timedelta(days=(_WEEKDAYS[anchor] - today.weekday()) % 7 or 7)
    return (day := base + timedelta(weeks=whole(match["n"]))), day


def _in_period(match: re.Match[str], today: date) -> Days:
    offset = {"next": 1, "coming": 1, "last": -1, "past": -1, "previous": -1}.get(match["which"], 0)
    return period_days(match["period"], today, offset)


def _end_of(match: re.Match[str], today: date) -> Days:
    short = {"eow": "week", "eom": "month", "eoq": "quarter", "eoy": "year"}.get(match.group(0))
    offset = 1 if short is None and "next" in match.group(0) else 0
    period = short or match["period"]
    day = period_days(period, today, offset)[1]
    day -= timedelta(days=2 if period == "week" else 0)  # the working week ends on Friday
    return (day := max(day, today)), day


def _rolling(match: re.Match[str], today: date) -> Days:
    back = match["which"] in ("last", "past", "previous")
    shift = _shift(whole(match["n"]), match["unit"])
    return (today - shift, today) if back else (today, today + shift)


def _ahead(match: re.Match[str], today: date) -> Days:
    return (day := today + _shift(whole(match["n"]), match["unit"])), day


def _ago(match: re.Match[str], today: date) -> Days:
    return (day := today - _shift(whole(match["n"]), match["unit"])), day


def _calendar(match: re.Match[str], today: date) -> Days:
    parts = match.groupdict()
    month = _MONTHS[parts["month"]] if parts.get("month") else int(parts["m"])
    year = int(parts["y"]) if parts.get("y") else today.year
    day = date(year + 2000 if year < 100 else year, month, int(parts["d"]))
    # Without a year it is the next such day.
    if not parts.get("y") and day < today:
        day = day.replace(year=day.year + 1)
    return day, day


def _month_alone(match: re.Match[str], today: date) -> Days:
    month = _MONTHS[match["month"]]
    return period_days("month", date(today.year + (month < today.month), month, 1))


def _day_of_month(match: re.Match[str], today: date) -> Days:
    day = today.replace(day=1)
    # Each day of the month, also the 31st, occurs within the next 13 months.
    for _ in range(13):
        try:
            candidate = day.replace(day=int(match["d"]))
        except ValueError:
            candidate = date.min  # this month is too short
        if candidate >= today:
            return candidate, candidate
        day += relativedelta(months=1)
    raise ValueError("no such day")


def _weekend(match: re.Match[str], today: date) -> Days:
    saturday = period_days("week", today, 1 if "next" in match.group(0) else 0)[0] + timedelta(days=5)
    return saturday, saturday + timedelta(days=1)


_ORDINAL = r"(?P<d>[0-3]?\d)(?:st|nd|rd|th)"
_THAT_WEEK = r"(?P<week>this|next|last|past|previous|coming|following)\s+week"


@cache
def day_rules() -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], Days]], ...]:
    """Return patterns of days, each with a function that resolves a match relative to today.

    The first match wins. A function may raise `ValueError`. The patterns are compiled at first use, not at import.
    """
    return tuple(
        # Not within a longer word, an address (ann@friday.example) or a number with hyphens.
        (re.compile(rf"(?<![\w@.-])(?:{pattern})(?![\w@-])", re.IGNORECASE), resolve)
        for pattern, resolve in (
            (r"(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})", _calendar),
            (rf"{_MONTH_NAME}\s+(?:the\s+)?(?P<d>[0-3]?\d)(?:st|nd|rd|th)?(?:,?\s+(?P<y>20\d\d))?", _calendar),
            (
                rf"(?:the\s+)?(?P<d>[0-3]?\d)(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH_NAME}(?:,?\s+(?P<y>20\d\d))?",
                _calendar,
            ),
            # Slashes: the month first, 3/14/2026. Dots: the day first, 14.3.2026.
            (r"(?P<m>1[0-2]|0?[1-9])/(?P<d>3[01]|[12]\d|0?[1-9])(?:/(?P<y>(?:20)?\d\d))?", _calendar),
            (r"(?P<d>3[01]|[12]\d|0?[1-9])\.(?P<m>1[0-2]|0?[1-9])\.(?P<y>20\d\d)?", _calendar),
            # Longer phrases before the words that they contain, e.g. before "tomorrow" and "Friday".
            (r"(?:the\s+)?day\s+after\s+(?:tomorrow|tmrw|tmr)", _fixed),
            (
                rf"(?P<n>a|one|two|1|2)\s+weeks?\s+(?:from|after)\s+(?P<anchor>today|tomorrow|{'|'.join(_WEEKDAYS)})",
                _week_from,
            ),
            (rf"(?:by\s+|at\s+)?(?:the\s+)?end\s+of\s+(?:the\s+|this\s+|next\s+)?{_PERIOD}|eow|eom|eoq|eoy", _end_of),
            (
                rf"(?:in\s+|within\s+|over\s+|during\s+)?(?:the\s+)?(?P<which>next|coming|last|past|previous)\s+{NUMBER}\s+{_UNIT}",
                _rolling,
            ),
            (rf"(?P<which>within)\s+(?:the\s+)?(?:next\s+)?{NUMBER}\s+{_UNIT}", _rolling),
            (rf"(?:on\s+)?{_DAY_NAME}\s+(?:of\s+|in\s+)?(?:the\s+)?{_THAT_WEEK}", _weekday_in),
            (rf"{_THAT_WEEK}[\s,]+(?:on\s+)?{_DAY_NAME}", _weekday_in),
            (rf"(?P<which>this|next|last|past|previous|coming|the coming)\s+{_PERIOD}", _in_period),
            (r"(?:this|next|the)\s+weekend", _weekend),
            (rf"(?:in|after)\s+{NUMBER}\s+{_UNIT}(?:'?s?\s+time)?", _ahead),
            (rf"{NUMBER}\s+{_UNIT}\s+(?:from\s+now|later)", _ahead),
            (rf"{NUMBER}\s+{_UNIT}\s+ago", _ago),
            (rf"(?:on\s+)?(?:(?P<which>this|next|coming|last|past)\s+)?{_DAY_NAME}", _weekday),
            (
                r"today|tonight|now|this\s+(?=morning|afternoon|evening)|tomorrow|tommorow|tomorow|tommorrow|tmrw|tmr|yesterday",
                _fixed,
            ),
            (rf"(?:on\s+)?the\s+{_ORDINAL}", _day_of_month),
            (rf"(?:in|during|for)\s+{_MONTH_NAME}", _month_alone),
        )
    )
