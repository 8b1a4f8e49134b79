"""GET, PUT and DELETE /api/ai/documents: the tenant's documents, which the assistant searches beside its articles."""

from aisha.api.operation import PathParameter
from aisha.api.rest_app import RestApp
from aisha.api.schemas.crm.documents import DocumentBody, DocumentJson, DocumentsJson, document_head_json, document_json
from aisha.application.knowledge import documents
from aisha.domain.principal import require_admin

ID = {
    "id": PathParameter(
        "Lower-case words joined by hyphens, e.g. discount-rules. The id of a built-in article replaces it.",
        {"type": "string", "pattern": "^[a-z0-9]+(?:-[a-z0-9]+)*$", "maxLength": documents.MAX_ID_LENGTH},
    )
}


app = RestApp()


@app.operation(
    "GET",
    "/api/ai/documents",
    "listDocuments",
    summary="List the uploaded documents",
    description="The organization's own documents, sorted by id, without the built-in articles.",
    errors=(503,),
)
def uploads() -> DocumentsJson:
    items = [
        document_head_json(upload) for upload in documents.list_uploads(app.services.entries, app.principal().tenant)
    ]
    return DocumentsJson(items=items)


@app.operation(
    "GET",
    "/api/ai/documents/{id}",
    "getDocument",
    summary="Get an uploaded document",
    errors=(404, 503),
    path_parameters=ID,
)
def upload(id: str) -> DocumentJson:
    return document_json(documents.get_upload(app.services.entries, app.principal().tenant, id))


@app.operation(
    "PUT",
    "/api/ai/documents/{id}",
    "putDocument",
    summary="Upload a document",
    description="Creates or replaces a document, which the assistant then searches and reads for all users of the "
    "organization. Only for users with the role admin. At most 50 documents of 40,000 characters.",
    body=DocumentBody,
    errors=(403, 409, 503),
    path_parameters=ID,
)
def put(id: str) -> DocumentJson:
    principal = app.principal()
    # Before the body is read: whoever may not upload learns nothing of its form.
    require_admin(principal, "change documents")
    body = app.body(DocumentBody)
    # Replaces a document of this id as a whole; its passages are found from the next question on.
    saved = documents.save(
        app.services.entries, app.services.clock, principal, id, body.title, body.text, body.description
    )
    return document_json(saved)


@app.operation(
    "DELETE",
    "/api/ai/documents/{id}",
    "deleteDocument",
    summary="Delete an uploaded document",
    description="Only for users with the role admin.",
    errors=(403, 404, 503),
    path_parameters=ID,
)
def remove(id: str) -> None:
    documents.delete(app.services.entries, app.principal(), id)


handler = app.resolve
