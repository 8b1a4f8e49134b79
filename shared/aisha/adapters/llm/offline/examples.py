"""Find the tool whose example sentences are nearest to a clause, for tools the grammar has no act for."""

import math
import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence

from msgspec import Struct

from aisha.adapters.llm.offline.reading.disambiguation import KINDS
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.tokens import stem, tokenize

_SLOT = re.compile(r"\{\w+\}")
MIN_SCORE = 0.62
"""Minimum cosine over content words for a match; tuned on the tools' own examples."""
_FUNCTION_WORDS = frozenset(
    "a an the of to in on at for with is are do does did it me my i you we us our his her their please can could "
    "would and or this that".split()
)
TOOLS_WITH_ACTS = frozenset(
    [f"{verb}_{kind}" for verb in ("get", "create", "update", "delete") for kind in (*KINDS, "activity", "note")]
    + "search_leads search_contacts search_accounts search_opportunities search_notes list_notes".split()
    + "list_activities get_pipeline_summary get_my_day suggest_next_actions convert_lead complete_activity".split()
    + "draft_email run_scan bulk_create_activities advance_opportunity_stage get_scan_briefing".split()
)
"""Tools served by an act of the plan; the matcher decides for all others."""


class Match(Struct, frozen=True):
    tool: str
    score: float


class ExampleMatcher:
    """Compare a clause with every tool's examples by cosine similarity of weighted word stems, slots left out."""

    def __init__(self, examples: Iterable[tuple[str, Sequence[str]]]) -> None:
        self._examples = [
            (tool, _stems(_SLOT.sub(" ", sentence))) for tool, sentences in examples for sentence in sentences
        ]
        documents = Counter(word for _, words in self._examples for word in words)
        self._weights = {word: math.log(1 + len(self._examples) / count) for word, count in documents.items()}
        self._rare = math.log(1 + len(self._examples) or 1)

    @property
    def vocabulary(self) -> Container[str]:
        """The stems of the examples' words."""
        return self._weights

    def best(self, reading: Reading) -> Match | None:
        """Return the nearest tool, or None when no example is similar enough."""
        words = _clause_stems(reading, self._weights)
        scored = [(self._cosine(words, example), tool) for tool, example in self._examples]
        score, tool = max(scored, default=(0.0, ""))
        return Match(tool, score) if score >= MIN_SCORE else None

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


def _clause_stems(reading: Reading, vocabulary: Container[str]) -> frozenset[str]:
    """Return the clause's stems without times, amounts, and name words that no example contains."""
    text = reading.text
    spans = [(span.start, span.end) for span in reading.times] + [
        (amount.start, amount.end) for amount in reading.amounts
    ]
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    words = [
        token.word
        for token in tokenize(text)
        if token.stem in vocabulary or not any(name.start <= token.start < name.end for name in reading.names)
    ]
    return _stems(" ".join(words))
