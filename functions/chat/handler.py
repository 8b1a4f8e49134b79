"""POST /api/ai/chat: one turn of the assistant, as JSON or as a stream."""

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
from aisha.api.schemas.chat import CHAT_EXAMPLE, STREAM_EXAMPLE, ChatResponse
from aisha.application.requests.chat_request import REGENERATE, ChatRequest, parse_chat_request
from aisha.application.turn.run import run_turn
from aisha.domain.principal import Principal
from aisha.renderers import ui_stream
from aisha.renderers.json_response import render
from aisha.renderers.voice import speech_options

PATH = "/api/ai/chat"

OPERATIONS = (
    Operation(
        "POST",
        PATH,
        "chat",
        summary="Say something to the assistant",
        description="One turn: reads and writes the CRM through its tools and answers. Send `conversationId` of the "
        "response to go on. A message has at most 8,000 characters, a request 256 KiB; unknown members are ignored.\n\n"
        "With `Accept: text/event-stream` the answer comes as it is made: the UI message stream of the Vercel AI SDK, "
        "whose client gets it without that header too. Its chat `id` names the conversation: requests with the same "
        "`id` of the same user go on with the same one. An error after the first part is an `error` part. A request that is sent again with "
        "the same message id, of an answer that was cut off, goes on with that answer.",
        body=ChatRequest,
        response=ChatResponse,
        errors=(404, 409, 503, 504),
        limited=True,
        idempotent=True,
        body_example={"message": "Show me my warm leads", "timezone": "Europe/Berlin"},
        example=CHAT_EXAMPLE,
        event_stream=STREAM_EXAMPLE,
    ),
)


async def chat(request: Request) -> Response:
    """One turn."""
    exchange = Exchange(request)
    try:
        principal, config = await exchange.admit(), exchange.services.settings
        raw = await exchange.body(config.request_bytes)
        parsed = parse_chat_request(raw, config.message_characters)
        streamed, is_new = _is_streamed(request, parsed), parsed.trigger != REGENERATE
        keyed = await exchange.keyed(principal, raw, streamed=streamed, repetition=parsed.repetition, is_new=is_new)
        asked = parsed, principal, exchange
        whole, pieces = partial(_whole, *asked), partial(_pieces, *asked)
        return await exchange.turn(keyed, streamed=streamed, whole=whole, pieces=pieces, headers=ui_stream.HEADERS)
    except Exception as error:
        return exchange.refuse(error)


def _is_streamed(request: Request, parsed: ChatRequest) -> bool:
    """What the client asks for. The AI SDK's asks for nothing and reads only streams."""
    asked = wants_event_stream(request.headers.get("accept", ""))
    return parsed.is_ui_client if asked is None else asked


def _whole(request: ChatRequest, principal: Principal, exchange: Exchange, turn: IdempotentTurn) -> str:
    deps = exchange.services.turn_dependencies
    with closing(run_turn(request, principal, deps, turn.attempt, streamed=False)) as events:
        return json.dumps(render(events, exchange.request_id, **speech_options(request, principal)), ensure_ascii=False)


def _pieces(request: ChatRequest, principal: Principal, exchange: Exchange, turn: IdempotentTurn) -> Generator[str]:
    with closing(run_turn(request, principal, exchange.services.turn_dependencies, turn.attempt)) as events:
        yield from ui_stream.ui_stream(
            turn.track_failure(events), exchange.request_id, **speech_options(request, principal)
        )


app = AsgiApp(Route(PATH, chat, methods=["POST"]), checks_models=True)
