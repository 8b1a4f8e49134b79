"""POST /v1/chat/completions and GET /v1/models: the assistant for clients of OpenAI's API."""

import json
from collections.abc import Generator, Iterable, Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from aisha.api.asgi_app import AsgiApp, AsgiExchange
from aisha.api.operation import Operation
from aisha.api.schemas.openai import COMPLETION_EXAMPLE, COMPLETION_STREAM_EXAMPLE, Completion, ModelList
from aisha.api.turn_endpoint import RequestedTurn, TurnRenderers, turn_endpoint
from aisha.application.requests.completion_request import (
    MODEL,
    CompletionRequest,
    chat_request_of,
    parse_completion_request,
)
from aisha.application.turn.run import run_turn
from aisha.domain.conversations.events import TurnEvent
from aisha.domain.errors import AishaError
from aisha.renderers.openai_chat import completion, completion_stream, models, openai_error

COMPLETIONS = "/v1/chat/completions"
MODELS = "/v1/models"
NO_RETRY = {"x-should-retry": "false"}
"""Header that keeps OpenAI's clients from repeating a request after 409, 429 or 5xx.

The failed turn may have written already, and only with an `Idempotency-Key` would a repetition continue it."""

OPERATIONS = (
    Operation(
        "POST",
        COMPLETIONS,
        "createChatCompletion",
        summary="Send a message to the assistant in OpenAI's format",
        description="Runs one turn for clients of OpenAI's API; the API key is the bearer token. Tools run on the "
        "server; the answer is text, and asks the user if a call needs confirmation. The conversation is identified by "
        "`metadata.conversation_id`, which the client may choose, or by a `user` that is a `conversation_id` of a "
        "response. Without either, messages whose last answer is that of a recent conversation of the user continue "
        "it, and others begin a new one.",
        body=CompletionRequest,
        response=Completion,
        errors=(404, 409, 503, 504),
        limited=True,
        idempotent=True,
        body_example={"model": MODEL, "messages": [{"role": "user", "content": "Show me my warm leads"}]},
        example=COMPLETION_EXAMPLE,
        event_stream=COMPLETION_STREAM_EXAMPLE,
    ),
    Operation(
        "GET",
        MODELS,
        "listModels",
        summary="List the models",
        response=ModelList,
        example=models(MODEL),
    ),
)


def run(turn: RequestedTurn[CompletionRequest]) -> Generator[TurnEvent]:
    request = chat_request_of(turn.request, turn.principal, turn.services.conversations)
    dependencies = turn.services.turn_dependencies
    return run_turn(request, turn.principal, dependencies, turn.attempt, streamed=turn.is_streamed)


def render(events: Iterable[TurnEvent], turn: RequestedTurn[CompletionRequest]) -> dict[str, Any]:
    return completion(events, MODEL, _now(turn), turn.request_id)


def stream(events: Iterable[TurnEvent], turn: RequestedTurn[CompletionRequest]) -> Iterator[str]:
    return completion_stream(events, MODEL, _now(turn), turn.request_id, with_usage=turn.request.with_usage)


def refuse(exchange: AsgiExchange, error: Exception) -> Response:
    """Return a problem document with an additional member `error`, which OpenAI's clients read."""
    status, headers, text = exchange.problem(error)
    body = json.loads(text)
    # An unexpected error's own message may have internals; the problem document's has none.
    body["error"] = openai_error(error if isinstance(error, AishaError) else AishaError(body["message"]))
    content_type = headers.pop("content-type")
    return exchange.answer(
        body,
        headers | retry_headers(exchange),
        status=status,
        content_type=content_type,
    )


def retry_headers(exchange: AsgiExchange) -> dict[str, str]:
    return {} if "idempotency-key" in exchange.headers else dict(NO_RETRY)


async def list_models(request: Request) -> Response:
    """Return the only model: the assistant."""
    exchange = AsgiExchange(request)
    try:
        exchange.principal()
        return exchange.answer(models(MODEL))
    except Exception as error:
        return refuse(exchange, error)


def _now(turn: RequestedTurn[CompletionRequest]) -> int:
    return int(turn.services.clock.now().timestamp())


complete = turn_endpoint(
    parse_completion_request,
    run,
    TurnRenderers(render, stream, retry_headers, refuse),
    is_streamed=lambda _, request: bool(request.stream),
)
app = AsgiApp(
    Route(COMPLETIONS, complete, methods=["POST"]),
    Route(MODELS, list_models, methods=["GET"]),
    checks_models=True,
)
