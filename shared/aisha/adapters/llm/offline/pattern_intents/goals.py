"""List goals, evaluate and update them."""

import re
from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.entity_resolution import ordinal_in
from aisha.adapters.llm.offline.personal.shared import best_matches
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.state import Ref, Topic

_GOAL = r"(?:goal|objective|okr)"
_NAMED = rf"(?:(?:the|my|our)\s+)?{_GOAL}\s+(?:(?:called|named)\s+)?[\"“']?(?P<name>[^\"”]+?)[\"”']?"
_PERCENT = r"(?P<percent>\d{1,3})\s*(?:%|per\s?cent)?"
_PROGRESS = pattern(
    rf"(?:[a-z]+ )(?:the )?(?:progress (?:of|on|for) )?{_NAMED} (?:progress )?to {_PERCENT}[.!\s]*"
    rf"|{_NAMED.replace('name', 'other')} (?:is|stands) (?:now )?at {_PERCENT.replace('percent', 'rate')}[.!\s]*"
)
# "set the key result R of the goal X to 4".
_RESULT = pattern(
    r"(?:set|put|update|change|bring|move|raise) (?:the )?(?:key result )?[\"“']?"
    rf"(?P<result>(?!progress\b|status\b)[^\"”]+?)[\"”']? (?:of|in|for|on) {_NAMED} to"
    r" (?P<current>\d+(?:\.\d+)?)[.!\s]*"
)
_STATUS = pattern(
    rf"(?:mark|set|close|put|make|update|change|move) (?:the )?(?:status of )?{_NAMED} (?:as|to)"
    r" (?P<status>[a-z]+(?:[\s_-]+[a-z]+)?)[.!\s]*"
)
_STATUSES = {
    "done": "done", "reached": "done", "achieved": "done", "completed": "done", "complete": "done",
    "finished": "done", "open": "open", "in progress": "in_progress", "started": "in_progress",
    "rejected": "rejected", "dropped": "rejected",
}  # fmt: skip
_EVALUATE = pattern(
    r"(?:how (?:far|much|close|is|are|does|do)|where (?:do|are|does|is)|what(?:'s| is)?|evaluate|check|assess|are we)"
    rf"\b[^:]*?\b{_NAMED}[?.!\s]*"
)
_LIST = pattern(
    r"(?:how|show|list|what|which|where|see|display|give|tell|are|am|do|any|did)\b[^:]*\b"
    r"(?:goals|objectives|okrs|targets|quota|key results|kpis)\b[^:]*"
)
_OTHER_SUBJECT = pattern(r"\b(?:scan|page|documents?|playbook|notes?|set|write)\b")
_ON_TRACK = pattern(
    r"(?:so )?(?:are we|am i|is the team) (?:still )?(?:on (?:track|target|course|schedule)|ahead|behind|doing well)"
    r" (?:with|for|to|on|of|in) (?:the |our |my )?(?P<what>[^:?]+?)(?: goal)?[?.!\s]*"
)
_TO_NUMBER = pattern(
    r"(?:.*[,;.]\s*)?(?:please )?(?:update|set|bring|put|move|raise|bump) (?:the |our |my )?(?P<what>(?!goal\b)[^:,]+?)"
    r" goal to (?P<n>\d+(?:\.\d+)?)\s*(?P<percent>%|per\s?cent)?[.!\s]*"
)
_NEW_VALUE = pattern(
    r"(?:\bat|\bto|\bis|\bare|'s) (?:now )?(?:at )?(?P<n>\d+(?:\.\d+)?)\s*(?P<percent>%|per\s?cent)?(?: now)?[.!\s]*$"
)


def goal_by_words(plan: Plan, text: str) -> Answer | None:
    """Match a goal by words of its title: "are we on track with recurring revenue?"."""
    match = _ON_TRACK.fullmatch(text) or _TO_NUMBER.fullmatch(text)
    if match is None or "get_goals" not in plan.tools:
        return None
    value = plan.need("get_goals").value
    goals = value.get("items", ()) if isinstance(value, Mapping) else ()
    matches = best_matches(match["what"], [{**goal, "text": goal["title"]} for goal in goals])
    if len(matches) != 1:
        return None
    ref = Ref("goal", str(matches[0]["id"]), str(matches[0]["title"]))
    if match.re is _ON_TRACK:
        return plan.run("evaluate_goal", "evaluate that goal", _format_evaluation, refs=(ref,), goal_id=ref.id)
    return _set_progress(plan, ref, float(match["n"]), bool(match["percent"]), text)


