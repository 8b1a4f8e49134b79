"""What the user asks to remember, asks for again, and asks to forget."""

import re
from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.lexicon import STOPWORDS
from aisha.adapters.llm.offline.personal.shared import items, kept, meant, numbered
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.spelling import without_fillers
from aisha.adapters.llm.offline.tokens import tokenize

_REMEMBER = re.compile(
    r"(?:remember|keep\s+in\s+mind|memori[sz]e|bear\s+in\s+mind|make\s+a\s+mental\s+note|(?:don't|dont|do\s+not)\s+forget)(?:\s+for\s+me)?"
    r"(?:\s*[:,]\s*|\s+(?:that|this\s*:)\s+|\s+(?!to\b|when\b|what\b|who\b|how\b|me\b|him\b|her\b|them\b|it\b|this\b|that\b))"
    r"(?P<text>\S+(?:\s+\S+){2,})",
    re.IGNORECASE | re.DOTALL,
)
_KEPT = (
    r"(?:(?:asked?|told|tell|wanted?)\s+you\s+to\s+(?:remember|keep\s+in\s+mind)|(?:do\s+)?you\s+(?:still\s+)?remember(?:ed)?"
    r"|(?:have\s+i|i\s+have|i've|did\s+i)\s+(?:ever\s+)?(?:told|tell|mentioned?\s+to)\s+you|(?:in|from)\s+your\s+memory|my\s+memories|you\s+to\s+remember)"
)
_RECALL = re.compile(
    rf"(?:what|which|did|do|tell\s+me|show\s+me|list|show|anything|everything)\b(?:.*\b)?{_KEPT}"
    r"(?:\s+(?:anything|something|everything|all|so\s+far|for\s+me|what\s+i\s+(?:told|asked)\s+you))*(?:\s+(?:about|on|regarding|concerning|of)\s+(?P<query>.+?))?[?.!\s]*",
    re.IGNORECASE,
)
_FORGET = re.compile(
    r"(?:forget|delete|remove|erase|drop)\s+(?:what\s+i\s+(?:told|asked)\s+you(?:\s+to\s+remember)?|(?:the|that|my|your)\s+memory)"
    r"(?:\s+(?:about|on|regarding|that|of))?\s+(?P<query>.+?)[?.!\s]*"
    r"|forget\s+(?:that|about)\s+(?P<bare>.+?)[?.!\s]*",
    re.IGNORECASE,
)


def remembers(text: str) -> bool:
    """Whether it gives something to remember."""
    return _REMEMBER.fullmatch(without_fillers(text).strip()) is not None


def remember(plan: Plan, text: str) -> Answer | None:
    """ "Remember that Jack prefers mornings". About "him", whom the talk is about, it is a note on his record instead."""
    match = _REMEMBER.fullmatch(text)
    if match is None or "memory" not in plan.tools:
        return None
    said = match["text"].strip().rstrip(".!").strip('"“”')
    if plan.scene.entities and plan.read(said).pronouns.keys() & {"person", "thing"}:
        return None
    return kept(plan, "memory", "remember that", lambda value: _remembered(value, said), action="create", text=said)


def recall(plan: Plan, text: str) -> Answer | None:
    """ "What did I ask you to remember about Jack?"."""
    match = _RECALL.fullmatch(text)
    if match is None:
        return None
    query = match["query"] if str(match["query"]).lower() not in ("me", "myself", "us") else None
    if query:
        nothing = f"You haven't asked me to remember anything about {query}."
        return kept(plan, "memory", "look that up", lambda value: _told(value, nothing), action="search", query=query)
    nothing = 'You haven\'t asked me to remember anything yet. For example: "Remember that Jack prefers mornings".'
    return kept(plan, "memory", "look that up", lambda value: _told(value, nothing), action="list")


def recall_when(plan: Plan, text: str) -> Answer | None:
    """ "When is our budget meeting?": a day that was to be remembered, before the calendar is asked."""
    return recalled(plan, text) if _WHEN_IS_OURS.match(text) else None


_WHEN_IS_OURS = re.compile(
    r"\s*(?:and\s+|so\s+)?when\s+(?:is|are|does|do)\s+(?:my|our)\s+(?!next\b|last\b|first\b)", re.IGNORECASE
)


def recalled(plan: Plan, text: str) -> Answer | None:
    """ "When does my fiscal year begin?": what was to be remembered may answer what nothing else does."""
    if "memory" not in plan.tools or not _OF_MYSELF.search(text) or not _ASKS.match(text):
        return None
    words = [token.word for token in tokenize(text) if token.word not in STOPWORDS]
    if not words:
        return None
    found = meant(text, items(plan, "memory", action="search", query=" ".join(words)))
    if not found or len(_telling(text) & _telling(str(found[0]["text"]))) < _SHARED:
        return None
    return Answer(_told({"items": found}, ""))


def _telling(text: str) -> set[str]:
    return {token.stem for token in tokenize(text) if len(token.word) > len("is") and token.word not in _SAYS_LITTLE}


_SAYS_LITTLE = frozenset("the our when what does are was were who how and did for with that which where again".split())
_OF_MYSELF = re.compile(r"\b(?:my|our|i|we)\b", re.IGNORECASE)
_ASKS = re.compile(r"\s*(?:and\s+|so\s+)?(?:when|what|where|who|which|how|do|does|is|are|am)\b", re.IGNORECASE)
_SHARED = 2
"""Words that a question and what answers it have in common at least."""


def forget(plan: Plan, text: str) -> Answer | None:
    """ "Forget what I told you about Jack": the only memory that fits."""
    match = _FORGET.fullmatch(text)
    if match is None or "memory" not in plan.tools:
        return None
    query = match["query"] or match["bare"]
    found = items(plan, "memory", action="search", query=query)
    if match["bare"] and not found:
        return None
    if len(found) != 1:
        nothing = f"I remember nothing about {query}, so there is nothing to forget."
        more = "Which one do you mean? Say it in more of its words."
        return Answer(f"{numbered([one['text'] for one in found])}\n\n{more}" if found else nothing)
    said = str(found[0]["text"])
    return kept(
        plan, "memory", "forget that", lambda _: f'Done: I forgot "{said}".', action="delete", memory_id=found[0]["id"]
    )


def _remembered(value: Mapping[str, Any], said: str) -> str:
    known = "receipt" not in value
    return f'I remember that already: "{said}".' if known else f'Done: I\'ll remember "{said}".'


def _told(value: Mapping[str, Any], nothing: str) -> str:
    texts = [str(one["text"]) for one in value["items"]]
    if len(texts) < 2:
        return f'You asked me to remember this: "{texts[0]}".' if texts else nothing
    return f"You asked me to remember:\n{numbered(texts)}"
