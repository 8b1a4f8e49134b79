"""The edge of the functions that answer REST requests as a whole: an adapter of `Exchange` to Powertools' resolver.

A function declares each of its operations once; routing, its page in the API description and its checks follow.
"""

import base64
import json
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError as UnknownRouteError
from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel
from ulid import ULID

from aisha.api.exchange import Exchange
from aisha.api.operation import JSON, REPLAYED, Operation
from aisha.application.idempotency.keys import Attempt, KeptAnswer
from aisha.application.requests.validation import read_object, validated
from aisha.bootstrap import Services, default_services
from aisha.domain.errors import NotFoundError
from aisha.domain.principal import Principal
from aisha.observability import flush


class RestApp(APIGatewayRestResolver):
    """A function's operations. One event at a time, as in a Lambda sandbox: the app keeps its exchange in itself."""

    exchange: Exchange
    attempt: Attempt | None = None
    """The request's try under its `Idempotency-Key`; None without one."""

    def __init__(self, services: Services | None = None) -> None:
        super().__init__()
        self.services = services or default_services()
        self.operations: list[Operation] = []
        self.exception_handler(Exception)(self._answer_error)
        self.not_found(self._answer_unknown_route)

    def operation[F: Callable[..., Any]](self, operation: Operation) -> Callable[[F], F]:
        """Make a function the code of an operation; it takes the path's parameters by name."""
        self.operations.append(operation)
        register: Callable[[Callable[..., Any]], Any] = self.route(operation.rule, method=[operation.method])

        def declare(function: F) -> F:
            once = self._once(function) if operation.idempotent else function
            register(self._limited(once) if operation.limited else once)
            return function

        return declare

    def resolve(self, event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Answer a proxy event of API Gateway: the Lambda handler of the function."""
        headers = {name.lower(): text for name, text in (event.get("headers") or {}).items()}
        self.exchange = exchange = Exchange(
            self.services,
            event["httpMethod"],
            event["path"],
            event["resource"],
            headers,
            event["requestContext"],
            context,
        )
        self.attempt = None
        answer = super().resolve(dict(event), context)
        own = answer.setdefault("multiValueHeaders", {})
        answer["multiValueHeaders"] = {name: [text] for name, text in exchange.response_headers.items()} | own
        exchange.end(answer["statusCode"])
        flush(exchange.scope)
        return answer

    @property
    def request_id(self) -> str:
        return self.exchange.request_id

    def principal(self) -> Principal:
        """Return the caller. Raises `UnauthenticatedError`."""
        return self.exchange.principal()

    def query[M: BaseModel](self, model: type[M]) -> M:
        """Return the query string. Raises `InvalidInputError` with the pointer of what does not fit."""
        return validated(model, self.current_event["queryStringParameters"] or {}, "The query")

    def body[M: BaseModel](self, model: type[M]) -> M:
        """Return the JSON body. Raises `MalformedRequestError`, `InvalidInputError`, `PayloadTooLargeError`."""
        raw = self._raw_body()
        self.exchange.check_size(len(raw))
        return validated(model, read_object(raw))

    def operation_ulid(self) -> str:
        """Return the name of this request's write: the same for every try with one key, new without one."""
        return self.attempt.operation if self.attempt else str(ULID())

    def _raw_body(self) -> bytes:
        text = self.current_event["body"] or ""
        return base64.b64decode(text) if self.current_event.get("isBase64Encoded") else text.encode()

    def _once(self, function: Callable[..., Response[str]]) -> Callable[..., Response[str]]:
        """Return the function with the header `Idempotency-Key` honoured."""

        @wraps(function)
        def run(**parameters: str) -> Response[str]:
            if "idempotency-key" not in self.exchange.headers:
                return function(**parameters)
            begun = self.exchange.begin(self.principal(), self._raw_body())
            if isinstance(begun, KeptAnswer):
                return Response(begun.status, begun.content_type, begun.body, dict(REPLAYED))
            self.attempt = begun.attempt
            with begun.released_on_error(may_settle=True):
                response = function(**parameters)
            begun.store(KeptAnswer(response.status_code, response.content_type or JSON, response.body or ""))
            return response

        return run

    def _limited(self, function: Callable[..., Response[str]]) -> Callable[..., Response[str]]:
        """Return the function for callers who have requests left."""

        @wraps(function)
        def run(**parameters: str) -> Response[str]:
            self.exchange.admit()
            return function(**parameters)

        return run

    def _answer_error(self, error: Exception) -> Response[str]:
        status, headers, body = self.exchange.problem(error)
        content_type = headers.pop("content-type")
        return Response(status_code=status, content_type=content_type, headers=dict(headers), body=body)

    def _answer_unknown_route(self, _: UnknownRouteError) -> Response[str]:
        return self._answer_error(NotFoundError(f"There is no {self.exchange.method} {self.exchange.path}. See /docs."))


def answer(body: Any, status: int = 200) -> Response[str]:
    """Return a JSON answer. Models are written by their aliases, without what is None."""
    if isinstance(body, BaseModel):
        text = body.model_dump_json(by_alias=True, exclude_none=True)
    else:
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return Response(status_code=status, content_type=JSON, body=text)


def no_content() -> Response[str]:
    """Return the answer of an operation that leaves nothing to say."""
    return Response(status_code=204, body="")
