"""Advise what to do next, do what was advised, and tell what was done last."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner import naming, policy, resolve
from aisha.adapters.llm.planner.acts.asks import as_names, says
from aisha.adapters.llm.planner.acts.profile.related import people_at
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, act
from aisha.adapters.llm.planner.replies.formats import format_age, format_instant, numbered
from aisha.adapters.llm.planner.resolve import ordinals_of
from aisha.adapters.llm.planner.state import Ref, Topic, restore
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.reader import Segment, read
from aisha.domain.wording import humanise, join_names

MAX_QUERY = 500
MAX_COMPARED = 5
"""Records of a list for each of which the first step is suggested."""
_URGENCY = {"urgent": 0, "high": 1, "normal": 2}
_TAKE_UP = "Say “do the first one” and I'll take care of it."
NOTHING_ADVISED = (
    "There is nothing waiting that I could do. Ask me “What should I do next?”, or tell me what you need, for example "
    "“Schedule a call with …” or “Draft an email to …”."
)
_DONE = "Done, I "
NOTHING_DONE = "I haven't changed anything in this conversation."
NO_CASES = "I found no similar case in what we have done so far. Ask me “What should I do next?” for advice instead."
# Words of a question about what to begin with: what is overdue comes first.
_FIRST = frozenset("first today morning now".split())
# Words of a question that looks for a record itself: "who should I ring first?".
_WHO = frozenset("who whom".split())
_CLOSED = frozenset(("closed_won", "closed_lost", "lost"))
_PLACE = re.compile(r"(?:the )?\d(?:st|nd|rd|th)(?: one)?", re.IGNORECASE)
_PHRASES: Mapping[str, str] = {
    "create_note": "add a note for {name}",
    "get_contact": "tell me about {name}",
    "complete_activity": "mark the activity “{name}” as done",
    "get_activity": "tell me about the activity “{name}”",
}


@act("next_steps")
def next_steps(plan: Plan, ask: Ask) -> Answer:
    """Suggest what to do next with a record, with some of a list, or in all of the user's work."""
    if several := resolve.several_of(plan, ask) if ask.texts("ref") else ():
        return _steps_for_each(plan, several[:MAX_COMPARED])
    record = _subject(plan, as_names(ask, "new", "org"))
    if record is not None and record.type == "account" and ask.words & _WHO and not ask.words & _FIRST:
        return people_at(plan, ask, record)  # "Whom should I speak to there?"
    arguments = record.entity if record else {}
    is_first = record is None and bool(ask.words & _FIRST) and plan.has("get_my_day")
    if is_first:
        plan.need_all([plan.planned("suggest_next_actions"), plan.planned("get_my_day")])
    is_planned = record is not None and "next" in ask.words and plan.has("list_activities")
    coming = {**arguments, "status": "scheduled", "limit": 1}
    if is_planned:
        calls = [plan.planned("suggest_next_actions", **arguments), plan.planned("list_activities", **coming)]
        plan.need_all(calls)
    value = plan.call("suggest_next_actions", "work out the next steps", **arguments)
    suggestions, name = value.get("suggestions") or [], record.name if record else ""
    if not suggestions:
        return Answer(
            f"Nothing presses for {name or 'your pipeline'} right now.", topic=Topic((record,) if record else ())
        )
    entities = [Ref(one["type"], one["id"], one["name"]) for one in (item.get("entity") for item in suggestions) if one]
    offers = tuple(_phrase(one) for one in suggestions)
    topic = Topic((record,) if record else tuple(dict.fromkeys(entities)), offers=offers)
    # No question: "what else?" must not be taken for a yes.
    notes = (value.get("similar_cases"), value.get("note"))
    text = format_advice(suggestions, name, "\n\n".join(str(one) for one in notes if one))
    if is_first:
        overdue = plan.call("get_my_day", "look for what is overdue").get("overdue") or []
        text = f"{format_overdue(overdue)}{text}"
    if is_planned and (planned := plan.call("list_activities", "look for what is planned", **coming)["items"]):
        text = f"{format_planned(planned[0], plan.now)}\n\n{text}"
    return Answer(f"{text}\n\n{_TAKE_UP}", topic=topic)


