"""GET /api/ai/conversations, and GET, PATCH, DELETE and export of one: the user's own conversations."""

from aws_lambda_powertools.event_handler import Response

from aisha.api.rest_app import RestApp, answer
from aisha.api.schemas.conversations.conversations import (
    ConversationDetailJson,
    ConversationJson,
    ConversationsJson,
    ConversationsQuery,
    ExportQuery,
    PageQuery,
    TitleBody,
    detail_json,
)
from aisha.application.conversations.export import ConversationExport, export_conversation, to_markdown
from aisha.application.conversations.search import search_conversations
from aisha.application.requests.titles import checked_title

ID = {"id": "The conversation's id."}
MARKDOWN = "text/markdown"


app = RestApp()


@app.operation(
    "GET",
    "/api/ai/conversations",
    "listConversations",
    summary="List conversations",
    description="The user's own conversations, the newest first; with `search` those that have all of its words. A "
    "page of a search may be short and still have a cursor.",
    errors=(422,),
)
def recent(query: ConversationsQuery) -> ConversationsJson:
    principal = app.principal()
    repository, owner = app.services.conversations, (principal.tenant, principal.user)
    if query.search is None:
        conversations, cursor = repository.recent(*owner, query.limit, query.cursor)
    else:
        conversations, cursor = search_conversations(repository, *owner, query.search, query.limit, query.cursor)
    items = [ConversationJson.from_attributes(conversation) for conversation in conversations]
    return ConversationsJson(items=items, next_cursor=cursor)


@app.operation(
    "GET",
    "/api/ai/conversations/{id}",
    "getConversation",
    summary="Get a conversation",
    description="Returns the conversation with one page of its messages, the oldest first.",
    errors=(404, 422),
    path_parameters=ID,
)
def conversation(id: str, query: PageQuery) -> ConversationDetailJson:
    principal, repository = app.principal(), app.services.conversations
    # Also raises `NotFoundError` for a conversation of somebody else.
    head = repository.load(principal.tenant, principal.user, id, 0).conversation
    messages, cursor = repository.messages(principal.tenant, principal.user, id, query.limit, query.cursor)
    return detail_json(head, messages, cursor, app.services.clock.now())


@app.operation(
    "PATCH",
    "/api/ai/conversations/{id}",
    "renameConversation",
    summary="Rename a conversation",
    description="Replaces the title, which is then never changed by the assistant.",
    errors=(404, 409),
    path_parameters=ID,
)
def rename(id: str, body: TitleBody) -> ConversationJson:
    principal, title = app.principal(), checked_title(body.title)
    return ConversationJson.from_attributes(
        app.services.conversations.rename(principal.tenant, principal.user, id, title)
    )


@app.operation(
    "GET",
    "/api/ai/conversations/{id}/export",
    "exportConversation",
    summary="Export a conversation",
    description="Returns the whole conversation with its tool calls, the oldest message first: as JSON, or with "
    "`format=markdown` as a `text/markdown` document for people to read.",
    response=ConversationExport,
    errors=(404, 413, 422),
    path_parameters=ID,
)
def export(id: str, query: ExportQuery) -> Response[str]:
    principal, is_json = app.principal(), query.format == "json"
    document = export_conversation(app.services.conversations, principal.tenant, principal.user, id)
    response = answer(document) if is_json else Response(200, f"{MARKDOWN}; charset=utf-8", to_markdown(document))
    extension = "json" if is_json else "md"
    # Browsers store an attachment in place of showing it.
    response.headers["content-disposition"] = f'attachment; filename="conversation.{extension}"'
    return response


@app.operation(
    "DELETE",
    "/api/ai/conversations/{id}",
    "deleteConversation",
    summary="Delete a conversation",
    description="Deletes the conversation with all its messages, permanently.",
    errors=(404,),
    path_parameters=ID,
)
def delete(id: str) -> None:
    principal = app.principal()
    app.services.conversations.delete(principal.tenant, principal.user, id)


handler = app.resolve
