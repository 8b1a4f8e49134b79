"""POST /api/ai/chat: one turn of the assistant, as JSON or as a stream."""

from collections.abc import Generator, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from aisha.api.asgi_app import AsgiApp, AsgiExchange
from aisha.api.operation import Operation
from aisha.api.schemas.conversations.chat import ChatResponse
from aisha.api.turn_endpoint import RequestedTurn, turn_endpoint, ui_renderers, wants_event_stream
from aisha.application.requests.chat_request import REGENERATE, ChatRequest, parse_chat_request
from aisha.application.turn.run import run_turn
from aisha.domain.conversations.events import TurnEvent
from aisha.renderers.json_response import render
from aisha.renderers.ui_stream import ui_stream

PATH = "/api/ai/chat"

OPERATIONS = (
    Operation(
        "POST",
        PATH,
        "chat",
        summary="Send a message to the assistant",
        description="Runs one turn: the assistant reads and writes the CRM with its tools and answers. Send the "
        "`conversationId` of the response to continue the conversation. A message has at most 8,000 characters, a "
        "request at most 256 KiB; unknown members are ignored.\n\n"
        "With `Accept: text/event-stream` the answer is streamed as the UI message stream of the Vercel AI SDK. The "
        "SDK's client gets the stream without that header, too. Its chat `id` identifies the conversation of the user. "
        "An error after the first part is an `error` part. If an answer was cut off, a request with the same message "
        "id continues it.",
        body=ChatRequest,
        response=ChatResponse,
        errors=(404, 409, 503, 504),
        idempotent=True,
    ),
    Operation(
        "GET",
        f"{PATH}/{{id}}/stream",
        "resumeChat",
        summary="Resume a stream",
        description="For the Vercel AI SDK's `resume`. There is never a stream to resume: a turn ends with its "
        "request, and its answer is in the conversation.",
        path_parameters={"id": "The chat's id."},
        success=204,
    ),
)


def run(turn: RequestedTurn[ChatRequest]) -> Generator[TurnEvent]:
    dependencies = turn.services.turn_dependencies
    return run_turn(turn.request, turn.principal, dependencies, turn.attempt, streamed=turn.is_streamed)


def is_streamed(exchange: AsgiExchange, request: ChatRequest) -> bool:
    # The AI SDK's client sends no `Accept` header and reads only streams.
    accepts = wants_event_stream(exchange.headers.get("accept", ""))
    return request.is_ui_client if accepts is None else accepts


def repetition(request: ChatRequest) -> Mapping[str, Any]:
    # The AI SDK repeats a message under its own id instead of an `Idempotency-Key`.
    return {"repetition": request.repetition, "is_new": request.trigger != REGENERATE}


chat = turn_endpoint(
    parse_chat_request, run, ui_renderers(render, ui_stream), is_streamed=is_streamed, repetition=repetition
)


async def resume(request: Request) -> Response:
    """Answer that there is no stream to resume."""
    exchange = AsgiExchange(request)
    try:
        exchange.principal()
        return exchange.answer("", status=204, content_type=None)
    except Exception as error:
        return exchange.refuse(error)


app = AsgiApp(
    Route(PATH, chat, methods=["POST"]),
    Route(f"{PATH}/{{id}}/stream", resume, methods=["GET"]),
    checks_models=True,
)
