"""POST /api/ai/undo: takes back the user's last change, for a page's button."""

from aisha.api.schemas.crm.changes import UndoBody, UndoneJson
from aisha.api.tool_app import ToolApp
from aisha.application.records.undo import undo_by_button

app = ToolApp()


@app.operation(
    "POST",
    "/api/ai/undo",
    "undo",
    summary="Undo the last change",
    description="Takes back the user's last change of the last 24 hours as a whole, like the tool `undo_last`. "
    "With `operation` it is refused (409) if that was not the last one. What left the CRM can't be taken back.",
    errors=(403, 404, 409, 503),
    idempotent=True,
)
def undo(body: UndoBody) -> UndoneJson:
    context = app.tool_context(f"undo.{app.operation_ulid()}")
    # Through the tool, so that it is audited like an undo in words.
    call = undo_by_button(context, app.services.tools, body.operation)
    return UndoneJson.model_validate({"success": True, **call.result.value})


handler = app.resolve
