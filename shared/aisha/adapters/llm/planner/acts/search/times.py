"""Read the times of a search, of what the words beside them say happened then."""

from datetime import datetime, timedelta
from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.search.filters import Filters
from aisha.adapters.llm.planner.acts.search.words import CLOSING, CONTACTED, LATE, LENGTHS, WHO
from aisha.adapters.llm.planner.replies import formats
from aisha.domain.dates.day_words import period_days
from aisha.domain.dates.parsing import TimeSpan, find_times
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask, bounds
from aisha.domain.language.lexicon import word_set
from aisha.domain.language.marks import plain_text

_A_WHILE = "30 days"
"""The time that "lately" and "in a while" mean. The answer names its first day."""
MAX_GAP = 7
"""Days ahead up to which a day that must be past was last week, not last year."""
_VAGUE = word_set("condition_words", "vague_times")
_CREATED = word_set("time_words", "created")


def read_times(ask: Ask, filters: Filters) -> None:
    """Add the times, of what the words beside them say happened then."""
    today, is_deal = ask.now.date(), "closing_before" in filters.properties
    is_ahead = any(span.first and span.first > today for span in ask.times)
    # "Not called in two weeks" is about those that are over.
    times = () if filters.is_silent and is_ahead else ask.times
    times = times or (lasting(ask) if filters.is_silent else ()) or ask.times
    filters.unknown += [text for text in ask.texts("when") if not times and not find_times(text, ask.now)]
    if is_deal and ask.words & LATE and not ask.times:
        filters.arguments |= {"closing_before": (today - timedelta(days=1)).isoformat(), "open_only": True}
    moment = "contacted" if filters.is_silent or ask.words & CONTACTED or _tells_of_contact(ask) else "created"
    if moment == "created" and is_deal and (ask.act == "forecast" or ask.words & CLOSING or not ask.words & _CREATED):
        moment = "closing"
    if moment == "created" and is_deal and str(filters.arguments.get("stage", "")).startswith("closed"):
        moment = "closing"  # "Which of those won came in last month?"
    moment = "due" if "due_after" in filters.properties else moment
    for span in times:
        if f"{moment}_after" not in filters.properties:
            filters.unknown += ask.texts("when") or [formats.format_period(span.first, span.last)]
            return
        is_ahead = span.first is not None and span.first > today
        if moment == "created" and is_ahead and _is_before_noun(ask):
            continue  # No condition: "I'm in Denver tomorrow, which leads are there?"
        if span.relation == "before" and span.first and ask.words & {"before", "prior"}:
            span = replace(span, first=span.first - timedelta(days=1), last=span.first - timedelta(days=1))
        if span.first and span.last and span.first > today and moment in ("created", "contacted"):
            days = timedelta(days=7 if (span.first - today).days <= MAX_GAP else 365)
            span = replace(span, first=span.first - days, last=span.last - days)
        first, last = bounds(span, ask.now)
        first, last = (None, _until(ask) or first or last) if filters.is_silent else (first, last)
        for name, end in ((f"{moment}_after", first), (f"{moment}_before", last)):
            if end is not None and not (span.first == span.last == today and "now" in ask.words):
                is_day = filters.properties[name].get("format") == "date"
                filters.arguments[name] = end.date().isoformat() if is_day else end.isoformat()


def _until(ask: Ask) -> datetime | None:
    """Return the end of the period since which there was no contact: "since January" is since it was over."""
    plain, _ = plain_text(ask.outside)
    for span in ask.times:
        text = plain[span.start : span.end]
        if span.first is None or not text.startswith("since ") or any(letter.isdigit() for letter in text):
            continue
        is_month = span.last == ask.now.date() and span.first.day == 1
        last = period_days("month", span.first)[1] if is_month else span.last
        return bounds(replace(span, last=last, relation=None), ask.now)[1]
    return None


def _tells_of_contact(ask: Ask) -> bool:
    """Return whether "contact" is a verb: "which leads did we contact in January"."""
    return any(one.word in lexicon.SELF_WORDS and two.word == "contact" for one, two in pairwise(ask.outside))


def lasting(ask: Ask) -> tuple[TimeSpan, ...]:
    """Return the time up to now that a length says: "not contacted for three weeks"."""
    lengths = [text.lower().removeprefix("for ").removeprefix("in ") for text in ask.texts("when")]
    for number, unit in pairwise(token.word for token in ask.outside):
        if unit in LENGTHS:
            lengths.append(unit if number in ("a", "an") else f"{number} {unit}")
    lengths += [_A_WHILE] if ask.words & _VAGUE else []
    return tuple(span for text in lengths for span in find_times(f"in the last {text}", ask.now))[:1]


def _is_before_noun(ask: Ask) -> bool:
    """Return whether the times come before what is looked for."""
    nouns = [token.start for token in ask.outside if lexicon.kind_named(token) or token.word in WHO]
    times = [span.start for span in ask.segment.spans if span.tag == "when"]
    return bool(nouns and times) and max(times) < nouns[0]
