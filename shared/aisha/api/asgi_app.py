"""The edge of the functions that are ASGI apps: API Gateway's context, bounded bodies, answers, errors, streams."""

import json
from collections.abc import AsyncIterator, Callable, Generator, Mapping
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

from aisha.adapters.auth.principal import principal_of_context
from aisha.api.idempotent_turn import IdempotentTurn
from aisha.api.operation import JSON, REPLAYED
from aisha.api.rate_limit import take
from aisha.api.sse_feed import SseFeed
from aisha.application.idempotency.keys import IdempotencyKeys, KeptAnswer, fingerprint_of
from aisha.bootstrap import Services, default_services
from aisha.domain.errors import NotFoundError, PayloadTooLargeError
from aisha.domain.principal import Principal
from aisha.observability import begin_request, end_request, log_unexpected
from aisha.renderers.cors import cors_headers
from aisha.renderers.problem import problem
from aisha.renderers.server_sent_events import CONTENT_TYPE

REQUEST_CONTEXT = "x-amzn-request-context"
"""API Gateway's request context. The adapter in front of an app sets it, over anything that a client sends."""
_COMMON = {"x-content-type-options": "nosniff", "cache-control": "no-store"}


class Exchange:
    """One request on its way to its answer, and the line in the log that it gets at its end."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.services: Services = request.app.services
        self._context = request_context(request)
        self._rate_limits: dict[str, str] = {}
        self.request_id = str(self._context.get("requestId") or "local")
        route = f"{request.method} {_resource(request, self._context)}"
        self._scope = begin_request(route, self.request_id, request.headers, tracer=self.services.tracer)

    def principal(self) -> Principal:
        """Whom the authorizer found. Raises `UnauthenticatedError`."""
        principal = principal_of_context(self._context.get("authorizer") or {}, self.services.clock.now())
        self._scope.fields["tenant"] = principal.tenant
        return principal

    async def admit(self) -> Principal:
        """The principal, if they have requests left. Raises `UnauthenticatedError`, `RateLimitedError`."""
        principal = self.principal()
        await to_thread.run_sync(take, principal, self.services.request_limits, self._rate_limits)
        return principal

    @property
    def headers(self) -> dict[str, str]:
        """What every answer to this request carries."""
        cors = cors_headers(self.request.headers.get("origin"), self.services.settings.cors_origins)
        return _COMMON | cors | self._rate_limits | {"x-request-id": self.request_id}

    async def body(self, most: int) -> bytes:
        """The body, read no further than `most` bytes. Raises `PayloadTooLargeError`."""
        parts, size = [], 0
        async for part in self.request.stream():
            size += len(part)
            if size > most:
                raise PayloadTooLargeError(f"A request has at most {most // 1024} KiB.", detail={"limit": most})
            parts.append(part)
        return b"".join(parts)

    async def keyed(
        self, principal: Principal, body: bytes, *, streamed: bool, repetition: str | None = None, is_new: bool = True
    ) -> IdempotentTurn | KeptAnswer:
        """The turn under its `Idempotency-Key`, or what the same request was answered before.

        `repetition` stands in for the header where the client names its messages itself; unless `is_new`, it only goes on
        with a turn that was cut off. Raises `InvalidInputError`, `InProgressError`.
        """
        given = self.request.headers.get("idempotency-key")
        if (key := given if given is not None else repetition) is None:
            return IdempotentTurn()
        keys = IdempotencyKeys(self.services.entries, self.services.clock, principal)
        path, told = self.request.url.path + ("#stream" if streamed else ""), body if given is not None else b""

        def take() -> IdempotentTurn | KeptAnswer:
            if given is None and not is_new and not keys.is_unanswered(key):
                return IdempotentTurn()
            taken = keys.take(key, fingerprint_of(self.request.method, path, told))
            return taken if isinstance(taken, KeptAnswer) else IdempotentTurn(keys, taken)

        return await to_thread.run_sync(take)

    async def turn(
        self,
        keyed: IdempotentTurn | KeptAnswer,
        *,
        streamed: bool,
        whole: Callable[[IdempotentTurn], str],
        pieces: Callable[[IdempotentTurn], Generator[str]],
        headers: Mapping[str, str],
    ) -> Response:
        """The answer of a turn as JSON text or as a stream with these `headers`, kept under its key; or the one that was kept.

        A turn blocks on models and stores, so it has a thread of its own. Raises what it raises before its first event.
        """
        if isinstance(keyed, KeptAnswer):
            return self.replay(keyed, headers)
        if streamed:
            return await self.stream(keyed.streamed(pieces(keyed), CONTENT_TYPE), headers)
        return self.answer(await to_thread.run_sync(keyed.run, partial(whole, keyed)))

    def answer(self, body: Any, headers: Mapping[str, str] | None = None) -> Response:
        """A JSON value, or its text, as the answer."""
        sent = self.headers | dict(headers or {})
        self.log(200)
        text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
        return Response(text, media_type=JSON, headers=sent)

    def replay(self, kept: KeptAnswer, headers: Mapping[str, str]) -> Response:
        """An answer that was given before; `headers` are those of a stream."""
        sent = self.headers | REPLAYED | (dict(headers) if kept.content_type == CONTENT_TYPE else {})
        self.log(kept.status)
        return Response(kept.body, kept.status, sent, kept.content_type)

    def refuse(self, error: Exception) -> Response:
        """An error as a problem document."""
        log_unexpected(error, self.request_id)
        status, headers, text = problem(error, self.request_id)
        self.log(status)
        return Response(text, status, headers | self.headers)

    async def stream(self, pieces: Generator[str], headers: Mapping[str, str]) -> Response:
        """`pieces`, which are Server-Sent Events, as they are made. Raises what is raised before the first."""
        feed = await SseFeed.begin(pieces, self.request_id)
        sent = self.headers | {"x-accel-buffering": "no"} | dict(headers)
        return _EventStream(self, feed, sent)

    def log(self, status: int) -> None:
        """The request's line, once; its time is the time until now."""
        if not self._scope.is_over:
            end_request(self._scope, status)


class _EventStream(StreamingResponse):
    """Cancels its feed when the client disconnects."""

    def __init__(self, exchange: Exchange, feed: SseFeed, headers: Mapping[str, str]) -> None:
        super().__init__(self._pieces(), media_type=CONTENT_TYPE, headers=headers)
        self._exchange, self._feed = exchange, feed

    async def _pieces(self) -> AsyncIterator[bytes]:
        """Ends the request's scope before the answer's last byte: when that is out, Lambda stops the process."""
        async for piece in self._feed:
            yield piece
        self._exchange.log(self._feed.status)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._feed.cancel()
            self._exchange.log(self._feed.status)


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
    """What the adapter asks before it passes the first event on."""
    return Response(status_code=204)


async def _unknown_route(request: Request, _: Exception) -> Response:
    return Exchange(request).refuse(NotFoundError(f"There is no {request.method} {request.url.path}. See /docs."))


def _resource(request: Request, context: Mapping[str, Any]) -> str:
    """The route's path as it is declared: what clients made up must not become a metric."""
    if resource := context.get("resourcePath"):
        return str(resource)
    return "unknown" if "endpoint" not in request.scope or request.path_params else request.url.path


def request_context(request: Request) -> Mapping[str, Any]:
    """API Gateway's context of the request; empty when there is none."""
    # Starlette reads headers as Latin-1, the adapter writes them in UTF-8.
    text = request.headers.get(REQUEST_CONTEXT, "{}").encode("latin-1")
    try:
        context = json.loads(text)
    except ValueError:
        return {}
    return context if isinstance(context, dict) else {}
