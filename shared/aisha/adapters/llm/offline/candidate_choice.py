"""Choose among candidate records by a field that the answer mentions: "the consultant", "bob's"."""

import re
from collections.abc import Sequence
from typing import Any

from aisha.adapters.llm.offline.plan import Plan
from aisha.adapters.llm.offline.reading.lexicon import STOPWORDS
from aisha.adapters.llm.offline.reading.tokens import tokenize
from aisha.adapters.llm.offline.results import PlannedCall
from aisha.adapters.llm.offline.state import Ref

_MAX_WORDS = 7
_FIELDS = "job_title status department company email phone stage owner source industry type".split()
_REQUEST_CONCEPTS = (
    "show", "create", "count", "overdue", "agenda", "summary", "delete", "update", "schedule", "advise", "note",
    "remind", "convert"
)  # fmt: skip
"""Concepts which show that the sentence is a new request."""
_FILLERS = frozenset("one guy lady man woman person the who from at with".split())


def choose_by_fields(plan: Plan, text: str, candidates: Sequence[Ref]) -> Ref | None:
    """Return the only candidate whose record shares the most words with the answer, else None."""
    answer_words = {
        token.word for token in tokenize(text) if token.word not in STOPWORDS or token.text.isupper()
    } - _FILLERS
    if plan.read(text).has(*_REQUEST_CONCEPTS):
        return None
    if not answer_words or len(text.split()) > _MAX_WORDS or re.search(r"\?\s*$", text):
        return None
    calls = [PlannedCall(f"get_{ref.type}", {f"{ref.type}_id": ref.id}) for ref in candidates]
    if any(call.tool not in plan.tools for call in calls):
        return None
    shared = [len(answer_words & _record_words(outcome.value)) for outcome in plan.need_all(calls)]
    best = max(shared, default=0)
    best_refs = [ref for ref, count in zip(candidates, shared, strict=True) if count == best]
    return best_refs[0] if best and len(best_refs) == 1 else None


def _record_words(value: Any) -> set[str]:
    record = value if isinstance(value, dict) else {}
    nested = next(
        (record[kind] for kind in ("account", "contact", "lead") if isinstance(record.get(kind), dict)), record
    )
    address = nested.get("address") or {}
    texts = [*(str(nested.get(name) or "") for name in _FIELDS), *(str(part) for part in address.values())]
    return {token.word for text in texts for token in tokenize(text.replace("_", " "))}
