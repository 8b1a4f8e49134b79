"""Compare the instants of a call with the times that the user said."""

from datetime import date, datetime, timedelta

from aisha.domain.dates.parsing import TimeSpan, parse_when

_MAX_TIME_LENGTH = 60
_SLACK = timedelta(minutes=1)


def moment_in(text: str, now: datetime) -> datetime | None:
    """Return the instant that a text says, in the zone of `now` where it names none; None for any other text."""
    if len(text) > _MAX_TIME_LENGTH:
        return None
    try:
        moment = parse_when(text, now)
    except (ValueError, OverflowError):
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=now.tzinfo)


def is_at(span: TimeSpan, moment: datetime, now: datetime) -> bool:
    """Return whether an instant is the one that a time means, or lies on its days where it names no hour."""
    local = moment.astimezone(now.tzinfo)
    exact = span.moment(now)
    if abs(local - exact) <= _SLACK:
        return True
    if span.exact is not None:
        # Rounded up to the full hour.
        return local.minute == 0 and timedelta() <= local - exact <= timedelta(hours=1)
    first, last = span.first, span.last
    start, end = days(first, last, now, exact)
    is_clock = span.clock is None or span.part is not None or same_clock(local, span) or _is_midnight(local)
    return start <= local.date() <= end and is_clock


def _is_midnight(moment: datetime) -> bool:
    """Return whether only a day was meant."""
    return (moment.hour, moment.minute) == (0, 0)


def days(first: date | None, last: date | None, now: datetime, exact: datetime) -> tuple[date, date]:
    """Return the first and last day of a time, that of its instant where it names none."""
    if first is None and last is None:
        return exact.date(), exact.date()
    start = first or now.date()
    return start, last or start


def same_clock(moment: datetime, span: TimeSpan) -> bool:
    """Return whether an instant is at the hour and minute of a time."""
    return span.clock is not None and (moment.hour, moment.minute) == (span.clock.hour, span.clock.minute)


def is_joined(one: TimeSpan, other: TimeSpan, moment: datetime) -> bool:
    """Return whether an instant is on the day of one time at the hour of another: "Friday … at 3"."""
    if one.first is None or other.clock is None or other.first is not None:
        return False
    return one.first <= moment.date() <= (one.last or one.first) and same_clock(moment, other)
