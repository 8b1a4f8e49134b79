"""What the acts on a user's own things share: a call and its answer, and which of the things is meant."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from aisha.adapters.llm.offline.lexicon import STOPWORDS
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.results import Wanted
from aisha.adapters.llm.offline.tokens import tokenize

MOST = 50


def kept(plan: Plan, tool: str, what: str, say: Callable[[Any], str], **arguments: Any) -> Answer:
    """Calls a tool and words its value, or its failure with what could not be done."""
    outcome = plan.need(tool, **arguments)
    if outcome.error:
        return plan.failure(outcome, Wanted(tool, arguments), what)
    return Answer(say(outcome.value))


def items(plan: Plan, tool: str, **arguments: Any) -> list[Mapping[str, Any]]:
    """What a tool lists; nothing when it fails."""
    value = plan.need(tool, **arguments).value
    return list(value.get("items", ())) if isinstance(value, Mapping) else []


def meant(said: str, things: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Those of the things whose text shares the most telling words with what was said; all of them if nothing was."""
    wanted = _telling(said)
    if not wanted:
        return list(things)
    shared = [len(wanted & _telling(str(thing.get("text", "")))) for thing in things]
    best = max(shared, default=0)
    return [thing for thing, count in zip(things, shared, strict=True) if best and count == best]


def numbered(texts: Sequence[str]) -> str:
    """A line each."""
    return "\n".join(f"{place}. {text}" for place, text in enumerate(texts, 1))


def _telling(text: str) -> frozenset[str]:
    return frozenset(token.stem for token in tokenize(text) if token.word not in STOPWORDS)
