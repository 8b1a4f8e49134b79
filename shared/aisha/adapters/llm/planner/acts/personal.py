"""The user's reminders, memories and standing instructions, and the issues of a repository."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy, resolve
from aisha.adapters.llm.planner.acts.changing import opt_outs
from aisha.adapters.llm.planner.acts.planning import lengths_of, merged, type_of, with_text
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, act
from aisha.adapters.llm.planner.replies import formats
from aisha.adapters.llm.planner.resolve import is_near
from aisha.domain.dates.parsing import TimeSpan
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.marks import time_tokens
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import tokenize
from aisha.domain.wording import plural

_NAMES = frozenset(("name", "new", "org", "owner"))
MAX_TITLE = 200
"""Characters of an issue's title; the rest is its body."""
_NAME_LENGTHS = (2, 3)
"""Tokens of a verb and a name."""
_MAX_BARE = 2
"""Words of an activity without a name: "follow up"."""
NO_ISSUES = "No repository for issues is connected here, so I can't do that. An administrator can set one up."


@act("remind")
def remind(plan: Plan, ask: Ask) -> Answer:
    """Set a personal reminder; for an activity with a record that is known, schedule that instead."""
    words, time = _reminded(ask)
    if not words:
        raise plan.ask_slot(ask, "text", "What shall I remind you of?")
    if time is None and "note" in ask.kinds:
        return _put_up(with_text(plan, ask, words), words)
    if time is None:
        raise plan.ask_slot(ask, "when", "When shall I remind you?")
    if (activity := _activity(plan, ask, words)) is not None:
        doubt = policy.doubt_after(plan.doubt, ask, activity)
        return ACTS["create_activity"](replace(plan, doubt=doubt), activity)
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
    words = _wording(whole, "remind")
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


def _wording(ask: Ask, order: str) -> str:
    """Return the words after those of the order: "the rent" of "remind me tomorrow at 9 about the rent"."""
    is_time = dict(zip(ask.tokens, time_tokens(ask.tokens, ask.now), strict=True)) if order == "remind" else {}
    tokens = list(ask.tokens)
    lead, keys, ends = (lexicon.word_set("personal_words", key) for key in (order, "keys", "ends"))
    has_key, is_over = False, False
    while tokens and not is_over and (tokens[0].kind == "mark" or tokens[0].word in lead or is_time.get(tokens[0])):
        token = tokens.pop(0)
        has_key = has_key or token.word in keys
        # In "remind me to put up the sign" the text begins after "to", although "put up" may begin an order.
        is_over = has_key and token.word in ends
    while is_over and tokens and (tokens[0].kind == "mark" or is_time.get(tokens[0])):
        tokens.pop(0)
    while tokens and (tokens[-1].kind == "mark" or is_time.get(tokens[-1]) or tokens[-1].word in lexicon.INTERJECTIONS):
        tokens.pop()
    if not tokens:
        return ""
    text = ask.text[tokens[0].start : tokens[-1].end]
    return " ".join(text.split())


def _named_by_verb(words: str, start: int) -> list[Span]:
    """Return what follows the verb of an activity as a name: "call jack russel", in a text that begins at a place."""
    tokens = tokenize(words)
    is_named = len(tokens) in _NAME_LENGTHS and lexicon.activity_type_of(tokens[0].word)
    if not is_named or tokens[1].word in lexicon.PERSON | lexicon.THING | lexicon.SELF | lexicon.STATING:
        return []
    return [Span("name", words[tokens[1].start :], start + tokens[1].start)]


def _activity(plan: Plan, ask: Ask, words: str) -> Ask | None:
    """Return the order of an activity that a reminder is, or None: it names a known record, and what to do with it."""
    start = ask.text.find(words)
    inner = plan.read(words).segments[0] if start >= 0 else None
    kept = [span for span in ask.segment.spans if span.tag not in ("text", "topic", *_NAMES)]
    outer = [span for span in ask.segment.spans if span.tag in _NAMES]
    shifted = [replace(span, start=span.start + start) for span in (inner.spans if inner else ())]
    names = outer or [span for span in shifted if span.tag in _NAMES] or _named_by_verb(words, start)
    if not plan.has("create_activity"):
        return None
    if not names:
        # "Remind me to follow up": with whom the conversation is about.
        is_about = plan.topic.refs and (ask.words & lexicon.PERSON or len(words.split()) <= _MAX_BARE)
        bare = _with_slots(ask)
        if not is_about or type_of(bare) is None or resolve.pointed_at(plan, bare) is None:
            return None
        for token, is_time in zip(ask.tokens, time_tokens(ask.tokens, ask.now), strict=True):
            if token.end <= start and not is_time and token in bare.loose:
                bare = bare.without(token.start, token.end)
        return bare
    first = replace(names[0], text=_without_activity(names[0].text), tag="name")
    first = replace(first, start=names[0].end - len(first.text))
    topics = [span for span in shifted if span.tag == "topic" and span.start >= first.end]
    activity = ask.with_spans([*kept, first, *topics[:1]])
    found = resolve.subject(plan, activity)
    if found is None or isinstance(found, resolve.Unknown) or not first.text:
        return None
    is_sure = " " in first.text or bool(plan.bindings)
    if type_of(activity) is None:
        if not is_sure:
            return None
        activity = ask.with_spans([*kept, first, Span("topic", words, start)])
    for token, is_time in zip(ask.tokens, time_tokens(ask.tokens, ask.now), strict=True):
        # The words of the reminder say nothing of the activity.
        if token.end <= start and not is_time and token in activity.loose:
            activity = activity.without(token.start, token.end)
    return activity


