"""The act that schedules activities, for one record or several."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.offline.arguments import merge_times, search_filters, split_topic
from aisha.adapters.llm.offline.entity_resolution import PLURALS, Pending
from aisha.adapters.llm.offline.intent import Intent, activity_type_of
from aisha.adapters.llm.offline.plan import Answer, EarlyAnswer, Plan
from aisha.adapters.llm.offline.reading.disambiguation import KINDS
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.results import PlannedCall, items_of, ref_of
from aisha.adapters.llm.offline.state import Question, Ref, Topic

_PAIR = 2
_MAX_TARGETS = 50
_MAX_SINGLE_CALLS = 10
"""More activities than this go into one bulk call, which waits for the user's confirmation."""
_CONJUNCTION = pattern(
    r"(?:\s*,\s*| |\band\b|\bor\b|&|\bboth\b|\b(?:an)?other\b|\bone\b|\bfor\b|\bwith\b|\bthen\b|\babout\b|\balso\b)+"
)
"""Recognises the words between two people who are both meant."""
# "two calls with Ann": each needs a time of its own.
_SEVERAL_WITH_ONE = pattern(
    r"\b(?P<n>two|three|four|five|[2-9]) (?:calls|meetings|demos|emails|tasks) (?:with|for|to)\b"
)
_TASK_TEXT = pattern(r"\b(?:task|to-?do|reminder|remind me|forget)\b[^:]*?\bto (?P<what>(?:\S+ ){2,}\S.*)")
"""Recognises the action of a task, in at least three words."""
_TIME_SLOT = pattern(r"\b(?:book|block|reserve|find|get)\b.*\b(?:min(?:ute)?s?|hours?|slot|time)\b.*\bwith\b")
"""Recognises time reserved with a person, which is a meeting."""
_NAMES_TITLE = pattern(r"\b(?:titled|called|named|title)\b")
# "for 30 minutes", "lasting 2 hours", "a 45 min call".
_DURATION = pattern(
    r"\b(?:for|duration(?: of)?:?|lasting|takes?|of) (?P<n>\d{1,3})[\s-]*(?P<unit>min\w*|h(?:ou)?rs?|h)\b"
    r"|\b(?P<m>\d{1,3})[\s-]?(?P<u>min\w*|hour) (?:call|meeting|demo|session)\b"
)
_MINUTES_OF_HOUR = 60


