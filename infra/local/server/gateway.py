"""API Gateway on a laptop: the routes, the authorizer and the answers of template.yaml over the same handlers.

Unlike in AWS, an authorizer's result is not cached, a buffered response may have any size, and a method that a path
does not have gets 405, where API Gateway responds as for an unknown path.
"""

import json
import logging
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from http import HTTPStatus
from typing import Any

import anyio
from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from aisha.api.mcp.operations import METADATA, REFUSED
from aisha.bootstrap import Services
from aisha.renderers.cors import cors_headers
from infra.local.server.functions import LocalFunction
from infra.local.server.lambda_events import authorizer_event, method_arn, proxy_event, proxy_response, raw_path
from infra.local.server.lambda_events import request_context as context_of
from infra.local.server.problems import problem
from infra.local.server.template import ApiTemplate, FunctionConfig
from infra.local.server.template import Route as ApiRoute

MAX_BYTES = 6 * 1024 * 1024
"""The maximum payload of a Lambda function; API Gateway itself accepts 10 MB."""
MAX_SECONDS = 29
"""API Gateway's timeout of a buffered response."""
THREADS = 64
ADAPTER_HEADERS = (b"x-amzn-request-context", b"x-amzn-lambda-context")
"""Headers of the Lambda Web Adapter; those of clients are dropped."""
_LOGGER = logging.getLogger(__name__)


class RefusedError(Exception):
    """API Gateway refuses a request itself. `name` is its name of the refusal, `message` its text."""

    def __init__(self, name: str, status: int, message: str) -> None:
        super().__init__(message)
        self.name, self.status, self.message = name, status, message


class Gateway:
    """The ASGI app in place of API Gateway, the authorizer and Lambda."""

    def __init__(self, template: ApiTemplate, services: Services) -> None:
        self._template, self._services = template, services
        self._functions: dict[str, LocalFunction] = {}
        self._limiter: CapacityLimiter | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await self._respond(request)
        except RefusedError as refused:
            response = self._refuse(refused, request)
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> ASGIApp:
        request_id: str = request.state.request_id
        # By the path as it was sent: an encoded slash belongs to a parameter.
        match = self._template.find(request.method, raw_path(request))
        if match is None and request.method == "OPTIONS" and (preflight := self._preflight(request)):
            return preflight
        path = raw_path(request)
        methods = [method for method in self._template.methods(path) if (method, path) not in REFUSED]
        # API Gateway answers 403 to an unknown method; a clear 405 helps a developer more.
        if match is None and methods:
            message = f"{path} has no {request.method}; it has {' and '.join(methods)}."
            return problem(request, 405, "method_not_allowed", message, allow=", ".join(methods))
        if match is None:
            raise RefusedError("MISSING_AUTHENTICATION_TOKEN", 403, "Missing Authentication Token")
        route, parameters = match
        body = await _body(request)
        authorizer = await self._authorize(route, request)
        context = context_of(request, route.resource, request_id, authorizer)
        function = self._function(route.function)
        if route.function.is_asgi:
            return _forwarding(await self._in_thread(function.app), body, context)
        event = proxy_event(request, route.resource, parameters, body, context)
        return proxy_response(await self._invoke(function, event, request_id))

    async def _invoke(self, function: LocalFunction, event: dict[str, Any], request_id: str) -> Mapping[str, Any]:
        try:
            with anyio.fail_after(min(function.config.timeout, MAX_SECONDS)):
                answer = await self._in_thread(lambda: function.invoke(event, request_id))
            # Only checks the shape: API Gateway refuses another one with 502.
            proxy_response(answer)
        except TimeoutError:
            raise RefusedError("INTEGRATION_TIMEOUT", 504, "Endpoint request timed out") from None
        except Exception as error:
            _LOGGER.exception("%s failed", function.config.name)
            raise RefusedError("INTEGRATION_FAILURE", 502, "Internal server error") from error
        checked: Mapping[str, Any] = answer
        return checked

    async def _authorize(self, route: ApiRoute, request: Request) -> dict[str, Any] | None:
        """Return the context of the TOKEN authorizer, None for a public route."""
        if route.authorizer is None:
            return None
        token, arn = request.headers.get("authorization"), method_arn(request.method, raw_path(request))
        if not token:
            raise RefusedError("UNAUTHORIZED", 401, "Unauthorized")
        function, event = self._function(route.authorizer), authorizer_event(token, arn)
        try:
            answer = await self._in_thread(lambda: function.invoke(event, request.state.request_id))
            allowed, context = _allows(answer["policyDocument"], arn), {**answer.get("context", {})}
        except Exception as error:
            # The one message that API Gateway answers with 401.
            if str(error) == "Unauthorized":
                raise RefusedError("UNAUTHORIZED", 401, "Unauthorized") from None
            _LOGGER.exception("%s failed", route.authorizer.name)
            raise RefusedError("AUTHORIZER_FAILURE", 500, "Internal server error") from error
        if not allowed:
            raise RefusedError("ACCESS_DENIED", 403, "User is not authorized to access this resource")
        return {"principalId": answer["principalId"], **context}

    async def _in_thread[T](self, call: Callable[[], T]) -> T:
        # Threads of their own: the apps behind run their turns in the event loop's usual ones.
        self._limiter = self._limiter or CapacityLimiter(THREADS)
        return await to_thread.run_sync(call, abandon_on_cancel=True, limiter=self._limiter)

    def _function(self, config: FunctionConfig) -> LocalFunction:
        # One object for each function, whose module is loaded once.
        return self._functions.setdefault(config.name, LocalFunction(config, self._services))

    def _refuse(self, refused: RefusedError, request: Request) -> Response:
        request_id, response = request.state.request_id, self._template.refusal(refused.name, refused.status)
        status = response.status or refused.status
        headers = response.headers_for(request_id) | self._cors(request)
        if status == HTTPStatus.UNAUTHORIZED and self._services.settings.authorization_server:
            # In AWS it needs the parameter PublicUrl; here the address is known.
            address = f"{request.url.scheme}://{request.url.netloc}"
            headers["www-authenticate"] = f'Bearer resource_metadata="{address}{METADATA}"'
        return Response(response.render(request_id, refused.message), status, headers)

    def _preflight(self, request: Request) -> Response | None:
        """Return the answer to a CORS preflight request; None for an origin that is not allowed or an unknown path."""
        methods, allowed = self._template.methods(raw_path(request)), self._cors(request)
        if not methods or "access-control-allow-origin" not in allowed:
            return None
        names = ",".join(["OPTIONS", *methods])
        return Response(
            status_code=200, headers={**allowed, **self._template.preflight, "access-control-allow-methods": names}
        )

    def _cors(self, request: Request) -> dict[str, str]:
        return cors_headers(request.headers.get("origin"), self._services.settings.cors_origins)


