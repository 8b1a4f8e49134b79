"""Records that resemble one."""

import re
from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.pattern_intents.calls import called, names_somebody, record_in
from aisha.adapters.llm.offline.plan import Answer, Plan

_LIKE = re.compile(
    r"(?:who|which|what|any|are\s+there|do\s+we\s+have|find|show|list|search|get|give|more|other)\b.*?"
    r"\b(?:similar(?:\s+\w+)?\s+to|resembl\w+|comparable\s+(?:to|with)|(?:is|are|else|more|others?|leads|deals|contacts|accounts|companies|customers|people|ones|anyone|anybody|looks?|looking|sounds?|someone|somebody)\s+(?:else\s+)?(?:just\s+|much\s+|a\s+(?:lot|bit)\s+)?like|reminds?\s+(?:you|me|us)\s+of|(?:same\s+kind|type|sort)\s+(?:of\s+\w+\s+)?as)\s+(?P<name>.+?)[?.!\s]*",
    re.IGNORECASE,
)


def find_similar(plan: Plan, text: str) -> Answer | None:
    """ "Who else is like Ann Lee?", "find similar deals to X"."""
    match = _LIKE.fullmatch(text)
    if match is None or "find_similar" not in plan.tools or not names_somebody(plan, f"show me {match['name']}"):
        return None
    found = record_in(plan, f"show me {match['name']}", "Which record shall they resemble?")
    if isinstance(found, Answer):
        return found

    def told(value: Mapping[str, Any]) -> str:
        lines = [f"{at}. **{one['name']}**: {one['reasons']}" for at, one in enumerate(value.get("items", ()), 1)]
        return f"Most like {found.name}:\n\n" + "\n".join(lines) if lines else f"Nothing resembles {found.name}."

    about = {"entity_type": found.type, "entity_id": found.id}
    return called(plan, "find_similar", f"find what resembles {found.name}", told, refs=(found,), **about)