def create_activity(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    clause, about = reading, None
    shorter, subject_text = split_topic(reading.text)
    if subject_text and len(shorter.split()) > 1:
        again = plan.read(shorter)
        if again.names or again.pronouns or not reading.names:
            clause, about = again, _without_times(plan.read(subject_text))
    targets = targets_of(plan, intent, clause)
    kind = (
        activity_type_of(clause)
        or activity_type_of(reading)
        or ("meeting" if _TIME_SLOT.search(reading.text) else "task")
    )
    if kind == "task" and about is None and (task_match := _TASK_TEXT.search(reading.text)):
        about = _without_times(plan.read(task_match["what"]))
    times = clause.times or reading.times
    if len(targets) == 1 and _SEVERAL_WITH_ONE.search(reading.text) and len(times) < _PAIR:
        question = (
            f"When should each of them take place? Tell me the times for {targets[0].name}; nothing is scheduled yet."
        )
        return Answer(question, topic=Topic(tuple(targets)))
    due = merge_times(times).moment(plan.now).isoformat() if times else None
    priority = next((value for value in ("urgent", "high", "low") if value in reading.values), None)
    follow = pattern(r"\bfollow[\s-]?up").search(reading.text)
    title = _quoted_title(reading)
    extra = {"duration_minutes": minutes} if (minutes := _duration_in_minutes(reading.text)) else {}
    calls = [
        PlannedCall(
            "create_activity", _activity(ref, kind, due, priority, reading.content or about, bool(follow)) | extra
        )
        for ref in targets
    ]
    if title:
        calls = [replace(call, arguments=call.arguments | {"title": title}) for call in calls]
    return schedule_calls(plan, calls, targets)


def errand(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    """Offer a task for an action that is impossible here."""
    subject = plan.require(plan.finder().subject(reading, intent.kind), reading.text, "Whom is that for?")
    task = reading.text.strip().rstrip(".!? ")
    return Answer(
        f'I can\'t do that from here. Shall I put up a task for **{subject.name}** instead: "{task}"?',
        Question("offer", f'create a task for {subject.name} titled "{task[:1].upper()}{task[1:]}"'),
        Topic((subject,)),
    )


def _quoted_title(reading: Reading) -> str | None:
    """Return the title in quotes: "a task titled 'Verify the address'"."""
    return reading.quoted[0] if reading.quoted and _NAMES_TITLE.search(reading.text) else None


def _duration_in_minutes(text: str) -> int | None:
    """Return the duration in minutes: "for 45 minutes", "a 30 min call"."""
    match = _DURATION.search(text)
    if match is None:
        return None
    number, unit = int(match["n"] or match["m"]), (match["unit"] or match["u"]).lower()
    return number * (_MINUTES_OF_HOUR if unit.startswith("h") else 1)


def targets_of(plan: Plan, intent: Intent, reading: Reading) -> Sequence[Ref]:
    """Return the records to act on: one, the first of a list named in the clause, or those listed before."""
    is_plural = (
        reading.top
        or "plural" in reading.pronouns.keys() - {"person"}
        or pattern(r"\b(?:each|every|all|both)\b").search(reading.text)
    )
    if (named_targets := named_records(plan, reading)) is not None:
        return named_targets
    if is_plural and intent.kind is None and not reading.names and (recent_targets := _recent_records(plan, reading)):
        return recent_targets
    if (
        intent.kind is not None
        and not reading.names
        and (is_plural or reading.values.keys() - {"scheduled", "high", "low", "urgent"})
    ):
        tool = f"search_{PLURALS[intent.kind]}"
        arguments = {
            name: value
            for name, value in search_filters(reading, plan.tools[tool], plan.now).items()
            if not name.endswith(("_after", "_before"))
        }
        is_all = reading.top is None and pattern(r"\b(?:each|every|all)\b").search(reading.text)
        if is_all:
            arguments["limit"] = _MAX_TARGETS
        items = items_of(plan.need(tool, **arguments))
        refs = [ref_of(item) for item in items[: reading.top or (_MAX_TARGETS if is_all else 10)]]
        if not refs:
            kind = phrasing.LABELS[intent.kind][1]
            raise EarlyAnswer(Answer(f"There are no {kind} matching that, so I scheduled nothing."))
        return refs
    return [plan.require(plan.finder().subject(reading, intent.kind), reading.text, "Who is it for?")]


def named_records(plan: Plan, reading: Reading) -> Sequence[Ref] | None:
    """Return each of the people named when there are two or more: "a call for John Doe and one for John Smith"."""
    named = [name for name in reading.names if name.strong and name.before not in ("from", "at", "of", "in")]
    between = [reading.text[one.end : two.start].lower() for one, two in pairwise(named)]
    if any(
        not text.strip() and one.capital != two.capital
        for text, (one, two) in zip(between, pairwise(named), strict=True)
    ):
        return None
    # Other words between two names make one of them something else: "call Ann instead of Bo".
    if len(named) < 2 or not all(_CONJUNCTION.fullmatch(text) for text in between):
        return None
    refs: list[Ref] = []
    searches: list[PlannedCall] = []
    for name in named:
        try:
            subject = plan.finder().subject(replace(reading, names=[name], pronouns={}))
        except Pending as pending:
            searches += pending.calls
            continue
        subject = plan.require(subject, reading.text, "Who is it for?")
        refs.append(subject)
    if searches:
        raise Pending(searches)
    return refs


def _recent_records(plan: Plan, reading: Reading) -> Sequence[Ref]:
    """Return the records of the last list, or for "both" the two mentioned last."""
    listed = [ref for ref in plan.topic.refs if ref.type in KINDS]
    both = pattern(r"\bboth\b").search(reading.text)
    if both and len(listed) != _PAIR:
        recent = [entity for entity in plan.scene.entities if entity.type in KINDS][:_PAIR]
        return [Ref(entity.type, entity.id, entity.name) for entity in recent]
    return listed[: reading.top or 10]


def schedule_calls(plan: Plan, calls: Sequence[PlannedCall], targets: Sequence[Ref]) -> Answer:
    """Make the calls that schedule activities and format what was scheduled."""
    if len(calls) > _MAX_SINGLE_CALLS:
        items = [call.arguments for call in calls]
        outcome = plan.call("bulk_create_activities", "schedule them all", items=items)
        return Answer(f"Done: I've created {len(calls)} activities.", topic=Topic(tuple(targets)))
    outcomes = plan.need_all(calls)
    lines, refs = [], []
    for call, outcome, ref in zip(calls, outcomes, targets, strict=True):
        if outcome.error:
            return plan.failure(outcome, call, f"schedule the {call.arguments['activity_type']} with {ref.name}")
        record = outcome.value.get("record", outcome.value)
        when = phrasing.format_instant(str(record.get("due_at")), plan.now) if record.get("due_at") else "no date"
        lines.append(f"**{record.get('title')}** ({record.get('activity_type')}), {when}")
        refs.append(ref_of(record))
    if len(lines) == 1:
        name = targets[0].name
        text = f"Done: I've scheduled {lines[0]}" + (f" with {name}." if name not in lines[0] else ".")
    else:
        text = f"Done: I've created {len(lines)} activities:\n\n" + "\n".join(
            f"{place}. {line}" for place, line in enumerate(lines, 1)
        )
    written = "You just scheduled " + phrasing.join_names(lines) + "."
    return Answer(text, topic=Topic(tuple(targets), written=written))


def _activity(
    ref: Ref, kind: str, due: str | None, priority: str | None, about: str | None, follow_up: bool
) -> dict[str, Any]:
    label = {"call": "Call", "email": "Email", "meeting": "Meeting", "demo": "Demo", "task": "Task"}[kind]
    if follow_up:
        label = f"Follow-up {kind}" if kind in ("call", "email", "meeting", "demo") else "Follow up"
    joint = "to" if kind == "email" else "with"
    title = f"{label} {joint} {ref.name}" + (f": {about}" if about else "")
    arguments = {"entity_type": ref.type, "entity_id": ref.id, "title": title[:200], "activity_type": kind}
    return arguments | ({"due_date": due} if due else {}) | ({"priority": priority} if priority else {})


def _without_times(reading: Reading) -> str:
    text = reading.text
    for span in sorted(reading.times, key=lambda span: -span.start):
        text = text[: span.start] + text[span.end :]
    return re.sub(r"[\s,]+(?:due|by|on|at|for)$", "", " ".join(text.split()).strip(" ,.")).strip(" ,.")
