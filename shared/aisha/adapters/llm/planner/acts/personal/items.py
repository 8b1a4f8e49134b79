"""List items of the user's own, and find the one that an ask means."""

from collections.abc import Sequence
from typing import Any

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.plan import Answer, Plan
from aisha.adapters.llm.planner.resolve import is_near
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import tokenize
from aisha.domain.wording import plural


def items_from(plan: Plan, tool: str, what: str, **arguments: Any) -> list[dict[str, Any]]:
    value = plan.call(tool, what, **arguments)
    return [one for one in value.get("items", ()) if isinstance(one, dict)] if isinstance(value, dict) else []


def listed(head: str, lines: Sequence[str], nothing: str) -> str:
    numbered = "\n".join(f"{place}. {line}" for place, line in enumerate(lines, 1))
    return f"{head}\n\n{numbered}" if lines else nothing


def only_match(plan: Plan, ask: Ask, items: Sequence[dict[str, Any]], kind: str) -> dict[str, Any] | Answer:
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
    return listed(f"Which {kind} do you mean? Say some of its words.", [str(one["text"]) for one in items], "")
