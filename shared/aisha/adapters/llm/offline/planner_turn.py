"""The inputs of one planner call."""

import re
from collections.abc import Mapping

from msgspec import Struct, field

from aisha.adapters.llm.offline.examples import ExampleMatcher
from aisha.adapters.llm.offline.reading.disambiguation import KINDS
from aisha.adapters.llm.offline.reading.normalise import rewrite_causative
from aisha.adapters.llm.offline.reading.parser import Reading, read
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.reading.spelling import correct_spelling, is_polite_request, strip_fillers
from aisha.adapters.llm.offline.reading.tokens import Phrases
from aisha.adapters.llm.offline.results import Results
from aisha.adapters.llm.offline.scene import Scene
from aisha.adapters.llm.offline.state import DialogueState
from aisha.domain.tools import ToolSpec

_CORRECTION = pattern(r"[,.\s-]+(?:nah|no wait|wait no|scratch that|actually no|no sorry|sorry i mean[t]?)[\s,.]+")
"""Recognises a self-correction: the words after it replace those before it."""
_MOVED_TO_HOUR = pattern(
    r"^(?P<head>\s*(?:please )?(?:move|push|reschedule|shift|postpone|bring)\b.*\b"
    r"(?:call|meeting|demo|task|appointment|it|that|this|one)\b.*?\bto) (?P<hour>\d{1,2}(?:[:.]\d\d)?)\s*$"
)
_BARE_HOUR = pattern(r"\b((?:make|move|push|change|shift) (?:it|that|this)(?: to)?) (\d{1,2}(?:[:.]\d\d)?)\s*$")
_REQUEST_TAG = pattern(r"[\s,]+(?:(?:can|could|would|will) you(?: please)?|please|pls|plz|would you mind)\s*\?+\s*$")
"""Recognises a request added to an order: "schedule a call with Ann, can you?"."""
_INNER_REQUEST = pattern(
    r"(?:^|[,–—-]|\b(?:and|so|then|please|well|hey|oh|um|uh|now|ok|okay|but|maybe|yeah)\b)\W*(?:can|could|would|will)"
    r" you\b[\s,]+(?!(?:say|think|recommend|suggest|advise|handle|do|go)\b)"
)
"""Recognises a request inside a longer sentence: "that went nowhere, can you delete her?"."""


class UnknownToolError(Exception):
    """The plan needs a tool that this turn does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Toolbox(dict[str, ToolSpec]):
    """The turn's tools by name."""

    def __missing__(self, name: str) -> ToolSpec:
        raise UnknownToolError(name)


class PlannerTurn(Struct, frozen=True):
    """The inputs of one planner call, and the clauses parsed during it."""

    scene: Scene
    tools: Mapping[str, ToolSpec]
    results: Results
    state: DialogueState
    values: Phrases
    matcher: ExampleMatcher
    clauses: dict[str, Reading] = field(default_factory=dict)

    def without_corrections(self, text: str) -> str:
        """Return the sentence after its last self-correction, with its typos corrected."""
        corrected = _REQUEST_TAG.sub("", _CORRECTION.split(text)[-1] or text)
        is_request = (
            is_polite_request(corrected) or _INNER_REQUEST.search(re.split(r"[.?!;]\s+", corrected)[-1]) is not None
        )
        return correct_spelling(corrected.rstrip("? ") if is_request else corrected, self.matcher.vocabulary)

    def cleaned(self, text: str) -> str:
        """Return the sentence with typos and chat spelling corrected and courtesies removed."""
        cleaned = self.without_corrections(text)
        cleaned = rewrite_causative(correct_spelling(strip_fillers(cleaned), self.matcher.vocabulary))
        return _MOVED_TO_HOUR.sub(r"\g<head> at \g<hour>", _BARE_HOUR.sub(r"\g<1> at \g<2>", cleaned))

    def read_clause(self, text: str) -> Reading:
        """Parse the cleaned sentence, once for each text."""
        if text not in self.clauses:
            self.clauses[text] = self.read(self.cleaned(text))
        return self.clauses[text]

    def read(self, text: str) -> Reading:
        """Parse a text as it stands."""
        return read(text, self.scene.now, self.values, [one.name for one in self.scene.entities if one.type in KINDS])
