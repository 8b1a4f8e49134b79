"""Choose the open activities that an ask means."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner import naming, policy, resolve
from aisha.adapters.llm.planner.acts.activities.times import Spans
from aisha.adapters.llm.planner.acts.asks import as_names, plan_words, quoted_title, says
from aisha.adapters.llm.planner.plan import Answer, EarlyAnswer, Pending, Plan
from aisha.adapters.llm.planner.replies import formats, profiles
from aisha.adapters.llm.planner.results import PlannedCall, items_of, ref_of
from aisha.adapters.llm.planner.state import Question, Ref, Topic
from aisha.domain.dates.parsing import TimeSpan
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS, PLURALS
from aisha.domain.language.tokens import tokenize

MAX_PAGE = 50
MAX_CHECKED = 15
"""Records whose activities are looked up in a round, and activities changed at once."""
Record = dict[str, Any]


def is_turned(ask: Ask) -> bool:
    """Return whether the type that it names is the new one: "make it a demo"."""
    return ask.act == "change_activity" and says(ask, "turning") and not (ask.first("name") or ask.first("when"))


def types_meant(ask: Ask) -> list[str]:
    """Return the types named: not the "call" of "call it off", nor one that is given up ("a demo, not a call")."""
    types = []
    for place, token in enumerate(ask.outside):
        kind = lexicon.activity_type_of(token.word) or lexicon.activity_type_of(token.stem)
        before = {one.word for one in ask.outside[max(0, place - 2) : place]}
        is_verb = kind == "call" and {one.word for one in ask.outside[place + 1 : place + 3]} & {"off", "it"}
        types += [kind] if kind and not is_verb and not before & plan_words("given_up") else []
    return types


def due_at(plan: Plan, record: Record) -> datetime:
    """Return when an activity is due, in the user's zone; now for one without a time."""
    return datetime.fromisoformat(record["due_at"]).astimezone(plan.now.tzinfo) if record.get("due_at") else plan.now


def activities_meant(plan: Plan, ask: Ask, times: Spans, question: str) -> list[Record]:
    """Return the open activities that an ask means. Raises `EarlyAnswer` with a question when that isn't clear."""
    if (bound := plan.bindings.get("")) is not None and bound.type == "activity":
        return read_activities(plan, [bound])
    ask = ask if says(ask, "naming") else as_names(ask, "new")
    is_new = any(plan.results.created(ref.id) for ref in plan.topic.refs)
    is_named = bool(ask.first("name") or ask.first("org") or (plan.spoken and not is_new))
    if not is_named and (records := _of_conversation(plan, ask, times)):
        return records
    items = _of_names(plan, ask) if is_named else _of_user(plan, ask, times)
    topic = quoted_title(ask) or ask.first("topic") or ""
    if not (is_named or times or topic or ask.activity_types) and ask.texts("ref"):
        plan.doubt = plan.doubt or "you did not say which activity"  # "It" is what was spoken of, and that is none.
    fitting = _fitting(plan, ask, items, times, topic)
    if not fitting and is_named:
        fitting = _fitting(plan, ask, items, times) or _fitting(plan, ask, items, ())
    if not fitting and not is_named:
        is_described = times or topic or ask.activity_types
        raise plan.ask_who(ask, f"I found nothing open like that. {question}" if is_described else question)
    due = [one for one in fitting if due_at(plan, one).date() <= plan.now.date()]
    if ask.act == "complete_activity" and len(due) == 1 and not ask.is_plural:
        return due
    if len(fitting) == 1 or (ask.is_plural and 0 < len(fitting) <= MAX_CHECKED):
        return fitting
    candidates = (fitting or items)[:10]
    refs = tuple(map(ref_of, candidates))
    refs = tuple(
        replace(
            ref, about=", ".join(filter(None, (ref.about, formats.format_instant(str(one.get("due_at")), plan.now))))
        )
        for ref, one in zip(refs, candidates, strict=True)
    )
    head = question if fitting else f"That isn't planned; this is. {question}"
    text = f"{head}\n\n{profiles.format_numbered(candidates, plan.now)}"
    raise EarlyAnswer(Answer(text, Question("which", ask.segment, "", refs), Topic(refs, plan.topic.search)))


def _of_conversation(plan: Plan, ask: Ask, times: Spans) -> list[Record]:
    """Return the activities of the last list, or the one last written, that an ask without a name points at."""
    listed, search = [ref for ref in plan.topic.refs if ref.type == "activity"], plan.topic.search
    if not listed and ask.activity_types and not times:
        listed = [ref for ref in plan.topic.changed if ref.type == "activity"]  # "The demo" is the one just planned.
    if says(ask, "rest") and search is not None and search.tool == "list_activities":
        ids = {ref.id for ref in listed}
        others = [one for one in items_of(plan.need(search.tool, **search.arguments)) if one["id"] not in ids]
        return others if len(others) == 1 or ask.is_plural else []
    if len(listed) > 1 and ask.is_plural and ask.act == "complete_activity" and ask.texts("ref"):
        return read_activities(plan, listed[: ask.count or MAX_CHECKED])  # A time tells when they were done.
    if times or ask.first("topic") or quoted_title(ask) or not listed:
        return []
    if len(listed) > 1 and (ask.is_plural or ask.count):
        return read_activities(plan, listed[: ask.count or MAX_CHECKED])
    if len(listed) == 1 or plan.topic.written:
        return _fitting(plan, ask, read_activities(plan, listed[:1]), ())
    # "Push the call to 2 pm": the only call of those listed.
    fitting = _fitting(plan, ask, read_activities(plan, listed[:MAX_CHECKED]), ()) if ask.activity_types else []
    return fitting if len(fitting) == 1 else []


