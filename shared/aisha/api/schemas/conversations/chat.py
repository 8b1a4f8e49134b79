"""Schemas of a chat response, and parts of it that other responses share."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

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

    `entities` are the conversation's records, the last mentioned first. `degraded` is true when the first model of the
    chain failed and another one answered. `is_replaceable` is true for an answer that only read: a request whose
    `replaces` is its `message_id` takes the place of question and answer.
    """

    success: bool
    status: Literal["completed", "needs_confirmation", "needs_data"]
    response: str
    conversation_id: str
    message_id: str
    entities: list[EntityJson]
    tool_calls: list[ToolCallJson]
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


_LEAD = "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"
_CONVERSATION = "conv_01JD3Q9A7C5E3G1J9K7M5N3P1Q"
_MESSAGE = "msg_01JD3Q9B8D6F4H2J0K8M6N4P2R"
_JACK = {
    "id": _LEAD,
    "entity_type": "lead",
    "display_name": "Jack Russel",
    "first_name": "Jack",
    "last_name": "Russel",
    "company": "ABC Corp",
    "status": "warm",
}
_COST = {"inputTokens": 0, "outputTokens": 0, "costUsd": 0.0}
_TIME = {"totalMs": 42.0, "llmMs": 6.1, "toolsMs": 21.4}

CHAT_EXAMPLE: dict[str, Any] = {
    "success": True,
    "status": "completed",
    "response": "I found one warm lead: **Jack Russel** of ABC Corp.",
    "conversationId": _CONVERSATION,
    "messageId": _MESSAGE,
    "entities": [{"id": _LEAD, "type": "lead", "name": "Jack Russel", "aliases": ["jack russel", "jack", "russel"]}],
    "toolCalls": [
        {
            "id": "call_1",
            "name": "search_leads",
            "arguments": {"status": "warm"},
            "status": "executed",
            "description": "Found 1 lead",
            "result": {"items": [_JACK], "total": 1},
            "error": None,
            "durationMs": 21.4,
        }
    ],
    "followUps": [
        {"text": "Create an activity for Jack Russel", "icon": "📅", "tool": "create_activity"},
        {"text": "Show me Jack Russel's notes", "icon": "📝", "tool": "search_notes"},
    ],
    "sources": [{"type": "lead", "id": _LEAD, "name": "Jack Russel", "description": "Lead, ABC Corp"}],
    "insights": [],
    "nextSteps": [],
    "recommendedScans": [],
    "provider": "offline",
    "model": "offline",
    "degraded": False,
    "iterations": 2,
    "usage": _COST,
    "timing": _TIME,
    "warnings": [],
    "isReplaceable": True,
}
CONFIRMED_EXAMPLE: dict[str, Any] = {
    **CHAT_EXAMPLE,
    "response": "Done. I deleted the lead **Jack Russel**.",
    "isReplaceable": False,
    "entities": [],
    "toolCalls": [
        {
            "id": "call_1",
            "name": "delete_lead",
            "arguments": {"lead_id": _LEAD},
            "status": "executed",
            "description": "Deleted Jack Russel",
            "result": {"action": "deleted", "entity": {"type": "lead", "id": _LEAD, "name": "Jack Russel"}},
            "error": None,
            "durationMs": 18.9,
        }
    ],
    "followUps": [
        {"text": "Show me my leads", "icon": "🔍", "tool": "search_leads"},
        {"text": "What should I do next?", "icon": "💡"},
    ],
    "sources": [],
    "iterations": 1,
}
STREAM_EXAMPLE = "\n".join(
    f"data: {part}\n"
    for part in (
        f'{{"type":"start","messageId":"{_MESSAGE}","messageMetadata":{{"conversationId":"{_CONVERSATION}"}}}}',
        '{"type":"start-step"}',
        '{"type":"text-start","id":"text-1"}',
        '{"type":"text-delta","id":"text-1","delta":"I found one warm lead: "}',
        '{"type":"text-delta","id":"text-1","delta":"**Jack Russel** of ABC Corp."}',
        '{"type":"text-end","id":"text-1"}',
        '{"type":"finish-step"}',
        '{"type":"finish","messageMetadata":{"status":"completed","warnings":[],"isReplaceable":true}}',
        "[DONE]",
    )
)
