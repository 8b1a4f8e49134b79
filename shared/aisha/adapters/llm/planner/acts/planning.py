"""Plan activities, for one record or several; complete, move, change and cancel them."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy, resolve
from aisha.adapters.llm.planner.acts.creating import word_before, write_all
from aisha.adapters.llm.planner.acts.finding import fetch, filters_of
from aisha.adapters.llm.planner.acts.profiles import picked
from aisha.adapters.llm.planner.plan import ACTS, Answer, EarlyAnswer, Pending, Plan, act
from aisha.adapters.llm.planner.replies import activities, changes, formats, profiles
from aisha.adapters.llm.planner.results import PlannedCall, items_of, ref_of
from aisha.adapters.llm.planner.state import Question, Ref, Topic
from aisha.domain.dates.lengths import Length, read_length
from aisha.domain.dates.parsing import TimeSpan, find_times, next_working_day
from aisha.domain.dates.tokens import split
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS, PLURALS
from aisha.domain.language.marks import plain_text, time_tokens
from aisha.domain.language.reader import Segment, Span, read
from aisha.domain.language.tokens import tokenize
from aisha.domain.wording import join_names

MAX_PAGE = 50
MAX_CHECKED = 15
"""Records whose activities are looked up in a round, and activities changed at once."""
MAX_TITLE = 200
WORKDAY = (9, 17)
_TITLES = {
    "call": "Call with",
    "email": "Email to",
    "meeting": "Meeting with",
    "demo": "Demo with",
    "task": "Follow up with",
}
_WHEN_EACH = "When should each of them be? Nothing is planned yet: tell me each one with its time."
_QUOTED = re.compile(r"[“\"](?P<title>[^”\"]{1,200})[”\"]")
Record = dict[str, Any]
Spans = Sequence[TimeSpan]


def words_of(key: str) -> frozenset[str]:
    return lexicon.word_set("plan_words", key)


def says(ask: Ask, key: str) -> bool:
    return bool(ask.words & words_of(key))


def as_names(ask: Ask, *tags: str) -> Ask:
    """Return the ask with the slots of its first tag as names if it has none; in "Ann of Globex" only Ann is one."""
    tag = "name" if ask.first("name") else next((tag for tag in tags if ask.first(tag)), "name")
    spans: list[Span] = []
    for span in ask.segment.spans:
        between = ask.text[spans[-1].end : span.start].strip() if spans and spans[-1].tag == "name" else ""
        role = "org" if between in words_of("of_company") else "name"
        spans.append(replace(span, tag=role) if span.tag == tag else span)
    return Ask(replace(ask.segment, spans=tuple(spans)), ask.now)


def with_text(plan: Plan, ask: Ask, text: str) -> Plan:
    """Return the plan without doubts about words that belong to a text."""
    start = ask.text.find(text)
    if start < 0:
        return plan
    others = [one for one in ask.segment.spans if one.end <= start or one.start >= start + len(text)]
    reread = ask.with_spans([*others, Span("text", text, start)])
    return replace(plan, doubt=policy.doubt_after(plan.doubt, ask, reread))


# Create.


@act("create_activity")
def create_activity(plan: Plan, ask: Ask) -> Answer:
    """Schedule an activity for each record that the ask names or describes."""
    if says(ask, "logging") and (past := _past(plan, ask)):
        return _log(plan, ask, past)
    asked = plan.topic.asked
    is_again = asked and plan.topic.written and not plan.bindings
    if is_again and asked and (asked.act, asked.spans) == (ask.act, ask.segment.spans) and asked.spans:
        raise plan.ask_slot(ask, "when", "That one is planned already. When should the next one be?")
    if type_of(ask) == "meeting":
        ask = _with_listed_names(ask)
    if type_of(ask) == "meeting" and ask.texts("email"):
        return ACTS["invite"](plan, ask)
    ask = _with_named_target(plan, _without_targets(as_names(ask, "new", "org", "owner")))
    targets, skipped = _targets(plan, ask)
    parts = _parts(ask) if len(ask.texts("name")) == len(targets) else [ask] * len(targets)
    types = [type_of(part) or type_of(ask) or "task" for part in parts]
    if _is_one_meeting(plan, ask, targets, types):
        return ACTS["invite"](plan, ask)
    dues = _dues(plan, ask, parts, types, join_names([f"**{ref.name}**" for ref in targets]))
    drafts = [_draft(plan, *one) for one in zip(targets, parts, types, dues, strict=True)]
    owner = (ask.first("owner") or "").lower() or None
    if not ask.first("name") and len(drafts) > 1:
        drafts = [{name: value for name, value in one.items() if name != "location"} for one in drafts]
    if len(drafts) == 1 or owner:
        values = write_all(plan, [plan.planned("create_activity", **one, owner=owner) for one in drafts], "plan that")
    else:
        values = plan.call("bulk_create_activities", "plan these activities", items=drafts)["items"]
    records = [value["record"] for value in values]
    left = _left_out(plan, ask) if ask.first("name") else []
    note = f"I don't know where {formats.quote_all(left)} belongs, so I left it out." if left else ""
    beside = " ".join(filter(None, (skipped, note)))
    gap = "\n\n" if len(records) > 1 else " "
    text = activities.planned(records, plan.now, "I've", owner or "") + (gap + beside if beside else "")
    written = activities.planned(records, plan.now, "You just")
    return Answer(text, topic=Topic((*targets, *map(ref_of, records)), plan.topic.search, written=written))


def _past(plan: Plan, ask: Ask) -> str:
    """Return what an ask logs that is over: "a meeting with Ann yesterday"; empty if it is still to come."""
    span = merged([span for _, span in times_of(ask)])
    verb = next((one for one in ask.outside if one.word in words_of("logging")), None)
    if span is None or verb is None or span.moment(plan.now) >= plan.now or span.last == plan.now.date():
        return ""
    return ask.text[verb.end :].strip(" ,;:.!")


def _log(plan: Plan, ask: Ask, past: str) -> Answer:
    """Store what is over as a note, since only what is to come is planned."""
    names = [span for span in as_names(ask, "new", "org").segment.spans if span.tag in ("name", "ref")]
    noted = Segment(f"{ask.text.strip()}: {past}", "create_note", ask.segment.probability, tuple(names))
    return ACTS["create_note"](plan, Ask(noted, plan.now))


def _with_listed_names(ask: Ask) -> Ask:
    """Return an ask with a colleague after a list of names as one of them: "with Ann, Bo and Carl"."""
    spans, last = list[Span](), None
    for span in ask.segment.spans:
        between = {one.text for one in tokenize(ask.text[last.end : span.start])} if last else {""}
        is_listed = span.tag == "owner" and between <= words_of("joints")
        spans.append(replace(span, tag="name") if is_listed else span)
        last = span if spans[-1].tag in ("name", "email") else None
    return ask.with_spans(spans)


def _is_one_meeting(plan: Plan, ask: Ask, targets: Sequence[Ref], types: Sequence[str]) -> bool:
    """Return whether an ask is for one meeting with several people by name, and not for one with each of them."""
    people = {"lead", "contact"}
    is_joint = len(targets) == len(ask.texts("name")) > 1 and all(ref.type in people for ref in targets)
    is_single = len(times_of(ask)) <= 1 and not says(ask, "each") and not ask.first("owner")
    return {*types} == {"meeting"} and is_joint and is_single and plan.has("schedule_meeting")


def _without_targets(ask: Ask) -> Ask:
    """Return the ask with texts that do not begin with whom it is for: "a task to [each to check the budget]"."""
    spans: list[Span] = []
    for span in ask.segment.spans:
        first, _, rest = span.text.partition(" ")
        is_target = span.tag in ("text", "topic") and first.lower() in lexicon.PLURAL and rest.startswith("to ")
        rest = rest.removeprefix("to ")
        spans.append(Span(span.tag, rest, span.end - len(rest)) if is_target else span)
    return ask.with_spans(spans)


def _with_named_target(plan: Plan, ask: Ask) -> Ask:
    """Return an ask without a record with the one that its text names: "task for Monday: send Ann Lee the prices"."""
    text = next((span for span in ask.segment.spans if span.tag in ("text", "topic")), None)
    if text is None or ask.first("name") or ask.texts("ref") or plan.bindings:
        return ask
    named = [span for one in plan.read(text.text).segments for span in one.spans if span.tag == "name"]
    if len(named) != 1:
        return ask
    # The name is spoken before the ask, so that its text stays whole.
    plan.spoken = (named[0].text,)
    return ask


def _parts(ask: Ask) -> list[Ask]:
    """Return the part of the ask for each name: "call Ann at 3" and "and Bo at 4". A mere name has the last."""
    names = [span for span in ask.segment.spans if span.tag == "name"]
    cuts, parts = [0], []
    for before, name in pairwise(names):
        between = [token for token in ask.tokens if before.end <= token.start < name.start]
        cuts.append(max((token.start for token in between if token.word in words_of("joints")), default=name.start))
    for first, last in pairwise((*cuts, len(ask.text))):
        spans = [Span(one.tag, one.text, one.start - first) for one in ask.segment.spans if first <= one.start < last]
        parts.append(Ask(replace(ask.segment, text=ask.text[first:last], spans=tuple(spans)), ask.now))
    return [part if {one.tag for one in part.segment.spans} - {"name", "org", "ref"} else parts[-1] for part in parts]


def type_of(ask: Ask) -> str | None:
    hints = (lexicon.phrase_key(token.word, "plan_types") for token in ask.outside)
    hint = (*ask.activity_types, *(one for one in hints if one))[:1]
    has_hour = bool(lengths_of(ask)) or any(span.clock for span in ask.times)
    is_meeting = has_hour and "with" in ask.words and ask.act != "remind"
    return hint[0] if hint else "meeting" if is_meeting else None


def lengths_of(ask: Ask) -> list[tuple[int, int, Length]]:
    """Return the lengths of time outside of verbatim slots, with their places in the plain text."""
    tokens, found, place = split(plain_text(ask.outside)[0]), [], 0
    while place < len(tokens):
        length = read_length(tokens, place)
        if length is not None:
            found.append((tokens[place].start, tokens[length[1] - 1].end, length[0]))
        place = length[1] if length else place + 1
    return found


def times_of(ask: Ask) -> list[tuple[str, TimeSpan]]:
    """Return the times other than "now", each with its words."""
    plain, _ = plain_text(ask.outside)
    found = [(plain[span.start : span.end], span) for span in ask.times]
    return [(words, span) for words, span in found if words not in words_of("at_once")]


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


def _dues(plan: Plan, ask: Ask, parts: Sequence[Ask], types: Sequence[str], names: str) -> list[datetime | None]:
    """Return when each part is due; None leaves it to the tool. Raises `EarlyAnswer` when a time must be asked for."""
    spans = [merged([span for _, span in times_of(part)]) for part in parts]
    if spans == [None] and types[0] == "task":
        # "A task to send the terms on Friday": the day of the text is that of the task.
        told = find_times(plain_text(tokenize(ask.first("text") or ""))[0], plan.now)
        spans = [told[0] if len(told) == 1 else None]
    plain, _ = plain_text(ask.outside)
    if any(plain[one.end : two.start].split()[:1] == ["or"] for one, two in pairwise(ask.times)):
        raise plan.ask_slot(ask, "when", "You gave me two times. Which one shall it be?")
    given = [span for span in spans if span is not None]
    days = {span.first for span in given if span.first is not None}
    plural = [one for one, two in pairwise(ask.outside) if two.word[-1] == "s" and lexicon.activity_type_of(two.stem)]
    is_several = len(parts) == 1 and any((lexicon.number_in(one.word) or 1) > 1 for one in plural)
    if is_several or (len(given) > 1 and None in spans):
        raise plan.refuse(_WHEN_EACH)
    if len(given) == 1:
        spans = [given[0]] * len(parts)
    elif len(days) == 1:
        day = days.pop()
        spans = [one if one is None or one.exact or one.first else replace(one, first=day, last=day) for one in spans]
    return [_due(plan, ask, span, kind, names) for span, kind in zip(spans, types, strict=True)]


def _due(plan: Plan, ask: Ask, span: TimeSpan | None, kind: str, names: str) -> datetime | None:
    unread = [text for text in ask.texts("when") if not find_times(text, plan.now)]
    if span is None and says(ask, "at_once"):
        hour = plan.now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
        while hour.weekday() >= 5 or not WORKDAY[0] <= hour.hour <= WORKDAY[1]:
            hour += timedelta(hours=1)
        return hour
    if span is None and unread and not lengths_of(ask):
        raise plan.ask_slot(ask, "when", f"I can't place {formats.quote_all(unread)}. When should it be?")
    if kind == "meeting" and (span is None or (span.is_range and span.clock is None)):
        raise plan.ask_slot(ask, "when", f"When should the meeting with {names} be? I need a day and a time.")
    if span is None:
        return None
    due, following = span.moment(plan.now), next_working_day(plan.now)
    if span.first and span.last and not (span.exact or span.clock):
        if span.relation == "after":
            due = next_working_day(due.replace(year=span.last.year, month=span.last.month, day=span.last.day))
        elif span.is_range and span.first <= plan.now.date() and following.date() <= span.last:
            due = following  # "this week": its next working day
    return _future(plan, ask, due)


def _future(plan: Plan, ask: Ask, due: datetime) -> datetime:
    if due < plan.now:
        raise plan.ask_slot(ask, "when", "That time has already passed. When should it be?")
    return due


def _draft(plan: Plan, ref: Ref, ask: Ask, kind: str, due: datetime | None) -> Record:
    """Return the arguments that create the activity for a record."""
    topic = (ask.first("topic") or ask.first("text") or "").strip(" .,;:").removeprefix("to ")
    label = f"{_TITLES[kind]} {ref.name}"
    if says(ask, "follow_up") and kind != "task":
        label = f"Follow-up {label[0].lower()}{label[1:]}"
    title = f"{topic[0].upper()}{topic[1:]}" if kind == "task" and topic else f"{label}: {topic}" if topic else label
    minutes = [length.minutes for _, _, length in lengths_of(ask) if length.is_short]
    draft = {
        "entity_type": ref.type, "entity_id": ref.id, "activity_type": kind,
        "title": (_quoted_in(ask) or ask.first("new") or title)[:MAX_TITLE],
        "due_date": due.isoformat() if due else None, "duration_minutes": (*minutes, None)[0],
        "priority": _priority(plan, ask), "location": _place(ask), "body": topic if len(title) > MAX_TITLE else None,
    }  # fmt: skip
    return {name: value for name, value in draft.items() if value is not None}


def _quoted_in(ask: Ask) -> str:
    match = _QUOTED.search(ask.text)
    return match["title"].strip() if match else ""


def _priority(plan: Plan, ask: Ask) -> str | None:
    enum = plan.tools["create_activity"].properties["priority"]["enum"]
    return next((value for value in ask.values if value in enum), None)


def _place(ask: Ask) -> str | None:
    """Return the value after "at" or "in" that is none of the enumerated: a location."""
    for span in ask.segment.spans:
        before = {token.word for token in tokenize(ask.text[: span.start])[-2:]}
        if span.tag == "value" and before & words_of("places") and not lexicon.values_in(span.text):
            return span.text
    return None


def _left_out(plan: Plan, ask: Ask) -> list[str]:
    used, topics = {_priority(plan, ask), _place(ask)}, ask.texts("topic") + ask.texts("text")
    return [
        text
        for text in ask.texts("value")
        if not used & {text, *lexicon.values_in(text)}
        and not text[0].isdigit()
        and not any(text in topic for topic in topics)
    ]


def _targets(plan: Plan, ask: Ask) -> tuple[Sequence[Ref], str]:
    """Return the records to plan for, and a sentence on those skipped."""
    kinds, question = resolve.kinds_named(ask), "Who or what is it for? Tell me the lead, contact, account or deal."
    if not ask.first("name"):
        if says(ask, "rest"):
            return _without_activity(plan)
        is_listed = resolve.several_of(plan, ask, kinds) and not ask.texts("value")
        is_plural = any(one.word[-1] == "s" and lexicon.kind_of(one.stem) in KINDS for one in ask.outside)
        if kinds and not is_listed and (ask.is_plural or ask.count or is_plural):
            return described_records(plan, ask, kinds[0]), ""
    records = resolve.require_all(plan, ask, question)
    is_meant = ask.first("name") or ask.texts("ref") or plan.bindings or plan.spoken or records[0] in plan.topic.refs
    if not is_meant and type_of(ask) in ("task", None) and ask.first("topic"):
        raise plan.ask_who(ask, question)  # A task of one's own is not about whoever was mentioned long ago.
    return records, ""


def _without_activity(plan: Plan) -> tuple[Sequence[Ref], str]:
    """Return the records of the last list that have no open activity, and who was skipped."""
    listed, search = [ref for ref in plan.topic.refs if ref.type in KINDS], plan.topic.search
    # After "a call for Ann and Bo", the remaining ones are the others of the list.
    if (len(listed) < 2 or plan.topic.written) and search is not None and search.tool.startswith("search_"):
        listed = [ref_of(item) for item in items_of(plan.need(search.tool, **search.arguments))]
    if not 0 < len(listed) <= MAX_CHECKED:
        raise plan.refuse(f"Tell me which records you mean, at most {MAX_CHECKED} at a time.")
    outcomes = plan.need_all([_open_of(plan, ref) for ref in listed])
    busy = [ref for ref, outcome in zip(listed, outcomes, strict=True) if items_of(outcome)]
    names = join_names([f"**{ref.name}**" for ref in busy])
    if len(busy) == len(listed):
        raise plan.refuse(f"There is already something planned with {names}, so I added nothing.")
    skipped = f"I skipped {names}, who already {'has' if len(busy) == 1 else 'have'} something planned."
    return [ref for ref in listed if ref not in busy], skipped if busy else ""


def described_records(plan: Plan, ask: Ask, kind: str) -> Sequence[Ref]:
    """Return the records that the ask describes: "all my warm leads". Raises `EarlyAnswer` for what nothing finds."""
    described, slots = ask, [span for span in ask.segment.spans if span.tag in ("value", "amount", "owner")]
    for token, is_time in zip(ask.tokens, time_tokens(ask.tokens), strict=True):
        # The verb, the type and the times of the order say nothing of the records.
        is_slot = any(span.start <= token.start < span.end for span in slots)
        is_order = token.word in words_of("planning") or lexicon.activity_type_of(token.stem) or is_time
        described = described.without(token.start, token.end) if is_order and not is_slot else described
    filters = filters_of(plan, described, kind)
    texts = [span for span in ask.segment.spans if span.tag == "text"]
    clauses = [one.text for one in texts if word_before(ask, one) in words_of("whose")]
    if unknown := clauses + [text for text in filters.unknown if _priority(plan, ask) not in lexicon.values_in(text)]:
        raise plan.refuse(f"I don't know how to look for {formats.quote_all(unknown)}, so I planned nothing.")
    found = fetch(plan, filters, MAX_PAGE)
    if not found.items or found.checked or (found.cursor and not ask.count):
        number = f"more than {MAX_PAGE}" if found.items else "no"
        raise plan.refuse(f"There are {number} {filters.described(2)}, so I did nothing. Tell me who you mean.")
    return [ref_of(item) for item in found.items[: ask.count]]


# Complete and change.


@act("complete_activity")
def complete_activity(plan: Plan, ask: Ask) -> Answer:
    """Mark activities as completed, with the outcome if the ask tells it."""
    records = activities_meant(plan, ask, [span for _, span in times_of(ask)], "Which activity is done?")
    outcome = next((text for text in ask.texts("text") if text.strip("\"'“”") != _quoted_in(ask)), None)
    words = ("mark {} as completed", "marked {} as completed")
    return _change(plan, ask, records, "complete_activity", [{"outcome": outcome}] * len(records), words)


@act("change_activity")
def change_activity(plan: Plan, ask: Ask) -> Answer:
    """Move, cancel, rename, prioritise or assign activities, or change how long they take."""
    new, old, shift, minutes = _times(ask, is_known=bool(plan.bindings.get("")))
    if (new or shift) and not _is_cancelled(ask) and (deal := _deal_meant(plan, ask)) is not None:
        return _move_closing(plan, ask, deal, new, shift)
    owner = ask.first("owner") or ("me" if "me" in ask.words and says(ask, "giving") else None)
    changes = {
        "status": "cancelled" if _is_cancelled(ask) else None, "priority": _priority(plan, ask),
        "owner": owner and owner.lower(), "duration_minutes": minutes,
        "title": (ask.first("new") or ask.first("text")) if says(ask, "naming") else None,
        "activity_type": (*_types_meant(ask), None)[0] if _is_turned(ask) else None,
    }  # fmt: skip
    changes = {name: value for name, value in changes.items() if value is not None}
    records = activities_meant(plan, ask, old, "Which activity do you mean?")
    is_day = new is not None and not (new.is_range or new.clock or new.exact)
    if is_day and new is not None and all(_due_at(plan, one).date() == new.first for one in records):
        new = None  # "Reschedule Friday's call": the day tells which one.
    if not changes and new is None and shift is None:
        raise plan.ask_slot(ask, "when", f"When should {_titles(records)} be instead?")
    if new is not None and plan.topic.written and {one["id"] for one in records} & {ref.id for ref in plan.topic.refs}:
        new = _in_week(ask, new, _due_at(plan, records[0]))
    dues = [_new_due(plan, ask, _due_at(plan, record), new, shift) for record in records]
    drafts = [changes | ({"due_date": due.isoformat()} if due else {}) for due in dues]
    return _change(plan, ask, records, "update_activity", drafts, activities.changing(drafts, plan.now))


def _deal_meant(plan: Plan, ask: Ask) -> Ref | None:
    """Return the deal that the last answer was about, if "it" can be nothing else: "push it out two weeks"."""
    refs, said = plan.topic.refs, {span.tag for span in ask.segment.spans} - {"when", "ref", "value"}
    group = plan.topic.group
    if not said and group and {ref.type for ref in group} == {"opportunity"}:
        if places := lexicon.ordinals_in([token.word for token in ask.outside]):
            return resolve.chosen(group, places[0])  # "Push the first one out two weeks."
        if ask.orders:
            return picked(plan, ask)  # "Push the smaller one to April 30."
    is_deal = len(refs) == 1 and refs[0].type == "opportunity" and not plan.topic.written
    is_pointed_at = ask.texts("ref") or ask.words & lexicon.THING
    return refs[0] if is_deal and not said and not ask.activity_types and is_pointed_at else None


def _move_closing(plan: Plan, ask: Ask, deal: Ref, new: TimeSpan | None, shift: Length | None) -> Answer:
    """Move the date on which a deal closes."""
    planned = str(plan.record(deal).get("close_date") or "")
    if shift is not None and planned:
        day = shift.shift(datetime.fromisoformat(planned).date(), -1 if says(ask, "sooner") else 1)
    elif new is not None:
        day = new.moment(plan.now).date()
    else:
        raise plan.ask_slot(ask, "when", f"**{deal.name}** has no close date yet. When should it close?")
    values = {"close_date": day.isoformat()}
    write_all(plan, [plan.planned("update_opportunity", opportunity_id=deal.id, **values)], f"change {deal.name}")
    text = changes.changed((deal,), values, plan.now)
    return Answer(text, topic=plan.topic_of(deal, written=text.replace("I've", "You just", 1)))


def _in_week(ask: Ask, new: TimeSpan, planned: datetime) -> TimeSpan:
    """Return a mere weekday as that of the week of what was just planned: "a demo next Thursday" - "Friday, rather"."""
    day = new.first
    is_weekday = day is not None and day == new.last and f"{day:%A}".lower() in ask.words and "next" not in ask.words
    weeks = (planned.date() - timedelta(days=planned.weekday()) - day).days // 7 + 1 if is_weekday and day else 0
    moved = timedelta(days=7 * max(weeks, 0))
    return replace(new, first=day + moved, last=day + moved) if day and moved else new


def _times(ask: Ask, *, is_known: bool) -> tuple[TimeSpan | None, list[TimeSpan], Length | None, int | None]:
    """Return the new time, those that tell which activity is meant, how far it moves, and how long it takes.

    Where the activity is known, no time tells which it is: "11am, one hour".
    """
    plain, found, spans, old = plain_text(ask.outside)[0], lengths_of(ask), list[TimeSpan](), list[TimeSpan]()
    is_relative, is_moved = says(ask, "sooner") or says(ask, "later"), says(ask, "moving")
    for words, span in times_of(ask):
        before = {word.strip(",") for word in plain[: span.start].split()[-1:]}
        if words.startswith("from ") or before & words_of("given_up"):
            old.append(span)
        elif not (is_relative and any(span.start <= start < span.end for start, _, _ in found)):
            spans.append(span)
    if not (spans or old or found):
        # "Make it 11" tells the hour.
        hours = [text for tag in ("when", "value", "amount", "count") for text in ask.texts(tag) if text.isdigit()]
        spans += find_times(f"at {hours[0]}", ask.now) if hours else []
    free = [one for start, end, one in found if not any(start < span.end and span.start < end for span in spans)]
    is_shift = bool(free) and (is_relative or (is_moved and not says(ask, "lasting")))
    minutes = next((one.minutes for one in free if one.is_short and not is_shift), None)
    is_told = not is_known and (minutes or says(ask, "naming"))
    if _is_cancelled(ask) or is_shift or (is_told and not is_moved):
        spans, old = [], [*old, *spans]
    old += [span for span in spans[:-1] if span.first is not None]
    return merged(spans), old, free[-1] if is_shift else None, minutes


def _is_cancelled(ask: Ask) -> bool:
    return says(ask, "cancelling") and not says(ask, "postponing")


def _is_turned(ask: Ask) -> bool:
    """Return whether the type that it names is the new one: "make it a demo"."""
    return ask.act == "change_activity" and says(ask, "turning") and not (ask.first("name") or ask.first("when"))


def _types_meant(ask: Ask) -> list[str]:
    """Return the types named: not the "call" of "call it off", nor one that is given up ("a demo, not a call")."""
    found = []
    for place, token in enumerate(ask.outside):
        kind = lexicon.activity_type_of(token.word) or lexicon.activity_type_of(token.stem)
        before = {one.word for one in ask.outside[max(0, place - 2) : place]}
        is_verb = kind == "call" and {one.word for one in ask.outside[place + 1 : place + 3]} & {"off", "it"}
        found += [kind] if kind and not is_verb and not before & words_of("given_up") else []
    return found


def _due_at(plan: Plan, record: Record) -> datetime:
    return datetime.fromisoformat(record["due_at"]).astimezone(plan.now.tzinfo) if record.get("due_at") else plan.now


def _new_due(plan: Plan, ask: Ask, planned: datetime, new: TimeSpan | None, shift: Length | None) -> datetime | None:
    """Return the new time. A clock time alone keeps the planned day, a day alone the planned clock time."""
    if shift is not None:
        sign = -1 if says(ask, "sooner") else 1
        if shift.is_short:
            return _future(plan, ask, shift.shift_instant(planned, sign))
        return _future(plan, ask, datetime.combine(shift.shift(planned.date(), sign), planned.timetz()))
    if new is None:
        return None
    due = new.moment(plan.now)
    if new.exact is None and new.first is None and new.clock is not None:
        due = max(planned.replace(hour=new.clock.hour, minute=new.clock.minute), due)
    elif new.exact is None and new.clock is None and not new.is_range:
        due = due.replace(hour=planned.hour, minute=planned.minute)
    return _future(plan, ask, due)


def _change(
    plan: Plan, ask: Ask, records: Sequence[Record], tool: str, drafts: Sequence[Record], words: tuple[str, str]
) -> Answer:
    """Change activities and tell what was changed. Several are changed only after the user agreed.

    `words` tell the change as an order and as done, with `{}` for the activities.
    """
    answer = ask.first("confirmed")
    if answer and read(answer).segments[0].act in ("yes", "take_up"):
        plan = replace(plan, doubt="")
    elif len(records) > 1 or (says(ask, "every") and "after all" not in ask.text.lower()):
        what = f"these {len(records)} activities" if len(records) > 1 else "this activity"
        text = f"Shall I {words[0].format(what)}?\n\n{profiles.format_numbered(records, plan.now)}"
        raise EarlyAnswer(Answer(text, Question("slot", ask.segment, tag="confirmed"), plan.topic))
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


# Which activities are meant.


def activities_meant(plan: Plan, ask: Ask, times: Spans, question: str) -> list[Record]:
    """Return the open activities that an ask means. Raises `EarlyAnswer` with a question when that isn't clear."""
    if (bound := plan.bindings.get("")) is not None and bound.type == "activity":
        return _read(plan, [bound])
    ask = ask if says(ask, "naming") else as_names(ask, "new")
    is_new = any(plan.results.created(ref.id) for ref in plan.topic.refs)
    is_named = bool(ask.first("name") or ask.first("org") or (plan.spoken and not is_new))
    if not is_named and (known := _of_conversation(plan, ask, times)):
        return known
    items = _of_names(plan, ask) if is_named else _of_user(plan, ask, times)
    topic = _quoted_in(ask) or ask.first("topic") or ""
    if not (is_named or times or topic or ask.activity_types) and ask.texts("ref"):
        plan.doubt = plan.doubt or "you did not say which activity"  # "It" is what was spoken of, and that is none.
    fitting = _fitting(plan, ask, items, times, topic)
    if not fitting and is_named:
        fitting = _fitting(plan, ask, items, times) or _fitting(plan, ask, items, ())
    if not fitting and not is_named:
        is_described = times or topic or ask.activity_types
        raise plan.ask_who(ask, f"I found nothing open like that. {question}" if is_described else question)
    due = [one for one in fitting if _due_at(plan, one).date() <= plan.now.date()]
    if ask.act == "complete_activity" and len(due) == 1 and not ask.is_plural:
        return due
    if len(fitting) == 1 or (ask.is_plural and 0 < len(fitting) <= MAX_CHECKED):
        return fitting
    shown = (fitting or items)[:10]
    refs = tuple(map(ref_of, shown))
    refs = tuple(
        replace(
            ref, about=", ".join(filter(None, (ref.about, formats.format_instant(str(one.get("due_at")), plan.now))))
        )
        for ref, one in zip(refs, shown, strict=True)
    )
    head = question if fitting else f"That isn't planned; this is. {question}"
    text = f"{head}\n\n{profiles.format_numbered(shown, plan.now)}"
    raise EarlyAnswer(Answer(text, Question("which", ask.segment, "", refs), Topic(refs, plan.topic.search)))


