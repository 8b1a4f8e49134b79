"""GET /api/ai/conversations, GET and DELETE of one: the user's own history."""

from aws_lambda_powertools.event_handler import Response

from aisha.api.operation import Operation
from aisha.api.rest_app import RestApp, answer, no_content
from aisha.api.schemas.conversations import (
    CONVERSATION_EXAMPLE,
    DETAIL_EXAMPLE,
    EXPORT_EXAMPLE,
    MARKDOWN_EXAMPLE,
    ConversationDetailJson,
    ConversationsJson,
    ExportQuery,
    PageQuery,
    conversation_json,
    detail_json,
)
from aisha.application.conversations.export import ConversationExport, as_markdown, export_conversation

ID = {"id": "The conversation's id."}
MARKDOWN = "text/markdown"


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
        example={"items": [CONVERSATION_EXAMPLE], "nextCursor": None},
        errors=(422,),
    )
)
def recent() -> Response[str]:
    principal, page = app.principal(), app.query(PageQuery)
    found, cursor = app.services.conversations.recent(principal.tenant, principal.user, page.limit, page.cursor)
    return answer(ConversationsJson(items=[conversation_json(one) for one in found], next_cursor=cursor))


@app.operation(
    Operation(
        "GET",
        "/api/ai/conversations/{id}",
        "getConversation",
        summary="Get one conversation",
        description="With a page of its messages, oldest first.",
        query=PageQuery,
        response=ConversationDetailJson,
        example=DETAIL_EXAMPLE,
        errors=(404, 422),
        path_parameters=ID,
    )
)
def one(id: str) -> Response[str]:
    principal, page, repository = app.principal(), app.query(PageQuery), app.services.conversations
    head = repository.load(principal.tenant, principal.user, id, 0).conversation
    messages, cursor = repository.messages(principal.tenant, principal.user, id, page.limit, page.cursor)
    return answer(detail_json(head, messages, cursor))


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
        example=EXPORT_EXAMPLE,
        other_content={MARKDOWN: MARKDOWN_EXAMPLE},
        errors=(404, 413, 422),
        path_parameters=ID,
    )
)
def export(id: str) -> Response[str]:
    principal, wanted = app.principal(), app.query(ExportQuery)
    found = export_conversation(app.services.conversations, principal.tenant, principal.user, id)
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
    app.services.conversations.delete(principal.tenant, principal.user, id)
    return no_content()


handler = app.resolve