def _allows(policy: Mapping[str, Any], arn: str) -> bool:
    effects = set()
    for statement in policy["Statement"]:
        resources = statement["Resource"]
        for resource in [resources] if isinstance(resources, str) else resources:
            if fnmatchcase(arn, resource):
                effects.add(statement["Effect"])
    # As in IAM, one denial outweighs all permissions, and without a matching statement access is denied.
    return effects == {"Allow"}


async def _body(request: Request) -> bytes:
    """Read the whole body. One that is too large is read to its end too, so that the client gets the response."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size <= MAX_BYTES:
            parts.append(part)
    if size > MAX_BYTES:
        raise RefusedError("REQUEST_TOO_LARGE", 413, "Request Too Long")
    return b"".join(parts)


def _forwarding(app: ASGIApp, body: bytes, context: Mapping[str, Any]) -> ASGIApp:
    """Wrap `app` like the Lambda Web Adapter: with the request's context in a header, and streaming."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
    members = (
        "type",
        "asgi",
        "http_version",
        "method",
        "scheme",
        "path",
        "raw_path",
        "query_string",
        "client",
        "server",
    )

    async def forward(scope: Scope, receive: Receive, send: Send) -> None:
        async def receive_again() -> Message:
            # After the body, which was read already, only the client's disconnect is left to receive.
            return waiting.pop() if waiting else await receive()

        headers = [(name, value) for name, value in scope["headers"] if name.lower() not in ADAPTER_HEADERS]
        headers.append((ADAPTER_HEADERS[0], json.dumps(context).encode()))
        inner = {name: scope[name] for name in members if name in scope} | {"root_path": "", "headers": headers}
        await app(inner, receive_again, send)

    return forward
