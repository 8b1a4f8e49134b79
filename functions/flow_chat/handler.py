"""POST /api/ai/flow-chat: one turn that plans several calls, asks once for confirmation and runs them."""

from collections.abc import Generator

from starlette.routing import Route

from aisha.api.asgi_app import AsgiApp
from aisha.api.operation import Operation
from aisha.api.schemas.conversations.flow import FlowResponse
from aisha.api.turn_endpoint import RequestedTurn, turn_endpoint, ui_renderers
from aisha.application.flow.request import FlowRequest, parse_flow_request
from aisha.application.flow.turn import run_flow
from aisha.application.turn.confirming.confirmation import decide_confirmation
from aisha.domain.conversations.events import TurnEvent
from aisha.renderers.flow_response import flow_stream, render_flow

PATH = "/api/ai/flow-chat"

OPERATIONS = (
    Operation(
        "POST",
        PATH,
        "flowChat",
        summary="Let the assistant plan and run several steps",
        description="Runs one turn like `/api/ai/chat`, in the order plan, confirm, execute, answer. A plan that only "
        "reads runs immediately. A plan that writes needs one confirmation as a whole: say yes or no, send "
        "`userConfirmation`, or POST a decision to `/api/ai/confirmations/{id}`; then exactly these steps run. "
        "`userConfirmation` with `confirmationId` decides about that question alone, and streams its steps. With "
        "`confirmationType` `select` several records match, and choosing one, by its number or in words, is the "
        "confirmation. If a step fails, the steps that do not depend on it still run.\n\n"
        "With `Accept: text/event-stream` the answer is the stream of the chat with an additional `data-flow` part.",
        body=FlowRequest,
        response=FlowResponse,
        errors=(404, 409, 410, 503, 504),
        idempotent=True,
    ),
)


def run(turn: RequestedTurn[FlowRequest]) -> Generator[TurnEvent]:
    request, deps = turn.request, turn.services.turn_dependencies
    # A decision that names its question settles that one, even if another was asked since.
    if request.confirmation_id is not None and request.user_confirmation is not None:
        approve = request.user_confirmation
        confirmation, choice = request.confirmation_id, request.choice
        return decide_confirmation(confirmation, turn.principal, deps, choice, turn.attempt, approve=approve)
    return run_flow(request, turn.principal, deps, turn.attempt)


flow_chat = turn_endpoint(parse_flow_request, run, ui_renderers(render_flow, flow_stream))
app = AsgiApp(Route(PATH, flow_chat, methods=["POST"]), checks_models=True)
