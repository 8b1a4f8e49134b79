"""Which of several records an answer means that tells something else of it than its name: "the consultant", "bob's"."""

import re
from collections.abc import Sequence
from typing import Any

from aisha.adapters.llm.offline.lexicon import STOPWORDS
from aisha.adapters.llm.offline.plan import Plan
from aisha.adapters.llm.offline.results import Wanted
from aisha.adapters.llm.offline.state import Ref
from aisha.adapters.llm.offline.tokens import tokenize

_MOST_WORDS = 7
_TOLD = (
    "job_title",
    "status",
    "department",
    "company",
    "email",
    "phone",
    "stage",
    "owner",
    "source",
    "industry",
    "type",
)
_ASKS_ELSE = (
    "show", "create", "count", "overdue", "agenda", "summary", "delete", "update", "schedule", "advise", "note", "remind", "convert"
)  # fmt: skip
"""Says that the sentence is no answer."""
_PLAIN = frozenset("one guy lady man woman person the who from at with".split())


def choose_by_record(plan: Plan, text: str, candidates: Sequence[Ref]) -> Ref | None:
    """The only candidate whose record has the most of the words said; None when none or several have."""
    words = {token.word for token in tokenize(text) if token.word not in STOPWORDS or token.text.isupper()} - _PLAIN
    if plan.read(text).has(*_ASKS_ELSE):
        return None
    if not words or len(text.split()) > _MOST_WORDS or re.search(r"\?\s*$", text):
        return None
    calls = [Wanted(f"get_{ref.type}", {f"{ref.type}_id": ref.id}) for ref in candidates]
    if any(call.tool not in plan.tools for call in calls):
        return None
    shared = [len(words & _words_of(outcome.value)) for outcome in plan.need_all(calls)]
    best = max(shared, default=0)
    found = [ref for ref, count in zip(candidates, shared, strict=True) if count == best]
    return found[0] if best and len(found) == 1 else None


def _words_of(value: Any) -> set[str]:
    record = value if isinstance(value, dict) else {}
    nested = next(
        (record[kind] for kind in ("account", "contact", "lead") if isinstance(record.get(kind), dict)), record
    )
    address = nested.get("address") or {}
    told = [*(str(nested.get(name) or "") for name in _TOLD), *(str(part) for part in address.values())]
    return {token.word for text in told for token in tokenize(text.replace("_", " "))}
