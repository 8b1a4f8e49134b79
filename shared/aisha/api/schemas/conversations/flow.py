"""Schemas of a flow-chat response."""

from typing import Any, Literal

from pydantic import Field

from aisha.api.schemas.camel_model import CamelModel
from aisha.api.schemas.conversations.chat import ChatResponse, ToolCallJson


class ToolChoiceJson(CamelModel):
    name: str
    parameters: dict[str, Any]


class AnalysisJson(CamelModel):
    """The interpretation of the request, before anything ran."""

    user_intent: str
    reasoning: str
    confidence: float = Field(ge=0, le=100)
    needs_tools: bool
    tools_to_use: list[ToolChoiceJson]
    needs_confirmation: bool
    is_destructive: bool


class AlternativeJson(CamelModel):
    """A choice. To choose it, send its value, its number or its name as the next message."""

    label: str
    value: str


class StepJson(CamelModel):
    """A step of the plan. An argument may refer to an earlier step's result: `{"$step": 1, "path": "record.id"}`."""

    id: int
    tool: str
    arguments: dict[str, Any]
    description: str
    status: Literal["planned", "executed", "failed", "rejected", "skipped", "undone"]
    result: Any = None
    reason: str | None = None


class FlowToolCallJson(ToolCallJson):
    """A tool call of this turn. `parameters` are its arguments, by the name that clients of orchestrations read."""

    parameters: dict[str, Any]


class FlowResponse(ChatResponse):
    """The answer of one turn with its plan.

    `confidence` is 0 to 100; null for a turn without a plan.
    """

    # Narrower than the chat's: mypy allows no other item type in a list that could be written to.
    tool_calls: list[FlowToolCallJson]  # type: ignore[assignment]
    analysis: AnalysisJson | None
    user_intent: str | None
    confidence: float | None
    # The same as in `confirmation`, flat as clients of orchestrations read it.
    needs_confirmation: bool
    confirmation_type: Literal["yes_no", "select"] | None
    confirmation_question: str | None
    alternatives: list[AlternativeJson]
    is_destructive: bool
    steps: list[StepJson]
