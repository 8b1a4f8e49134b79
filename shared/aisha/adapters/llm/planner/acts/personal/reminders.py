"""Set, list, snooze and close the user's reminders."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner import naming, policy, resolve
from aisha.adapters.llm.planner.acts.activities.times import as_before, merged, refuse_repetition, require_read, type_of
from aisha.adapters.llm.planner.acts.asks import says, with_text
from aisha.adapters.llm.planner.acts.personal.items import items_from, listed, only_match
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, act
from aisha.adapters.llm.planner.replies import formats
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.dates.parsing import TimeSpan
from aisha.domain.language import lexicon
from aisha.domain.language.acts import PROPER_NAME_TAGS
from aisha.domain.language.ask import Ask
from aisha.domain.language.marks import time_tokens
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import tokenize

# Words that join an order to what was told before it.
_JOINTS = lexicon.OPENINGS | {"now"}
_STICKY = frozenset("sticky post-it postit".split())
_ORDERING = frozenset(("remind", "reminder"))
"""Words of an order that what it reminds of does not say."""
_PARTICLES = frozenset("back up again".split())
"""Words that belong to the verb before a name: "ring Ann back"."""
_MAX_BARE = 2
"""Words of an activity without a name: "follow up"."""


@act("remind")
def remind(plan: Plan, ask: Ask) -> Answer:
    """Set a personal reminder; for an activity with a record that is known, schedule that instead."""
    words, time = _reminded(ask)
    if not words and plan.topic.offers and ask.texts("ref"):
        # "Remind me of that tomorrow", after advice.
        whole = f"remind me {' '.join(ask.texts('when'))} to {plan.topic.offers[0]}"
        ask = Ask(plan.read(whole).segments[0], plan.now)
        words, time = _reminded(ask)
    if not words:
        raise plan.ask_slot(ask, "text", "What shall I remind you of?")
    if time is None and ("note" in ask.kinds or ask.words & _STICKY):
        return _put_up(with_text(plan, ask, words), words)
    time = as_before(plan, _with_slots(ask), time)
    refuse_repetition(plan, ask)
    if time is None:
        raise plan.ask_slot(ask, "when", "When shall I remind you?")
    require_read(plan, _with_slots(ask), time)
    if (planned := _activity(plan, ask, words)) is not None:
        activity, bindings = planned
        doubt = policy.doubt_after(plan.doubt, ask, activity)
        return ACTS["create_activity"](replace(plan, doubt=doubt, bindings={**plan.bindings, **bindings}), activity)
    plan = with_text(_with_times(plan, ask), _timed(ask), words)
    due = time.moment(plan.now).isoformat()
    plan.call("stickynotes", "set that reminder", action="create", text=words, due_at=due)
    when = formats.at_instant(due, plan.now)
    return Answer(
        f"I'll remind you {when}: {words}.", topic=plan.topic_of(written=f"You asked to be reminded {when}: {words}.")
    )


def _put_up(plan: Plan, words: str) -> Answer:
    """Put up a sticky note, which needs no time."""
    plan.call("stickynotes", "put up that note", action="create", text=words)
    return Answer(
        f"I've put up a sticky note: {words}.", topic=plan.topic_of(written=f"You put up a sticky note: {words}.")
    )


def _reminded(ask: Ask) -> tuple[str, TimeSpan | None]:
    """Return what a reminder says, without its time, and the time: it stands before, behind or inside of the text."""
    whole = _with_slots(ask)
    words, tagged = wording(whole, "remind"), next((one for one in ask.segment.spans if one.tag == "text"), None)
    if tagged is not None and (not words or {one.word for one in tokenize(words)} & _ORDERING):
        # "Make me a reminder for Monday, I must call Ann", "I need to call Ann, remind me"
        words = tagged.text if tagged.text in ask.text else words
    return words, merged(whole.times)


def _timed(ask: Ask) -> Ask:
    """Return the ask with its times as slots, also those that stand in its text."""
    whole = _with_slots(ask)
    free = [one for one, is_time in zip(ask.tokens, time_tokens(ask.tokens, ask.now), strict=True) if is_time]
    whens = [Span("when", one.text, one.start) for one in free if one in whole.loose]
    return whole.with_spans([*whole.segment.spans, *whens])


def _with_times(plan: Plan, ask: Ask) -> Plan:
    """Return the plan with the doubts that the ask has once its times are known."""
    return replace(plan, doubt=policy.doubt_after(plan.doubt, ask, _timed(ask)))


def _with_slots(ask: Ask) -> Ask:
    """Return the ask without the slots of texts, so that a time in them is found."""
    return ask.with_spans(span for span in ask.segment.spans if span.tag not in ("text", "topic"))


def wording(ask: Ask, order: str) -> str:
    """Return the words after those of the order: "the rent" of "remind me tomorrow at 9 about the rent"."""
    is_time = dict(zip(ask.tokens, time_tokens(ask.tokens, ask.now), strict=True)) if order == "remind" else {}
    tokens = list(ask.tokens)
    lead, keys, ends = (lexicon.word_set("personal_words", key) for key in (order, "keys", "ends"))
    while tokens and tokens[0].word in lexicon.INTERJECTIONS | _JOINTS:
        tokens.pop(0)
    has_key, is_over = False, False
    while tokens and not is_over and (tokens[0].kind == "mark" or tokens[0].word in lead or is_time.get(tokens[0])):
        token = tokens.pop(0)
        has_key = has_key or token.word in keys
        # In "remind me to put up the sign" the text begins after "to", although "put up" may begin an order.
        # "Don't forget to remind me about …" says twice what it orders.
        is_over = has_key and token.word in ends and not (tokens and tokens[0].word in ("remind", "remember"))
    while is_over and tokens and (tokens[0].kind == "mark" or is_time.get(tokens[0]) or tokens[0].word == "says"):
        tokens.pop(0)
    after = lexicon.INTERJECTIONS | {"instead"}
    while tokens and (tokens[-1].kind == "mark" or is_time.get(tokens[-1]) or tokens[-1].word in after):
        tokens.pop()
    if not tokens:
        return ""
    text = ask.text[tokens[0].start : tokens[-1].end]
    return " ".join(text.split())


def _activity(plan: Plan, ask: Ask, words: str) -> tuple[Ask, Mapping[str, Ref]] | None:
    """Return the order of an activity that a reminder is, with the record that a pronoun in it means.

    None where the reminder names no known record, or not what to do with it.
    """
    start = ask.text.find(words)
    inner = plan.read(words).segments[0] if start >= 0 else None
    other_spans = [span for span in ask.segment.spans if span.tag not in ("text", "topic", *PROPER_NAME_TAGS)]
    outer = [span for span in ask.segment.spans if span.tag in PROPER_NAME_TAGS]
    shifted = [replace(span, start=span.start + start) for span in (inner.spans if inner else ())]
    names = outer or [span for span in shifted if span.tag in PROPER_NAME_TAGS]
    if not plan.has("create_activity"):
        return None
    if not names:
        # "Remind me to follow up": with whom the conversation is about.
        is_of_person = any(one.word in lexicon.PERSON_PRONOUNS for one in tokenize(words))
        is_about = (plan.topic.refs or plan.spoken) and (is_of_person or len(words.split()) <= _MAX_BARE)
        bare = _with_slots(ask)
        has_type = type_of(bare) is not None
        if not is_about or not (has_type or is_of_person):
            return None
        about = resolve.subject(plan, bare) if is_of_person else resolve.pointed_at(plan, bare)
        if not isinstance(about, Ref):
            return None
        # "Ann is away. Remind me on Friday to get back to her."
        pronoun = next((one for one in ask.tokens if one.start >= start and one.word in lexicon.PERSON_PRONOUNS), None)
        after = Span("ref", pronoun.text, pronoun.start) if pronoun else Span("ref", words, start)
        topics = _told_of(ask, words, after) if has_type else [Span("topic", words, start)]
        bare = bare.with_spans([*bare.segment.spans, *topics])
        return _without_lead(bare, start), {"": about}
    first = replace(names[0], text=_without_activity(names[0].text), tag="name")
    first = replace(first, start=names[0].end - len(first.text))
    topics = [span for span in shifted if span.tag == "topic" and span.start >= first.end] or _told_of(
        ask, words, first
    )
    activity = ask.with_spans([*other_spans, first, *topics[:1]])
    match = resolve.subject(plan, activity)
    if match is None or isinstance(match, naming.Unknown) or not first.text:
        return None
    is_sure = " " in first.text or bool(plan.bindings)
    if type_of(activity) is None:
        if not is_sure:
            return None
        is_timed = any(start <= one.start < start + len(words) for one in other_spans if one.tag == "when")
        topic = Span("topic", words, start)
        activity = ask.with_spans([*other_spans, first, *([] if is_timed else [topic])])
    return _without_lead(activity, start), {}


def _told_of(ask: Ask, words: str, name: Span) -> list[Span]:
    """Return what a reminder says beside the activity and the name as a topic: "call Ann [because of the papers]"."""
    start = ask.text.find(words)
    is_time = time_tokens(ask.tokens, ask.now)
    rest = [one for one, timed in zip(ask.tokens, is_time, strict=True) if one.start >= name.end and not timed]
    rest = [one for one in rest if one.end <= start + len(words)]
    small = lexicon.LINK_WORDS | lexicon.DETERMINERS | lexicon.PERSON_PRONOUNS | lexicon.INTERJECTIONS | _PARTICLES
    is_telling = any(one.kind == "word" and one.word not in small for one in rest)
    return [Span("topic", ask.text[rest[0].start : start + len(words)], rest[0].start)] if is_telling else []


def _without_lead(ask: Ask, start: int) -> Ask:
    """Return the ask without the words before a place, which say nothing of the activity: "remind me to"."""
    rest = ask
    for token, is_time in zip(ask.tokens, time_tokens(ask.tokens, ask.now), strict=True):
        if token.end <= start and not is_time and token in rest.loose:
            rest = rest.without(token.start, token.end)
    # A mark keeps "tomorrow at 3" and "call" apart: "3 calls" would be a number of them.
    text = f"{rest.text[: start - 1]},{rest.text[start:]}" if start > 0 and rest.text[start - 1] == " " else rest.text
    return Ask(replace(rest.segment, text=text), ask.now)


def _without_activity(name: str) -> str:
    """Return a name without the verb that the tagger took for a part of it: "email john"."""
    words = name.split()
    while len(words) > 1 and words[0].islower() and lexicon.activity_type_of(words[0]):
        words.pop(0)
    return " ".join(words)


@act("reminders")
def reminders(plan: Plan, ask: Ask) -> Answer:
    """List the user's reminders with their times."""
    items = items_from(plan, "stickynotes", "look up your reminders", action="list")
    lines = [_reminder_line(plan, one) for one in items]
    return Answer(listed("Your reminders:", lines, "You have no reminders."))


