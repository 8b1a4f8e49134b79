"""POST /v1/chat/completions, POST /v1/responses and GET /v1/models: the assistant for clients of OpenAI's API."""

import json
from collections.abc import Generator, Iterable, Iterator
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from aisha.api.asgi_app import AsgiApp, AsgiExchange
from aisha.api.operation import Operation
from aisha.api.schemas.models.openai import Completion, Model, ModelList, ResponsesAnswer
from aisha.api.turn_endpoint import RequestedTurn, TurnRenderers, turn_endpoint
from aisha.application.requests.completion_request import (
    MODEL,
    CompletionRequest,
    chat_request_of,
    check_model,
    parse_completion_request,
)
from aisha.application.requests.responses_request import ResponsesRequest, parse_responses_request
from aisha.application.turn.concluding.structured import structured
from aisha.application.turn.run import run_turn
from aisha.domain.conversations.events import TurnEvent
from aisha.renderers.openai_chat import chunks_of, completion, completion_stream, model, models, with_structure
from aisha.renderers.openai_responses import response, response_stream

COMPLETIONS = "/v1/chat/completions"
MODELS = "/v1/models"
RESPONSES = "/v1/responses"
NO_RETRY = {"x-should-retry": "false"}
"""Header that keeps OpenAI's clients from repeating a request after 409, 429 or 5xx.

The failed turn may have written already, and only with an `Idempotency-Key` would a repetition continue it."""

OPERATIONS = (
    Operation(
        "POST",
        COMPLETIONS,
        "createChatCompletion",
        summary="Send a message to the assistant in OpenAI's format",
        description="Runs one turn for clients of OpenAI's API; the API key is the bearer token. The assistant runs "
        "its own tools; the answer is text, and asks the user if a call needs confirmation. With a `response_format` "
        "of JSON, or a `tool_choice` that demands a call, a model puts the answer into that form.\n\nThe conversation "
        "is identified by `metadata.conversation_id`, which the client may choose, or by a `user` that is a "
        "`conversation_id` of a response. Without either, messages whose last answer is that of a recent conversation "
        "of the user continue it, and others begin a new one.",
        body=CompletionRequest,
        response=Completion,
        errors=(404, 409, 503, 504),
        idempotent=True,
    ),
    Operation(
        "POST",
        RESPONSES,
        "createResponse",
        summary="Send a message to the assistant in OpenAI's Responses format",
        description="As chat completions, in the shape of the Responses API. `previous_response_id` continues its "
        "conversation. Instructions are not followed, and a stream has the whole text in one event.",
        body=ResponsesRequest,
        response=ResponsesAnswer,
        errors=(404, 409, 503, 504),
        idempotent=True,
    ),
    Operation(
        "GET",
        MODELS,
        "listModels",
        summary="List the models",
        response=ModelList,
    ),
    Operation(
        "GET",
        f"{MODELS}/{{model}}",
        "getModel",
        summary="Get a model",
        path_parameters={"model": f"`{MODEL}`"},
        response=Model,
        errors=(404,),
    ),
)


def run(turn: RequestedTurn[CompletionRequest]) -> Generator[TurnEvent]:
    request = chat_request_of(turn.request, turn.principal, turn.services.conversations)
    dependencies = turn.services.turn_dependencies
    return run_turn(request, turn.principal, dependencies, turn.attempt, streamed=turn.is_streamed)


def render(events: Iterable[TurnEvent], turn: RequestedTurn[CompletionRequest]) -> dict[str, Any]:
    whole = completion(events, MODEL, _now(turn), turn.request_id)
    if (structure := turn.request.structure) is None:
        return whole
    answer, services = whole["choices"][0]["message"]["content"], turn.services
    # The turn answers in words; a model then puts that answer into the form that the client wants.
    question = turn.request.messages[-1].text
    return with_structure(
        whole,
        *structured(structure, question, answer, turn.principal, services.turn_dependencies.model, services.clock),
    )


def stream(events: Iterable[TurnEvent], turn: RequestedTurn[CompletionRequest]) -> Iterator[str]:
    if turn.request.structure is not None:
        # A form that a model fills in is there only as a whole.
        return chunks_of(render(events, turn), with_usage=turn.request.with_usage)
    return completion_stream(events, MODEL, _now(turn), turn.request_id, with_usage=turn.request.with_usage)


def render_response(events: Iterable[TurnEvent], turn: RequestedTurn[CompletionRequest]) -> dict[str, Any]:
    return response(render(events, turn))


def stream_response(events: Iterable[TurnEvent], turn: RequestedTurn[CompletionRequest]) -> Iterator[str]:
    return response_stream(render(events, turn))


def refuse(exchange: AsgiExchange, error: Exception) -> Response:
    """Return a problem document; like OpenAI, 400 in place of 422."""
    status, headers, text = exchange.problem(error)
    body, content_type = json.loads(text), headers.pop("content-type")
    if status == HTTPStatus.UNPROCESSABLE_ENTITY:
        status = HTTPStatus.BAD_REQUEST
        body |= {"status": status, "title": HTTPStatus.BAD_REQUEST.phrase}
    return exchange.answer(body, headers | retry_headers(exchange), status=status, content_type=content_type)


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


async def get_model(request: Request) -> Response:
    """Return the description of the only model."""
    exchange = AsgiExchange(request)
    try:
        exchange.principal()
        check_model(request.path_params["model"])
        return exchange.answer(model(MODEL))
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
respond = turn_endpoint(
    parse_responses_request,
    run,
    TurnRenderers(render_response, stream_response, retry_headers, refuse),
    is_streamed=lambda _, request: bool(request.stream),
)
app = AsgiApp(
    Route(COMPLETIONS, complete, methods=["POST"]),
    Route(RESPONSES, respond, methods=["POST"]),
    Route(MODELS, list_models, methods=["GET"]),
    Route(f"{MODELS}/{{model}}", get_model, methods=["GET"]),
    checks_models=True,
)
