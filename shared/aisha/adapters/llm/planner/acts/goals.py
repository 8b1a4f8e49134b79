"""Tell how far goals are, and update them."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.asks import as_names, writing_words
from aisha.adapters.llm.planner.acts.execution import answer_done
from aisha.adapters.llm.planner.acts.search.fetching import owns_records
from aisha.adapters.llm.planner.acts.search.words import stems_of
from aisha.adapters.llm.planner.acts.writing.values import Values, number_of
from aisha.adapters.llm.planner.naming import Unknown, all_near, by_name, chosen
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, act, at_once
from aisha.adapters.llm.planner.policy import unexplained
from aisha.adapters.llm.planner.replies.formats import number_lines
from aisha.adapters.llm.planner.replies.goals import (
    GOAL_LIMITS,
    ask_goal,
    ask_part,
    ask_result,
    goal_line,
    goal_updated,
    no_goal,
)
from aisha.adapters.llm.planner.resolve import ordinals_of
from aisha.adapters.llm.planner.results import items_in
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.language import lexicon
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import stem, tokenize
from aisha.domain.language.vocabulary import explains
from aisha.domain.wording import humanise


@act("update_goal")
def update_goal(plan: Plan, ask: Ask) -> Answer:
    """Set a goal's status, its progress in percent, or the value of a key result."""
    if ask.words & writing_words("target"):
        raise plan.refuse(GOAL_LIMITS)
    goal = _goal_meant(plan, ask)
    value_text = next((span.text for span in ask.segment.spans if span.tag in ("value", "amount", "count")), "")
    number = number_of(value_text, {}) if value_text else None
    status = next((key for key, _, _ in lexicon.placed_in(ask.outside, "goal_statuses")), None)
    values: Values = {"status": status} if status else {}
    if number is not None and any(one.is_percent for one in find_amounts(value_text.lower())):
        values["progress"] = number
    elif number is not None:
        result = _key_result(plan, ask, goal)
        is_relative = ask.words & writing_words("relative") and "at" not in ask.words
        if is_relative or number > 2 * result["target"]:
            raise plan.ask_slot(ask, "value", ask_result(result))
        values["key_results"] = [{"title": result["title"], "current": number}]
    if not values:
        raise plan.ask_slot(ask, "value", f"What is **{goal['title']}** at now? A percentage or a status will do.")
    record = plan.call("update_goal", "update the goal", goal_id=goal["id"], **values)["record"]
    return answer_done(plan, goal_updated(record), Ref("goal", goal["id"], goal["title"]))


def _goal_meant(plan: Plan, ask: Ask) -> Values:
    """Return the goal that an ask names, also by a key result, or points at. Raises `EarlyAnswer` to ask for it."""
    goals_by_id = {goal["id"]: goal for goal in plan.call("get_goals", "look up the goals")["items"]}
    # Goals have names of common words, which the reader does not take for names.
    names = [text for tag in ("name", "topic", "org") for text in ask.texts(tag)] or [" ".join(unexplained(ask))]
    names = [name for name in names if name]
    matches: list[Values] = [
        goal for goal in goals_by_id.values() if any(all_near(name, goal["title"]) for name in names)
    ]
    if not matches and names:
        results = [(one["title"], goal) for goal in goals_by_id.values() for one in goal["key_results"]]
        matches = [goal for title, goal in results if any(all_near(name, title) for name in names)]
    if not names:
        listed = [ref for ref in plan.topic.refs if ref.id in goals_by_id]
        place = next(iter(ordinals_of(ask)), int(len(listed) == 1))
        ref = chosen(listed, place)
        matches = [goals_by_id[ref.id]] if ref is not None else []
    titles = [goal["title"] for goal in matches or goals_by_id.values()]
    if names and not matches:
        raise plan.refuse(no_goal(names[0], titles))
    if len(matches) != 1:
        raise plan.ask_who(ask, ask_goal(titles))
    return matches[0]


