"""Conversations with a model that says what the test wrote, on the demo data."""

from typing import Any

from msgspec.structs import replace

from aisha.application.turn.brainlets.registry import Brainlets
from aisha.domain.models import ModelRequest
from tests.fakes.scripted_model import ScriptedModel, Step, tool_results
from tests.support.conversations import Stage


class Play(Stage):
    """The stage with a scripted model; brainlets, which would ask the model too, stay away."""

    def turn(self, text: str, *steps: Step, conversation: str | None = None, **fields: Any) -> dict[str, Any]:
        self.model = ScriptedModel(*steps)
        self.deps = replace(self.deps, model=self.model, brainlets=Brainlets())
        answer = self.say(text, conversation, **fields)
        assert self.model.steps == [], "the turn ended before the model had said everything"
        return answer

    def shown(self, request: int = -1) -> list[Any]:
        """The results that the model was shown in one of its calls."""
        return tool_results(self.model.requests[request])

    def added(self, before: dict[str, int]) -> dict[str, int]:
        return {kind: count - before[kind] for kind, count in self.counts().items() if count != before[kind]}


def system(request: ModelRequest) -> str:
    return request.messages[0].content
