"""The edge of the streaming functions, which are ASGI apps: an adapter of `Exchange` to Starlette."""

import json
from collections.abc import AsyncIterator, Generator, Mapping
from functools import partial
from typing import Any

from anyio import to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from aisha.api.exchange import Exchange
from aisha.api.idempotent_request import IdempotentRequest
from aisha.api.operation import JSON, REPLAYED
from aisha.api.sse_feed import SseFeed
from aisha.application.idempotency.keys import StoredAnswer
from aisha.bootstrap import Services, default_services
from aisha.domain.errors import NotFoundError
from aisha.domain.json_values import finite_json
from aisha.domain.principal import Principal
from aisha.renderers.server_sent_events import CONTENT_TYPE

REQUEST_CONTEXT = "x-amzn-request-context"
"""Header with API Gateway's request context. The Lambda Web Adapter sets it and overwrites what a client sends."""


class AsgiExchange(Exchange):
    """A request to an ASGI app. Blocking work runs in a thread."""

    def __init__(self, request: Request) -> None:
        self.request, context = request, request_context(request)
        services: Services = request.app.services
        super().__init__(
            services, request.method, request.url.path, _resource(request, context), request.headers, context
        )

    async def admit_async(self) -> Principal:
        """Run `admit` in a thread."""
        return await to_thread.run_sync(self.admit)

    async def begin_async(self, principal: Principal, body: bytes, **options: Any) -> IdempotentRequest | StoredAnswer:
        """Run `begin`, which takes these options, in a thread."""
        return await to_thread.run_sync(partial(self.begin, principal, body, **options))

    async def body(self) -> bytes:
        """Read the body. Raises `PayloadTooLargeError` as soon as it exceeds the limit of the settings."""
        parts, size = [], 0
        async for part in self.request.stream():
            size += len(part)
            self.check_size(size)
            parts.append(part)
        return b"".join(parts)

    def answer(
        self, body: Any, headers: Mapping[str, str] | None = None, *, status: int = 200, content_type: str | None = JSON
    ) -> Response:
        """Return a response with a text, or a JSON value, as its body."""
        self.end(status)
        # A stored answer is text already.
        text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
        return Response(text, status, self.response_headers | dict(headers or {}), content_type)

    def replay(self, stored: StoredAnswer, stream_headers: Mapping[str, str]) -> Response:
        """Return the stored answer of an earlier request with the same `Idempotency-Key`."""
        headers = REPLAYED | dict(stream_headers if stored.content_type == CONTENT_TYPE else {})
        return self.answer(stored.body, headers, status=stored.status, content_type=stored.content_type)

    def refuse(self, error: Exception) -> Response:
        """Return the problem document of an error."""
        status, headers, text = self.problem(error)
        self.end(status)
        return Response(text, status, headers | self.response_headers)

    async def stream(self, pieces: Generator[str], headers: Mapping[str, str]) -> Response:
        """Return a response that streams Server-Sent Events.

        Raises what the generator raises before its first piece.
        """
        # Waits for the first piece: an error before it can still be a problem document with its own status.
        feed = await SseFeed.begin(pieces, self.request_id)
        return _EventStream(self, feed, self.response_headers | {"x-accel-buffering": "no"} | dict(headers))


class _EventStream(StreamingResponse):
    """A stream that cancels its feed when the client disconnects."""

    def __init__(self, exchange: AsgiExchange, feed: SseFeed, headers: Mapping[str, str]) -> None:
        super().__init__(self._pieces(), media_type=CONTENT_TYPE, headers=headers)
        self._exchange, self._feed = exchange, feed

    async def _pieces(self) -> AsyncIterator[bytes]:
        async for piece in self._feed:
            yield piece
        # Log before the end of the body: Lambda freezes the process as soon as the last byte is sent.
        self._exchange.end(self._feed.status)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            # Also when the client disconnects: otherwise the thread would run the whole turn.
            self._feed.cancel()
            self._exchange.end(self._feed.status)


class AsgiApp(Starlette):
    """An ASGI app with these routes, `/health` for the Lambda Web Adapter, and a problem document for any other path.

    With `checks_models` the server ends at its start, with the message of `Services.check_models`, when the models are
    not configured correctly.
    """

    def __init__(self, *routes: Route, services: Services | None = None, checks_models: bool = False) -> None:
        super().__init__(
            routes=[*routes, Route("/health", _answer_health)],
            exception_handlers={HTTPException: _answer_unknown_route},
            middleware=[*([Middleware(_ModelCheck)] if checks_models else ()), Middleware(_TraceFlush)],
        )
        self.services = services or default_services()


class _ModelCheck:
    """Middleware that checks the models at the start and reports an error in one line in place of a traceback."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            try:
                scope["app"].services.check_models()
            except ValueError as error:
                # ASGI: the event `lifespan.startup` must be received before it is answered.
                await receive()
                await send({"type": "lifespan.startup.failed", "message": f"AiSHA can't start: {error}"})
                return
        await self._app(scope, receive, send)


class _TraceFlush:
    """Middleware that exports a request's spans before the end of the response.

    Lambda freezes the process as soon as the last byte is sent.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        tracer = scope["app"].services.tracer if scope["type"] == "http" else None
        if tracer is None:
            await self._app(scope, receive, send)
            return

        async def send_flushed(message: Message) -> None:
            # Only the last part of the body has no `more_body`.
            if message["type"] == "http.response.body" and not message.get("more_body"):
                await to_thread.run_sync(tracer.flush)
            await send(message)

        await self._app(scope, receive, send_flushed)


async def _answer_health(_: Request) -> Response:
    """Answer the Lambda Web Adapter, which polls `/health` until the app is up and then forwards the first event."""
    return Response(status_code=204)


async def _answer_unknown_route(request: Request, _: Exception) -> Response:
    return AsgiExchange(request).refuse(NotFoundError(f"There is no {request.method} {request.url.path}. See /docs."))


def _resource(request: Request, context: Mapping[str, Any]) -> str:
    """Return the declared path of the route, or `unknown`: a metric for each requested path would be unbounded."""
    if resource := context.get("resourcePath"):
        return str(resource)
    # Outside of API Gateway: Starlette sets `endpoint` for a matched route. Its path is the declared one only if it has
    # no parameters.
    return "unknown" if "endpoint" not in request.scope or request.path_params else request.url.path


def request_context(request: Request) -> Mapping[str, Any]:
    """Return API Gateway's context of the request; empty outside of API Gateway."""
    # Starlette decodes headers as Latin-1; the adapter writes UTF-8.
    text = request.headers.get(REQUEST_CONTEXT, "{}").encode("latin-1")
    try:
        context = finite_json(text)
    except ValueError:
        return {}
    return context if isinstance(context, dict) else {}
