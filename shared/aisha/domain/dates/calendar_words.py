"""Resolve parts of the calendar in words: "end of April", "early next week", "in Q2", "the last Friday of May"."""

from collections.abc import Mapping
from datetime import date, timedelta

from dateutil.easter import easter
from dateutil.relativedelta import relativedelta

from aisha.domain.dates.day_words import OFFSETS, period_days
from aisha.domain.dates.meanings import Context, Days, Meaning, Resolver, on, on_day
from aisha.domain.dates.phrases import Values

_SEASON_MONTHS = 3
_FRIDAY = 4


def in_period(values: Values, context: Context) -> Meaning:
    """Resolve "next week", "the current quarter", "all year"."""
    return on(_period(values, context))


def _period(values: Values, context: Context) -> Days:
    return period_days(values["period"], context.today, OFFSETS.get(values.get("which", "this"), 0))


def _span(values: Values, context: Context) -> Days:
    """Return the month, or the period, that a phrase is about."""
    return _month(values, context) if "month" in values else _period(values, context)


def _month(values: Values, context: Context) -> Days:
    """Return the days of a month: the running or next one, or the last if the context is past, or that of the year."""
    today, month = context.today, values["month"]
    year = values.get("year") or today.year + _years_off(month, month, context)
    which = values.get("which")
    if which == "next" and month == today.month:
        year += 1
    if which == "last":
        year = today.year - (month >= today.month)
    return period_days("month", date(year, month, 1))


def _years_off(first_month: int, last_month: int, context: Context) -> int:
    """Return 1 if the months of next year are meant, because those of this are over, -1 if those of last year are."""
    if context.is_past:
        return -1 if first_month > context.today.month else 0
    return 1 if last_month < context.today.month else 0


def month(values: Values, context: Context) -> Meaning:
    """Resolve "in May"; "since May" is from then until today."""
    first, last = _month({"month": values.get("month") or values["lone_month"], **values}, context)
    return on((first, context.today if context.is_past and first <= context.today else last))


def year(values: Values, context: Context) -> Meaning:
    first, last = period_days("year", date(values["lone_year"], 1, 1))
    return on((first, context.today if context.is_past and first <= context.today else last))


def to_date(values: Values, context: Context) -> Meaning:
    return on((period_days(values["period"], context.today)[0], context.today))


def rest_of(values: Values, context: Context) -> Meaning:
    first, last = _period(values, context)
    return on((max(first, context.today), last))


def part_of_period(values: Values, context: Context) -> Meaning:
    """Resolve "the end of the month", "early next week". A week is from Monday to Friday."""
    first, last = _period(values, context)
    part = values.get("part", "end")
    if values["period"] == "week":
        days = {"early": (0, 1), "mid": (2, 2), "late": (3, 4), "end": (_FRIDAY, _FRIDAY), "rest": (0, 6)}[part]
        first, last = first + timedelta(days=days[0]), first + timedelta(days=days[1])
    else:
        first, last = _part((first, last), values["period"], part)
    # What is over of the running period is not meant.
    return on(
        (max(first, context.today), max(last, context.today))
        if "which" not in values or part == "rest"
        else (first, last)
    )


def part_of_month(values: Values, context: Context) -> Meaning:
    return on(_part(_month(values, context), "month", values["part"]))


def part_of_quarter(values: Values, context: Context) -> Meaning:
    return on(_part(_quarter(values["quarter"], values.get("year"), context), "quarter", values["part"]))


def _part(days: Days, period: str, part: str) -> Days:
    """Return the part of a month or a longer period: early, mid, late, end (its last day) or rest (all of it)."""
    first, last = days
    if part == "end":
        return last, last
    if part == "rest":
        return days
    if period == "month":
        bounds = {"early": (1, 7), "mid": (15, 15), "late": (21, last.day)}[part]
        return first.replace(day=bounds[0]), first.replace(day=bounds[1])
    third = {"quarter": 1, "half": 2, "year": 4}[period]
    begin = first + relativedelta(months=third * ("early", "mid", "late").index(part))
    return begin, begin + relativedelta(months=third, days=-1)


def nth_weekday(values: Values, context: Context) -> Meaning:
    """Resolve "the last Friday of the month". Raises ValueError if it has no such day."""
    first, last = _span(values, context)
    nth, index = values["nth"], values["weekday"]
    if nth < 0:
        return on_day(last - timedelta(days=(last.weekday() - index) % 7))
    day = first + timedelta(days=(index - first.weekday()) % 7, weeks=nth - 1)
    return on((day, day) if day <= last else (last, first))


def nth_week(values: Values, context: Context) -> Meaning:
    """Resolve "the first week of April": its first seven days; the last week are its last seven."""
    first, last = _span(values, context)
    if values["nth"] < 0:
        return on((last - timedelta(days=6), last))
    begin = first + timedelta(weeks=values["nth"] - 1)
    return on((begin, min(begin + timedelta(days=6), last)))


