"""Resolve phrases of time by what they mean."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta

from msgspec.structs import replace

from aisha.domain.dates import calendar_words, clock_words, day_words
from aisha.domain.dates.meanings import Clock, Context, Meaning, Resolver, on
from aisha.domain.dates.phrases import Phrase, Values


def resolve(phrase: Phrase, context: Context) -> Meaning:
    """Return the meaning of a phrase. Raises ValueError or OverflowError for a day that does not exist."""
    return RESOLVERS[phrase.means](phrase.values, context)


def _days_of(phrase: Phrase, context: Context) -> tuple[date, date]:
    meaning = resolve(phrase, context)
    if meaning.first is None or meaning.last is None:
        raise ValueError("no days")
    return meaning.first, meaning.last


def _counted_from(values: Values, context: Context) -> Meaning:
    """Resolve "a week from Tuesday", "3 days before the 15th"."""
    first, last = _days_of(values["day"], context)
    sign = -1 if values.get("side") == "before" else 1
    length = values["length"]
    if length.is_short:
        raise ValueError("hours are not counted from days")
    return on((length.shift(first, sign), length.shift(last, sign)))


def _week_of(values: Values, context: Context) -> Meaning:
    first, _ = _days_of(values["day"], context)
    return on(day_words.period_days("week", first))


def _part_of_day(values: Values, context: Context) -> Meaning:
    """Resolve "this evening", "late tomorrow afternoon"."""
    # "This pm" and "this afternoon": am and pm are halves, the others parts of the day.
    part = clock_words.weak_half(values, context) if "half" in values else clock_words.part(values, context)
    day = context.today + timedelta(days=values.get("near_day", 0))
    return replace(part, first=day, last=day, is_weak=False)


def _days(values: Values, context: Context) -> Meaning:
    """Resolve "from Monday to Wednesday". The last day is the next such day after the first."""
    end, latest = _days_of(values["last"], context)
    if latest <= context.today:
        context = replace(context, is_past=True)  # "from January until now"
    first, last = _days_of(values["first"], context)
    # "From Friday to Monday": the Monday after that Friday, not the one before it.
    if latest < first:
        end, latest = _days_of(values["last"], Context(datetime.combine(first, context.now.timetz())))
    return on((first, latest if end > first else max(last, latest)))


def _days_of_month(values: Values, context: Context) -> Meaning:
    """Resolve "3 to 7 June"."""
    year = values.get("year")
    last = day_words.dated(year, values["month"], values["other"], context)
    return on((last.replace(day=values["d"]), last))


def _clock_range(values: Values, context: Context) -> Meaning:
    """Resolve "from 3 to 4 pm": what the end says of the half of the day holds for the start if that is before it."""
    start, end = resolve(values["start"], context).clock, resolve(values["end"], context).clock
    if start is None or end is None:
        raise ValueError("no time of day")
    return Meaning(clock=start, until=end)


def _weak_range(values: Values, context: Context) -> Meaning:
    return replace(_clock_range(values, context), is_weak=True)


def range_of(start: Clock, end: Clock, part: str | None = None) -> tuple[Clock, int]:
    """Return the start and the minutes of a range of the day. The am or pm of its end holds for its start if it can."""
    finish = _minute_of(end.fixed(part))
    halves: tuple[str | None, ...] = (start.half,)
    if start.half is None and end.half in ("am", "pm"):
        halves = ("pm", "am") if end.half == "pm" else ("am", "pm")
    # "From 11 to 2 pm": 11 pm would be after the end, so that it is 11 am.
    for half in halves:
        begin = replace(start, half=half).fixed(part)
        if _minute_of(begin) < finish:
            return begin, finish - _minute_of(begin)
    # "from 10 to 2" ends after noon, "from 6 to 8" is in the evening.
    begin = start.fixed(part)
    while finish <= _minute_of(begin):
        finish += 12 * 60
    return begin, finish - _minute_of(begin)


def _minute_of(clock: Clock) -> int:
    return clock.hour * 60 + clock.minute


RESOLVERS: Mapping[str, Resolver] = {
    **day_words.DAYS,
    **calendar_words.CALENDAR,
    **clock_words.TIMES_OF_DAY,
    "counted_from": _counted_from,
    "week_of": _week_of,
    "part_of_day": _part_of_day,
    "days": _days,
    "days_of_month": _days_of_month,
    "clock": lambda values, context: resolve(values["clock"], context),
    "clock_range": _clock_range,
    "weak_range": _weak_range,
}
