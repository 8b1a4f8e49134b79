"""The edge of the functions that are ASGI apps: API Gateway's context, bounded bodies, answers, errors, streams."""

import json
from collections.abc import Generator, Mapping
from time import perf_counter
from typing import Any

from anyio import to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from aisha import bootstrap
from aisha.adapters.auth import principal_of_context
from aisha.domain.errors import NotFoundError, PayloadTooLargeError
from aisha.domain.principal import Principal
from aisha.event_feed import EventFeed
from aisha.http_operation import JSON
from aisha.observability import log_admission, log_request, log_unexpected
from aisha.renderers.problem import problem
from aisha.renderers.rate_limit import rate_limit_headers
from aisha.renderers.server_sent_events import CONTENT_TYPE

REQUEST_CONTEXT = "x-amzn-request-context"
"""API Gateway's request context. The adapter in front of an app sets it, over anything that a client sends."""
_COMMON = {"x-content-type-options": "nosniff", "cache-control": "no-store"}


class Exchange:
    """One request on its way to its answer, and the line in the log that it gets at its end."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self._start, self._tenant = perf_counter(), ""
        self._context = request_context(request)
        self._rate_limits: dict[str, str] = {}
        self.request_id = str(self._context.get("requestId") or "local")

    def principal(self) -> Principal:
        """Whom the authorizer found. Raises `UnauthenticatedError`."""
        principal = principal_of_context(self._context.get("authorizer") or {}, bootstrap.clock().now())
        self._tenant = principal.tenant
        return principal

    async def admit(self) -> Principal:
        """The principal, if they have requests left. Raises `UnauthenticatedError`, `RateLimitedError`."""
        principal = self.principal()
        admission = await to_thread.run_sync(lambda: bootstrap.request_limits().admit(principal))
        self._rate_limits = rate_limit_headers(admission)
        log_admission(admission, principal.tenant)
        if admission.refusal:
            raise admission.refusal
        return principal

    @property
    def headers(self) -> dict[str, str]:
        """What every answer to this request carries."""
        return _COMMON | self._rate_limits | {"x-request-id": self.request_id}

    async def body(self, most: int) -> bytes:
        """The body, read no further than `most` bytes. Raises `PayloadTooLargeError`."""
        parts, size = [], 0
        async for part in self.request.stream():
            size += len(part)
            if size > most:
                raise PayloadTooLargeError(f"A request has at most {most // 1024} KiB.", detail={"limit": most})
            parts.append(part)
        return b"".join(parts)

    def answer(self, body: Any, headers: Mapping[str, str] | None = None) -> Response:
        """A JSON value as the answer."""
        sent = self.headers | dict(headers or {})
        self.log(200)
        return Response(json.dumps(body, ensure_ascii=False), media_type=JSON, headers=sent)

    def refuse(self, error: Exception) -> Response:
        """An error as a problem document."""
        log_unexpected(error, self.request_id)
        status, headers, text = problem(error, self.request_id)
        self.log(status)
        return Response(text, status, headers | self.headers)

    async def stream(self, pieces: Generator[str], headers: Mapping[str, str]) -> Response:
        """`pieces`, which are Server-Sent Events, as they are made. Raises what is raised before the first."""
        feed = await EventFeed.begin(pieces, self.request_id)
        sent = self.headers | {"x-accel-buffering": "no"} | dict(headers)
        return _EventStream(self, feed, sent)

    def log(self, status: int) -> None:
        """The request's line; its time is the time until now."""
        route, elapsed = f"{self.request.method} {self.request.url.path}", (perf_counter() - self._start) * 1000
        log_request(route, status, self.request_id, elapsed, self._tenant or None)


class _EventStream(StreamingResponse):
    """Leaves its feed when the client does."""

    def __init__(self, exchange: Exchange, feed: EventFeed, headers: Mapping[str, str]) -> None:
        super().__init__(feed, media_type=CONTENT_TYPE, headers=headers)
        self._exchange, self._feed = exchange, feed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._feed.leave()
            self._exchange.log(self._feed.status)


def asgi_app(*routes: Route) -> Starlette:
    """An app of these routes, with `/health` for the adapter in front of it and problem documents for all else."""
    return Starlette(
        routes=[*routes, Route("/health", _ready)],
        exception_handlers={HTTPException: _unknown_route},
    )


def wants_event_stream(accept: str) -> bool | None:
    """What an `Accept` header says about Server-Sent Events; None when it names neither them nor JSON."""
    weights: dict[str, float] = {}
    for entry in accept.lower().split(","):
        name, *parameters = (part.strip() for part in entry.split(";"))
        weights[name] = next((_weight(one[2:]) for one in parameters if one.startswith("q=")), 1.0)
    stream, plain = weights.get(CONTENT_TYPE), weights.get(JSON)
    if stream is None and plain is None:
        return None
    return bool(stream) and (stream or 0) >= (plain or 0)


def _weight(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


async def _ready(_: Request) -> Response:
    """What the adapter asks before it passes the first event on."""
    return Response(status_code=204)


async def _unknown_route(request: Request, _: Exception) -> Response:
    return Exchange(request).refuse(NotFoundError(f"There is no {request.method} {request.url.path}. See /docs."))


def request_context(request: Request) -> Mapping[str, Any]:
    """API Gateway's context of the request; empty when there is none."""
    # Starlette reads headers as Latin-1, the adapter writes them in UTF-8.
    text = request.headers.get(REQUEST_CONTEXT, "{}").encode("latin-1")
    try:
        context = json.loads(text)
    except ValueError:
        return {}
    return context if isinstance(context, dict) else {}
