"""Schemas of usage and of single turns, for admins."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field

from aisha.api.params import NoneIfEmpty, OptionalText
from aisha.api.schemas.camel_model import CamelModel
from aisha.application.conversations.usage import message_id_of
from aisha.domain.entries import Entry


class UsageQuery(BaseModel):
    """The days to add up."""

    days: int = Field(30, ge=1, le=90, description="Number of days, of which today is one.")


class UsageRowJson(CamelModel):
    """The turns of one user, model or day."""

    name: str
    turns: int
    failed: int
    input_tokens: int
    output_tokens: int
    cost_usd: float


class BudgetJson(CamelModel):
    """The month's model budget (UTC). `spentUsd` includes what running calls have reserved."""

    month: str
    budget_usd: float
    spent_usd: float


class TenantUsageJson(CamelModel):
    """Turns with their tokens and cost. With `truncated`, only the newest 2,000 commands were read."""

    budget: BudgetJson
    by_user: list[UsageRowJson]
    by_model: list[UsageRowJson]
    by_day: list[UsageRowJson]
    truncated: bool


class TurnsQuery(CamelModel):
    """Filters of the turns to list."""

    user: OptionalText = Field(None, max_length=200)
    tool: OptionalText = Field(None, max_length=200, description="Turns that called this tool.")
    conversation: OptionalText = Field(None, max_length=200, description="Id of a conversation.")
    success: Annotated[bool | None, NoneIfEmpty] = None
    limit: int = Field(20, ge=1, le=50, description="Turns per page; a page may have some more or fewer.")
    cursor: OptionalText = Field(None, max_length=2000, description="`nextCursor` of the previous page.")


class TurnCallJson(CamelModel):
    """A tool call of a turn. Long values of `arguments` are shortened, sensitive ones left out."""

    id: str
    name: str
    status: str
    line: str
    arguments: dict[str, Any]
    error: str | None = None
    duration_ms: float


class TurnSummaryJson(CamelModel):
    """A turn. Its texts are in the conversation, which only its user can read."""

    message_id: str
    conversation_id: str
    at: datetime
    user: str
    door: str
    status: str
    success: bool
    error: str | None = None
    provider: str
    model: str
    tools: list[str]
    cost_usd: float
    total_ms: float


class TurnJson(TurnSummaryJson):
    """One turn in full. `promptTokens` estimates the last prompt by section, `stepsMs` are the times by step."""

    mode: str
    degraded: bool
    iterations: int
    input_tokens: int
    output_tokens: int
    prompt_tokens: dict[str, int]
    steps_ms: dict[str, float]
    calls: list[TurnCallJson]
    warnings: list[str]
    asked: str | None = None


class TurnsJson(CamelModel):
    """Turns, the newest first."""

    items: list[TurnSummaryJson]
    next_cursor: str | None = None


def turn_summary_json(entry: Entry) -> TurnSummaryJson:
    """Return a turn for a list."""
    return TurnSummaryJson(**_summary(entry))


def turn_json(entry: Entry) -> TurnJson:
    """Return one turn in full."""
    # What the log has of a turn has the names of the members already.
    turn: dict[str, Any] = entry.body["turn"]
    return TurnJson.model_validate(_summary(entry) | turn)


def _summary(entry: Entry) -> dict[str, Any]:
    body, turn = entry.body, entry.body["turn"]
    return {
        "message_id": message_id_of(entry),
        "conversation_id": turn["conversation_id"],
        "at": entry.created_at,
        "user": body["user"],
        "door": turn["door"],
        "status": turn["status"],
        "success": body["success"],
        "error": body.get("error_message"),
        "provider": body["provider"],
        "model": body["model"],
        "tools": [call["name"] for call in turn["calls"]],
        "cost_usd": turn["cost_usd"],
        "total_ms": body["total_ms"],
    }