def nth_day(values: Values, context: Context) -> Meaning:
    first, last = _span(values, context)
    return on_day(last if values["nth"] < 0 else first + timedelta(days=values["nth"] - 1))


def half_of(values: Values, context: Context) -> Meaning:
    """Resolve "the first half of next year". Raises ValueError for a third half."""
    if "month" in values or "period" in values:
        first, last = _span(values, context)
    else:
        first, last = period_days("year", date(values["year"], 1, 1))
    half = {1: 0, 2: 1, -1: 1}.get(values["nth"])
    if half is None:
        raise ValueError("no such half")
    days = (last - first).days + 1
    middle = first.replace(month=first.month + 6) if days > 360 else first + timedelta(days=days // 2)
    return on((middle, last) if half else (first, middle - timedelta(days=1)))


def quarter(values: Values, context: Context) -> Meaning:
    """Resolve "Q3", "Q3 2027", "the third quarter of last year", "next Q3"."""
    number, year_of = values["quarter"], values.get("year")
    if isinstance(year_of, str):
        year_of = context.today.year + OFFSETS.get(year_of, 0)
    if number < 0:
        number = 4
    elif number > 4:
        raise ValueError("no such quarter")
    first, last = _quarter(number, year_of, context)
    if values.get("which") == "last" and last >= context.today:
        first, last = _quarter(number, first.year - 1, context)
    return on((first, last))


def _quarter(number: int, year_of: int | None, context: Context) -> Days:
    """Return the days of a quarter; without a year the running or next one, or the last if the context is past."""
    months = 3 * number - 2, 3 * number
    return period_days("quarter", date(year_of or context.today.year + _years_off(*months, context), months[0], 1))


def half_year(values: Values, context: Context) -> Meaning:
    number = values["half_year"]
    months = 6 * number - 5, 6 * number
    year_of = values.get("year") or context.today.year + _years_off(*months, context)
    return on(period_days("half", date(year_of, months[0], 1)))


def season(values: Values, context: Context) -> Meaning:
    """Resolve "in the summer", of the northern half of the earth: June to August."""
    begin = date(context.today.year, values["season"], 1)
    days = [
        (first := begin + relativedelta(years=years), first + relativedelta(months=_SEASON_MONTHS, days=-1))
        for years in (-2, -1, 0, 1)
    ]
    if context.is_past or values.get("which") == "last":
        over = [period for period in days if (period[0] if context.is_past else period[1]) < context.today]
        return on((over[-1][0], context.today) if context.is_past else over[-1])
    # In spring, "next spring" is that of next year.
    is_next = values.get("which") == "next"
    return on(next(period for period in days if period[0 if is_next else 1] >= context.today))


def holiday(values: Values, context: Context) -> Meaning:
    """Resolve "before Christmas", "after Easter", "on New Year's Eve"."""
    rule = values["holiday"]
    shift = timedelta(days=-1 if values.get("extra") == "eve" else 0)
    days = [_holiday(rule, context.today.year + years) + shift for years in (-1, 0, 1, 2)]
    if context.is_past or values.get("which") == "last":
        return on_day([day for day in days if day <= context.today][-1])
    return on_day(next(day for day in days if day >= context.today))


def _holiday(rule: str | int, year_of: int) -> date:
    if isinstance(rule, int):
        return easter(year_of) + timedelta(days=rule)
    month_of, day = rule.split("-")
    return date(year_of, int(month_of), int(day))


def weekend(values: Values, context: Context) -> Meaning:
    offset = {"next": 1, "last": -1}.get(values.get("which", "this"), 0)
    saturday = period_days("week", context.today, offset)[0] + timedelta(days=5)
    return on((saturday, saturday + timedelta(days=1)))


def week_number(values: Values, context: Context) -> Meaning:
    """Resolve "in calendar week 23" by ISO 8601. Raises ValueError for no such week."""
    monday = date.fromisocalendar(context.today.year, values["n"], 1)
    return on((monday, monday + timedelta(days=6)))


CALENDAR: Mapping[str, Resolver] = {
    "nth_weekday": nth_weekday,
    "in_period": in_period,
    "to_date": to_date,
    "rest_of": rest_of,
    "part_of_period": part_of_period,
    "part_of_month": part_of_month,
    "part_of_quarter": part_of_quarter,
    "nth_week": nth_week,
    "nth_day": nth_day,
    "half_of": half_of,
    "quarter": quarter,
    "half_year": half_year,
    "month": month,
    "year": year,
    "season": season,
    "holiday": holiday,
    "weekend": weekend,
    "week_number": week_number,
}
"""Resolvers of phrases, by their meaning in `time_words.toml`."""
