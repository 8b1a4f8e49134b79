"""Helpers of the requests about the user's own things: their list, and the best matches in it."""

from collections.abc import Mapping, Sequence
from typing import Any

from aisha.adapters.llm.offline.plan import Plan
from aisha.adapters.llm.offline.reading.lexicon import STOPWORDS
from aisha.adapters.llm.offline.reading.tokens import tokenize

MAX_ITEMS = 50


def list_items(plan: Plan, tool: str, **arguments: Any) -> list[Mapping[str, Any]]:
    """Return what a tool lists; empty when it fails."""
    value = plan.need(tool, **arguments).value
    return list(value.get("items", ())) if isinstance(value, Mapping) else []


def best_matches(text: str, things: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the things whose text shares the most content words with `text`; all of them if it has none."""
    words = _content_stems(text)
    if not words:
        return list(things)
    shared = [len(words & _content_stems(str(thing.get("text", "")))) for thing in things]
    best = max(shared, default=0)
    return [thing for thing, count in zip(things, shared, strict=True) if best and count == best]


def number_lines(texts: Sequence[str]) -> str:
    """Format texts as a numbered list."""
    return "\n".join(f"{place}. {text}" for place, text in enumerate(texts, 1))


def _content_stems(text: str) -> frozenset[str]:
    return frozenset(token.stem for token in tokenize(text) if token.word not in STOPWORDS)
