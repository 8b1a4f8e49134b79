"""POST /api/ai/chat: one turn of the assistant, as an ASGI app so that answers can stream."""

import json
from collections.abc import Mapping
from time import perf_counter
from typing import Any

from anyio import to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from aisha import bootstrap
from aisha.adapters.auth import principal_of_context
from aisha.application.requests import ChatRequest, parse_chat_request
from aisha.application.turn import run_turn
from aisha.domain.errors import NotFoundError, PayloadTooLargeError
from aisha.domain.principal import Principal
from aisha.http_operation import JSON, Operation
from aisha.observability import log_request, log_unexpected
from aisha.renderers.chat_response import CHAT_EXAMPLE, ChatResponse
from aisha.renderers.json_response import render
from aisha.renderers.problem import problem
from aisha.settings import settings

PATH = "/api/ai/chat"
REQUEST_CONTEXT = "x-amzn-request-context"
"""API Gateway's request context. The adapter in front of this app sets it, over anything that a client sends."""

OPERATIONS = (
    Operation(
        "POST",
        PATH,
        "chat",
        summary="Say something to the assistant",
        description="One turn: reads and writes the CRM through its tools and answers. Send `conversationId` of the "
        "response to go on. A message has at most 8,000 characters, a request 256 KiB; unknown members are ignored.",
        body=ChatRequest,
        response=ChatResponse,
        errors=(404, 409, 503, 504),
        body_example={"message": "Show me my warm leads", "timezone": "Europe/Berlin"},
        example=CHAT_EXAMPLE,
    ),
)


async def chat(request: Request) -> Response:
    """One turn. The turn blocks on models and stores, so it has a thread of its own."""
    start = perf_counter()
    context = _request_context(request)
    request_id = _request_id(context)
    tenant = None
    try:
        principal = principal_of_context(context.get("authorizer") or {}, bootstrap.clock().now())
        tenant = principal.tenant
        config = settings()
        raw = await _body(request, config.request_bytes)
        parsed = parse_chat_request(raw, config.request_bytes, config.message_characters)
        response = _answered(await to_thread.run_sync(_turn, parsed, principal, request_id), request_id)
    except Exception as error:
        response = _refused(error, request_id)
    log_request(f"POST {PATH}", response.status_code, request_id, (perf_counter() - start) * 1000, tenant)
    return response


async def ready(_: Request) -> Response:
    """What the adapter asks before it passes the first event on."""
    return Response(status_code=204)


def _turn(request: ChatRequest, principal: Principal, request_id: str) -> dict[str, Any]:
    events = run_turn(request, principal, bootstrap.turn_dependencies())
    return render(events, request_id, as_speech=request.format == "voice")


def _answered(body: dict[str, Any], request_id: str) -> Response:
    headers = {"x-request-id": request_id, "x-content-type-options": "nosniff", "cache-control": "no-store"}
    return Response(json.dumps(body, ensure_ascii=False), media_type=JSON, headers=headers)


def _refused(error: Exception, request_id: str) -> Response:
    log_unexpected(error, request_id)
    status, headers, text = problem(error, request_id)
    return Response(text, status, headers | {"x-content-type-options": "nosniff"})


async def _body(request: Request, most: int) -> bytes:
    """The body, read no further than the limit."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise PayloadTooLargeError(f"A request has at most {most // 1024} KiB.", detail={"limit": most})
        parts.append(part)
    return b"".join(parts)


def _request_context(request: Request) -> Mapping[str, Any]:
    # Starlette reads headers as Latin-1, the adapter writes them in UTF-8.
    text = request.headers.get(REQUEST_CONTEXT, "{}").encode("latin-1")
    try:
        context = json.loads(text)
    except ValueError:
        return {}
    return context if isinstance(context, dict) else {}


def _request_id(context: Mapping[str, Any]) -> str:
    return str(context.get("requestId") or "local")


async def _unknown_route(request: Request, _: Exception) -> Response:
    error = NotFoundError(f"There is no {request.method} {request.url.path}. See /docs.")
    return _refused(error, _request_id(_request_context(request)))


app = Starlette(
    routes=[Route(PATH, chat, methods=["POST"]), Route("/health", ready)],
    exception_handlers={HTTPException: _unknown_route},
)
