"""What one call of the planner works on."""

from collections.abc import Mapping
from dataclasses import dataclass

from aisha.adapters.llm.offline.examples import ExampleMatcher
from aisha.adapters.llm.offline.reading import (
    KINDS,
    Phrases,
    Reading,
    corrected,
    read,
    without_fillers,
)
from aisha.adapters.llm.offline.results import Results
from aisha.adapters.llm.offline.state import DialogueState
from aisha.domain.models import Scene
from aisha.domain.tools import ToolSpec


class UnknownToolError(Exception):
    """The plan needs a tool that this turn does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Toolbox(dict[str, ToolSpec]):
    """The turn's tools by name."""

    def __missing__(self, name: str) -> ToolSpec:
        raise UnknownToolError(name)


@dataclass(frozen=True, slots=True)
class PlannerTurn:
    """What one call of the planner works on."""

    scene: Scene
    tools: Mapping[str, ToolSpec]
    results: Results
    state: DialogueState
    values: Phrases
    matcher: ExampleMatcher

    def mended(self, text: str) -> str:
        """Typos and chat spelling put right, courtesies left out."""
        return corrected(without_fillers(corrected(text, self.matcher.vocabulary)), self.matcher.vocabulary)

    def read(self, text: str) -> Reading:
        return read(text, self.scene.now, self.values, [one.name for one in self.scene.entities if one.type in KINDS])