def update_goal(plan: Plan, text: str) -> Answer | None:
    """Match "set progress of the goal X to 60%", "mark the goal X as done"."""
    if match := _PROGRESS.fullmatch(text):
        title, percent = match["name"] or match["other"], int(match["percent"] or match["rate"])
        return _update(plan, title, progress=percent)
    if match := _RESULT.fullmatch(text):
        return _update(
            plan, match["name"], key_results=[{"title": match["result"], "current": float(match["current"])}]
        )
    match = _STATUS.fullmatch(text)
    status = _STATUSES.get(re.sub(r"[\s_-]+", " ", match["status"].lower())) if match else None
    return _update(plan, match["name"], status=status) if match and status else None


def evaluate_goal(plan: Plan, text: str) -> Answer | None:
    """Match "how far is the goal X", "where do we stand with the objective X"."""
    match = _EVALUATE.fullmatch(text)
    if match is None or _OTHER_SUBJECT.search(text[: match.start("name")]):
        return None
    return plan.run("evaluate_goal", "evaluate that goal", _format_evaluation, goal_id=match["name"].strip())


def goal_of_the_list(plan: Plan, text: str) -> Answer | None:
    """Match "how far along is the first one?" after the list of goals."""
    refs = plan.topic.refs
    if not refs or refs[0].type != "goal" or (ref := ordinal_in(text, refs)) is None:
        return None
    if match := _NEW_VALUE.search(text):
        return _set_progress(plan, ref, float(match["n"]), bool(match["percent"]))
    return plan.run("evaluate_goal", "evaluate that goal", _format_evaluation, refs=(ref,), goal_id=ref.id)


def _set_progress(plan: Plan, ref: Ref, number: float, is_percent: bool, text: str = "") -> Answer:
    """Set a goal's only key result, or its progress for a percentage: "the first one is at 3 now"."""
    if is_percent:
        return _update(plan, ref.id, progress=int(number))
    outcome = plan.need("evaluate_goal", goal_id=ref.id)
    results: list[Mapping[str, Any]] = []
    if isinstance(outcome.value, Mapping):
        results = list(outcome.value.get("key_results", ()))
    if text and len(results) > 1:
        matches = best_matches(text, [{**one, "text": one["title"]} for one in results])
        results = matches if len(matches) == 1 else results
    if len(results) != 1:
        names = phrasing.join_names([f"**{one['title']}**" for one in results])
        return Answer(
            f"Which part of {ref.name} do you mean: {names or 'its progress'}? "
            f'For example: "set the goal {ref.name} to 60%".'
        )
    return _update(plan, ref.id, key_results=[{"title": results[0]["title"], "current": number}])


def list_goals(plan: Plan, text: str) -> Answer | None:
    """Match "how are we doing on our goals?"."""
    if not _LIST.fullmatch(text) or _OTHER_SUBJECT.search(text) or "get_goals" not in plan.tools:
        return None
    status = next((value for word, value in _STATUSES.items() if re.search(rf"\b{word}\b", text, re.IGNORECASE)), None)
    scope = next((value for value in ("mine", "shared") if re.search(rf"\b{value}\b", text, re.IGNORECASE)), None)
    outcome = plan.need("get_goals", status=status, scope=scope)
    items = outcome.value.get("items", ()) if isinstance(outcome.value, Mapping) else ()
    lines = [f"{place}. {_format_goal(goal)}" for place, goal in enumerate(items, 1)]
    refs = tuple(Ref("goal", str(goal["id"]), str(goal["title"])) for goal in items)
    return Answer("Your goals:\n\n" + "\n".join(lines) if lines else "There are no goals for that.", topic=Topic(refs))


def _update(plan: Plan, title: str, **changes: Any) -> Answer:
    def format_change(value: Mapping[str, Any]) -> str:
        return f"Done: {_format_goal(value['record'])}."

    return plan.run("update_goal", "update that goal", format_change, goal_id=title.strip(), **changes)


def _format_goal(goal: Mapping[str, Any]) -> str:
    return f"**{goal['title']}**, {phrasing.humanise(str(goal['status']))}, {goal['progress']}%"


def _format_evaluation(value: Mapping[str, Any]) -> str:
    head = f"**{value['goal']['name']}** is at **{value['progress']}%** ({phrasing.humanise(str(value['status']))})."
    results = [
        f"- {one['title']}: {one['current']:g} of {one['target']:g}, {one['progress']}%"
        for one in value.get("key_results", ())
    ]
    return "\n".join([head, *([""] if results else []), *results])