def _of_conversation(plan: Plan, ask: Ask, times: Spans) -> list[Record]:
    """Return the activities of the last list, or the one last written, that an ask without a name points at."""
    listed, search = [ref for ref in plan.topic.refs if ref.type == "activity"], plan.topic.search
    shown = [ref for ref in plan.topic.listed if ref.type == "activity"]
    unnamed = [ref for ref in shown if ref not in listed]
    if "other" in ask.words and len(listed) == len(unnamed) == 1:
        return _read(plan, unnamed)
    is_of_list = len(listed) <= 1 and len(shown) > 1 and bool(ask.activity_types) and not ask.texts("ref")
    if is_of_list:
        listed = shown  # "Push the call to Friday." - "And cancel the email."
    if says(ask, "rest") and search is not None and search.tool == "list_activities":
        ids = {ref.id for ref in listed}
        others = [one for one in items_of(plan.need(search.tool, **search.arguments)) if one["id"] not in ids]
        return others if len(others) == 1 or ask.is_plural else []
    places = lexicon.ordinals_in([token.word for token in ask.outside])
    if places and (ref := resolve.chosen(listed, places[0])):
        return _read(plan, [ref])
    if times or ask.first("topic") or _quoted_in(ask) or not listed:
        return []
    if len(listed) > 1 and (ask.is_plural or ask.count):
        return _read(plan, listed[: ask.count or MAX_CHECKED])
    if not is_of_list and (len(listed) == 1 or plan.topic.written):
        return _fitting(plan, ask, _read(plan, listed[:1]), ())
    # "Push the call to 2 pm": the only call of those listed.
    fitting = _fitting(plan, ask, _read(plan, listed[:MAX_CHECKED]), ()) if ask.activity_types else []
    return fitting if len(fitting) == 1 else []


