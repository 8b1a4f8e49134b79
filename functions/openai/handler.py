"""POST /v1/chat/completions and GET /v1/models: the assistant for any client of OpenAI's API."""

import json
from collections.abc import Generator, Mapping
from contextlib import closing
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from aisha.api.asgi_app import AsgiApp, Exchange
from aisha.api.idempotent_turn import IdempotentTurn
from aisha.api.operation import Operation
from aisha.api.schemas.openai import COMPLETION_EXAMPLE, COMPLETION_STREAM_EXAMPLE, Completion, ModelList
from aisha.application.requests.completion_request import (
    MODEL,
    CompletionRequest,
    chat_request_of,
    parse_completion_request,
)
from aisha.application.turn.run import run_turn
from aisha.bootstrap import Services
from aisha.domain.errors import AishaError
from aisha.domain.events import TurnEvent
from aisha.domain.principal import Principal
from aisha.renderers.openai_chat import completion, completion_stream, models, openai_error

COMPLETIONS = "/v1/chat/completions"
MODELS = "/v1/models"
NOT_AGAIN = {"x-should-retry": "false"}
"""OpenAI's clients send again what failed with 409, 429 or 5xx, unless told not to. A turn may have written already: only
with an `Idempotency-Key` the next try goes on with the same one."""

OPERATIONS = (
    Operation(
        "POST",
        COMPLETIONS,
        "createChatCompletion",
        summary="Say something to the assistant, in OpenAI's shape",
        description="One turn for clients of OpenAI's API; the API key is the bearer token. Tools run inside, text comes "
        "out; what waits for the user's yes is asked in it. A conversation goes on by `metadata.conversation_id` (ours or "
        "one that the client made), by a `user` that is one of our conversation ids, or else by the answer that was the "
        "last: without either, messages that do not end like one of the user's recent conversations begin a new one.",
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
        summary="What can be asked for as a model",
        response=ModelList,
        example=models(MODEL),
    ),
)


async def complete(request: Request) -> Response:
    """One turn."""
    exchange, again = Exchange(request), {} if "idempotency-key" in request.headers else NOT_AGAIN
    try:
        principal, config = await exchange.admit(), exchange.services.settings
        raw = await exchange.body(config.request_bytes)
        parsed = parse_completion_request(raw, config.message_characters)
        streamed = bool(parsed.stream)
        keyed = await exchange.keyed(principal, raw, streamed=streamed)
        asked = parsed, principal, exchange
        whole, pieces = partial(_whole, *asked), partial(_pieces, *asked)
        return await exchange.turn(keyed, streamed=streamed, whole=whole, pieces=pieces, headers=again)
    except Exception as error:
        return _refused(exchange, error, again)


async def list_models(request: Request) -> Response:
    """There is one: the assistant."""
    exchange = Exchange(request)
    try:
        exchange.principal()
        return exchange.answer(models(MODEL))
    except Exception as error:
        return _refused(exchange, error, NOT_AGAIN)


def _refused(exchange: Exchange, error: Exception, again: Mapping[str, str]) -> Response:
    """A problem document with the member `error` besides, where OpenAI's clients look."""
    response = exchange.refuse(error)
    body = json.loads(bytes(response.body))
    told = error if isinstance(error, AishaError) else AishaError(body["message"])
    text = json.dumps(body | {"error": openai_error(told)}, ensure_ascii=False)
    kept = {name: value for name, value in response.headers.items() if name != "content-length"}
    return Response(text, response.status_code, kept | dict(again))


def _events(
    request: CompletionRequest, principal: Principal, services: Services, turn: IdempotentTurn
) -> Generator[TurnEvent]:
    said = chat_request_of(request, principal, services.conversations)
    return run_turn(said, principal, services.turn_dependencies, turn.attempt, streamed=bool(request.stream))


def _whole(request: CompletionRequest, principal: Principal, exchange: Exchange, turn: IdempotentTurn) -> str:
    with closing(_events(request, principal, exchange.services, turn)) as events:
        return json.dumps(completion(events, MODEL, _now(exchange.services), exchange.request_id), ensure_ascii=False)


def _pieces(
    request: CompletionRequest, principal: Principal, exchange: Exchange, turn: IdempotentTurn
) -> Generator[str]:
    with closing(_events(request, principal, exchange.services, turn)) as events:
        shown = turn.track_failure(events)
        yield from completion_stream(
            shown, MODEL, _now(exchange.services), exchange.request_id, with_usage=request.with_usage
        )


def _now(services: Services) -> int:
    return int(services.clock.now().timestamp())


app = AsgiApp(
    Route(COMPLETIONS, complete, methods=["POST"]),
    Route(MODELS, list_models, methods=["GET"]),
    checks_models=True,
)