def _key_result(plan: Plan, ask: Ask, goal: Values) -> Values:
    names = [text for tag in ("field", "name", "topic") for text in ask.texts(tag)]
    results: list[Values] = goal["key_results"]
    named = [one for one in results if len(results) == 1 or any(all_near(name, one["title"]) for name in names)]
    if len(named) != 1:
        raise plan.ask_slot(ask, "field", ask_part(goal["title"], [one["title"] for one in results]))
    return named[0]


@act("goals")
def goals(plan: Plan, ask: Ask) -> Answer:
    """List the goals, or tell how far the one meant is."""
    if "" in plan.bindings:
        return ACTS["about"](plan, ask)  # "How's the Globex pilot doing?"
    if ask.times and not ({"goal"} & {*ask.kinds} or ask.texts("name") or ask.texts("topic")):
        return ACTS["list_activities"](plan, ask)  # "How's the rest of my week looking?"
    scope = "mine" if ask.words & {"my", "mine"} else None
    names = [] if "goal" in ask.kinds else [*ask.texts("name"), *ask.texts("owner")]
    found, *_ = at_once(
        (
            partial(plan.call, "get_goals", "look up the goals", scope=scope),
            *(partial(by_name, plan, one) for one in names),
        )
    )
    items = items_in(found)
    named = ask.first("name") or ask.first("topic") or ask.first("new")
    states = {value for value in ask.values if value in ("open", "in_progress", "done", "rejected")}
    fitting = _fitting_goals(ask, named, items)
    if (subject := ask.first("name") or ask.first("owner")) and not fitting and "goal" not in ask.kinds:
        is_record = bool(ask.first("name")) or not isinstance(by_name(plan, subject), Unknown)
        if is_record:
            return ACTS["about"](plan, as_names(ask, "owner"))  # "How's Globex doing?"
        if owns_records(plan, subject.split()[0].lower()):
            spans = [replace(one, tag="owner") if one.text == subject else one for one in ask.segment.spans]
            return ACTS["count"](plan, Ask(replace(ask.segment, act="count", spans=tuple(spans)), ask.now))
    if len(fitting) == 1:
        value = plan.call("evaluate_goal", "work out the progress", goal_id=fitting[0]["id"])
        return Answer(_progress(value))
    listed = fitting or [one for one in items if one.get("status") in states] or items
    head = f"I found no goal called {named}. These are the goals:\n\n" if named and not fitting and items else ""
    if not listed:
        return Answer("There are no goals yet.")
    topic = Topic(tuple(Ref("goal", str(one["id"]), str(one["title"])) for one in listed))
    return Answer(head + number_lines([goal_line(one) for one in listed]), topic=topic)


def _fitting_goals(ask: Ask, named: str | None, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the goals whose titles have the name, else those with most of the words that the ask says."""
    if named and (matches := [one for one in items if _fits(named, str(one.get("title", "")))]):
        return matches
    stems = stems_of(" ".join(token.word for token in (*ask.outside, *tokenize(named or "")) if token.kind == "word"))
    stems = {one for one in stems if not explains("goals", one) and lexicon.kind_of(one) != "goal"}
    shared = [len(stems & stems_of(str(one.get("title", "")))) for one in items]
    return [one for one, number in zip(items, shared, strict=True) if number and number == max(shared)]


def _progress(value: Mapping[str, Any]) -> str:
    """Tell how far a goal is, from its key results, and what is left to do."""
    title = f"**{value['goal']['name']}**"
    if value.get("is_reached"):
        return f"{title} is reached."
    lines = [
        f"- {one['title']}: {one['current']:,g} of {one['target']:,g} ({one['progress']}%)"
        for one in value.get("key_results") or ()
    ]
    missing = [str(one).rstrip(".") for one in value.get("missing") or ()] if not lines else []
    lines += [f"- {one}" for one in missing]
    state = humanise(str(value.get("status", "")))
    head = f"{title} is at **{value.get('progress', 0)}%** ({state})"
    return f"{head}:\n\n" + "\n".join(lines) if lines else f"{head}."


def _fits(words: str, title: str) -> bool:
    stems = {stem(word) for word in title.lower().split()}
    return all(stem(word) in stems for word in words.lower().split())