def _steps_for_each(plan: Plan, refs: Sequence[Ref]) -> Answer:
    """Suggest the first step with each of several records, the most urgent ones first."""
    outcomes = plan.need_all([plan.planned("suggest_next_actions", **ref.entity) for ref in refs])
    firsts = [one for outcome in outcomes for one in ((outcome.value or {}).get("suggestions") or [])[:1]]
    if not firsts:
        return Answer(f"Nothing presses for {join_names([ref.name for ref in refs])} right now.", topic=plan.topic)
    firsts.sort(key=lambda one: _URGENCY.get(str(one.get("priority")).lower(), len(_URGENCY)))
    topic = Topic(tuple(refs), plan.topic.search, offers=tuple(map(_phrase, firsts)))
    return Answer("\n\n".join((format_advice(firsts, ""), _TAKE_UP)), topic=topic)


def _subject(plan: Plan, ask: Ask) -> Ref | None:
    """Return the record to advise on: named or pointed at, else the one spoken of; None for all of the user's work."""
    listed = [ref for ref in plan.topic.refs if ref.type in KINDS]
    # "Whom should I ring first?" means no place in a list.
    points = ask.texts("ref") or plan.spoken or (ordinals_of(ask) and not ask.words & _WHO)
    if not (ask.first("name") or plan.bindings) and (says(ask, "overall") or (len(listed) > 1 and not points)):
        return None
    match = resolve.subject(plan, ask)
    if isinstance(match, naming.Unknown) and match.name.islower() and " " not in match.name:
        return None  # "An hour till standup, what's first?": one small word may be no name.
    return resolve.settled(plan, ask, match) if match is not None else None


def _phrase(item: Mapping[str, Any]) -> str:
    """Return the order that does a suggested step."""
    kind, name = (item.get("arguments") or {}).get("activity_type"), (item.get("entity") or {}).get("name", "")
    if item.get("tool") == "create_activity":
        return f"draft an email to {name}" if kind == "email" else f"schedule a {kind} with {name}"
    action = str(item["action"])
    phrase = str(_PHRASES.get(str(item.get("tool")), f"{action[0].lower()}{action[1:]}"))
    return phrase.replace("{name}", name)


@act("take_up")
def take_up(plan: Plan, ask: Ask) -> Answer:
    """Do what was advised or offered: the step at the place or of the kind that the ask names, else the first."""
    if (phrase := _chosen(plan, ask)) is not None:
        segment = read(phrase, [ref.name for ref in plan.topic.refs]).segments[0]
        # "Do the 1st" names a place, no day.
        whens = tuple(one for one in ask.segment.spans if one.tag == "when" and not _PLACE.fullmatch(one.text))
        segment = segment.amended(Segment(ask.text, segment.act, spans=whens))
        # The order is as sure as the words that took it up.
        segment = replace(segment, probability=min(segment.probability, ask.segment.probability))
    else:
        is_plan = bool(ask.activity_types) or "activity" in ask.kinds
        is_known = is_plan and resolve.pointed_at(plan, ask) is not None
        act = "send_email" if says(ask, "sending") and "email" in ask.activity_types else "create_activity"
        segment = replace(ask.segment, act=act if is_known else "")
    taken = Ask(segment, plan.now)
    if taken.act not in ACTS or taken.act == "take_up":
        return Answer(NOTHING_ADVISED, topic=plan.topic)
    return ACTS[taken.act](replace(plan, doubt=policy.doubt(taken)), taken)


def _chosen(plan: Plan, ask: Ask) -> str | None:
    """Return the offered phrase that the ask means; None when it names something that was not offered."""
    offers, places = plan.topic.offers, ordinals_of(ask)
    if places:
        return offers[places[0] - (places[0] > 0)] if places[0] <= len(offers) and offers else None
    kinds = {*ask.activity_types, *({"note"} & {*ask.kinds}), *(["send"] if says(ask, "sending") else [])}
    kinds |= {"schedule"} if "activity" in ask.kinds or says(ask, "follow_up") else set()
    return next((one for one in offers if not kinds or kinds & set(one.split())), None)


