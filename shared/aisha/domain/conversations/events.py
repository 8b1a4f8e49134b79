"""The events of a turn, in order. Every door renders these and no others."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from aisha.domain.conversations.conversation import Alternative, PendingConfirmation, SessionEntity
from aisha.domain.errors import AishaError
from aisha.domain.models import Usage
from aisha.domain.tools import FollowUp, ToolCall


class TurnStarted(Struct, frozen=True):
    """The beginning of a turn; `is_spoken` is true where the mode or the format is voice."""

    conversation_id: str
    message_id: str
    is_spoken: bool = False


class TextDelta(Struct, frozen=True):
    """A piece of the reply for the user; ids are removed already."""

    text: str


class ToolCallStarted(Struct, frozen=True):
    call: ToolCall


class ToolCallFinished(Struct, frozen=True):
    call: ToolCall
    description: str


class EntitiesChanged(Struct, frozen=True):
    """The session's records, most recent first."""

    entities: tuple[SessionEntity, ...]


class ConfirmationNeeded(Struct, frozen=True):
    pending: PendingConfirmation


class DataNeeded(Struct, frozen=True):
    """A request for data that the client is to send with the same message, in the shape of `req_more_info`."""

    request: Mapping[str, Any]


class Source(Struct, frozen=True):
    """A record or a document that the answer is based on."""

    type: str
    id: str
    name: str
    description: str


class Conclusions(Struct, frozen=True):
    """The results of a turn besides its text: sources, insights, next steps, recommended scans."""

    sources: tuple[Source, ...] = ()
    insights: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    recommended_scans: tuple[str, ...] = ()


class MoodChanged(Struct, frozen=True):
    """The user's `sentiment`, with an emoji and a color (`#rrggbb`) for the widget."""

    sentiment: str
    emoji: str
    color: str


class FlowReported(Struct, frozen=True):
    """The intent and the plan of flow-chat. `confidence` is 0 to 100, `analysis` the whole analysis as JSON.

    `steps` are JSON objects: id, tool, arguments, description, status, and result or reason. `alternatives` are records
    that the user may mean.
    """

    user_intent: str
    confidence: float | None
    analysis: Mapping[str, Any] | None
    steps: tuple[Mapping[str, Any], ...]
    alternatives: tuple[Alternative, ...] = ()


class FollowUps(Struct, frozen=True):
    items: tuple[FollowUp, ...]


class UsageReported(Struct, frozen=True):
    """The cost of the turn. `prompt_tokens` estimates the last model call's prompt by section."""

    provider: str
    model: str
    degraded: bool
    usage: Usage
    iterations: int
    total_ms: float
    llm_ms: float
    tools_ms: float
    prompt_tokens: Mapping[str, int] = field(default_factory=dict)

    def json_value(self) -> dict[str, Any]:
        """Return tokens, cost and times as the API has them, and as they are stored with the answer."""
        return {
            "usage": {
                "inputTokens": self.usage.input_tokens,
                "outputTokens": self.usage.output_tokens,
                "costUsd": round(self.usage.cost_usd, 6),
            },
            "timing": {
                "totalMs": round(self.total_ms, 1),
                "llmMs": round(self.llm_ms, 1),
                "toolsMs": round(self.tools_ms, 1),
            },
        }


class TurnFinished(Struct, frozen=True):
    """The end of a turn. `status` is completed, needs_confirmation or needs_data.

    `is_replaceable` is True if the turn only read: its question may be asked anew or in other words.
    """

    status: str
    response: str
    warnings: tuple[str, ...] = ()
    is_replaceable: bool = False


class TurnFailed(Struct, frozen=True):
    """The error that ended the turn early. Calls that ran before stay done and are in the tool events."""

    error: AishaError


# One union, so that mypy finds a renderer that has no answer to an event.
TurnEvent = (
    TurnStarted
    | TextDelta
    | ToolCallStarted
    | ToolCallFinished
    | EntitiesChanged
    | ConfirmationNeeded
    | DataNeeded
    | Conclusions
    | MoodChanged
    | FlowReported
    | FollowUps
    | UsageReported
    | TurnFinished
    | TurnFailed
)
