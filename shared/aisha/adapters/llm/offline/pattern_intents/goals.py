"""Goals: the list, how far one is, and where it stands now."""

import re
from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.entity_resolution import ordinal_in
from aisha.adapters.llm.offline.pattern_intents.calls import called
from aisha.adapters.llm.offline.personal.shared import meant
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.state import Ref, Topic

_GOAL = r"(?:goal|objective|okr)"
_NAMED = rf"(?:(?:the|my|our)\s+)?{_GOAL}\s+(?:(?:called|named)\s+)?[\"“']?(?P<name>[^\"”]+?)[\"”']?"
_PERCENT = r"(?P<percent>\d{1,3})\s*(?:%|per\s?cent)?"
_PROGRESS = re.compile(
    rf"(?:[a-z]+\s+)(?:the\s+)?(?:progress\s+(?:of|on|for)\s+)?{_NAMED}\s+(?:progress\s+)?to\s+{_PERCENT}[.!\s]*"
    rf"|{_NAMED.replace('name', 'other')}\s+(?:is|stands)\s+(?:now\s+)?at\s+{_PERCENT.replace('percent', 'rate')}[.!\s]*",
    re.IGNORECASE,
)
_RESULT = re.compile(
    rf"(?:set|put|update|change|bring|move|raise)\s+(?:the\s+)?(?:key\s+result\s+)?[\"“']?(?P<result>(?!progress\b|status\b)[^\"”]+?)[\"”']?"
    rf"\s+(?:of|in|for|on)\s+{_NAMED}\s+to\s+(?P<current>\d+(?:\.\d+)?)[.!\s]*",
    re.IGNORECASE,
)
_STATUS = re.compile(
    rf"(?:mark|set|close|put|make|update|change|move)\s+(?:the\s+)?(?:status\s+of\s+)?{_NAMED}\s+(?:as|to)\s+(?P<status>[a-z]+(?:[\s_-]+[a-z]+)?)[.!\s]*",
    re.IGNORECASE,
)
_STATUSES = {
    "done": "done", "reached": "done", "achieved": "done", "completed": "done", "complete": "done", "finished": "done",
    "open": "open", "in progress": "in_progress", "started": "in_progress", "rejected": "rejected", "dropped": "rejected",
}  # fmt: skip
_EVALUATE = re.compile(
    rf"(?:how\s+(?:far|much|close|is|are|does|do)|where\s+(?:do|are|does|is)|what(?:'s|\s+is)?|evaluate|check|assess|are\s+we)\b[^:]*?\b{_NAMED}[?.!\s]*",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"(?:how|show|list|what|which|where|see|display|give|tell|are|am|do|any|did)\b[^:]*\b(?:goals|objectives|okrs|targets|quota|key\s+results|kpis)\b[^:]*",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(r"\b(?:scan|page|documents?|playbook|notes?|set|write)\b", re.IGNORECASE)


_ON_TRACK = re.compile(
    r"(?:so\s+)?(?:are\s+we|am\s+i|is\s+the\s+team)\s+(?:still\s+)?(?:on\s+(?:track|target|course|schedule)|ahead|behind|doing\s+well)\s+(?:with|for|to|on|of|in)\s+(?:the\s+|our\s+|my\s+)?(?P<what>[^:?]+?)(?:\s+goal)?[?.!\s]*",
    re.IGNORECASE,
)
_TO_NUMBER = re.compile(
    r"(?:.*[,;.]\s*)?(?:please\s+)?(?:update|set|bring|put|move|raise|bump)\s+(?:the\s+|our\s+|my\s+)?(?P<what>(?!goal\b)[^:,]+?)\s+goal\s+to\s+(?P<n>\d+(?:\.\d+)?)\s*(?P<percent>%|per\s?cent)?[.!\s]*",
    re.IGNORECASE,
)


def goal_by_words(plan: Plan, text: str) -> Answer | None:
    """ "Are we on track with recurring revenue?", "update the six customers goal to 4": a goal by some words of its title."""
    match = _ON_TRACK.fullmatch(text) or _TO_NUMBER.fullmatch(text)
    if match is None or "get_goals" not in plan.tools:
        return None
    value = plan.need("get_goals").value
    goals = value.get("items", ()) if isinstance(value, Mapping) else ()
    found = meant(match["what"], [{**goal, "text": goal["title"]} for goal in goals])
    if len(found) != 1:
        return None
    ref = Ref("goal", str(found[0]["id"]), str(found[0]["title"]))
    if match.re is _ON_TRACK:
        return called(plan, "evaluate_goal", "evaluate that goal", _evaluated, refs=(ref,), goal_id=ref.id)
    return _standing(plan, ref, float(match["n"]), bool(match["percent"]), text)


def update_goal(plan: Plan, text: str) -> Answer | None:
    """ "Set progress of the goal X to 60%", "mark the goal X as done"."""
    if match := _PROGRESS.fullmatch(text):
        title, percent = match["name"] or match["other"], int(match["percent"] or match["rate"])
        return _changed(plan, title, progress=percent)
    if match := _RESULT.fullmatch(text):
        return _changed(
            plan, match["name"], key_results=[{"title": match["result"], "current": float(match["current"])}]
        )
    match = _STATUS.fullmatch(text)
    status = _STATUSES.get(re.sub(r"[\s_-]+", " ", match["status"].lower())) if match else None
    return _changed(plan, match["name"], status=status) if match and status else None


def evaluate_goal(plan: Plan, text: str) -> Answer | None:
    """ "How far is the goal X", "where do we stand with the objective X"."""
    match = _EVALUATE.fullmatch(text)
    if match is None or _ELSEWHERE.search(text[: match.start("name")]):
        return None
    return called(plan, "evaluate_goal", "evaluate that goal", _evaluated, goal_id=match["name"].strip())


def goal_of_the_list(plan: Plan, text: str) -> Answer | None:
    """ "How far along is the first one?" after the list of goals."""
    refs = plan.topic.refs
    if not refs or refs[0].type != "goal" or (ref := ordinal_in(text, refs)) is None:
        return None
    if match := _STANDS.search(text):
        return _standing(plan, ref, float(match["n"]), bool(match["percent"]))
    return called(plan, "evaluate_goal", "evaluate that goal", _evaluated, refs=(ref,), goal_id=ref.id)


_STANDS = re.compile(
    r"(?:\bat|\bto|\bis|\bare|'s)\s+(?:now\s+)?(?:at\s+)?(?P<n>\d+(?:\.\d+)?)\s*(?P<percent>%|per\s?cent)?(?:\s+now)?[.!\s]*$",
    re.IGNORECASE,
)


def _standing(plan: Plan, ref: Ref, number: float, is_percent: bool, said: str = "") -> Answer:
    """ "The first one is at 3 now": its only key result, or its progress when a percentage is said."""
    if is_percent:
        return _changed(plan, ref.id, progress=int(number))
    outcome = plan.need("evaluate_goal", goal_id=ref.id)
    results: list[Mapping[str, Any]] = []
    if isinstance(outcome.value, Mapping):
        results = list(outcome.value.get("key_results", ()))
    if said and len(results) > 1:
        told = meant(said, [{**one, "text": one["title"]} for one in results])
        results = told if len(told) == 1 else results
    if len(results) != 1:
        names = phrasing.listed([f"**{one['title']}**" for one in results])
        return Answer(
            f'Which part of {ref.name} do you mean: {names or "its progress"}? For example: "set the goal {ref.name} to 60%".'
        )
    return _changed(plan, ref.id, key_results=[{"title": results[0]["title"], "current": number}])


def list_goals(plan: Plan, text: str) -> Answer | None:
    """ "How are we doing on our goals?"."""
    if not _LIST.fullmatch(text) or _ELSEWHERE.search(text) or "get_goals" not in plan.tools:
        return None
    status = next((value for said, value in _STATUSES.items() if re.search(rf"\b{said}\b", text, re.IGNORECASE)), None)
    scope = next((value for value in ("mine", "shared") if re.search(rf"\b{value}\b", text, re.IGNORECASE)), None)
    outcome = plan.need("get_goals", status=status, scope=scope)
    items = outcome.value.get("items", ()) if isinstance(outcome.value, Mapping) else ()
    lines = [f"{place}. {_line(goal)}" for place, goal in enumerate(items, 1)]
    refs = tuple(Ref("goal", str(goal["id"]), str(goal["title"])) for goal in items)
    return Answer("Your goals:\n\n" + "\n".join(lines) if lines else "There are no goals for that.", topic=Topic(refs))


def _changed(plan: Plan, title: str, **changes: Any) -> Answer:
    def told(value: Mapping[str, Any]) -> str:
        return f"Done: {_line(value['record'])}."

    return called(plan, "update_goal", "update that goal", told, goal_id=title.strip(), **changes)


def _line(goal: Mapping[str, Any]) -> str:
    return f"**{goal['title']}**, {phrasing.words(str(goal['status']))}, {goal['progress']}%"


def _evaluated(value: Mapping[str, Any]) -> str:
    head = f"**{value['goal']['name']}** is at **{value['progress']}%** ({phrasing.words(str(value['status']))})."
    results = [
        f"- {one['title']}: {one['current']:g} of {one['target']:g}, {one['progress']}%"
        for one in value.get("key_results", ())
    ]
    return "\n".join([head, *([""] if results else []), *results])
