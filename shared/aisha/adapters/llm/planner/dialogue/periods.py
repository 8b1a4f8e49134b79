"""Read the time of a follow-up that only the ask before it tells: "the day after", "that week"."""

from datetime import date, datetime, timedelta

from msgspec.structs import replace

from aisha.adapters.llm.planner.state import Topic
from aisha.domain.dates.day_words import period_days
from aisha.domain.dates.meanings import Days
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, Span

_UNITS = frozenset("day week month quarter year".split())
_SIDES = {"after": 1, "later": 1, "following": 1, "before": -1, "earlier": -1, "prior": -1, "previous": -1}
_MAX_WORDS = 2
"""Words of such a time beside "the" and "that"."""


def with_own_days(topic: Topic, asked: Segment, again: Segment, now: datetime) -> Segment:
    """Return a segment with the days for each time that is said by its distance from the time of the ask before."""
    days = _days_of(topic, asked, now)
    return replace(again, spans=tuple(_dated(days, span) for span in again.spans)) if days else again


def _days_of(topic: Topic, asked: Segment, now: datetime) -> Days | None:
    """Return the first and last day that an ask was about, as its list was searched: "won in January" is over."""
    bounds = topic.search.arguments if topic.search is not None and asked == topic.asked else {}
    searched = [str(bounds[name])[:10] for end in ("_after", "_before") for name in bounds if name.endswith(end)]
    if len(searched) == 2:
        return date.fromisoformat(searched[0]), date.fromisoformat(searched[1])
    times = [one for one in Ask(asked, now).times if one.first and one.last]
    return (times[-1].first or now.date(), times[-1].last or now.date()) if times else None


def _dated(before: Days, span: Span) -> Span:
    words = [word for word in span.text.lower().split() if word not in ("the", "that", "one")]
    unit = next((word for word in words if word in _UNITS), None)
    is_same = span.text.lower().split()[:1] == ["that"] or "same" in words
    side = next((_SIDES[word] for word in words if word in _SIDES), 0)
    if span.tag != "when" or not (unit and (side or is_same)) or len(words) > _MAX_WORDS:
        return span
    first, last = before
    near = last if side > 0 else first
    days = (near + timedelta(days=side),) * 2 if unit == "day" else period_days(unit, near, side)
    text = f"on {days[0]}" if days[0] == days[1] else f"from {days[0]} to {days[1]}"
    return replace(span, text=text)
