"""Schemas of the user's conversations."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from aisha.api.params import OptionalText
from aisha.api.schemas.camel_model import CamelModel
from aisha.api.schemas.conversations.chat import (
    ConfirmationJson,
    EntityJson,
    FollowUpJson,
    MoodJson,
    SourceJson,
    TimingJson,
)
from aisha.application.conversations.resent import without_resent
from aisha.domain.conversations.conversation import Conversation, Message, ToolSummary
from aisha.domain.tools import ToolStatus
from aisha.renderers.json_response import confirmation_json, entity_json


class PageQuery(BaseModel):
    """A page of a list."""

    limit: int = Field(20, ge=1, le=50, description="Items per page.")
    cursor: OptionalText = Field(None, max_length=2000, description="`nextCursor` of the previous page.")


class ExportQuery(BaseModel):
    """The format of an export."""

    format: Literal["json", "markdown"] = Field("json", description="`json`, or `markdown` for people to read.")


class ConversationsQuery(PageQuery):
    """A page of conversations, perhaps of those that have these words."""

    search: OptionalText = Field(
        None, max_length=200, description="Words of the title or of the names of the conversation's records."
    )


class TitleBody(CamelModel):
    """The user's own title."""

    title: str = Field(min_length=1, max_length=120)


class ConversationJson(CamelModel):
    """A conversation without its messages."""

    id: str
    title: str
    created_at: datetime
    updated_at: datetime


class ConversationsJson(CamelModel):
    """Conversations, the newest first."""

    items: list[ConversationJson]
    next_cursor: str | None = None


class ToolSummaryJson(CamelModel):
    """A tool call. `line` is one line about its outcome."""

    id: str
    name: str
    arguments: dict[str, Any]
    status: str
    line: str


class MessageCostJson(CamelModel):
    """Tokens and cost of an answer's model calls."""

    input_tokens: int
    output_tokens: int
    cost_usd: float


class MessageMetadataJson(CamelModel):
    """An answer's metadata, as its chat response had it. Answers of earlier releases lack some of it."""

    status: Literal["completed", "needs_confirmation", "needs_data"] | None = None
    format: Literal["markdown", "voice"] | None = None
    provider: str | None = None
    model: str | None = None
    tools_used: list[str] = Field(default_factory=list)
    sources: list[SourceJson] = Field(default_factory=list)
    insights: list[str] = Field(default_factory=list)
    next_steps: list[str] = Field(default_factory=list)
    recommended_scans: list[str] = Field(default_factory=list)
    follow_ups: list[FollowUpJson] = Field(default_factory=list)
    mood: MoodJson | None = None
    is_replaceable: bool = False
    usage: MessageCostJson | None = None
    timing: TimingJson | None = None


class MessageJson(CamelModel):
    """A message. `finished` is false if the answer was cut off. Only answers have `metadata`.

    With its `parts`, a message is a `UIMessage` of the Vercel AI SDK: `useChat({id, messages})` begins with them.
    """

    id: str
    role: str
    content: str
    created_at: datetime
    finished: bool
    tool_calls: list[ToolSummaryJson]
    metadata: MessageMetadataJson | None = None
    parts: list[dict[str, Any]] = Field(
        description="The tool calls, each with its outcome in one line, and the text, as parts of a `UIMessage`."
    )


class ConversationDetailJson(ConversationJson):
    """A conversation with one page of its messages, the oldest first.

    `entities` are the records that it is about, the last mentioned first. `confirmation` is the call that still waits
    for the user.
    """

    entities: list[EntityJson]
    confirmation: ConfirmationJson | None = None
    messages: list[MessageJson]
    next_cursor: str | None = None


def detail_json(
    conversation: Conversation, messages: Iterable[Message], cursor: str | None, now: datetime
) -> ConversationDetailJson:
    """Return a conversation with one page of its messages, and its question unless that has expired."""
    pending = conversation.pending
    return ConversationDetailJson.from_attributes(
        conversation,
        entities=[entity_json(entity) for entity in conversation.entities],
        confirmation=confirmation_json(pending) if pending and pending.expires_at > now else None,
        messages=[_message(message) for message in without_resent(list(messages))],
        next_cursor=cursor,
    )


def _message(message: Message) -> MessageJson:
    return MessageJson.from_attributes(
        message,
        metadata=_metadata(message) if message.role == "assistant" else None,
        parts=[*map(_tool_part, message.tool_calls), {"type": "text", "text": message.content}],
    )


def _tool_part(call: ToolSummary) -> dict[str, Any]:
    """Return a call as the stream's parts leave it in a client: waiting, done or failed."""
    part = {"type": f"tool-{call.name}", "toolCallId": call.id, "input": call.arguments}
    if call.status == ToolStatus.PENDING:
        return part | {"state": "input-available"}
    if call.status == ToolStatus.EXECUTED:
        return part | {"state": "output-available", "output": call.line}
    return part | {"state": "output-error", "errorText": call.line}


def _metadata(message: Message) -> MessageMetadataJson:
    # Stored by several releases: what is not as expected is left out, the rest of the message still shows.
    stored = {name: value for name, value in message.metadata.items() if value is not None}
    try:
        return MessageMetadataJson.model_validate(stored)
    except ValidationError:
        return MessageMetadataJson()
