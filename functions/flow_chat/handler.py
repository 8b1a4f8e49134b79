"""POST /api/ai/flow-chat: one turn with a plan: analysed, confirmed once, run, answered."""

import json
from collections.abc import Generator
from contextlib import closing
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from aisha.api.asgi_app import AsgiApp, Exchange
from aisha.api.content_negotiation import wants_event_stream
from aisha.api.idempotent_turn import IdempotentTurn
from aisha.api.operation import Operation
from aisha.api.schemas.chat import STREAM_EXAMPLE
from aisha.api.schemas.flow import FLOW_EXAMPLE, FlowResponse
from aisha.application.flow.request import FlowRequest, parse_flow_request
from aisha.application.flow.turn import run_flow
from aisha.domain.principal import Principal
from aisha.renderers import ui_stream
from aisha.renderers.flow_response import flow_stream, render_flow
from aisha.renderers.voice import speech_options

PATH = "/api/ai/flow-chat"

OPERATIONS = (
    Operation(
        "POST",
        PATH,
        "flowChat",
        summary="Have the assistant plan and do several things",
        description="One turn as `/api/ai/chat`, in the order plan, confirm, execute, answer. A plan that only reads runs "
        "at once. One that writes anything is asked about once, as a whole: say yes or no, send `userConfirmation`, or "
        "decide `confirmation.id` at `/api/ai/confirmations/{id}`; then exactly these steps run. With `confirmationType` "
        "`select` several records are possible: the one that is chosen, by number or in words, is the yes. What a failed "
        "step does not touch is done all the same.\n\nWith `Accept: text/event-stream` the answer is the stream of the chat "
        "with one more part, `data-flow`.",
        body=FlowRequest,
        response=FlowResponse,
        errors=(404, 409, 410, 503, 504),
        limited=True,
        idempotent=True,
        body_example={"message": "Create a new account called Zeta Works with contact Maria Lopez"},
        example=FLOW_EXAMPLE,
        event_stream=STREAM_EXAMPLE,
    ),
)


async def flow_chat(request: Request) -> Response:
    """One turn."""
    exchange = Exchange(request)
    try:
        principal, config = await exchange.admit(), exchange.services.settings
        raw = await exchange.body(config.request_bytes)
        parsed = parse_flow_request(raw, config.message_characters)
        streamed = bool(wants_event_stream(request.headers.get("accept", "")))
        keyed = await exchange.keyed(principal, raw, streamed=streamed)
        asked = parsed, principal, exchange
        whole, pieces = partial(_whole, *asked), partial(_pieces, *asked)
        return await exchange.turn(keyed, streamed=streamed, whole=whole, pieces=pieces, headers=ui_stream.HEADERS)
    except Exception as error:
        return exchange.refuse(error)


def _whole(request: FlowRequest, principal: Principal, exchange: Exchange, turn: IdempotentTurn) -> str:
    with closing(run_flow(request, principal, exchange.services.turn_dependencies, turn.attempt)) as events:
        return json.dumps(
            render_flow(events, exchange.request_id, **speech_options(request, principal)), ensure_ascii=False
        )


def _pieces(request: FlowRequest, principal: Principal, exchange: Exchange, turn: IdempotentTurn) -> Generator[str]:
    with closing(run_flow(request, principal, exchange.services.turn_dependencies, turn.attempt)) as events:
        yield from flow_stream(turn.track_failure(events), exchange.request_id, **speech_options(request, principal))


app = AsgiApp(Route(PATH, flow_chat, methods=["POST"]), checks_models=True)
