"""Remember, recall and forget facts for the user."""

import re
from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.personal.shared import best_matches, list_items, number_lines
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.lexicon import STOPWORDS
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.reading.spelling import strip_fillers
from aisha.adapters.llm.offline.reading.tokens import tokenize

# "remember that ...", "keep in mind ...".
_REMEMBER = re.compile(
    r"(?:remember|keep\s+in\s+mind|memori[sz]e|bear\s+in\s+mind|make\s+a\s+mental\s+note"
    r"|(?:don't|dont|do\s+not)\s+forget)(?:\s+for\s+me)?(?:\s*[:,]\s*|\s+(?:that|this\s*:)\s+"
    r"|\s+(?!to\b|when\b|what\b|who\b|how\b|me\b|him\b|her\b|them\b|it\b|this\b|that\b))(?P<text>\S+(?:\s+\S+){2,})",
    re.IGNORECASE | re.DOTALL,
)
_REMEMBERED_FACT = (
    r"(?:(?:asked?|told|tell|wanted?)\s+you\s+to\s+(?:remember|keep\s+in\s+mind)|(?:do\s+)?you\s+(?:still\s+)?remember"
    r"(?:ed)?|(?:have\s+i|i\s+have|i've|did\s+i)\s+(?:ever\s+)?(?:told|tell|mentioned?\s+to)\s+you"
    r"|(?:in|from)\s+your\s+memory|my\s+memories|you\s+to\s+remember)"
)
# "what did I ask you to remember about ...".
_RECALL = pattern(
    rf"(?:what|which|did|do|tell me|show me|list|show|anything|everything)\b(?:.*\b)?{_REMEMBERED_FACT}"
    r"(?: (?:anything|something|everything|all|so far|for me|what i (?:told|asked) you))*"
    r"(?: (?:about|on|regarding|concerning|of) (?P<query>.+?))?[?.!\s]*"
)
_FORGET = pattern(
    r"(?:forget|delete|remove|erase|drop) (?:what i (?:told|asked) you(?: to remember)?|(?:the|that|my|your) memory)"
    r"(?: (?:about|on|regarding|that|of))? (?P<query>.+?)[?.!\s]*|forget (?:that|about) (?P<bare>.+?)[?.!\s]*"
)
_ASKS_OUR_DATE = pattern(r"\s*(?:and |so )?when (?:is|are|does|do) (?:my|our) (?!next\b|last\b|first\b)")
_FUNCTION_WORDS = frozenset(
    "the our when what does are was were who how and did for with that which where again".split()
)
_FIRST_PERSON = pattern(r"\b(?:my|our|i|we)\b")
_QUESTION_WORD = pattern(r"\s*(?:and |so )?(?:when|what|where|who|which|how|do|does|is|are|am)\b")
_MIN_SHARED_WORDS = 2
"""Words that a question and its answer have in common at least."""


def is_memory_request(text: str) -> bool:
    """Return whether the text gives a fact to remember."""
    return _REMEMBER.fullmatch(strip_fillers(text).strip()) is not None


def remember(plan: Plan, text: str) -> Answer | None:
    """Match "remember that Jack prefers mornings". About a record under discussion it is a note instead."""
    match = _REMEMBER.fullmatch(text)
    if match is None or "memory" not in plan.tools:
        return None
    fact = match["text"].strip().rstrip(".!").strip('"“”')
    if plan.scene.entities and plan.read(fact).pronouns.keys() & {"person", "thing"}:
        return None
    return plan.run("memory", "remember that", lambda value: _format_stored(value, fact), action="create", text=fact)


def recall(plan: Plan, text: str) -> Answer | None:
    """Match "what did I ask you to remember about Jack?"."""
    match = _RECALL.fullmatch(text)
    if match is None:
        return None
    query = match["query"] if str(match["query"]).lower() not in ("me", "myself", "us") else None
    if query:
        nothing = f"You haven't asked me to remember anything about {query}."
        return plan.run(
            "memory", "look that up", lambda value: _format_memories(value, nothing), action="search", query=query
        )
    nothing = 'You haven\'t asked me to remember anything yet. For example: "Remember that Jack prefers mornings".'
    return plan.run("memory", "look that up", lambda value: _format_memories(value, nothing), action="list")


def recall_when(plan: Plan, text: str) -> Answer | None:
    """Match "when is our budget meeting?": a remembered day, before the calendar is searched."""
    return answer_from_memory(plan, text) if _ASKS_OUR_DATE.match(text) else None


def answer_from_memory(plan: Plan, text: str) -> Answer | None:
    """Answer from memory what nothing else answers: "when does my fiscal year begin?"."""
    if "memory" not in plan.tools or not _FIRST_PERSON.search(text) or not _QUESTION_WORD.match(text):
        return None
    words = [token.word for token in tokenize(text) if token.word not in STOPWORDS]
    if not words:
        return None
    matches = best_matches(text, list_items(plan, "memory", action="search", query=" ".join(words)))
    if not matches or len(_content_stems(text) & _content_stems(str(matches[0]["text"]))) < _MIN_SHARED_WORDS:
        return None
    return Answer(_format_memories({"items": matches}, ""))


def _content_stems(text: str) -> set[str]:
    return {token.stem for token in tokenize(text) if len(token.word) > len("is") and token.word not in _FUNCTION_WORDS}


def forget(plan: Plan, text: str) -> Answer | None:
    """Match "forget what I told you about Jack": the only memory that fits."""
    match = _FORGET.fullmatch(text)
    if match is None or "memory" not in plan.tools:
        return None
    query = match["query"] or match["bare"]
    matches = list_items(plan, "memory", action="search", query=query)
    if match["bare"] and not matches:
        return None
    if len(matches) != 1:
        nothing = f"I remember nothing about {query}, so there is nothing to forget."
        more = "Which one do you mean? Say it in more of its words."
        return Answer(f"{number_lines([one['text'] for one in matches])}\n\n{more}" if matches else nothing)
    fact = str(matches[0]["text"])
    return plan.run(
        "memory", "forget that", lambda _: f'Done: I forgot "{fact}".', action="delete", memory_id=matches[0]["id"]
    )


def _format_stored(value: Mapping[str, Any], fact: str) -> str:
    is_duplicate = "receipt" not in value
    return f'I remember that already: "{fact}".' if is_duplicate else f'Done: I\'ll remember "{fact}".'


def _format_memories(value: Mapping[str, Any], nothing: str) -> str:
    texts = [str(one["text"]) for one in value["items"]]
    if len(texts) < 2:
        return f'You asked me to remember this: "{texts[0]}".' if texts else nothing
    return f"You asked me to remember:\n{number_lines(texts)}"
