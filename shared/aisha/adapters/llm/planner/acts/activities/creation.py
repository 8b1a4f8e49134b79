"""Plan activities, for one record or several."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from itertools import pairwise, takewhile

from msgspec.structs import replace

from aisha.adapters.llm.planner import naming, policy
from aisha.adapters.llm.planner.acts.activities.logs import TITLES, is_over, log, type_logged
from aisha.adapters.llm.planner.acts.activities.meetings import plan_meeting
from aisha.adapters.llm.planner.acts.activities.selection import Record
from aisha.adapters.llm.planner.acts.activities.targets import priority_said, targets_of
from aisha.adapters.llm.planner.acts.activities.times import due_times, minutes_said, times_of, type_of
from aisha.adapters.llm.planner.acts.asks import (
    as_names,
    is_given_to,
    parted_title,
    plan_words,
    says,
    with_described,
    word_before,
    writing_words,
)
from aisha.adapters.llm.planner.acts.execution import write_all
from aisha.adapters.llm.planner.acts.search.fetching import owns_records
from aisha.adapters.llm.planner.plan import Answer, Plan, act, at_once
from aisha.adapters.llm.planner.replies import activities, formats
from aisha.adapters.llm.planner.results import ref_of
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token, tokenize
from aisha.domain.wording import join_names

MAX_TITLE = 200
_PLAIN_ADJECTIVES = frozenset("quick brief little new phone video short free".split())
_BEFORE_DOERS = frozenset(("have", "let", "for"))
_TITLES = TITLES | {"task": "Follow up with"}


@act("create_activity")
def create_activity(plan: Plan, ask: Ask) -> Answer:
    """Schedule an activity for each record that the ask names or describes."""
    whole, (title, ask) = ask, parted_title(ask)
    plan = replace(plan, doubt=policy.doubt_after(plan.doubt, whole, ask))
    if (kind := type_logged(ask)) and is_over(plan, ask):
        return log(plan, ask, kind, title)
    if plan.topic.written and not plan.bindings and _is_planned_already(plan, ask):
        raise plan.ask_slot(ask, "when", "That one is planned already. When should the next one be?")
    if type_of(ask) == "meeting":
        ask = _with_listed_names(ask)
    if type_of(ask) == "meeting" and ask.texts("email"):
        return plan_meeting(plan, ask, title)
    ask, spoken = as_names(with_described(plan, ask), "new", "org"), plan.spoken
    ask = _with_named_target(plan, ask)
    # "A task for Bob to call Acme": he has it to do. Else whom the tagger takes for a colleague is whom it is about.
    doers = [one for one in ask.segment.spans if one.tag == "owner" and word_before(ask, one) in _BEFORE_DOERS]
    is_handed = bool(doers or ask.words & writing_words("handing"))  # "Have Bob call her."
    is_named = plan.spoken != spoken
    ask = as_names(ask, "owner") if not is_named and not (is_handed and _is_for_colleague(plan, ask)) else ask
    ask, colleagues = _without_colleagues(plan, ask)
    targets, skipped = targets_of(plan, ask)
    parts = _parts(ask) if len(ask.texts("name")) == len(targets) else [ask] * len(targets)
    types = [type_of(part) or type_of(ask) or _type_of_last(plan, ask) or "task" for part in parts]
    if _is_one_meeting(plan, ask, targets, types):
        return plan_meeting(plan, ask, title)
    dues = due_times(plan, ask, parts, types, join_names([f"**{ref.name}**" for ref in targets]))
    drafts = [_draft(plan, *one, title) for one in zip(targets, parts, types, dues, strict=True)]
    owner = next((one.text.lower() for one in ask.segment.spans if one.tag == "owner" and is_given_to(ask, one)), None)
    if not ask.first("name") and len(drafts) > 1:
        drafts = [{name: value for name, value in one.items() if name != "location"} for one in drafts]
    if len(drafts) == 1 or owner:
        values = write_all(plan, [plan.planned("create_activity", **one, owner=owner) for one in drafts], "plan that")
    else:
        values = plan.call("bulk_create_activities", "plan these activities", items=drafts)["items"]
    records = [value["record"] for value in values]
    left = _left_out(plan, ask) if ask.first("name") else []
    note = f"I don't know where {formats.quote_all(left)} belongs, so I left it out." if left else ""
    beside = " ".join(filter(None, (skipped, note, activities.no_guests(colleagues))))
    gap = "\n\n" if len(records) > 1 else " "
    text = activities.planned(records, plan.now, "I've", owner or "") + (gap + beside if beside else "")
    written = activities.planned(records, plan.now, "You just")
    return Answer(text, topic=Topic((*targets, *map(ref_of, records)), plan.topic.search, written=written))


def _is_planned_already(plan: Plan, ask: Ask) -> bool:
    """Return whether an ask says no more than the one before it: "another one the week after", which is not read."""
    asked = plan.topic.asked
    if asked is None or asked.act != ask.act or not asked.spans or says(ask, "rest"):
        return False
    last = Ask(asked, plan.now)
    texts = [[one.texts(tag) for tag in ("name", "new", "org", "text", "topic")] for one in (last, ask)]
    times = [[replace(span, start=0, end=0) for span in one.times] for one in (last, ask)]
    return texts[0] == texts[1] and times[0] == times[1] and type_of(last) == type_of(ask)


def _type_of_last(plan: Plan, ask: Ask) -> str | None:
    """Return the type of the activity spoken of last where an ask is for another such one: "book one for Friday"."""
    if "one" not in ask.words and ask.words & lexicon.ORDER_VERBS:
        return None  # "Lars at 9, Ingrid at 10" goes on with the calls.
    asked = Ask(plan.topic.asked, plan.now).activity_types if plan.topic.asked else ()
    last = next((ref for ref in (*plan.topic.refs, *plan.topic.changed) if ref.type == "activity"), None)
    return asked[0] if len(asked) == 1 else str(plan.record(last)["activity_type"]) if last else None


def _with_listed_names(ask: Ask) -> Ask:
    """Return an ask with a colleague after a list of names as one of them: "with Ann, Bo and Carl"."""
    spans, last = list[Span](), None
    for span in ask.segment.spans:
        between = {one.text for one in tokenize(ask.text[last.end : span.start])} if last else {""}
        is_listed = span.tag == "owner" and between <= plan_words("joints")
        spans.append(replace(span, tag="name") if is_listed else span)
        last = span if spans[-1].tag in ("name", "email") else None
    return ask.with_spans(spans)


def _is_for_colleague(plan: Plan, ask: Ask) -> bool:
    """Return whether whom an order gives something to is a colleague: Ingrid, a lead, is not in "give Ingrid a task".

    Raises `Pending` while the name is looked for.
    """
    name = ask.first("owner") or plan.user
    if ask.first("name") or ask.texts("ref") or name.lower() in {plan.user, *lexicon.SELF_WORDS}:
        return True
    match, is_owner = at_once((partial(naming.by_name, plan, name), partial(owns_records, plan, name.lower())))
    return bool(is_owner) or isinstance(match, naming.Unknown)


def _without_colleagues(plan: Plan, ask: Ask) -> tuple[Ask, list[str]]:
    """Return an ask for a meeting without the colleagues among those named, whom no record is about; and their names.

    Raises `Pending` while the names are looked for.
    """
    spans = [span for span in ask.segment.spans if span.tag == "name"]
    words = [span for span in spans if " " not in span.text]
    if type_of(ask) != "meeting" or not words or not plan.has("get_pipeline_summary"):
        return ask, []
    # All names in one round, since a turn has three.
    checks: list[Callable[[], object]] = [partial(naming.by_name, plan, one.text) for one in words]
    checks += [partial(owns_records, plan, one.text.lower()) for one in words]
    checks += [partial(naming.by_name, plan, one.text) for one in spans if one not in words]
    matches = at_once(checks)
    pairs = zip(words, matches, matches[len(words) :], strict=False)
    colleagues = [one for one, match, is_owner in pairs if isinstance(match, naming.Unknown) and is_owner]
    names = [one.text for one in colleagues]
    if spans == colleagues:
        raise plan.refuse(activities.no_guests(names))
    return ask.with_spans(one for one in ask.segment.spans if one not in colleagues), names


def _is_one_meeting(plan: Plan, ask: Ask, targets: Sequence[Ref], types: Sequence[str]) -> bool:
    """Return whether an ask is for one meeting with several people by name, and not for one with each of them."""
    people = {"lead", "contact"}
    is_joint = len(targets) == len(ask.texts("name")) > 1 and all(ref.type in people for ref in targets)
    is_single = len(times_of(ask)) <= 1 and not says(ask, "each") and not ask.first("owner")
    return {*types} == {"meeting"} and is_joint and is_single and plan.has("schedule_meeting")


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
        cuts.append(max((token.start for token in between if token.word in plan_words("joints")), default=name.start))
    for first, last in pairwise((*cuts, len(ask.text))):
        spans = [Span(one.tag, one.text, one.start - first) for one in ask.segment.spans if first <= one.start < last]
        parts.append(Ask(replace(ask.segment, text=ask.text[first:last], spans=tuple(spans)), ask.now))
    return [part if {one.tag for one in part.segment.spans} - {"name", "org", "ref"} else parts[-1] for part in parts]


def _draft(plan: Plan, ref: Ref, ask: Ask, kind: str, due: datetime | None, given_title: str) -> Record:
    """Return the arguments that create the activity for a record."""
    topic = (ask.first("topic") or ask.first("text") or "").strip(" .,;:").removeprefix("to ")
    label = f"{_described(ask, kind) or _TITLES[kind]} {ref.name}"
    if says(ask, "follow_up") and kind != "task":
        label = f"Follow-up {label[0].lower()}{label[1:]}"
    title = label
    if topic:
        title = f"{topic[0].upper()}{topic[1:]}" if kind == "task" else f"{label}: {topic}"
    draft = {
        **ref.entity,
        "activity_type": kind,
        "title": (given_title or ask.first("new") or title)[:MAX_TITLE],
        "due_date": due.isoformat() if due else None,
        "duration_minutes": minutes_said(ask),
        "priority": priority_said(plan, ask),
        "location": _place(ask),
        "body": topic if len(title) > MAX_TITLE else None,
    }
    return {name: value for name, value in draft.items() if value is not None}


def _described(ask: Ask, kind: str) -> str:
    """Return the words before the noun of an activity that say what it is: "contract walkthrough meeting with"."""
    at = next((at for at, one in enumerate(ask.tokens) if lexicon.activity_type_of(one.word) == kind), 0)
    words = [*takewhile(lambda one: one in ask.loose and _may_tell(one), reversed(ask.tokens[:at]))]
    plain = lexicon.order_words() | _PLAIN_ADJECTIVES
    is_telling = len(words) > 1 or not all(one.word in plain or lexicon.values_in(one.word) for one in words)
    before = ask.tokens[at - len(words) - 1] if at > len(words) else None
    is_counted = before is not None and before.kind == "number"  # "a 30 minute call"
    if not (words and is_telling) or is_counted or says(ask, "follow_up"):
        return ""
    text = ask.text[words[-1].start : ask.tokens[at].end]
    return f"{text[0].upper()}{text[1:]} with"


def _may_tell(token: Token) -> bool:
    is_small = token.word in lexicon.DETERMINERS | lexicon.LINK_WORDS | lexicon.ORDER_VERBS | lexicon.INTERJECTIONS
    return token.kind == "word" and not (is_small or lexicon.number_in(token.word))


def _place(ask: Ask) -> str | None:
    """Return the value after "at" or "in" that is none of the enumerated: a location."""
    for span in ask.segment.spans:
        before = {token.word for token in tokenize(ask.text[: span.start])[-2:]}
        if span.tag == "value" and before & plan_words("places") and not lexicon.values_in(span.text):
            return span.text
    return None


def _left_out(plan: Plan, ask: Ask) -> list[str]:
    used, topics = {priority_said(plan, ask), _place(ask)}, ask.texts("topic") + ask.texts("text")
    return [
        text
        for text in ask.texts("value")
        if not used & {text, *lexicon.values_in(text)}
        and not text[0].isdecimal()
        and not any(text in topic for topic in topics)
    ]
