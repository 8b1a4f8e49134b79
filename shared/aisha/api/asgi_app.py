"""The edge of the functions that are ASGI apps, because they stream: an adapter of `Exchange` to Starlette."""

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
from aisha.application.idempotency.keys import KeptAnswer
from aisha.bootstrap import Services, default_services
from aisha.domain.errors import NotFoundError
from aisha.domain.principal import Principal
from aisha.renderers.server_sent_events import CONTENT_TYPE

REQUEST_CONTEXT = "x-amzn-request-context"
"""API Gateway's request context. The adapter in front of an app sets it, over anything that a client sends."""


class AsgiExchange(Exchange):
    """A request to an ASGI app. What blocks runs in a thread."""

    def __init__(self, request: Request) -> None:
        self.request, context = request, request_context(request)
        services: Services = request.app.services
        super().__init__(
            services, request.method, request.url.path, _resource(request, context), request.headers, context
        )

    async def admitted(self) -> Principal:
        """Count the request and return its caller. Raises `UnauthenticatedError`, `RateLimitedError`."""
        return await to_thread.run_sync(self.admit)

    async def begun(self, principal: Principal, body: bytes, **options: Any) -> IdempotentRequest | KeptAnswer:
        """Return a try of the request under its `Idempotency-Key`, as `begin`."""
        return await to_thread.run_sync(partial(self.begin, principal, body, **options))

    async def body(self) -> bytes:
        """Return the body, read no further than the settings allow. Raises `PayloadTooLargeError`."""
        parts, size = [], 0
        async for part in self.request.stream():
            size += len(part)
            self.check_size(size)
            parts.append(part)
        return b"".join(parts)

    def answer(
        self, body: Any, headers: Mapping[str, str] | None = None, *, status: int = 200, content_type: str | None = JSON
    ) -> Response:
        """Return a JSON value, or a text, as the answer."""
        sent = self.response_headers | dict(headers or {})
        self.end(status)
        text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
        return Response(text, status, sent, content_type)

    def replay(self, kept: KeptAnswer, stream_headers: Mapping[str, str]) -> Response:
        """Return an answer that was given before."""
        own = stream_headers if kept.content_type == CONTENT_TYPE else {}
        return self.answer(kept.body, REPLAYED | dict(own), status=kept.status, content_type=kept.content_type)

    def refuse(self, error: Exception) -> Response:
        """Return an error as a problem document."""
        status, headers, text = self.problem(error)
        self.end(status)
        return Response(text, status, headers | self.response_headers)

    async def stream(self, pieces: Generator[str], headers: Mapping[str, str]) -> Response:
        """Return a response of `pieces`, which are Server-Sent Events. Raises what is raised before the first."""
        feed = await SseFeed.begin(pieces, self.request_id)
        sent = self.response_headers | {"x-accel-buffering": "no"} | dict(headers)
        return _EventStream(self, feed, sent)


class _EventStream(StreamingResponse):
    """Cancels its feed when the client disconnects."""

    def __init__(self, exchange: AsgiExchange, feed: SseFeed, headers: Mapping[str, str]) -> None:
        super().__init__(self._pieces(), media_type=CONTENT_TYPE, headers=headers)
        self._exchange, self._feed = exchange, feed

    async def _pieces(self) -> AsyncIterator[bytes]:
        """End the request's scope before the answer's last byte: when that is out, Lambda stops the process."""
        async for piece in self._feed:
            yield piece
        self._exchange.end(self._feed.status)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._feed.cancel()
            self._exchange.end(self._feed.status)


class AsgiApp(Starlette):
    """These routes, with `/health` for the adapter in front of it and problem documents for all else.

    With `checks_models` it does not start, and `/health` never answers, when the models are not set up right: the server
    ends with what `Services.check_models` says.
    """

    def __init__(self, *routes: Route, services: Services | None = None, checks_models: bool = False) -> None:
        super().__init__(
            routes=[*routes, Route("/health", _ready)],
            exception_handlers={HTTPException: _unknown_route},
            middleware=[*([Middleware(_Checked)] if checks_models else ()), Middleware(_Flushed)],
        )
        self.services = services or default_services()


class _Checked:
    """Refuses to start with one line in place of a trace."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            try:
                scope["app"].services.check_models()
            except ValueError as error:
                await receive()
                await send({"type": "lifespan.startup.failed", "message": f"AiSHA can't start: {error}"})
                return
        await self._app(scope, receive, send)


class _Flushed:
    """Sends a request's spans before its answer's last byte: when that is out, Lambda stops the process."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        tracer = scope["app"].services.tracer if scope["type"] == "http" else None
        if tracer is None:
            await self._app(scope, receive, send)
            return

        async def flushed(message: Message) -> None:
            if message["type"] == "http.response.body" and not message.get("more_body"):
                await to_thread.run_sync(tracer.flush)
            await send(message)

        await self._app(scope, receive, flushed)


async def _ready(_: Request) -> Response:
    """Answer the adapter, which asks before it passes the first event on."""
    return Response(status_code=204)


async def _unknown_route(request: Request, _: Exception) -> Response:
    return AsgiExchange(request).refuse(NotFoundError(f"There is no {request.method} {request.url.path}. See /docs."))


def _resource(request: Request, context: Mapping[str, Any]) -> str:
    """Return the route's path as it is declared: paths that clients make up must not become metrics."""
    if resource := context.get("resourcePath"):
        return str(resource)
    return "unknown" if "endpoint" not in request.scope or request.path_params else request.url.path


def request_context(request: Request) -> Mapping[str, Any]:
    """Return API Gateway's context of the request; empty without one."""
    # Starlette reads headers as Latin-1, the adapter writes them in UTF-8.
    text = request.headers.get(REQUEST_CONTEXT, "{}").encode("latin-1")
    try:
        context = json.loads(text)
    except ValueError:
        return {}
    return context if isinstance(context, dict) else {}