@act("last_action")
def last_action(plan: Plan, ask: Ask) -> Answer:
    """Tell the last change of the conversation."""
    answers = [message for message in reversed(plan.scene.history) if message.role == "assistant"]
    written = (plan.topic.written, *(restore((message,)).topic.written for message in answers))
    # What ran beside an order that waits for a yes is told by the gate alone.
    told = (line for message in answers for line in message.content.splitlines() if line.startswith(_DONE))
    done = (line.replace(_DONE, "You just ", 1) for line in told)
    return Answer(next(filter(None, (*written, *done)), NOTHING_DONE), topic=plan.topic)


@act("past_cases")
def past_cases(plan: Plan, ask: Ask) -> Answer:
    """Tell what was done in similar cases before, and how they ended."""
    if not _CLOSED.isdisjoint(ask.values) and (ask.texts("name") or ask.texts("org")):
        return ACTS["search"](plan, ask)  # "Did we ever lose a deal to Acme?"
    query = (ask.first("topic") or ask.text).strip(" ?.!")
    focus = next((ref for ref in plan.topic.refs[:1] if ref.type in KINDS and not ask.texts("topic")), None)
    if focus is not None:
        query = f"{focus.type} {focus.shown}: {query}"  # "Have we had a similar case?" is one like the record's.
    query = query[:MAX_QUERY]
    kind = next((one for one in ask.kinds if one in KINDS), focus.type if focus else None)
    items = plan.call("get_ai_memory", "look for similar cases", query=query, entity_type=kind)["items"]
    if focus is not None:  # What was done with the record itself is no case like it.
        own = f"About: {focus.type} {focus.name}"
        items = [one for one in items if own not in str(one["text"]).splitlines()]
    return Answer(format_cases(items, plan.now) if items else NO_CASES, topic=plan.topic)


def past_cases_asked(plan: Plan, ask: Ask) -> Answer | None:
    """Return the answer to what is asked about records that are like no one in particular: "similar deals"."""
    if ask.act not in ("history", "similar") or "similar" not in ask.words or ask.texts("name"):
        return None
    return None if ask.act == "similar" and plan.topic.refs else past_cases(plan, ask)


def format_advice(suggestions: Sequence[Mapping[str, Any]], name: str, note: str = "") -> str:
    """Format suggested steps as a numbered list with their reasons."""
    reasons = [str(one["reasoning"]).rstrip(".") for one in suggestions]
    pairs = zip(suggestions, reasons, strict=True)
    lines = [f"**{one['action']}** (**{one['priority']}**): {reason}." for one, reason in pairs]
    head = f"Here is what I'd do next{f' with **{name}**' if name else ''}:"
    return "\n\n".join([head, numbered(lines), *([note] if note else [])])


def format_cases(items: Sequence[Mapping[str, Any]], now: datetime) -> str:
    """Format earlier cases: what was done with whom, and how it ended."""
    lines = []
    for item in items:
        facts = dict(line.split(": ", 1) for line in str(item["text"]).splitlines() if ": " in line)
        about = facts.get("About", "").partition(" ")[2]
        done = (facts.get("Done") or facts.get("Situation") or str(item["text"])).rstrip(".")
        ended = humanise(str(facts.get("Outcome") or item.get("outcome") or ""))
        outcome = f" Outcome: {ended.rstrip('.')}." if ended else ""
        lines.append(f"{f'**{about}**: ' if about else ''}{done}.{outcome} ({format_age(str(item['when']), now)})")
    return f"This is what was done in similar cases:\n\n{numbered(lines)}"


def format_overdue(items: Sequence[Mapping[str, Any]]) -> str:
    """Tell what is overdue, before the advice; empty for nothing."""
    names = join_names([f"**{one['display_name']}**" for one in items])
    return f"Overdue, and first of all: {names}.\n\n" if items else ""


def format_planned(activity: Mapping[str, Any], now: datetime) -> str:
    """Tell what is planned next with a record, before the advice."""
    return f"Already planned: **{activity['display_name']}**, {format_instant(str(activity['due_at']), now)}."
