"""Complete, move, change and cancel activities."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.activities.selection import (
    Record,
    activities_meant,
    due_at,
    is_turned,
    types_meant,
)
from aisha.adapters.llm.planner.acts.activities.targets import priority_said
from aisha.adapters.llm.planner.acts.activities.times import future_time, merged, require_read, times_of
from aisha.adapters.llm.planner.acts.asks import is_given_to, plan_words, quoted_title, says
from aisha.adapters.llm.planner.acts.execution import write_all
from aisha.adapters.llm.planner.naming import all_near, choose
from aisha.adapters.llm.planner.plan import ACTS, Answer, EarlyAnswer, Plan, act
from aisha.adapters.llm.planner.replies import activities, changes, profiles
from aisha.adapters.llm.planner.resolve import subject
from aisha.adapters.llm.planner.results import ref_of
from aisha.adapters.llm.planner.state import Question, Ref, Topic
from aisha.domain.dates.lengths import Length
from aisha.domain.dates.parsing import TimeSpan, find_times
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.marks import plain_text
from aisha.domain.wording import join_names

_TAKEN_PLACE = "That has taken place already"
"""The doubt about a new time for a completed activity."""
_CANCELLED = "That has been cancelled"
"""The doubt about any change of a cancelled activity."""
_OUTCOME = re.compile(r"\b(?:outcome|result)(?: is| was)?\s*[:–-]\s*(?P<text>[^.!?\n]{2,500})", re.IGNORECASE)
_NO_CLOCK = "A deal has no time of day, only a close date"
_DAYS = {"day": 1, "week": 7}
"""Days of each unit by which an activity is moved from its own day."""
_DAYS_BESIDE = {"following": 1, "next": 1, "after": 1, "previous": -1, "preceding": -1, "before": -1}
"""The words beside "day" that count it from that of the activity."""


@act("complete_activity")
def complete_activity(plan: Plan, ask: Ask) -> Answer:
    """Mark activities as completed, with the outcome if the ask tells it."""
    records = activities_meant(plan, ask, [span for _, span in times_of(ask)], "Which activity is done?")
    planned = " ".join(str(one["display_name"]) for one in records)
    strange = [word for word in policy.unexplained(ask) if not all_near(word, planned)]
    is_named = bool(ask.first("name")) and not (ask.activity_types or ask.first("topic") or ask.first("text"))
    if is_named and ask.text.startswith(tuple(strange)):
        # "QBR with Meridian done": what is planned with them is something else.
        raise plan.refuse(activities.not_planned(strange[0], str(ask.first("name"))))
    outcome = next((text for text in ask.texts("text") if text.strip("\"'“”") != quoted_title(ask)), None)
    labelled = _OUTCOME.search(ask.text)
    outcome = outcome or (labelled["text"].strip() if labelled else policy.told_after(ask)) or None
    words = ("mark {} as completed", "marked {} as completed")
    return _change(plan, ask, records, "complete_activity", [{"outcome": outcome}] * len(records), words)


@act("change_activity")
def change_activity(plan: Plan, ask: Ask) -> Answer:
    """Move, cancel, rename, prioritise or assign activities, or change how long they take."""
    has_activity = bool(ask.activity_types) or "activity" in ask.kinds or ask.first("name") or ask.first("topic")
    kinds = {ref.type for ref in (*plan.topic.refs, *plan.bindings.values())}
    if says(ask, "naming") and not has_activity and kinds and kinds <= {*lexicon.KINDS} and ask.first("new"):
        return ACTS["update_record"](plan, Ask(replace(ask.segment, act="update_record"), plan.now))  # "Rename it to …"
    new, old, shift, minutes = _times(ask, is_known=bool(plan.bindings.get("")))
    bound = plan.bindings.get("")
    if shift is None and bound is not None and bound.type == "opportunity" and ask.lengths:
        new, shift = None, ask.lengths[0][2]  # "They asked for another two weeks, so push the close date."
    days = _days_on(ask)
    if not days:
        require_read(plan, ask, new or next(iter(old), None))
    if (new or shift) and not _is_cancelled(ask) and (deal := _deal_meant(plan, ask)) is not None:
        return _move_closing(plan, ask, deal, new, shift)
    owner = _new_owner(plan, ask) or ("me" if "me" in ask.words and says(ask, "giving") else None)
    new_values = {
        "status": "cancelled" if _is_cancelled(ask) else None, "priority": priority_said(plan, ask),
        "owner": owner and owner.lower(), "duration_minutes": minutes,
        "title": (ask.first("new") or ask.first("text")) if says(ask, "naming") else None,
        "activity_type": (*types_meant(ask), None)[0] if is_turned(ask) else None,
    }  # fmt: skip
    new_values = {name: value for name, value in new_values.items() if value is not None}
    records = activities_meant(plan, ask, old, "Which activity do you mean?")
    if days and len(records) == 1:
        day = due_at(plan, records[0]).date() + timedelta(days=days)
        new, shift = TimeSpan(0, 0, day, day, clock=new.clock if new is not None else None), None
    is_day = new is not None and not (new.is_range or new.clock or new.exact)
    if is_day and new is not None and all(due_at(plan, one).date() == new.first for one in records):
        new = None  # "Reschedule Friday's call": the day tells which one.
    if not new_values and new is None and shift is None:
        raise plan.ask_slot(ask, "when", f"When should {_titles(records)} be instead?")
    if new is not None and {one["id"] for one in records} & {ref.id for ref in plan.topic.refs}:
        new = _in_week(ask, new, due_at(plan, records[0]))
    dues = [_past_due(plan, record, new) or _new_due(plan, ask, due_at(plan, record), new, shift) for record in records]
    is_past = any(one.get("status") == "completed" for one in records)
    if is_past and any(due is not None and due > plan.now for due in dues):
        plan = replace(plan, doubt=plan.doubt or _TAKEN_PLACE)
    elif any(one.get("status") == "cancelled" for one in records):
        plan = replace(plan, doubt=plan.doubt or _CANCELLED)
        # What gets a new time takes place again.
        new_values |= {"status": "scheduled"} if any(due is not None and due > plan.now for due in dues) else {}
    drafts = [new_values | ({"due_date": due.isoformat()} if due else {}) for due in dues]
    return _change(plan, ask, records, "update_activity", drafts, activities.changing(drafts, plan.now))


def _new_owner(plan: Plan, ask: Ask) -> str | None:
    """Return to whom activities are given: to nobody in "Alice would like to move the call", said of Alice herself."""
    span = next((one for one in ask.segment.spans if one.tag == "owner"), None)
    is_wisher = span is not None and span.text.lower() == plan.user and not is_given_to(ask, span)
    return None if span is None or is_wisher else span.text


def _deal_meant(plan: Plan, ask: Ask) -> Ref | None:
    """Return the deal that a move is about: the one named, or "it" if that can be nothing else.

    Examples: "the Redwood expansion slips to June", "push the Stonebridge one out to May 8", "push it out two weeks".
    """
    if (bound := plan.bindings.get("")) is not None and bound.type == "opportunity":
        return bound
    if (name := ask.first("name")) and not ask.activity_types:
        listed = [ref for ref in plan.topic.group if ref.type == "opportunity"]
        named = choose(name, listed) or subject(plan, ask)
        return named if isinstance(named, Ref) and named.type == "opportunity" else None
    refs, tags = plan.topic.refs, {span.tag for span in ask.segment.spans} - {"when", "ref", "value"}
    is_deal = len(refs) == 1 and refs[0].type == "opportunity" and not plan.topic.written
    asked = plan.topic.asked
    is_asked_for = asked is not None and asked.act == "ask_field" and "close_date" in Ask(asked, plan.now).fields
    is_pointed_at = is_asked_for or ask.texts("ref") or ask.words & lexicon.THING_PRONOUNS
    return refs[0] if is_deal and not tags and not ask.activity_types and is_pointed_at else None


def _move_closing(plan: Plan, ask: Ask, deal: Ref, new: TimeSpan | None, shift: Length | None) -> Answer:
    """Move the date on which a deal closes."""
    planned = str(plan.record(deal).get("close_date") or "")
    if shift is not None and planned:
        day = shift.shift(datetime.fromisoformat(planned).date(), -1 if _is_sooner(ask) else 1)
    elif new is not None:
        day = new.moment(plan.now).date()
    else:
        raise plan.ask_slot(ask, "when", f"**{deal.name}** has no close date yet. When should it close?")
    values = {"close_date": day.isoformat()}
    if new is not None and shift is None and (new.clock or new.exact):
        plan = replace(plan, doubt=plan.doubt or _NO_CLOCK)
    write_all(plan, [plan.planned("update_opportunity", opportunity_id=deal.id, **values)], f"change {deal.name}")
    text = changes.changed((deal,), values, plan.now)
    return Answer(text, topic=plan.topic_of(deal, written=text.replace("I've", "You just", 1)))


def _in_week(ask: Ask, new: TimeSpan, planned: datetime) -> TimeSpan:
    """Return a mere weekday as that of the week of what was spoken of: "a demo next Thursday" - "Friday, rather".

    What is brought forward moves to the next such day.
    """
    day = new.first
    is_weekday = day is not None and day == new.last and f"{day:%A}".lower() in ask.words and "next" not in ask.words
    weeks = (planned.date() - timedelta(days=planned.weekday()) - day).days // 7 + 1 if is_weekday and day else 0
    moved = timedelta(days=7 * max(weeks, 0) * (not says(ask, "sooner")))
    return replace(new, first=day + moved, last=day + moved) if day and moved else new


def _times(ask: Ask, *, is_known: bool) -> tuple[TimeSpan | None, list[TimeSpan], Length | None, int | None]:
    """Return the new time, those that tell which activity is meant, how far it moves, and how long it takes.

    Where the activity is known, no time tells which it is: "11am, one hour".
    """
    plain, lengths, spans, old = plain_text(ask.outside)[0], ask.lengths, list[TimeSpan](), list[TimeSpan]()
    is_relative, is_moved = _is_sooner(ask) or says(ask, "later"), says(ask, "moving")
    for words, span in times_of(ask):
        before = {word.strip(",") for word in plain[: span.start].split()[-1:]}
        if words.startswith("from ") or before & plan_words("given_up"):
            old.append(span)
        elif not (is_relative and any(span.start <= start < span.end for start, _, _ in lengths)):
            spans.append(span)
    if not (spans or old or lengths):
        # "Make it 11" tells the hour.
        hours = [text for tag in ("when", "value", "amount", "count") for text in ask.texts(tag) if text.isdecimal()]
        spans += find_times(f"at {hours[0]}", ask.now) if hours else []
    free = [one for start, end, one in lengths if not any(start < span.end and span.start < end for span in spans)]
    is_shift = bool(free) and (is_relative or (is_moved and not says(ask, "lasting")))
    minutes = next((one.minutes for one in free if one.is_short and not is_shift), None)
    is_told = not is_known and (minutes or says(ask, "naming"))
    if _is_cancelled(ask) or is_shift or (is_told and not is_moved):
        spans, old = [], [*old, *spans]
    old += [span for span in spans[:-1] if span.first is not None]
    return merged(spans), old, free[-1] if is_shift else None, minutes


def _days_on(ask: Ask) -> int:
    """Return how many days after that of an activity its new day is: 1 for "the following day", -7 for "week before".

    0 where another day is said; "next week" is that after this one.
    """
    words = [one.word for one in ask.outside if one.kind == "word"]
    for first, unit, after in zip(words, words[1:], [*words[2:], ""], strict=False):
        sign = _DAYS_BESIDE.get(first, 0) * (unit in _DAYS) or _DAYS_BESIDE.get(unit, 0) * (first in _DAYS)
        is_counted = unit in _DAYS or after in ("", "at", "same", "please", "instead")  # Not "the day after Monday".
        if sign and is_counted and ((first, unit) != ("next", "week") or "same" in words):
            return sign * _DAYS[unit if unit in _DAYS else first]
    return 0


def _is_sooner(ask: Ask) -> bool:
    """Return whether something moves forward in time: "a week earlier", "one month before"."""
    return says(ask, "sooner") or [one.word for one in ask.tokens if one.kind == "word"][-1:] == ["before"]


def _is_cancelled(ask: Ask) -> bool:
    return says(ask, "cancelling") and not says(ask, "postponing")


def _past_due(plan: Plan, record: Record, new: TimeSpan | None) -> datetime | None:
    """Return the day of a completed activity at another time of it: "it was at 3pm"; None for any other change."""
    if record.get("status") != "completed" or new is None or new.clock is None or new.first is not None:
        return None
    return due_at(plan, record).replace(hour=new.clock.hour, minute=new.clock.minute)


def _new_due(plan: Plan, ask: Ask, planned: datetime, new: TimeSpan | None, shift: Length | None) -> datetime | None:
    """Return the new time. A clock time alone keeps the planned day, a day alone the planned clock time."""
    if shift is not None:
        sign = -1 if _is_sooner(ask) else 1
        if shift.is_short:
            return future_time(plan, ask, shift.shift_instant(planned, sign))
        return future_time(plan, ask, datetime.combine(shift.shift(planned.date(), sign), planned.timetz()))
    if new is None:
        return None
    due = new.moment(plan.now)
    if new.exact is None and new.first is None and new.clock is not None:
        due = max(planned.replace(hour=new.clock.hour, minute=new.clock.minute), due)
    elif new.exact is None and new.clock is None and not new.is_range:
        due = due.replace(hour=planned.hour, minute=planned.minute)
    return future_time(plan, ask, due)


def _change(
    plan: Plan, ask: Ask, records: Sequence[Record], tool: str, drafts: Sequence[Record], words: tuple[str, str]
) -> Answer:
    """Change activities and tell what was changed. Several are changed only after the user agreed.

    `words` tell the change as an order and as done, with `{}` for the activities.
    """
    if policy.is_confirmed(ask):
        plan = replace(plan, doubt="")
    elif len(records) > 1 or (says(ask, "every") and "after all" not in ask.text.lower()):
        what = f"these {len(records)} activities" if len(records) > 1 else "this activity"
        text = f"Shall I {words[0].format(what)}?\n\n{profiles.format_numbered(records, plan.now)}"
        listed = Topic(tuple(map(ref_of, records)), plan.topic.search)
        raise EarlyAnswer(Answer(text, Question("slot", ask.segment, tag="confirmed"), listed))
    pairs = zip(records, drafts, strict=True)
    values = write_all(
        plan, [plan.planned(tool, activity_id=one["id"], **draft) for one, draft in pairs], "change that"
    )
    text, about = words[1].format(_titles(records)), records[0]["related"]
    changed = (ref_of(value["record"]) for value in values)
    refs = (Ref(about["type"], about["id"], str(about.get("name") or "")), *changed)
    return Answer(f"I've {text}.", topic=Topic(refs, plan.topic.search, written=f"You just {text}."))


def _titles(records: Sequence[Record]) -> str:
    return join_names([f"**{record['display_name']}**" for record in records])
