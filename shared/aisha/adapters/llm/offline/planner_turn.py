"""What one call of the planner works on."""

import re
from collections.abc import Mapping

from msgspec import Struct

from aisha.adapters.llm.offline.disambiguation import KINDS
from aisha.adapters.llm.offline.examples import ExampleMatcher
from aisha.adapters.llm.offline.parser import Reading, read
from aisha.adapters.llm.offline.results import Results
from aisha.adapters.llm.offline.rewording import had_done
from aisha.adapters.llm.offline.scene import Scene
from aisha.adapters.llm.offline.spelling import corrected, is_polite, without_fillers
from aisha.adapters.llm.offline.state import DialogueState
from aisha.adapters.llm.offline.tokens import Phrases
from aisha.domain.tools import ToolSpec

_CORRECTION = re.compile(
    r"[,.\s-]+(?:nah|no\s+wait|wait\s+no|scratch\s+that|actually\s+no|no\s+sorry|sorry\s+i\s+mean[t]?)[\s,.]+",
    re.IGNORECASE,
)
"""What comes after it takes back what came before."""
_MOVED_TO_HOUR = re.compile(
    r"^(?P<head>\s*(?:please\s+)?(?:move|push|reschedule|shift|postpone|bring)\b.*\b(?:call|meeting|demo|task|appointment|it|that|this|one)\b.*?\bto)\s+(?P<hour>\d{1,2}(?:[:.]\d\d)?)\s*$",
    re.IGNORECASE,
)
_BARE_HOUR = re.compile(
    r"\b((?:make|move|push|change|shift)\s+(?:it|that|this)(?:\s+to)?)\s+(\d{1,2}(?:[:.]\d\d)?)\s*$", re.IGNORECASE
)


_CAN_YOU = re.compile(
    r"[\s,]+(?:(?:can|could|would|will)\s+you(?:\s+please)?|please|pls|plz|would\s+you\s+mind)\s*\?+\s*$", re.IGNORECASE
)
"""Makes a request of an order: "schedule a call with Ann, can you?"."""
_ASKED_FOR = re.compile(
    r"(?:^|[,–—-]|\b(?:and|so|then|please|well|hey|oh|um|uh|now|ok|okay|but|maybe|yeah)\b)\W*(?:can|could|would|will)\s+you\b[\s,]+(?!(?:say|think|recommend|suggest|advise|handle|do|go)\b)",
    re.IGNORECASE,
)
"""A request inside a longer sentence: "that went nowhere, can you delete her?"."""


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
    """What one call of the planner works on."""

    scene: Scene
    tools: Mapping[str, ToolSpec]
    results: Results
    state: DialogueState
    values: Phrases
    matcher: ExampleMatcher

    def taken_back(self, text: str) -> str:
        """The sentence without what it takes back itself, its typos mended."""
        said = _CAN_YOU.sub("", _CORRECTION.split(text)[-1] or text)
        asked_for = is_polite(said) or _ASKED_FOR.search(re.split(r"[.?!;]\s+", said)[-1]) is not None
        return corrected(said.rstrip("? ") if asked_for else said, self.matcher.vocabulary)

    def mended(self, text: str) -> str:
        """Typos and chat spelling put right, courtesies left out."""
        said = self.taken_back(text)
        said = had_done(corrected(without_fillers(said), self.matcher.vocabulary))
        return _MOVED_TO_HOUR.sub(r"\g<head> at \g<hour>", _BARE_HOUR.sub(r"\g<1> at \g<2>", said))

    def read(self, text: str) -> Reading:
        return read(text, self.scene.now, self.values, [one.name for one in self.scene.entities if one.type in KINDS])
