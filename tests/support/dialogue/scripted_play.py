"""Conversations with a scripted model on the demo data."""

from typing import Any

from msgspec.structs import replace

from aisha.application.turn.brainlets.registry import Brainlets
from aisha.domain.models import ModelRequest
from tests.fakes.models.scripted_model import ScriptedModel, Step, system_text, tool_results
from tests.support.dialogue.conversations import Stage


class Play(Stage):
    """A stage with a scripted model and without brainlets, which would call the model too."""

    def turn(self, text: str, *steps: Step, conversation: str | None = None, **fields: Any) -> dict[str, Any]:
        self.model = ScriptedModel(*steps)
        self.deps = replace(self.deps, model=self.model, brainlets=Brainlets())
        answer = self.say(text, conversation, **fields)
        assert self.model.steps == [], "the turn ended before the model had played all its steps"
        return answer

    def results_sent(self, request: int = -1) -> list[Any]:
        """Return the tool results in one of the requests to the model."""
        return tool_results(self.model.requests[request])

    def count_added(self, before: dict[str, int]) -> dict[str, int]:
        """Return the number of new records by type since the counts `before`."""
        return {kind: count - before[kind] for kind, count in self.counts().items() if count != before[kind]}


def system(request: ModelRequest) -> str:
    return system_text(request)
