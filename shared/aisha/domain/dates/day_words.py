"""Resolve days in words: "tomorrow", "next Tuesday", "in two weeks", "the 15th", "a week from Friday"."""

from collections.abc import Mapping
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta
from msgspec.structs import replace

from aisha.domain.dates.lengths import Length
from aisha.domain.dates.meanings import Clock, Context, Days, Meaning, Resolver, on, on_day
from aisha.domain.dates.phrases import Phrase, Values

OFFSETS = {"next": 1, "coming": 1, "last": -1}
"""Periods from this one to the next, coming or last one."""
_MAX_LOOK = 4
"""Number of months in which a day is looked for: of any two months in a row, one has it."""
_NEAR_MONTHS = 3


def period_days(period: str, today: date, offset: int = 0) -> Days:
    """Return the first and last day of a day's week (from Monday), month, quarter, half or year, moved by `offset`."""
    if period == "week":
        first = today - timedelta(days=today.weekday()) + timedelta(weeks=offset)
        return first, first + timedelta(days=6)
    months = {"month": 1, "quarter": 3, "half": 6, "year": 12}[period]
    first = date(today.year, months * ((today.month - 1) // months) + 1, 1) + relativedelta(months=months * offset)
    return first, first + relativedelta(months=months, days=-1)


def near_day(values: Values, context: Context) -> Meaning:
    return on_day(context.today + timedelta(days=values["near_day"]))


def now(_: Values, context: Context) -> Meaning:
    return on_day(context.today)


def beside(values: Values, context: Context) -> Meaning:
    """Resolve "the day after tomorrow"."""
    return on_day(context.today + timedelta(days=values["near_day"] + (1 if values["side"] == "after" else -1)))


def following_day(_: Values, context: Context) -> Meaning:
    return on_day(context.today + timedelta(days=1))


def tonight(_: Values, context: Context) -> Meaning:
    return Meaning(context.today, context.today, Clock(19, half="exact"), part="night")


def last_night(_: Values, context: Context) -> Meaning:
    day = context.today - timedelta(days=1)
    return Meaning(day, day, Clock(19, half="exact"), part="night")


def overnight(_: Values, context: Context) -> Meaning:
    return on((context.today - timedelta(days=1), context.today))


def weekday(values: Values, context: Context) -> Meaning:
    """Resolve "Friday", "next Friday", "last Friday"."""
    return on_day(_weekday(values["weekday"], values.get("which"), context))


def _weekday(index: int, which: str | None, context: Context) -> date:
    today = context.today
    ahead = (index - today.weekday()) % 7
    if which == "next":
        # Of the next calendar week: on a Monday, "next Tuesday" is in eight days and "Tuesday" is tomorrow.
        return period_days("week", today, 1)[0] + timedelta(days=index)
    if which == "last" or (which is None and context.is_past):
        return today - timedelta(days=(today.weekday() - index) % 7 or 7)
    if which == "this":
        return today + timedelta(days=ahead)
    # On a Tuesday, "Tuesday" is in a week.
    return today + timedelta(days=ahead or 7)


def weekday_of_week(values: Values, context: Context) -> Meaning:
    """Resolve "Monday of next week"."""
    first, _ = period_days("week", context.today, OFFSETS.get(values["which"], 0))
    return on_day(first + timedelta(days=values["weekday"]))


def _anchor(phrase: Phrase, context: Context) -> date:
    if phrase.means == "weekday":
        return _weekday(phrase.values["weekday"], None, context)
    return context.today + timedelta(days=phrase.values["near_day"])


def week_later(values: Values, context: Context) -> Meaning:
    """Resolve the British "Monday week", a week after Monday."""
    return on_day(_anchor(values["anchor"], context) + timedelta(weeks=1))


def after_next(values: Values, context: Context) -> Meaning:
    return _two_away(values, context, 1)


def before_last(values: Values, context: Context) -> Meaning:
    return _two_away(values, context, -1)


def _two_away(values: Values, context: Context, sign: int) -> Meaning:
    if "weekday" in values:
        day = _weekday(values["weekday"], "last" if sign < 0 else None, context)
        return on_day(day + sign * timedelta(weeks=1))
    return on(period_days(values["period"], context.today, 2 * sign))


def day_of_month(values: Values, context: Context) -> Meaning:
    """Resolve "the 15th", the next such day, and "the 15th of next month". Raises ValueError for no such day."""
    if "which" in values:
        return on_day(period_days("month", context.today, OFFSETS.get(values["which"], 0))[0].replace(day=values["d"]))
    days = [
        day
        for months in range(_MAX_LOOK)
        if (day := _day_in(values["d"], -months if context.is_past else months, context))
    ]
    if "weekday" in values:
        # A weekday that does not fit is a slip, unless it fits soon.
        days = [day for day in days[:_NEAR_MONTHS] if day.weekday() == values["weekday"]] or days
    if not days:
        raise ValueError("no such day")
    return on_day(days[0])


def _day_in(number: int, months: int, context: Context) -> date | None:
    """Return a day of a month from now, None if the month is too short or the day not on this side of today."""
    try:
        day = (context.today.replace(day=1) + relativedelta(months=months)).replace(day=number)
    except ValueError:
        return None
    return day if (day <= context.today if context.is_past else day >= context.today) else None


def calendar(values: Values, context: Context) -> Meaning:
    """Resolve "3 June", "June 3rd, 2027". Raises ValueError for no such day."""
    day = values["d"] if "d" in values else values["day_of_month"]
    return on_day(dated(values.get("year"), values["month"], day, context))


def numeric_date(values: Values, context: Context) -> Meaning:
    year, month, day = values["numeric_date"]
    return on_day(dated(year, month, day, context))


def iso(values: Values, context: Context) -> Meaning:
    instant = values["iso"]
    exact = instant if instant.tzinfo else instant.replace(tzinfo=context.now.tzinfo)
    return Meaning(exact.date(), exact.date(), exact=exact)


def dated(year: int | None, month: int, day: int, context: Context) -> date:
    """Return a date; without a year the next one, or the last if the context is past. Raises ValueError for none."""
    if year is not None:
        return date(year, month, day)
    this_year = date(context.today.year, month, day)
    if context.is_past and this_year > context.today:
        return this_year.replace(year=this_year.year - 1)
    is_over = not context.is_past and this_year < context.today
    return this_year.replace(year=this_year.year + 1) if is_over else this_year


def rolling(values: Values, context: Context) -> Meaning:
    """Resolve "the last 90 days", "the next two hours". Raises ValueError for "this two weeks"."""
    if values["which"] == "this":
        raise ValueError("no direction")
    return _range(_length(values), -1 if values["which"] == "last" else 1, context)


def within(values: Values, context: Context) -> Meaning:
    return _range(_length(values), 1, context)


def _length(values: Values) -> Length:
    length = values.get("length")
    return length if isinstance(length, Length) else Length(1, values["unit"])


def _range(length: Length, sign: int, context: Context) -> Meaning:
    # Hours and minutes count from this instant, days and longer from today.
    if length.is_short:
        exact = length.shift_instant(context.now, sign)
        first, last = sorted((exact.date(), context.today))
        return Meaning(first, last, exact=exact)
    first, last = sorted((length.shift(context.today, sign), context.today))
    return Meaning(first, last)


def ahead(values: Values, context: Context) -> Meaning:
    """Resolve "in two weeks", "20 minutes from now"."""
    return _away(values["length"], 1, context)


def ago(values: Values, context: Context) -> Meaning:
    return _away(values["length"], -1, context)


def longer_ago(values: Values, context: Context) -> Meaning:
    """Resolve "more than two weeks ago"."""
    return replace(_away(values["length"], -1, context), relation="before")


def since(values: Values, context: Context) -> Meaning:
    """Resolve "since two weeks", "less than two weeks ago"."""
    return replace(_away(values["length"], -1, context), relation="after")


def _away(length: Length, sign: int, context: Context) -> Meaning:
    if length.is_short:
        exact = length.shift_instant(context.now, sign)
        return Meaning(exact.date(), exact.date(), exact=exact)
    return on_day(length.shift(context.today, sign))


def several(values: Values, context: Context) -> Meaning:
    """Resolve "in 2 or 3 weeks"."""
    days = [_away(Length(values[name], values["unit"]), 1, context) for name in ("n", "other")]
    first, last = days[0].first, days[1].last
    # Of hours only the longer one is taken: a range of days can't hold two instants.
    if first is None or last is None or days[0].exact is not None:
        return days[1]
    return on((first, last))


DAYS: Mapping[str, Resolver] = {
    "near_day": near_day,
    "now": now,
    "beside": beside,
    "following_day": following_day,
    "tonight": tonight,
    "last_night": last_night,
    "overnight": overnight,
    "weekday": weekday,
    "weekday_of_week": weekday_of_week,
    "week_later": week_later,
    "after_next": after_next,
    "before_last": before_last,
    "day_of_month": day_of_month,
    "calendar": calendar,
    "iso": iso,
    "numeric_date": numeric_date,
    "rolling": rolling,
    "within": within,
    "ahead": ahead,
    "several": several,
    "ago": ago,
    "longer_ago": longer_ago,
    "since_ago": since,
    "since": since,
}
"""Resolvers of phrases, by their meaning in `time_words.toml`."""
