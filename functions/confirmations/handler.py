"""POST /api/ai/confirmations/{id}: runs or drops a call that waits for the user."""

from typing import Any

from aisha.api.rest_app import RestApp
from aisha.api.schemas.conversations.chat import ChatResponse, DecisionBody
from aisha.application.turn.confirming.confirmation import decide_confirmation
from aisha.renderers.json_response import render

app = RestApp()


@app.operation(
    "POST",
    "/api/ai/confirmations/{id}",
    "decideConfirmation",
    summary="Approve or reject a call",
    description="Decides about the call in the `confirmation` of a chat response. The stored call runs with its "
    "stored arguments, without another model call, or is dropped. It can be decided once, within ten minutes.",
    response=ChatResponse,
    errors=(403, 404, 409, 410),
    idempotent=True,
    path_parameters={"id": "The `confirmation.id` of the chat response."},
)
def decide(id: str, body: DecisionBody) -> dict[str, Any]:
    principal = app.principal()
    deps, approve = app.services.turn_dependencies, body.decision == "approve"
    events = decide_confirmation(id, principal, deps, body.choice, app.attempt, approve=approve)
    return render(events, app.request_id)


handler = app.resolve
