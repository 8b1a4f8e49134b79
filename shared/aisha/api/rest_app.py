"""What every REST function does before and after its own work: the principal, the input's shape, the error answers.

A function declares each of its operations once; routing, its page in the API description and its checks follow.
"""

import base64
import json
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError as UnknownRouteError
from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel
from ulid import ULID

from aisha.adapters.auth.principal import principal_of_context
from aisha.api.operation import JSON, REPLAYED, Operation
from aisha.api.rate_limit import take
from aisha.application.idempotency.keys import Attempt, IdempotencyKeys, KeptAnswer, fingerprint_of
from aisha.application.requests.validation import read_object, validated
from aisha.bootstrap import Services, default_services
from aisha.domain.errors import (
    AishaError,
    NotFoundError,
    PayloadTooLargeError,
    UnavailableError,
)
from aisha.domain.principal import Principal
from aisha.observability import begin_request, end_request, flush, log_unexpected
from aisha.renderers.cors import cors_headers
from aisha.renderers.problem import problem

Handler = Callable[[dict[str, Any], LambdaContext], dict[str, Any]]


class RestApp(APIGatewayRestResolver):
    """A function's operations. One event at a time, as in a Lambda sandbox: the resolver keeps the event in itself."""

    def __init__(self, services: Services | None = None) -> None:
        super().__init__()
        self.services = services or default_services()
        self.operations: list[Operation] = []
        self._attempt: Attempt | None = None
        self._rate_limits: dict[str, str] = {}
        self.exception_handler(Exception)(self._answer_error)
        self.not_found(self._answer_unknown_route)

    def operation[F: Callable[..., Any]](self, operation: Operation) -> Callable[[F], F]:
        """Makes a function the code of an operation; it takes the path's parameters by name."""
        self.operations.append(operation)
        register: Callable[[Callable[..., Any]], Any] = self.route(operation.rule, method=[operation.method])

        def declare(function: F) -> F:
            once = self._once(function) if operation.idempotent else function
            register(self._limited(once) if operation.limited else once)
            return function

        return declare

    @property
    def request_id(self) -> str:
        return self.current_event.request_context.request_id or ""

    def principal(self) -> Principal:
        """The caller. Raises `UnauthenticatedError`."""
        context = self.current_event["requestContext"].get("authorizer") or {}
        return principal_of_context(context, self.services.clock.now())

    def query[M: BaseModel](self, model: type[M]) -> M:
        """The query string. Raises `InvalidInputError` with the pointer of what does not fit."""
        return validated(model, self.current_event["queryStringParameters"] or {}, "The query")

    def body[M: BaseModel](self, model: type[M]) -> M:
        """The JSON body. Raises `MalformedRequestError`, `InvalidInputError`, `PayloadTooLargeError`."""
        raw = self._raw_body()
        if len(raw) > (limit := self.services.settings.request_bytes):
            raise PayloadTooLargeError(f"A request has at most {limit // 1024} KiB.", detail={"limit": limit})
        return validated(model, read_object(raw))

    def operation_ulid(self) -> str:
        """Names the write of this request: the same for every try with one `Idempotency-Key`, new without one."""
        return self._attempt.operation if self._attempt else str(ULID())

    @property
    def attempt(self) -> Attempt | None:
        """The request's try under its `Idempotency-Key`; None without one."""
        return self._attempt

    def _raw_body(self) -> bytes:
        text = self.current_event["body"] or ""
        return base64.b64decode(text) if self.current_event.get("isBase64Encoded") else text.encode()

    def _once(self, function: Callable[..., Response[str]]) -> Callable[..., Response[str]]:
        """The function with the header `Idempotency-Key` honoured. An error leaves the key for another try."""

        @wraps(function)
        def run(**parameters: str) -> Response[str]:
            self._attempt, event = None, self.current_event
            if (key := event.headers.get("idempotency-key")) is None:
                return function(**parameters)
            keys = IdempotencyKeys(self.services.entries, self.services.clock, self.principal())
            taken = keys.take(key, fingerprint_of(event.http_method, event.path, self._raw_body()))
            if isinstance(taken, KeptAnswer):
                return Response(taken.status, taken.content_type, taken.body, dict(REPLAYED))
            self._attempt = taken
            return _kept(keys, taken, lambda: function(**parameters))

        return run

    def _limited(self, function: Callable[..., Response[str]]) -> Callable[..., Response[str]]:
        """The function for those who have requests left."""

        @wraps(function)
        def run(**parameters: str) -> Response[str]:
            take(self.principal(), self.services.request_limits, self._rate_limits)
            return function(**parameters)

        return run

    def take_rate_limits(self) -> dict[str, str]:
        """The header fields of the limits that the running request met, once."""
        taken, self._rate_limits = self._rate_limits, {}
        return taken

    def _answer_error(self, error: Exception) -> Response[str]:
        log_unexpected(error, self.request_id)
        status, headers, body = problem(error, self.request_id)
        content_type = headers.pop("content-type")
        return Response(status_code=status, content_type=content_type, headers=dict(headers), body=body)

    def _answer_unknown_route(self, _: UnknownRouteError) -> Response[str]:
        event = self.current_event
        return self._answer_error(NotFoundError(f"There is no {event.http_method} {event.path}. See /docs."))


def _kept(keys: IdempotencyKeys, attempt: Attempt, run: Callable[[], Response[str]]) -> Response[str]:
    """The answer, kept if it could be: what was done is not undone by a store that does not answer."""
    try:
        given = run()
    except Exception as error:
        with suppress(UnavailableError):
            keys.release(attempt, is_settled=isinstance(error, AishaError) and error.status < 500)
        raise
    with suppress(UnavailableError):
        keys.keep(attempt, KeptAnswer(given.status_code, given.content_type or JSON, given.body or ""))
    return given


def rest_handler(app: RestApp) -> Handler:
    """The Lambda handler of an app."""

    def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
        request = event["requestContext"]
        route, sent = f"{event['httpMethod']} {event['resource']}", event.get("headers") or {}
        names = {name.lower(): text for name, text in sent.items()}
        scope = begin_request(route, request["requestId"], names, context, app.services.tracer)
        if tenant := (request.get("authorizer") or {}).get("tenant_id"):
            scope.fields["tenant"] = tenant
        answer = app.resolve(event, context)
        headers = answer.setdefault("multiValueHeaders", {})
        headers["x-request-id"] = [request["requestId"]]
        headers.setdefault("x-content-type-options", ["nosniff"])
        headers.setdefault("cache-control", ["no-store"])
        headers |= {name: [text] for name, text in app.take_rate_limits().items()}
        origin = next((text for name, text in sent.items() if name.lower() == "origin"), None)
        headers |= {name: [text] for name, text in cors_headers(origin, app.services.settings.cors_origins).items()}
        end_request(scope, answer["statusCode"])
        flush(scope)
        return answer

    return handler


def answer(body: Any, status: int = 200) -> Response[str]:
    """A JSON answer. Models are written by their aliases, without what is None."""
    if isinstance(body, BaseModel):
        text = body.model_dump_json(by_alias=True, exclude_none=True)
    else:
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return Response(status_code=status, content_type=JSON, body=text)


def no_content() -> Response[str]:
    """The answer of an operation that leaves nothing to say."""
    return Response(status_code=204, body="")
