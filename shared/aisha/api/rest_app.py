"""The edge of the functions that do not stream: an adapter of `Exchange` to Powertools' resolver.

A function declares each of its operations once; routing, checks and the API description follow from the declaration.
"""

import base64
import json
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError as UnknownRouteError
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent
from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel

from aisha.api.exchange import Exchange
from aisha.api.operation import JSON, REPLAYED, Operation
from aisha.application.idempotency.keys import Attempt, StoredAnswer
from aisha.application.requests.validation import read_object, validated
from aisha.bootstrap import Services, default_services
from aisha.domain.errors import NotFoundError
from aisha.domain.ids import new_ulid
from aisha.domain.principal import Principal
from aisha.observability import flush

Endpoint = Callable[..., BaseModel | Mapping[str, Any] | Response[str] | None]
"""Returns the body of a success, None for a 204, or a response of another status or kind."""
Route = Callable[..., Response[str]]


def _declaring[**P, R](
    make: Callable[P, Operation],
) -> Callable[[Callable[["RestApp", Operation], R]], Callable[Concatenate["RestApp", P], R]]:
    """Return a decorator of a method that takes an operation: the method then takes the operation's own arguments."""

    def decorator(method: Callable[["RestApp", Operation], R]) -> Callable[Concatenate["RestApp", P], R]:
        def with_arguments(app: "RestApp", /, *args: P.args, **options: P.kwargs) -> R:
            return method(app, make(*args, **options))

        return with_arguments

    return decorator


class RestApp(APIGatewayRestResolver):
    """The operations of one function.

    The app stores the current exchange in itself, because Lambda gives one event at a time to a process.
    """

    exchange: Exchange
    _event: APIGatewayProxyEvent
    attempt: Attempt | None = None
    """The attempt at the current request under its `Idempotency-Key`; None without one."""

    def __init__(self, services: Services | None = None) -> None:
        super().__init__()
        self.services = services or default_services()
        self.operations: list[Operation] = []
        self.exception_handler(Exception)(self._answer_error)
        self.not_found(self._answer_unknown_route)

    @property  # type: ignore[override]
    def current_event(self) -> APIGatewayProxyEvent:
        """The event of this app's request. Powertools keeps one for all apps of a process.

        In Lambda a process has one app; the local server runs all of them, at the same time.
        """
        return self._event

    @current_event.setter
    def current_event(self, event: APIGatewayProxyEvent) -> None:
        self._event = event

    @_declaring(Operation)
    def operation(self, operation: Operation) -> Callable[[Endpoint], Endpoint]:
        """Return a decorator that registers an operation's function, see `Endpoint`.

        Its keyword arguments are the path parameters and, where it has parameters of these names with a model as
        their type, `query` and `body`. The model that it returns is the response.
        """
        register: Callable[[Callable[..., Any]], Any] = self.route(operation.rule, method=[operation.method])

        def declare(function: Endpoint) -> Endpoint:
            declared = operation.of(function.__annotations__)
            self.operations.append(declared)
            run = self._responding(function, declared)
            run = self._idempotent(run) if declared.idempotent else run
            # The limit is outside: a replayed answer counts, too.
            register(self._limited(run) if declared.is_limited else run)
            return function

        return declare

    def resolve(self, event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Return the response to a proxy event of API Gateway: this is the Lambda handler of the function."""
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
        # The app serves one request after the other: nothing of the last one may be left.
        self.attempt = None
        self._event = APIGatewayProxyEvent(dict(event))
        answer = super().resolve(dict(event), context)
        # The handler's own headers win, e.g. the `cache-control` of the docs page.
        common = {name: [text] for name, text in exchange.response_headers.items()}
        answer["multiValueHeaders"] = common | answer.get("multiValueHeaders", {})
        exchange.end(answer["statusCode"])
        # After the end of the request, which ends its span, and before Lambda freezes the process.
        flush(exchange.scope)
        return answer

    @property
    def request_id(self) -> str:
        return self.exchange.request_id

    def principal(self) -> Principal:
        """Return the caller. Raises `UnauthenticatedError`."""
        return self.exchange.principal()

    def query[M: BaseModel](self, model: type[M]) -> M:
        """Return the query string as a model. Raises `InvalidInputError` with a pointer to the wrong parameter."""
        return validated(model, self.current_event["queryStringParameters"] or {}, "The query")

    def body[M: BaseModel](self, model: type[M]) -> M:
        """Return the JSON body as a model.

        Raises `MalformedRequestError`, `InvalidInputError`, `PayloadTooLargeError`.
        """
        return validated(model, read_object(self.raw_body()))

    def raw_body(self) -> bytes:
        """Return the body's bytes. Raises `PayloadTooLargeError`."""
        raw = self._raw_body()
        self.exchange.check_size(len(raw))
        return raw

    def public_url(self) -> str:
        """Return the URL of this request as its sender wrote it, which some senders sign."""
        # Behind API Gateway the sender's path has the stage, which the resource's path has not.
        context = self.current_event.request_context
        path = self.current_event["requestContext"].get("path") or self.exchange.path
        return f"https://{self.exchange.headers.get('host') or context.domain_name}{path}"

    def operation_ulid(self) -> str:
        """Return the id of this request's write: the same for all attempts with one key, a new one without a key."""
        return self.attempt.operation if self.attempt else new_ulid()

    def _raw_body(self) -> bytes:
        # API Gateway sends a body of a binary media type as Base64.
        text = self.current_event["body"] or ""
        return base64.b64decode(text) if self.current_event.get("isBase64Encoded") else text.encode()

    def _responding(self, function: Endpoint, operation: Operation) -> Route:
        read = {"query": self.query, "body": self.body}
        models = {name: model for name, model in function.__annotations__.items() if name in read}

        @wraps(function)
        def run(**parameters: str) -> Response[str]:
            # First: a stranger learns nothing of the form of a request.
            if models and not operation.public:
                self.principal()
            result = function(**parameters, **{name: read[name](model) for name, model in models.items()})
            if result is None:
                return Response(status_code=204, body="")
            return result if isinstance(result, Response) else answer(result, operation.success)

        return run

    def _idempotent(self, function: Route) -> Route:
        @wraps(function)
        def run(**parameters: str) -> Response[str]:
            # Without a key nothing is read or written for it.
            if "idempotency-key" not in self.exchange.headers:
                return function(**parameters)
            request = self.exchange.begin(self.principal(), self._raw_body())
            if isinstance(request, StoredAnswer):
                return Response(request.status, request.content_type, request.body, dict(REPLAYED))
            self.attempt = request.attempt
            # A refused request, for example with a wrong value, has written nothing: its key may be used again.
            with request.released_on_error(may_settle=True):
                response = function(**parameters)
            request.store(StoredAnswer(response.status_code, response.content_type or JSON, response.body or ""))
            return response

        return run

    def _limited(self, function: Route) -> Route:
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
    """Return a JSON response. Models are dumped by alias and without members that are None."""
    if isinstance(body, BaseModel):
        text = body.model_dump_json(by_alias=True, exclude_none=True)
    else:
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return Response(status_code=status, content_type=JSON, body=text)