def _without_activity(name: str) -> str:
    """Return a name without the verb that the tagger took for a part of it: "email john"."""
    said = name.split()
    while len(said) > 1 and said[0].islower() and lexicon.activity_type_of(said[0]):
        said.pop(0)
    return " ".join(said)


@act("reminders")
def reminders(plan: Plan, ask: Ask) -> Answer:
    items = _items(plan, "stickynotes", "look up your reminders", action="list")
    lines = [_reminder_line(plan, one) for one in items]
    return Answer(_listed("Your reminders:", lines, "You have no reminders."))


def _reminder_line(plan: Plan, item: Mapping[str, Any]) -> str:
    due = item.get("due_at")
    return f"{item['text']}" + (f" ({formats.format_instant(str(due), plan.now)})" if due else "")


@act("close_reminder")
def close_reminder(plan: Plan, ask: Ask) -> Answer:
    """Resolve a reminder, or snooze it when a time is named."""
    one = _only_match(plan, ask, _items(plan, "stickynotes", "look up your reminders", action="list"), "reminder")
    if isinstance(one, Answer):
        return one
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
    lengths = [length for _, _, length in lengths_of(ask)]
    if lengths and not ask.times:
        later = lengths[0]
        is_short = later.is_short
        return (
            later.shift_instant(plan.now)
            if is_short
            else datetime.combine(later.shift(plan.now.date()), plan.now.timetz())
        )
    return ask.times[0].moment(plan.now) if ask.times else None


@act("remember")
def remember(plan: Plan, ask: Ask) -> Answer:
    """Keep a fact that the user tells."""
    fact = _wording(ask, "remember")
    if not fact:
        raise plan.ask_slot(ask, "text", "What shall I remember?")
    person = resolve.pointed_at(plan, ask) if fact.split()[0].lower() in lexicon.PERSON and plan.topic.refs else None
    if person is not None and plan.has("create_note"):
        note = ask.with_spans([Span("text", fact, ask.text.find(fact))])
        return ACTS["create_note"](plan, Ask(replace(note.segment, act="create_note"), ask.now))
    plan = with_text(plan, ask, fact)
    value = plan.call("memory", "remember that", action="create", text=fact)
    return Answer(f"I'll remember: {fact}." if "receipt" in value else f"I remember that already: {fact}.")


@act("recall")
def recall(plan: Plan, ask: Ask) -> Answer:
    about = ask.first("topic") or ask.first("name") or ask.first("text")
    if about is None:
        items = _items(plan, "memory", "look that up", action="list")
        return Answer(
            _listed(
                "You asked me to remember:",
                [str(one["text"]) for one in items],
                "You haven't asked me to remember anything yet.",
            )
        )
    items = _items(plan, "memory", "look that up", action="search", query=about)
    nothing = f"You haven't asked me to remember anything about {about}."
    return Answer(_listed(f"About {about} you asked me to remember:", [str(one["text"]) for one in items], nothing))


@act("forget")
def forget(plan: Plan, ask: Ask) -> Answer:
    one = _only_match(plan, ask, _items(plan, "memory", "look that up", action="list"), "memory")
    if isinstance(one, Answer):
        return one
    plan.call("memory", "forget that", action="delete", memory_id=one["id"])
    return Answer(f"I've forgotten it: {one['text']}.")


@act("instruct")
def instruct(plan: Plan, ask: Ask) -> Answer:
    """Keep a wish on how to answer from now on."""
    if ask.first("name") and opt_outs(ask):
        return ACTS["update_record"](plan, ask)  # "Never email Jack Russel": the record can say that.
    text = _wording(ask, "instruct")
    if not text:
        raise plan.ask_slot(ask, "text", "What shall I do from now on?")
    plan, wish = with_text(plan, ask, text), text[:1].upper() + text[1:]
    plan.call("manage_prompt", "keep to that", action="add", text=wish)
    return Answer(f"From now on I'll keep to this: {wish}")


@act("instructions")
def instructions(plan: Plan, ask: Ask) -> Answer:
    items = _items(plan, "manage_prompt", "look them up", action="list")
    nothing = "You have given me no standing instructions. For example: “From now on keep your answers short”."
    return Answer(_listed("Your standing instructions:", [str(one["text"]) for one in items], nothing))