def _read(plan: Plan, refs: Sequence[Ref]) -> list[Record]:
    created = [record for ref in refs if (record := plan.results.created(ref.id))]
    if created:
        return created
    outcomes = plan.need_all([plan.planned("get_activity", activity_id=ref.id) for ref in refs])
    return [outcome.value for outcome in outcomes if isinstance(outcome.value, dict)]


def _open_of(plan: Plan, ref: Ref) -> PlannedCall:
    return plan.planned("list_activities", entity_type=ref.type, entity_id=ref.id, status="scheduled", limit=MAX_PAGE)


def _of_names(plan: Plan, ask: Ask) -> list[Record]:
    """Return the open activities with the record named, else with its people, else with the name in their titles.

    All searches go out in one round, since a turn has three.
    """
    name = (ask.texts("name") or ask.texts("org") or plan.spoken[-1:])[0]
    titled = plan.planned("list_activities", name_contains=name, status="scheduled", limit=MAX_PAGE)
    tools = [tool for kind in KINDS if plan.has(tool := f"search_{PLURALS[kind]}")]
    searches = [plan.planned(tool, name_contains=name) for tool in tools]
    try:
        found = resolve.subject(plan, ask)
    except Pending as pending:
        raise Pending(list({call.key: call for call in (*pending.calls, *searches, titled)}.values())) from None
    candidates = found.candidates if isinstance(found, resolve.Ambiguous) else (found,)
    refs = [ref for ref in candidates if isinstance(ref, Ref)][:MAX_CHECKED]
    hits = [ref_of(item) for call in searches for item in items_of(plan.results.of(call))]
    people = [ref for ref in hits if ref not in refs and resolve.all_near(name, f"{ref.name} {ref.about}")]
    people = people[: MAX_CHECKED - len(refs)]
    by_title, *outcomes = plan.need_all([titled, *(_open_of(plan, ref) for ref in (*refs, *people))])
    for group in (outcomes[: len(refs)], outcomes[len(refs) :], [by_title]):
        if items := [item for outcome in group for item in items_of(outcome)]:
            return items
    if not refs:
        resolve.settled(plan, ask, found or resolve.Unknown(name, None))
    raise plan.refuse(f"Nothing is planned with **{refs[0].name}** at the moment.")