def read_activities(plan: Plan, refs: Sequence[Ref]) -> list[Record]:
    """Return activities as this turn created them, else read by id in one round."""
    created = [record for ref in refs if (record := plan.results.created(ref.id))]
    if created:
        return created
    outcomes = plan.need_all([plan.planned("get_activity", activity_id=ref.id) for ref in refs])
    return [outcome.value for outcome in outcomes if isinstance(outcome.value, dict)]


def activities_of(plan: Plan, ref: Ref, status: str = "scheduled") -> PlannedCall:
    """Return the call that lists the activities of a record, the open ones by default."""
    return plan.planned("list_activities", **ref.entity, status=status, limit=MAX_PAGE)


def _status_meant(ask: Ask) -> str:
    """Return the status of the activities that an ask means: only what is deleted may be over."""
    is_over = ask.act == "delete" and "completed" in {*ask.values, *ask.texts("value")}
    return "completed" if is_over else "scheduled"


def _of_names(plan: Plan, ask: Ask) -> list[Record]:
    """Return the open activities with the record named, else with its people, else with the name in their titles.

    All searches go out in one round, since a turn has three.
    """
    status = _status_meant(ask)
    name = (ask.texts("name") or ask.texts("org") or plan.spoken[-1:])[0]
    titled = plan.planned("list_activities", name_contains=name, status=status, limit=MAX_PAGE)
    tools = [tool for kind in KINDS if plan.has(tool := f"search_{PLURALS[kind]}")]
    searches = [plan.planned(tool, name_contains=name) for tool in tools]
    try:
        match = resolve.subject(plan, ask)
    except Pending as pending:
        raise Pending([*pending.calls, *searches, titled]) from None
    candidates = match.candidates if isinstance(match, naming.Ambiguous) else (match,)
    refs = [ref for ref in candidates if isinstance(ref, Ref)][:MAX_CHECKED]
    hits = [ref_of(item) for call in searches for item in items_of(plan.results.of(call))]
    people = [ref for ref in hits if ref not in refs and naming.all_near(name, f"{ref.name} {ref.about}")]
    people = people[: MAX_CHECKED - len(refs)]
    by_title, *outcomes = plan.need_all([titled, *(activities_of(plan, ref, status) for ref in (*refs, *people))])
    for group in (outcomes[: len(refs)], outcomes[len(refs) :], [by_title]):
        if items := [item for outcome in group for item in items_of(outcome)]:
            return items
    if not refs:
        resolve.settled(plan, ask, match or naming.Unknown(name, None))
    raise plan.refuse(f"Nothing is planned with **{refs[0].name}** at the moment.")


def _of_user(plan: Plan, ask: Ask, times: Spans) -> list[Record]:
    """Return the open activities with the record of the conversation, else the user's own."""
    status, refs = _status_meant(ask), [ref for ref in plan.topic.refs if ref.type in KINDS][:1]
    own = plan.planned("list_activities", owner="me", status=status, limit=MAX_PAGE)
    mine, *about = plan.need_all([own, *(activities_of(plan, ref, status) for ref in refs)])
    topic = quoted_title(ask) or ask.first("topic") or ""
    return _fitting(plan, ask, [item for one in about for item in items_of(one)], times, topic) or items_of(mine)


def _fitting(plan: Plan, ask: Ask, items: Sequence[Record], times: Spans, topic: str = "") -> list[Record]:
    """Return the activities of the type, at the times and on the topic; of those, the ones with most of its words."""
    kinds = [] if is_turned(ask) else [kind for kind in types_meant(ask) if kind != "task"]
    fitting = [item for item in items if not kinds or item.get("activity_type") in kinds]
    fitting = [item for item in fitting if "overdue" not in ask.words or due_at(plan, item) < plan.now]
    fitting = [item for item in fitting if all(_is_at(due_at(plan, item), span) for span in times)]
    fitting = [item for item in fitting if not topic or _stems(topic) & _stems(item["display_name"])]
    words = _stems(" ".join((topic, *policy.unexplained(ask))))
    around = _stems(plan.scene.user_text) - _stems(ask.text)
    for stems in (words, around):  # "The price list has gone out. Mark that as done."
        scores = [len(stems & _stems(item["display_name"])) for item in fitting]
        fitting = [item for item, score in zip(fitting, scores, strict=True) if score == max(scores)]
    return fitting


def _stems(text: str) -> set[str]:
    return {token.stem for token in tokenize(text) if len(token.word) > 3}


def _is_at(due: datetime, span: TimeSpan) -> bool:
    is_day = not span.first or not span.last or span.first <= due.date() <= span.last
    return is_day and (span.clock is None or span.part is not None or due.time() == span.clock)
