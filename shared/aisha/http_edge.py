"""What every REST function does before and after its own work: the principal, the input's shape, the error answers.

A function declares each of its operations once; routing, its page in the API description and its checks follow.
"""

import base64
import json
from collections.abc import Callable
from time import perf_counter
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError as UnknownRouteError
from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel, ValidationError

from aisha import bootstrap
from aisha.adapters.auth import principal_of_context
from aisha.domain.errors import (
    InvalidInputError,
    MalformedRequestError,
    NotFoundError,
    PayloadTooLargeError,
)
from aisha.domain.principal import Principal
from aisha.http_operation import JSON, Operation
from aisha.observability import log_request, log_unexpected, logger
from aisha.renderers.problem import problem
from aisha.settings import settings

Handler = Callable[[dict[str, Any], LambdaContext], dict[str, Any]]


class RestApp(APIGatewayRestResolver):
    """A function's operations. One event at a time, as in a Lambda sandbox: the resolver keeps the event in itself."""

    def __init__(self) -> None:
        super().__init__()
        self.operations: list[Operation] = []
        self.exception_handler(Exception)(self._answer_error)
        self.not_found(self._answer_unknown_route)

    def operation[F: Callable[..., Any]](self, operation: Operation) -> Callable[[F], F]:
        """Makes a function the code of an operation; it takes the path's parameters by name."""
        self.operations.append(operation)
        register: Callable[[F], F] = self.route(operation.rule, method=[operation.method])
        return register

    @property
    def request_id(self) -> str:
        return self.current_event.request_context.request_id or ""

    def principal(self) -> Principal:
        """The caller. Raises `UnauthenticatedError`."""
        context = self.current_event["requestContext"].get("authorizer") or {}
        return principal_of_context(context, bootstrap.clock().now())

    def query[M: BaseModel](self, model: type[M]) -> M:
        """The query string. Raises `InvalidInputError` with the pointer of what does not fit."""
        return fitted(model, self.current_event["queryStringParameters"] or {}, "The query")

    def body[M: BaseModel](self, model: type[M]) -> M:
        """The JSON body. Raises `MalformedRequestError`, `InvalidInputError`, `PayloadTooLargeError`."""
        text = self.current_event["body"] or ""
        raw = base64.b64decode(text) if self.current_event.get("isBase64Encoded") else text.encode()
        return fitted(model, parse_json(raw), "The request")

    def _answer_error(self, error: Exception) -> Response[str]:
        log_unexpected(error, self.request_id)
        status, headers, body = problem(error, self.request_id)
        content_type = headers.pop("content-type")
        return Response(status_code=status, content_type=content_type, headers=dict(headers), body=body)

    def _answer_unknown_route(self, _: UnknownRouteError) -> Response[str]:
        event = self.current_event
        return self._answer_error(NotFoundError(f"There is no {event.http_method} {event.path}. See /docs."))


def rest_handler(app: RestApp) -> Handler:
    """The Lambda handler of an app."""

    def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
        start = perf_counter()
        answer = app.resolve(event, context)
        request = event["requestContext"]
        headers = answer.setdefault("multiValueHeaders", {})
        headers["x-request-id"] = [request["requestId"]]
        headers.setdefault("x-content-type-options", ["nosniff"])
        headers.setdefault("cache-control", ["no-store"])
        route = f"{event['httpMethod']} {event['resource']}"
        tenant = (request.get("authorizer") or {}).get("tenant_id")
        log_request(route, answer["statusCode"], request["requestId"], (perf_counter() - start) * 1000, tenant)
        return answer

    return logger.inject_lambda_context(handler, clear_state=True)


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


def parse_json(raw: bytes) -> Any:
    """A request's body. Raises `MalformedRequestError`, `PayloadTooLargeError`."""
    if len(raw) > (limit := settings().request_bytes):
        raise PayloadTooLargeError(f"A request has at most {limit // 1024} KiB.", detail={"limit": limit})
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        what = f": {error}" if isinstance(error, json.JSONDecodeError) else ""
        raise MalformedRequestError(f"The request is not JSON{what}", suggestion="Send one JSON object.") from None


def fitted[M: BaseModel](model: type[M], values: Any, what: str) -> M:
    """`values` as the model. Raises `InvalidInputError` with the pointer of the first that does not fit."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False, include_input=False)
    path = "/".join(str(part).replace("~", "~0").replace("/", "~1") for part in problems[0]["loc"])
    message = problems[0]["msg"].removeprefix("Value error, ")
    raise InvalidInputError(
        f"{what} does not fit at {path}: {message}" if path else f"{what} does not fit: {message}",
        pointer=f"/{path}" if path else "",
        detail=[{"pointer": "/" + "/".join(map(str, item["loc"])), "message": item["msg"]} for item in problems[:10]],
    )
