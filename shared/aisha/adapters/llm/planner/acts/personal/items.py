"""List items of the user's own, and find the one that an ask means."""

from collections.abc import Sequence
from typing import Any, NoReturn

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.naming import is_near
from aisha.adapters.llm.planner.plan import Answer, EarlyAnswer, Plan
from aisha.adapters.llm.planner.replies.formats import number_lines
from aisha.adapters.llm.planner.results import items_in
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import tokenize
from aisha.domain.wording import plural


def items_from(plan: Plan, tool: str, what: str, **arguments: Any) -> list[dict[str, Any]]:
    """Return the items that a call lists. Raises `EarlyAnswer` when `what` failed."""
    return items_in(plan.call(tool, what, **arguments))


def listed(head: str, lines: Sequence[str], nothing: str) -> str:
    """Return numbered lines under their head, or the text for none."""
    return f"{head}\n\n{number_lines(lines)}" if lines else nothing


def texts_of(items: Sequence[dict[str, Any]]) -> list[str]:
    return [str(one["text"]) for one in items]


def only_match(plan: Plan, ask: Ask, items: Sequence[dict[str, Any]], kind: str) -> dict[str, Any]:
    """Return the one item that the ask's words fit best. Raises `EarlyAnswer` when there is none, or are several."""
    if not items:
        raise EarlyAnswer(Answer(f"You have no {plural(kind)}."))
    about = ask.first("text") or ask.first("topic") or ask.first("name") or " ".join(policy.unexplained(ask))
    if not about:
        return items[0] if len(items) == 1 else ask_which(kind, items)
    words = [token.word for token in tokenize(about) if len(token.word) > len("the")] or about.lower().split()
    scores = [
        sum(any(is_near(word, other) for other in str(one["text"]).lower().split()) for word in words) for one in items
    ]
    best = max(scores)
    top = [one for score, one in zip(scores, items, strict=True) if score == best]
    if best == 0:
        ask_which(kind, items, f"I found no {kind} about {about}. ")
    return top[0] if len(top) == 1 else ask_which(kind, top)


def ask_which(kind: str, items: Sequence[dict[str, Any]], head: str = "") -> NoReturn:
    """Raise `EarlyAnswer` with a question for one of several items."""
    text = listed(f"Which {kind} do you mean? Say some of its words.", texts_of(items), "")
    raise EarlyAnswer(Answer(f"{head}{text}"))