def _reminder_line(plan: Plan, item: Mapping[str, Any]) -> str:
    due = item.get("due_at")
    return f"{item['text']}" + (f" ({formats.format_instant(str(due), plan.now)})" if due else "")


@act("close_reminder")
def close_reminder(plan: Plan, ask: Ask) -> Answer:
    """Resolve a reminder, or snooze it when a time is named; one that is an activity is changed or completed."""
    planned, tags = plan.topic.changed_alone, {span.tag for span in ask.segment.spans}
    if planned is not None and planned.type == "activity" and tags <= {"ref", "when"}:
        act = "change_activity" if says(ask, "cancelling") or ask.times else "complete_activity"
        return ACTS[act](plan, Ask(replace(ask.segment, act=act), ask.now))
    one = only_match(plan, ask, items_from(plan, "stickynotes", "look up your reminders", action="list"), "reminder")
    if (time := _snoozed_until(plan, ask)) is not None:
        due = time.isoformat()
        plan.call("stickynotes", "move that reminder", action="snooze", note_id=one["id"], due_at=due)
        return Answer(f"I'll remind you again {formats.at_instant(due, plan.now)}: {one['text']}.")
    if ask.words & lexicon.word_set("personal_words", "snoozing"):
        raise plan.ask_slot(ask, "when", "Until when shall I snooze it?")
    plan.call("stickynotes", "close that reminder", action="resolve", note_id=one["id"])
    return Answer(f"The reminder “{one['text']}” is done.")


def _snoozed_until(plan: Plan, ask: Ask) -> datetime | None:
    """Return when a reminder comes back: at the time that is said, or after the length of time."""
    lengths = [length for _, _, length in ask.lengths]
    if lengths and not ask.times:
        later = lengths[0]
        is_short = later.is_short
        return (
            later.shift_instant(plan.now)
            if is_short
            else datetime.combine(later.shift(plan.now.date()), plan.now.timetz())
        )
    return ask.times[0].moment(plan.now) if ask.times else None
