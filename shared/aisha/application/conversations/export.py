"""A conversation to take away: as JSON, in which tool calls have the shape that chat APIs use, or as Markdown to read."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from aisha.application.redaction.summaries import without_sensitive
from aisha.domain.conversation import Conversation, Message, ToolSummary
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import PayloadTooLargeError
from aisha.domain.ports import ConversationRepository

MOST_MESSAGES = 5000
PAGE = 50
_NAMES = {"user": "You", "assistant": "AiSHA"}


class ExportedFunction(DeferredModel):
    """What was called. `arguments` is JSON in a string, as models write it."""

    name: str
    arguments: str


class ExportedCall(DeferredModel):
    """A tool call of an assistant's message."""

    id: str
    type: Literal["function"] = "function"
    function: ExportedFunction


class ExportedMessage(DeferredModel):
    """`sequence` orders them. A `tool` message follows its call and says in one line what came of it.

    `finished` is false on an answer that was cut off.
    """

    id: str
    sequence: int
    role: Literal["system", "user", "assistant", "tool"]
    content: str
    created_at: datetime
    finished: bool = True
    model: str | None = None
    tool_calls: list[ExportedCall] | None = None
    tool_call_id: str | None = None
    status: str | None = None


class ExportedEntity(DeferredModel):
    """A record that was talked about."""

    id: str
    type: str
    name: str


class ConversationExport(DeferredModel):
    """A whole conversation, oldest message first. `summary` is of what lies before the messages that a model still gets."""

    id: str
    title: str
    created_at: datetime
    updated_at: datetime
    summary: str | None = None
    entities: list[ExportedEntity] = Field(default_factory=list)
    messages: list[ExportedMessage]


def export_conversation(
    conversations: ConversationRepository, tenant: str, user: str, conversation_id: str
) -> ConversationExport:
    """The user's conversation with all messages, in order, each once.

    Raises `NotFoundError`, `PayloadTooLargeError` for more than 5000 messages.
    """
    head = conversations.load(tenant, user, conversation_id, 0).conversation
    return ConversationExport(
        id=head.id,
        title=head.title,
        created_at=head.created_at,
        updated_at=head.updated_at,
        summary=head.summary,
        entities=[ExportedEntity(id=one.id, type=one.type, name=one.name) for one in head.entities],
        messages=[part for message in _messages(conversations, head) for part in _exported(message)],
    )


def as_markdown(export: ConversationExport) -> str:
    """The conversation to read: who said what, and what was done."""
    lines = [f"# {_line(export.title)}", f"{_when(export.created_at)} to {_when(export.updated_at)}"]
    if export.entities:
        lines.append("About: " + ", ".join(f"{_line(one.name)} ({one.type})" for one in export.entities))
    for message in export.messages:
        if message.role == "tool":
            lines.append(f"- {_line(message.content)}")
        else:
            lines.append(f"## {_NAMES.get(message.role, message.role)}, {_when(message.created_at)}")
            lines += [message.content] if message.content else []
            lines += [] if message.finished else ["*This answer was cut off.*"]
    return "\n\n".join(lines) + "\n"


def _messages(conversations: ConversationRepository, head: Conversation) -> Iterator[Message]:
    cursor: str | None = None
    for _ in range(MOST_MESSAGES // PAGE):
        found, cursor = conversations.messages(head.tenant, head.user, head.id, PAGE, cursor)
        yield from found
        if cursor is None:
            return
    raise PayloadTooLargeError(f"A conversation of more than {MOST_MESSAGES} messages can't be exported at once.")


def _exported(message: Message) -> Iterator[ExportedMessage]:
    model = message.metadata.get("model")
    yield ExportedMessage(
        id=message.id,
        sequence=message.sequence,
        role=message.role,
        content=message.content,
        created_at=message.created_at,
        finished=message.finished,
        model=model if model != "none" else None,
        tool_calls=[_call(call) for call in message.tool_calls] or None,
    )
    for call in message.tool_calls:
        yield ExportedMessage(
            id=f"{message.id}.{call.id}",
            sequence=message.sequence,
            role="tool",
            content=f"{call.name}: {call.line}",
            created_at=message.created_at,
            tool_call_id=call.id,
            status=call.status,
        )


def _call(call: ToolSummary) -> ExportedCall:
    arguments: Any = without_sensitive(call.arguments)
    return ExportedCall(
        id=call.id, function=ExportedFunction(name=call.name, arguments=json.dumps(arguments, ensure_ascii=False))
    )


def _when(moment: datetime) -> str:
    return f"{moment:%d %B %Y %H:%M %Z}".strip()


def _line(text: str) -> str:
    return " ".join(text.split())
