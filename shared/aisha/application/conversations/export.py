"""Export of conversations as JSON, with tool calls in the format of chat APIs, or as Markdown."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from aisha.application.redaction.safe_text import inert_text
from aisha.application.redaction.summaries import without_sensitive
from aisha.domain.conversations.conversation import Conversation, Message, ToolSummary
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import PayloadTooLargeError
from aisha.domain.ports import ConversationRepository
from aisha.domain.wording import on_one_line

MAX_MESSAGES = 5000
PAGE_SIZE = 50
_NAMES = {"user": "You", "assistant": "AiSHA"}


class ExportedFunction(DeferredModel):
    """A called function. `arguments` is JSON in a string, the format of chat APIs."""

    name: str
    arguments: str


class ExportedCall(DeferredModel):
    """A tool call of an assistant's message."""

    id: str
    type: Literal["function"] = "function"
    function: ExportedFunction


class ExportedMessage(DeferredModel):
    """A message; messages are ordered by `sequence`. A `tool` message has the outcome of a call in one line.

    `finished` is false for an answer that was cut off. `platform` is where it was said: api, widget, voice, mcp or
    schedule; messages of earlier releases lack it.
    """

    id: str
    sequence: int
    role: Literal["system", "user", "assistant", "tool"]
    content: str
    created_at: datetime
    finished: bool = True
    platform: str | None = None
    model: str | None = None
    tool_calls: list[ExportedCall] | None = None
    tool_call_id: str | None = None
    status: str | None = None


class ExportedEntity(DeferredModel):
    """A record that the conversation is about."""

    id: str
    type: str
    name: str


class ConversationExport(DeferredModel):
    """A user's whole conversation, the oldest message first.

    `summary` is about the messages that models no longer get.
    """

    id: str
    user: str
    title: str
    created_at: datetime
    updated_at: datetime
    summary: str | None = None
    entities: list[ExportedEntity] = Field(default_factory=list)
    messages: list[ExportedMessage]


def export_conversation(
    conversations: ConversationRepository, tenant: str, user: str, conversation_id: str
) -> ConversationExport:
    """Return the user's conversation with all messages in order.

    Raises `NotFoundError`, `PayloadTooLargeError` for more than 5000 messages.
    """
    head = conversations.load(tenant, user, conversation_id, 0).conversation
    messages = [part for message in _messages(conversations, head) for part in _export(message)]
    return ConversationExport.from_attributes(head, messages=messages)


def to_markdown(export: ConversationExport) -> str:
    """Return the conversation as Markdown, with the messages and the tool calls. No markup in them has an effect."""
    lines = [
        f"# {on_one_line(export.title)}",
        f"{_format_time(export.created_at)} to {_format_time(export.updated_at)}",
    ]
    if export.entities:
        lines.append("About: " + ", ".join(f"{on_one_line(entity.name)} ({entity.type})" for entity in export.entities))
    for message in export.messages:
        if message.role == "tool":
            lines.append(f"- {on_one_line(message.content)}")
        else:
            lines.append(f"## {_NAMES.get(message.role, message.role)}, {_format_time(message.created_at)}")
            lines += [message.content] if message.content else []
            lines += [] if message.finished else ["*This answer was cut off.*"]
    # Names of records and what the user pasted are texts of others: whoever opens the file would load their images.
    return inert_text("\n\n".join(lines) + "\n")


def _messages(conversations: ConversationRepository, head: Conversation) -> Iterator[Message]:
    cursor: str | None = None
    for _ in range(MAX_MESSAGES // PAGE_SIZE):
        page, cursor = conversations.messages(head.tenant, head.user, head.id, PAGE_SIZE, cursor)
        yield from page
        if cursor is None:
            return
    raise PayloadTooLargeError(
        f"A conversation of more than {MAX_MESSAGES} messages can't be exported at once.",
        suggestion="Read its messages page by page: GET /api/ai/conversations/{id}.",
    )


def _export(message: Message) -> Iterator[ExportedMessage]:
    model, platform = message.metadata.get("model"), message.metadata.get("platform")
    yield ExportedMessage.from_attributes(
        message,
        platform=platform,
        # "none" is stored for an answer without a model.
        model=model if model != "none" else None,
        tool_calls=[_export_call(call) for call in message.tool_calls] or None,
        tool_call_id=None,
        status=None,
    )
    # Chat APIs expect a message of the tool after each message with calls.
    for call in message.tool_calls:
        yield ExportedMessage(
            id=f"{message.id}.{call.id}",
            sequence=message.sequence,
            role="tool",
            content=f"{call.name}: {call.line}",
            created_at=message.created_at,
            platform=platform,
            tool_call_id=call.id,
            status=call.status,
        )


def _export_call(call: ToolSummary) -> ExportedCall:
    arguments: Any = without_sensitive(call.arguments)
    return ExportedCall(
        id=call.id, function=ExportedFunction(name=call.name, arguments=json.dumps(arguments, ensure_ascii=False))
    )


def _format_time(time: datetime) -> str:
    return f"{time:%d %B %Y %H:%M %Z}".strip()
