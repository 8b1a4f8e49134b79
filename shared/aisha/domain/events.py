"""What happens in a turn, in order. Every door renders these; nothing else streams."""

from dataclasses import dataclass

from aisha.domain.conversation import PendingConfirmation, SessionEntity
from aisha.domain.errors import AishaError
from aisha.domain.models import Usage
from aisha.domain.tools import FollowUp, ToolCall


@dataclass(frozen=True, slots=True)
class TurnStarted:
    conversation_id: str
    message_id: str


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the reply as the user may see it: ids are out of it already."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCallStarted:
    call: ToolCall


@dataclass(frozen=True, slots=True)
class ToolCallFinished:
    call: ToolCall
    description: str


@dataclass(frozen=True, slots=True)
class EntitiesChanged:
    """The session's records, most recent first."""

    entities: tuple[SessionEntity, ...]


@dataclass(frozen=True, slots=True)
class ConfirmationNeeded:
    pending: PendingConfirmation


@dataclass(frozen=True, slots=True)
class FollowUps:
    items: tuple[FollowUp, ...]


@dataclass(frozen=True, slots=True)
class UsageReported:
    provider: str
    model: str
    degraded: bool
    usage: Usage
    iterations: int
    total_ms: float
    llm_ms: float
    tools_ms: float


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """`status`: completed, needs_confirmation or needs_data."""

    status: str
    response: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """What ended the turn early; what was done before it stays done and is in the tool events."""

    error: AishaError


TurnEvent = (
    TurnStarted
    | TextDelta
    | ToolCallStarted
    | ToolCallFinished
    | EntitiesChanged
    | ConfirmationNeeded
    | FollowUps
    | UsageReported
    | TurnFinished
    | TurnFailed
)
