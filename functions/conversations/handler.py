"""GET /api/ai/conversations, GET and DELETE of one: the user's own history."""

from datetime import datetime
from typing import Any, Literal

from aws_lambda_powertools.event_handler import Response
from pydantic import BaseModel, Field

from aisha import bootstrap
from aisha.api.operation import Operation
from aisha.api.params import GivenText
from aisha.api.rest_app import RestApp, answer, no_content, rest_handler
from aisha.application.conversations.export import ConversationExport, as_markdown, export_conversation
from aisha.domain.conversation import Conversation, Message
from aisha.renderers.chat_response import CamelModel, EntityJson, entity_json

ID = {"id": "The conversation's id."}
MARKDOWN = "text/markdown"


class PageQuery(BaseModel):
    """A page of a list."""

    limit: int = Field(20, ge=1, le=50, description="Items on a page.")
    cursor: GivenText = Field(None, max_length=2000, description="`nextCursor` of the page before.")


class ExportQuery(BaseModel):
    """How the export is written."""

    format: Literal["json", "markdown"] = Field("json", description="`json`, or `markdown` to read.")


class ConversationJson(CamelModel):
    """A conversation without its messages."""

    id: str
    title: str
    created_at: datetime
    updated_at: datetime


class ConversationsJson(CamelModel):
    """Newest first."""

    items: list[ConversationJson]
    next_cursor: str | None = None


class ToolSummaryJson(CamelModel):
    """What came of a tool call, in one line."""

    id: str
    name: str
    arguments: dict[str, Any]
    status: str
    line: str


class MessageJson(CamelModel):
    """A message. `finished` is false on an answer that was cut off."""

    id: str
    role: str
    content: str
    created_at: datetime
    finished: bool
    tool_calls: list[ToolSummaryJson]


class ConversationDetailJson(ConversationJson):
    """A conversation with a page of its messages, oldest first, and the records it is about, last mentioned first."""

    entities: list[EntityJson]
    messages: list[MessageJson]
    next_cursor: str | None = None


HEAD = {
    "id": "conv_01JD3Q9A7C5E3G1J9K7M5N3P1Q",
    "title": "Warm leads",
    "createdAt": "2026-03-02T09:00:00Z",
    "updatedAt": "2026-03-02T09:00:02Z",
}
DETAIL = HEAD | {
    "entities": [{"id": "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N", "type": "lead", "name": "Jack Russel", "aliases": ["jack"]}],
    "messages": [
        {
            "id": "msg_01JD3Q9B8D6F4H2J0K8M6N4P2R",
            "role": "user",
            "content": "Show me my warm leads",
            "createdAt": "2026-03-02T09:00:00Z",
            "finished": True,
            "toolCalls": [],
        }
    ],
    "nextCursor": None,
}

EXPORT = {
    "id": "conv_01JD3Q9A7C5E3G1J9K7M5N3P1Q",
    "title": "Warm leads",
    "created_at": "2026-03-02T09:00:00Z",
    "updated_at": "2026-03-02T09:00:02Z",
    "entities": [{"id": "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N", "type": "lead", "name": "Jack Russel"}],
    "messages": [
        {
            "id": "msg_01JD3Q9C9E7G5J3K1M9N7P5R3S",
            "sequence": 2,
            "role": "assistant",
            "content": "You have one warm lead: Jack Russel.",
            "created_at": "2026-03-02T09:00:02Z",
            "finished": True,
            "model": "gpt-4o",
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "search_leads", "arguments": '{"status": "warm"}'},
                }
            ],
        },
        {
            "id": "msg_01JD3Q9C9E7G5J3K1M9N7P5R3S.call_1",
            "sequence": 2,
            "role": "tool",
            "content": "search_leads: found 1: Jack Russel",
            "created_at": "2026-03-02T09:00:02Z",
            "finished": True,
            "tool_call_id": "call_1",
            "status": "executed",
        },
    ],
}
MARKDOWN_EXPORT = """\
# Warm leads

2 March 2026 09:00 UTC to 2 March 2026 09:00 UTC

About: Jack Russel (lead)

## AiSHA, 2 March 2026 09:00 UTC

You have one warm lead: Jack Russel.
"""

app = RestApp()


@app.operation(
    Operation(
        "GET",
        "/api/ai/conversations",
        "listConversations",
        summary="List conversations",
        description="The user's own, newest first.",
        query=PageQuery,
        response=ConversationsJson,
        example={"items": [HEAD], "nextCursor": None},
        errors=(422,),
    )
)
def recent() -> Response[str]:
    principal, page = app.principal(), app.query(PageQuery)
    found, cursor = bootstrap.conversations().recent(principal.tenant, principal.user, page.limit, page.cursor)
    return answer(ConversationsJson(items=[ConversationJson(**_head(one)) for one in found], next_cursor=cursor))


@app.operation(
    Operation(
        "GET",
        "/api/ai/conversations/{id}",
        "getConversation",
        summary="Get one conversation",
        description="With a page of its messages, oldest first.",
        query=PageQuery,
        response=ConversationDetailJson,
        example=DETAIL,
        errors=(404, 422),
        path_parameters=ID,
    )
)
def one(id: str) -> Response[str]:
    principal, page, repository = app.principal(), app.query(PageQuery), bootstrap.conversations()
    head = repository.load(principal.tenant, principal.user, id, 0).conversation
    messages, cursor = repository.messages(principal.tenant, principal.user, id, page.limit, page.cursor)
    detail = ConversationDetailJson(
        **_head(head),
        entities=[EntityJson.model_validate(entity_json(entity)) for entity in head.entities],
        messages=[_message(message) for message in messages],
        next_cursor=cursor,
    )
    return answer(detail)


@app.operation(
    Operation(
        "GET",
        "/api/ai/conversations/{id}/export",
        "exportConversation",
        summary="Export a conversation",
        description="The whole conversation with its tool calls, oldest message first: as JSON, or with `format=markdown` as a "
        "`text/markdown` document to read.",
        query=ExportQuery,
        response=ConversationExport,
        example=EXPORT,
        other_content={MARKDOWN: MARKDOWN_EXPORT},
        errors=(404, 413, 422),
        path_parameters=ID,
    )
)
def export(id: str) -> Response[str]:
    principal, wanted = app.principal(), app.query(ExportQuery)
    found = export_conversation(bootstrap.conversations(), principal.tenant, principal.user, id)
    made = answer(found) if wanted.format == "json" else Response(200, f"{MARKDOWN}; charset=utf-8", as_markdown(found))
    ending = "json" if wanted.format == "json" else "md"
    made.headers["content-disposition"] = f'attachment; filename="conversation.{ending}"'
    return made


@app.operation(
    Operation(
        "DELETE",
        "/api/ai/conversations/{id}",
        "deleteConversation",
        summary="Delete a conversation",
        description="With all its messages, for good.",
        success=204,
        errors=(404,),
        path_parameters=ID,
    )
)
def delete(id: str) -> Response[str]:
    principal = app.principal()
    bootstrap.conversations().delete(principal.tenant, principal.user, id)
    return no_content()


def _head(conversation: Conversation) -> dict[str, Any]:
    names = ("id", "title", "created_at", "updated_at")
    return {name: getattr(conversation, name) for name in names}


def _message(message: Message) -> MessageJson:
    calls = [
        ToolSummaryJson(id=call.id, name=call.name, arguments=call.arguments, status=call.status, line=call.line)
        for call in message.tool_calls
    ]
    return MessageJson(
        id=message.id,
        role=message.role,
        content=message.content,
        created_at=message.created_at,
        finished=message.finished,
        tool_calls=calls,
    )


handler = rest_handler(app)
