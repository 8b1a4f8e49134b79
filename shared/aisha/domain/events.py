"""What happens in a turn, in order. Every door renders these; nothing else streams."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from aisha.domain.conversation import Alternative, PendingConfirmation, SessionEntity
from aisha.domain.errors import AishaError
from aisha.domain.models import Usage
from aisha.domain.tools import FollowUp, ToolCall


class TurnStarted(Struct, frozen=True):
    conversation_id: str
    message_id: str


class TextDelta(Struct, frozen=True):
    """A piece of the reply as the user may see it: ids are out of it already."""

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
    """What the client is asked to send with the same message, in `req_more_info`'s own shape."""

    request: Mapping[str, Any]


class Source(Struct, frozen=True):
    """What the answer rests on: a record or a document."""

    type: str
    id: str
    name: str
    description: str


class Conclusions(Struct, frozen=True):
    """What can be said about the turn: its sources, what stands out, what to do, which scans would tell more."""

    sources: tuple[Source, ...] = ()
    insights: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    recommended_scans: tuple[str, ...] = ()


class MoodChanged(Struct, frozen=True):
    """How the user sounds: `sentiment` with an emoji and a colour (`#rrggbb`) for the widget."""

    sentiment: str
    emoji: str
    color: str


class FlowReported(Struct, frozen=True):
    """What flow-chat understood and planned. `confidence` is 0 to 100, `analysis` the whole analysis as JSON.

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
    """What the turn took. `prompt_tokens` estimates the last model call's prompt by section."""

    provider: str
    model: str
    degraded: bool
    usage: Usage
    iterations: int
    total_ms: float
    llm_ms: float
    tools_ms: float
    prompt_tokens: Mapping[str, int] = field(default_factory=dict)


class TurnFinished(Struct, frozen=True):
    """`status`: completed, needs_confirmation or needs_data."""

    status: str
    response: str
    warnings: tuple[str, ...] = ()


class TurnFailed(Struct, frozen=True):
    """What ended the turn early; what was done before it stays done and is in the tool events."""

    error: AishaError


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