def _of_user(plan: Plan, ask: Ask, times: Spans) -> list[Record]:
    """Return the open activities with the record of the conversation, else the user's own."""
    refs = [ref for ref in plan.topic.refs if ref.type in KINDS][:1]
    own = plan.planned("list_activities", owner="me", status="scheduled", limit=MAX_PAGE)
    mine, *about = plan.need_all([own, *(_open_of(plan, ref) for ref in refs)])
    topic = _quoted_in(ask) or ask.first("topic") or ""
    return _fitting(plan, ask, [item for one in about for item in items_of(one)], times, topic) or items_of(mine)


def _fitting(plan: Plan, ask: Ask, items: Sequence[Record], times: Spans, topic: str = "") -> list[Record]:
    """Return the activities of the type, at the times and on the topic; of those, the ones with most of its words."""
    kinds = [] if _is_turned(ask) else [kind for kind in _types_meant(ask) if kind != "task"]
    fitting = [item for item in items if not kinds or item.get("activity_type") in kinds]
    fitting = [item for item in fitting if "overdue" not in ask.words or _due_at(plan, item) < plan.now]
    fitting = [item for item in fitting if all(_is_at(_due_at(plan, item), span) for span in times)]
    fitting = [item for item in fitting if not topic or _stems(topic) & _stems(item["display_name"])]
    words = _stems(" ".join((topic, *policy.unexplained(ask))))
    around = _stems(plan.scene.user_text) - _stems(ask.text)
    for said in (words, around):  # "The price list has gone out. Mark that as done."
        scores = [len(said & _stems(item["display_name"])) for item in fitting]
        fitting = [item for item, score in zip(fitting, scores, strict=True) if score == max(scores)]
    return fitting


def _stems(text: str) -> set[str]:
    return {token.stem for token in tokenize(text) if len(token.word) > 3}


def _is_at(due: datetime, span: TimeSpan) -> bool:
    is_day = not span.first or not span.last or span.first <= due.date() <= span.last
    return is_day and (span.clock is None or span.part is not None or due.time() == span.clock)
