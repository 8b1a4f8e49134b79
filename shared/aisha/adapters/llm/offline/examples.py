"""Finds the tool whose example sentences are nearest to a clause: how a tool that nobody told the planner about is found."""

import math
import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence

from msgspec import Struct

from aisha.adapters.llm.offline.disambiguation import KINDS
from aisha.adapters.llm.offline.parser import Reading
from aisha.adapters.llm.offline.tokens import stem, tokenize

_SLOT = re.compile(r"\{\w+\}")
THRESHOLD = 0.62
"""Cosine over content words from which an example counts as meant; set on the examples of the tools themselves."""


class Match(Struct, frozen=True):
    tool: str
    score: float


class ExampleMatcher:
    """Cosine similarity of weighted word stems between a clause and every tool's examples, slots left out."""

    def __init__(self, examples: Iterable[tuple[str, Sequence[str]]]) -> None:
        self._examples = [
            (tool, _stems(_SLOT.sub(" ", sentence))) for tool, sentences in examples for sentence in sentences
        ]
        documents = Counter(word for _, words in self._examples for word in words)
        self._weights = {word: math.log(1 + len(self._examples) / count) for word, count in documents.items()}
        self._rare = math.log(1 + len(self._examples) or 1)

    @property
    def vocabulary(self) -> Container[str]:
        """Stems of the examples' words."""
        return self._weights

    def best(self, reading: Reading) -> Match | None:
        """The nearest tool, or None when no example shares enough with the clause."""
        words = _clause_stems(reading, self._weights)
        scored = [(self._cosine(words, example), tool) for tool, example in self._examples]
        score, tool = max(scored, default=(0.0, ""))
        return Match(tool, score) if score >= THRESHOLD else None

    def _cosine(self, words: frozenset[str], example: frozenset[str]) -> float:
        shared = sum(self._weight(word) ** 2 for word in words & example)
        length = math.sqrt(
            sum(self._weight(word) ** 2 for word in words) * sum(self._weight(word) ** 2 for word in example)
        )
        return shared / length if length else 0.0

    def _weight(self, word: str) -> float:
        return self._weights.get(word, self._rare)


def _stems(text: str) -> frozenset[str]:
    words = [token.word for token in tokenize(text)]
    content = [word for word in words if word not in _FUNCTION_WORDS]
    return frozenset(stem(word) for word in content or words)


_FUNCTION_WORDS = frozenset(
    "a an the of to in on at for with is are do does did it me my i you we us our his her their please can could "
    "would and or this that".split()
)


def _clause_stems(reading: Reading, known: Container[str]) -> frozenset[str]:
    """Stems of the clause without times and amounts, and without those words of names that no example has."""
    text = reading.text
    spans = [(span.start, span.end) for span in reading.times] + [(sum_.start, sum_.end) for sum_ in reading.amounts]
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    words = [
        token.word
        for token in tokenize(text)
        if token.stem in known or not any(name.start <= token.start < name.end for name in reading.names)
    ]
    return _stems(" ".join(words))


OWN_ACTS = frozenset(
    [f"{verb}_{kind}" for verb in ("get", "create", "update", "delete") for kind in (*KINDS, "activity", "note")]
    + [
        "search_leads",
        "search_contacts",
        "search_accounts",
        "search_opportunities",
        "list_activities",
        "list_notes",
        "search_notes",
    ]
    + [
        "get_pipeline_summary",
        "get_my_day",
        "suggest_next_actions",
        "convert_lead",
        "complete_activity",
        "bulk_create_activities",
        "advance_opportunity_stage",
        "draft_email",
        "run_scan",
        "get_scan_briefing",
    ]
)
"""Tools that an act of the plan serves; the matcher decides for all the others."""
