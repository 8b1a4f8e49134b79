"""List, file, comment on and close the issues of a repository."""

from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.planner.acts.personal.items import listed
from aisha.adapters.llm.planner.plan import Answer, Plan, act
from aisha.adapters.llm.planner.replies.questions import not_understood
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import stem

_NAMING = frozenset(map(stem, "issue bug ticket github repository repo defect".split()))
MAX_TITLE = 200
"""Characters of an issue's title; the rest is its body."""
NO_ISSUES = "No repository for issues is connected here, so I can't do that. An administrator can set one up."


@act("issues")
def issues(plan: Plan, ask: Ask) -> Answer:
    """List the issues of the repository, or show one with its comments."""
    if not plan.has("github_issue"):
        return Answer(NO_ISSUES)
    number = _issue_number(ask)
    if number is None and ask.stems.isdisjoint(_NAMING):
        return Answer(not_understood(ask.text), topic=plan.topic)  # "Which ones are stuck?"
    if number is not None:
        action = "list_comments" if "comment" in ask.stems else "view"
        value = plan.call("github_issue", "look up that issue", action=action, number=number)
        return Answer(listed(f"Issue {number}:", _issue_lines(value), f"Issue {number} has no comments."))
    state = "closed" if "closed" in ask.words else "open"
    value = plan.call("github_issue", "look up the issues", action="list", state=state)
    return Answer(listed(f"The {state} issues:", _issue_lines(value), f"There are no {state} issues."))


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
    if not isinstance(value, dict):
        return []
    items = value.get("items")
    return [_issue_line(one) for one in (items if isinstance(items, list) else [value])]


def _issue_line(entry: Mapping[str, Any]) -> str:
    author, body = entry.get("author") or "somebody", entry.get("body") or ""
    if "number" not in entry:
        return f"{author}: {body}"
    head = f"**#{entry['number']} {entry.get('title', '')}** ({entry.get('state', 'open')}, by {author})"
    return f"{head}: {body}" if body else head
