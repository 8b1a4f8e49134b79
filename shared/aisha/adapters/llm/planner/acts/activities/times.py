"""Read when an activity is due, how long it takes, and of which type it is."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.asks import plan_words, says
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.replies import formats
from aisha.domain.dates.parsing import TimeSpan, find_times, next_working_day
from aisha.domain.language import lexicon
from aisha.domain.language.acts import READS
from aisha.domain.language.ask import Ask
from aisha.domain.language.marks import plain_text
from aisha.domain.language.tokens import tokenize

WORKDAY = (9, 17)
_WHEN_EACH = "When should each of them be? Nothing is planned yet: tell me each one with its time."
_SAME_DAY = (("same", "day"), ("that", "day"), ("same", "date"), ("that", "date"))
_BASES = frozenset("that closing closes close closed deadline".split())
"""Words for the day on which the deal spoken of closes."""
_MAX_BASE_WORDS = 4
_REPEATING = frozenset("daily weekly biweekly monthly quarterly".split())
Spans = Sequence[TimeSpan]


def type_of(ask: Ask) -> str | None:
    """Return the type of activity that an ask names or hints at; a meeting for an hour with somebody."""
    hints = (lexicon.phrase_key(token.word, "plan_types") for token in ask.outside)
    # "His board meets in April, so schedule a call": what has an article is ordered.
    articled = {lexicon.activity_type_of(two.word) for one, two in pairwise(ask.outside) if one.word in ("a", "an")}
    named = sorted(ask.activity_types, key=lambda one: one not in articled)
    if types := [*named, *filter(None, hints)]:
        return types[0]
    has_hour = bool(ask.lengths) or any(span.clock for span in ask.times)
    return "meeting" if has_hour and "with" in ask.words and ask.act != "remind" else None


def times_of(ask: Ask) -> list[tuple[str, TimeSpan]]:
    """Return the times other than "now", each with its words."""
    plain, _ = plain_text(ask.outside)
    times = [(plain[span.start : span.end], span) for span in ask.times]
    return [(words, span) for words, span in times if words not in plan_words("at_once")]


def minutes_said(ask: Ask) -> int | None:
    """Return how many minutes an ask says that something takes: "in 2 hours" is a time."""
    times = [(span.start, span.end) for span in ask.times]
    free = [one for start, end, one in ask.lengths if not any(start < last and first < end for first, last in times)]
    # "half an hour, rather an hour": the last one counts.
    minutes = (length.minutes for length in reversed(free) if length.is_short)
    return next(minutes, None) or next((one.minutes for one in ask.times if one.minutes), None)


def merged(spans: Spans) -> TimeSpan | None:
    """Return several times as one: "Friday ... let's say 11:15" is a day and a clock time; else the last."""
    whole = next((span for span in reversed(spans) if span.first is not None and span.clock is not None), None)
    if whole is not None:
        return whole
    day = next((span for span in reversed(spans) if span.first is not None), None)
    clock = next((span for span in reversed(spans) if span.clock is not None), None)
    if not spans or spans[-1].exact is not None or day is None or clock is None or day is clock:
        return spans[-1] if spans else None
    return replace(day, clock=clock.clock, end=max(day.end, clock.end))


def due_times(plan: Plan, ask: Ask, parts: Sequence[Ask], types: Sequence[str], names: str) -> list[datetime | None]:
    """Return when each part is due; None leaves it to the tool. Raises `EarlyAnswer` when a time must be asked for."""
    spans = [as_before(plan, part, merged([span for _, span in times_of(part)])) for part in parts]
    if spans == [None] and types[0] == "task":
        # "A task to send the terms on Friday": the day of the text is that of the task.
        times_of_text = find_times(plain_text(tokenize(ask.first("text") or ask.first("topic") or ""))[0], plan.now)
        spans = [times_of_text[0] if len(times_of_text) == 1 else None]
    plain, _ = plain_text(ask.outside)
    if any(plain[one.end : two.start].split()[:1] == ["or"] for one, two in pairwise(ask.times)):
        raise plan.ask_slot(ask, "when", "You gave me two times. Which one shall it be?")
    given = [span for span in spans if span is not None]
    days = {span.first for span in given if span.first is not None}
    plural = [one for one, two in pairwise(ask.outside) if two.word[-1] == "s" and lexicon.activity_type_of(two.stem)]
    # Each has a time of its own in "set up 3 calls: Lars at 9, Ingrid at 10".
    is_listed = ":" in ask.text and len(ask.texts("name")) == len(given) == 1
    is_several = len(parts) == 1 and not is_listed and any((lexicon.number_in(one.word) or 1) > 1 for one in plural)
    if is_several or (len(given) > 1 and None in spans):
        raise plan.refuse(_WHEN_EACH)
    if len(given) == 1:
        spans = [given[0]] * len(parts)
    elif len(days) == 1:
        day = days.pop()
        spans = [one if one is None or one.exact or one.first else replace(one, first=day, last=day) for one in spans]
    return [_due(plan, ask, span, kind, names) for span, kind in zip(spans, types, strict=True)]


def as_before(plan: Plan, ask: Ask, span: TimeSpan | None) -> TimeSpan | None:
    """Return a time with the day or the hour of the activity spoken of: "same day at 3", "Friday, same time".

    After a question about the meetings of a day "book one at three" is for that day.
    """
    asked = plan.topic.asked
    days = {one.first for one in Ask(asked, plan.now).times} if asked is not None and asked.act in READS else set()
    if span is not None and span.first is span.exact is None and "one" in ask.words and len(days) == 1:
        day = days.pop()
        return replace(span, first=day, last=day)
    if (day_beside := _day_beside_closing(plan, ask)) is not None:
        clock = span.clock if span is not None else None
        return TimeSpan(0, 0, day_beside, day_beside, clock=clock)
    pairs = {(one.word, two.word) for one, two in pairwise(ask.outside)}
    is_same_day = not pairs.isdisjoint(_SAME_DAY) and (span is None or span.first is None)
    is_same_hour = ("same", "time") in pairs and (span is None or span.clock is None)
    if not (is_same_day or is_same_hour):
        return span
    known = [ref for ref in plan.topic.refs if ref.type == "activity"]
    due = str(plan.record(known[0]).get("due_at") or "") if len(known) == 1 else ""
    if not due:
        raise plan.ask_slot(ask, "when", f"Which {'day' if is_same_day else 'time'} do you mean? When should it be?")
    before, span = datetime.fromisoformat(due).astimezone(plan.now.tzinfo), span or TimeSpan(0, 0, None, None)
    day = before.date() if span.first is None else span.first
    return replace(span, first=day, last=day, clock=before.time() if is_same_hour else span.clock)


def _day_beside_closing(plan: Plan, ask: Ask) -> date | None:
    """Return a day that is told by that on which a deal closes: "a week before it closes", "3 days after that"."""
    plain = plain_text(ask.outside)[0]
    for _, end, length in ask.lengths:
        words = plain[end:].replace(",", " ").split()[:_MAX_BASE_WORDS]
        sign = {"before": -1, "prior": -1, "after": 1}.get(words[0] if words else "", 0)
        deal = next((ref for ref in (*plan.topic.refs, *plan.topic.changed) if ref.type == "opportunity"), None)
        if not sign or length.is_short or deal is None or not _BASES & {*words}:
            continue
        if closing := str(plan.record(deal).get("close_date") or ""):
            return length.shift(date.fromisoformat(closing[:10]), sign)
    return None


def _due(plan: Plan, ask: Ask, span: TimeSpan | None, kind: str, names: str) -> datetime | None:
    if span is None and says(ask, "at_once"):
        hour = plan.now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
        while hour.weekday() >= 5 or not WORKDAY[0] <= hour.hour <= WORKDAY[1]:
            hour += timedelta(hours=1)
        return hour
    require_read(plan, ask, span)
    is_untimed = span is None or (span.clock is None and span.exact is None)
    if (kind == "meeting" and is_untimed) or (kind == "demo" and span is None):
        lacking = "day and a time" if span is None or span.is_range else "time"
        question = f"When should the {kind} with {names} be? I need a {lacking}."
        raise plan.ask_slot(ask, "when", question)
    if span is None:
        return None
    due, following = span.moment(plan.now), next_working_day(plan.now)
    if span.first and span.last and not (span.exact or span.clock):
        if span.relation == "after":
            due = next_working_day(due.replace(year=span.last.year, month=span.last.month, day=span.last.day))
        elif span.is_range and span.first <= plan.now.date() and following.date() <= span.last:
            due = following  # "this week": its next working day
    return future_time(plan, ask, due)


def require_read(plan: Plan, ask: Ask, span: TimeSpan | None) -> None:
    """Raise `EarlyAnswer` with a question for words of a time that are not understood: nothing is planned by half."""
    wholly = [text for text in ask.texts("when") if not find_times(text.lower(), plan.now)]
    # "For 45 minutes" is no date; "a week before the fair" is one.
    has_length = any(length.is_short for _, _, length in ask.lengths) or ask.act not in ("create_activity", "remind")
    refuse_repetition(plan, ask)
    unread = policy.unread_time(ask) or (wholly if span is None and not (ask.lengths and has_length) else ())
    if unread:
        raise plan.ask_slot(
            ask, "when", f"I can't work out a date from {formats.quote_all(unread)}. When should it be?"
        )


def refuse_repetition(plan: Plan, ask: Ask) -> None:
    """Raise `EarlyAnswer` for what is to be every week or day."""
    whens = [span.text.lower() for span in ask.segment.spans if span.tag == "when"]
    is_repeated = any(one in ask.loose and one.word in _REPEATING for one in ask.tokens)
    if is_repeated or any("every" in text.split() for text in whens):
        raise plan.ask_slot(ask, "when", "I can't plan anything that repeats, only one at a time. When is the first?")


def future_time(plan: Plan, ask: Ask, due: datetime) -> datetime:
    """Return a time that is still to come. Raises `EarlyAnswer` with a question for one that has passed."""
    if due < plan.now:
        raise plan.ask_slot(ask, "when", "That time has already passed. When should it be?")
    return due
