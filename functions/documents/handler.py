"""GET, PUT and DELETE /api/ai/documents: what the assistant reads besides its own articles."""

from datetime import datetime

from aws_lambda_powertools.event_handler import Response
from pydantic import ConfigDict, Field

from aisha import bootstrap
from aisha.api.operation import Operation, PathParameter
from aisha.api.rest_app import RestApp, answer, no_content, rest_handler
from aisha.application.knowledge import documents
from aisha.renderers.chat_response import CamelModel

ID = {
    "id": PathParameter(
        "Lower-case words with hyphens, e.g. discount-rules. One of the built-in articles is replaced by its id.",
        {"type": "string", "pattern": "^[a-z0-9]+(?:-[a-z0-9]+)*$", "maxLength": documents.LONGEST_ID},
    )
}


class DocumentBody(CamelModel):
    """A document. `text` is Markdown without the title, its sections under `## ` headings: answers quote the best one."""

    model_config = ConfigDict(strict=True)

    title: str = Field(min_length=1, max_length=200, pattern=r"\S")
    text: str = Field(min_length=1, max_length=documents.CHARACTERS, pattern=r"\S")
    description: str = Field("", max_length=500, description="What it is about, for whoever searches.")


class DocumentHeadJson(CamelModel):
    """A document without its text."""

    id: str
    title: str
    description: str
    characters: int
    uploaded_by: str
    uploaded_at: datetime


class DocumentJson(DocumentHeadJson):
    """A document."""

    text: str


class DocumentsJson(CamelModel):
    """By id."""

    items: list[DocumentHeadJson]


BODY = {
    "title": "Discount rules",
    "description": "Who may give which discount.",
    "text": "Up to 10 % is yours to give.\n\n## Beyond 10 %\n\nAsk the head of sales, with the deal's amount and the reason.",
}
HEAD = {
    "id": "discount-rules",
    "title": "Discount rules",
    "description": "Who may give which discount.",
    "characters": 103,
    "uploadedBy": "alice",
    "uploadedAt": "2026-03-02T09:00:00Z",
}

app = RestApp()


@app.operation(
    Operation(
        "GET",
        "/api/ai/documents",
        "listDocuments",
        summary="List the uploaded documents",
        description="The organization's own, by id. The built-in articles are not in it.",
        response=DocumentsJson,
        errors=(503,),
        example={"items": [HEAD]},
    )
)
def all_of_them() -> Response[str]:
    found = documents.uploads(bootstrap.entries(), app.principal().tenant)
    return answer(DocumentsJson(items=[DocumentHeadJson(**_head(one)) for one in found]))


@app.operation(
    Operation(
        "GET",
        "/api/ai/documents/{id}",
        "getDocument",
        summary="Get an uploaded document",
        response=DocumentJson,
        errors=(404, 503),
        example={**HEAD, "text": BODY["text"]},
        path_parameters=ID,
    )
)
def one(id: str) -> Response[str]:
    return _whole(documents.upload(bootstrap.entries(), app.principal().tenant, id))


@app.operation(
    Operation(
        "PUT",
        "/api/ai/documents/{id}",
        "putDocument",
        summary="Upload a document",
        description="Puts a document in, or another text in its place; for users with the role admin. The assistant searches "
        "and reads it from now on, for everybody of the organization: at most 50 of 40,000 characters.",
        body=DocumentBody,
        response=DocumentJson,
        errors=(403, 409, 503),
        body_example=BODY,
        example={**HEAD, "text": BODY["text"]},
        path_parameters=ID,
    )
)
def put(id: str) -> Response[str]:
    principal = app.principal()
    documents.check_editor(principal)
    body = app.body(DocumentBody)
    saved = documents.save(
        bootstrap.entries(), bootstrap.clock(), principal, id, body.title, body.text, body.description
    )
    return _whole(saved)


@app.operation(
    Operation(
        "DELETE",
        "/api/ai/documents/{id}",
        "deleteDocument",
        summary="Delete an uploaded document",
        description="For users with the role admin.",
        success=204,
        errors=(403, 404, 503),
        path_parameters=ID,
    )
)
def remove(id: str) -> Response[str]:
    documents.delete(bootstrap.entries(), app.principal(), id)
    return no_content()


def _head(upload: documents.Upload) -> dict[str, object]:
    article = upload.article
    return {
        "id": article.id,
        "title": article.title,
        "description": article.description,
        "characters": len(article.text),
        "uploaded_by": upload.uploaded_by,
        "uploaded_at": upload.uploaded_at,
    }


def _whole(upload: documents.Upload) -> Response[str]:
    return answer(DocumentJson(**_head(upload), text=upload.article.text))


handler = rest_handler(app)
