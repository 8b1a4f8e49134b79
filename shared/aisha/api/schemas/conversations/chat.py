"""Schemas of a chat response, and parts of it that other responses share."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from aisha.api.schemas.camel_model import CamelModel


class EntityJson(CamelModel):
    """A record that the conversation is about. `aliases` are lower-case names by which the user can refer to it."""

    id: str
    type: str
    name: str
    aliases: list[str]


class EntityRefJson(CamelModel):
    """A reference to a record."""

    type: str
    id: str
    name: str


class ToolCallJson(CamelModel):
    """A tool call of this turn. `description` is one line about its outcome."""

    id: str
    name: str
    arguments: dict[str, Any]
    status: Literal["pending", "executed", "failed", "rejected", "not_found"]
    description: str
    # Any JSON: a tool returns what its own schema says, which `GET /api/ai/tools` has.
    result: Any = None
    error: dict[str, Any] | None = None
    duration_ms: float


class FollowUpJson(CamelModel):
    """A next step to offer to the user. `tool` and `arguments` are the call that it would run."""

    text: str
    icon: str
    tool: str | None = None
    arguments: dict[str, Any] | None = None


class SourceJson(CamelModel):
    """A record on which the answer is based."""

    type: str
    id: str
    name: str
    description: str


class ConfirmationJson(CamelModel):
    """A call that waits for the user: POST a decision to `/api/ai/confirmations/{id}`, or say yes or no in the chat."""

    id: str
    confirmation_type: Literal["yes_no", "select"]
    question: str
    reason: str = Field(description="Why the user is asked, in words.")
    is_destructive: bool
    tool: str
    arguments: dict[str, Any]
    alternatives: list[Any] | None = None
    expires_at: datetime


class MoodJson(CamelModel):
    """The user's mood, for display."""

    sentiment: str
    emoji: str
    color: str


class NeedsJson(CamelModel):
    """Data and tools that the client should send along when it repeats the message."""

    data: dict[str, Any] | list[Any] | None = None
    domain_knowledge: dict[str, Any] | list[Any] | None = None
    tools: dict[str, Any] | list[Any] | None = None


class UsageJson(CamelModel):
    """Tokens and cost of all model calls of the turn.

    `prompt_tokens` estimates the tokens of each section of the last prompt.
    """

    input_tokens: int
    output_tokens: int
    cost_usd: float
    prompt_tokens: dict[str, int] = Field(default_factory=dict)


class TimingJson(CamelModel):
    """Wall time in milliseconds of the turn, of its model calls and of its tools."""

    total_ms: float
    llm_ms: float
    tools_ms: float


class ChatResponse(CamelModel):
    """The answer of one turn. `response` is Markdown for the user and has no ids; the other members have them.

    `entities` are the conversation's records, the last mentioned first; `tools_used` names the tools that ran.
    `degraded` is true when the first model of the chain failed and another one answered. `is_replaceable` is true for
    an answer that only read: a request whose `replaces` is its `message_id` takes the place of question and answer.
    """

    # Always true: a failed turn is a problem document. Clients of the first version read it all the same.
    success: bool
    status: Literal["completed", "needs_confirmation", "needs_data"]
    response: str
    conversation_id: str
    message_id: str
    entities: list[EntityJson]
    tool_calls: list[ToolCallJson]
    # The names alone, once each, under the name that clients of the first version read.
    tools_used: list[str]
    follow_ups: list[FollowUpJson]
    sources: list[SourceJson]
    insights: list[str] = Field(default_factory=list)
    next_steps: list[str] = Field(default_factory=list)
    recommended_scans: list[str] = Field(default_factory=list)
    mood: MoodJson | None = None
    confirmation: ConfirmationJson | None = None
    req_more_info: NeedsJson | None = None
    provider: str
    model: str
    degraded: bool
    iterations: int
    usage: UsageJson
    timing: TimingJson
    warnings: list[str]
    is_replaceable: bool


class DecisionBody(BaseModel):
    """The user's decision about the call."""

    decision: Literal["approve", "reject"] = Field(
        description="`approve` runs the stored call once, with its stored arguments."
    )
    choice: str | None = Field(default=None, description="The `value` of the chosen one, if there are `alternatives`.")