@act("drop_instruction")
def drop_instruction(plan: Plan, ask: Ask) -> Answer:
    one = _only_match(plan, ask, _items(plan, "manage_prompt", "look them up", action="list"), "standing instruction")
    if isinstance(one, Answer):
        return one
    plan.call("manage_prompt", "drop that instruction", action="delete", instruction_id=one["id"])
    return Answer(f"I've dropped the instruction “{one['text']}”.")


@act("issues")
def issues(plan: Plan, ask: Ask) -> Answer:
    if not plan.has("github_issue"):
        return Answer(NO_ISSUES)
    if (number := _issue_number(ask)) is not None:
        action = "list_comments" if "comment" in ask.stems else "view"
        value = plan.call("github_issue", "look up that issue", action=action, number=number)
        return Answer(_listed(f"Issue {number}:", _issue_lines(value), f"Issue {number} has no comments."))
    state = "closed" if "closed" in ask.words else "open"
    value = plan.call("github_issue", "look up the issues", action="list", state=state)
    return Answer(_listed(f"The {state} issues:", _issue_lines(value), f"There are no {state} issues."))


@act("issue_change")
def issue_change(plan: Plan, ask: Ask) -> Answer:
    """File, comment on or close an issue."""
    if not plan.has("github_issue"):
        return Answer(NO_ISSUES)
    text, number = ask.first("text") or ask.first("topic"), _issue_number(ask)
    if number is not None and (text is None or ask.words & {"close", "closed", "shut"}):
        plan.call("github_issue", "close that issue", action="close", number=number)
        return Answer(f"I've closed issue {number}.")
    if text is None:
        raise plan.ask_slot(ask, "text", "What is the issue? Describe it in a sentence.")
    if number is not None:
        plan.call("github_issue", "comment on that issue", action="comment", number=number, body=text)
        return Answer(f"I've commented on issue {number}.")
    first, _, rest = text.strip().partition("\n")
    title, body = (first[:1].upper() + first[1:MAX_TITLE], f"{first[MAX_TITLE:]}\n{rest}".strip() or None)
    value = plan.call("github_issue", "file that issue", action="create", title=title, body=body)
    return Answer(f"I've filed issue {value.get('number', '')}: {text}.")


def _issue_number(ask: Ask) -> int | None:
    return next((int(one.value) for one in ask.amounts if not one.is_money and one.value == int(one.value)), None)


def _issue_lines(value: Any) -> list[str]:
    """Return issues as `**#7 Export fails** (open, by ann): text`, comments as `ann: text`."""
    items = value.get("items") if isinstance(value, dict) else None
    entries = items if isinstance(items, list) else [value] if isinstance(value, dict) else []
    return [_issue_line(one) for one in entries]


def _issue_line(entry: Mapping[str, Any]) -> str:
    author, body = entry.get("author") or "somebody", entry.get("body") or ""
    if "number" not in entry:
        return f"{author}: {body}"
    head = f"**#{entry['number']} {entry.get('title', '')}** ({entry.get('state', 'open')}, by {author})"
    return f"{head}: {body}" if body else head


def _items(plan: Plan, tool: str, what: str, **arguments: Any) -> list[dict[str, Any]]:
    value = plan.call(tool, what, **arguments)
    return [one for one in value.get("items", ()) if isinstance(one, dict)] if isinstance(value, dict) else []


def _listed(head: str, lines: Sequence[str], nothing: str) -> str:
    numbered = "\n".join(f"{place}. {line}" for place, line in enumerate(lines, 1))
    return f"{head}\n\n{numbered}" if lines else nothing


def _only_match(plan: Plan, ask: Ask, items: Sequence[dict[str, Any]], kind: str) -> dict[str, Any] | Answer:
    """Return the one item that the ask's words fit best, or the answer that there is none or that there are several."""
    if not items:
        return Answer(f"You have no {plural(kind)}.")
    about = ask.first("text") or ask.first("topic") or ask.first("name") or " ".join(policy.unexplained(ask))
    if not about:
        return items[0] if len(items) == 1 else Answer(_which(kind, items))
    words = [token.word for token in tokenize(about) if len(token.word) > len("the")] or about.lower().split()
    scores = [
        sum(any(is_near(word, other) for other in str(one["text"]).lower().split()) for word in words) for one in items
    ]
    best = max(scores)
    top = [one for score, one in zip(scores, items, strict=True) if score == best]
    if best == 0:
        return Answer(f"I found no {kind} about {about}. {_which(kind, items)}")
    return top[0] if len(top) == 1 else Answer(_which(kind, top))


def _which(kind: str, items: Sequence[dict[str, Any]]) -> str:
    return _listed(f"Which {kind} do you mean? Say some of its words.", [str(one["text"]) for one in items], "")
