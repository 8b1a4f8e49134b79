"""GET /api/ai/conversations, GET and DELETE of one: the user's own history."""

from datetime import datetime
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from pydantic import BaseModel, BeforeValidator, Field

from aisha import bootstrap
from aisha.domain.conversation import Conversation, Message, SessionEntity
from aisha.http_edge import RestApp, answer, no_content, rest_handler
from aisha.http_operation import Operation
from aisha.renderers.chat_response import CamelModel, EntityJson

ID = {"id": "The conversation's id."}
Text = Annotated[str | None, BeforeValidator(lambda value: value or None)]


class PageQuery(BaseModel):
    """A page of a list."""

    limit: int = Field(20, ge=1, le=50, description="Items on a page.")
    cursor: Text = Field(None, max_length=2000, description="`nextCursor` of the page before.")


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
        entities=[_entity(entity) for entity in head.entities],
        messages=[_message(message) for message in messages],
        next_cursor=cursor,
    )
    return answer(detail)


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


def _entity(entity: SessionEntity) -> EntityJson:
    return EntityJson(id=entity.id, type=entity.type, name=entity.name, aliases=list(entity.aliases))


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
