"""Build events, contexts and responses like API Gateway (REST, payload version 1.0) and Lambda."""

import base64
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response

from infra.local.tables import REGION

ACCOUNT = "012345678912"
API = "local"
STAGE = "local"


@dataclass(frozen=True, slots=True)
class LambdaContext:
    """The second argument of a handler."""

    function_name: str
    memory_limit_in_mb: int
    aws_request_id: str
    deadline: float
    """The deadline in seconds of `time.time()`."""
    function_version: str = "$LATEST"
    identity: Any = None
    client_context: Any = None
    log_group_name: str = field(default="/aws/lambda/local")
    log_stream_name: str = field(default="local")

    @property
    def invoked_function_arn(self) -> str:
        return f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{self.function_name}"

    def get_remaining_time_in_millis(self) -> int:
        return max(0, int((self.deadline - time.time()) * 1000))


def method_arn(method: str, path: str) -> str:
    """Return the resource of an authorizer's policy."""
    return f"arn:aws:execute-api:{REGION}:{ACCOUNT}:{API}/{STAGE}/{method}{path}"


def authorizer_event(token: str, arn: str) -> dict[str, str]:
    """Return the event of a TOKEN authorizer."""
    return {"type": "TOKEN", "authorizationToken": token, "methodArn": arn}


def raw_path(request: Request) -> str:
    """Return the path as it was sent, still percent-encoded."""
    return bytes(request.scope["raw_path"]).decode("latin-1")


def request_context(
    request: Request, resource: str, request_id: str, authorizer: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return the `requestContext` of an event; `authorizer` is the authorizer's context."""
    now = datetime.now(UTC)
    context: dict[str, Any] = {
        "accountId": ACCOUNT,
        "apiId": API,
        "domainName": request.headers.get("host", ""),
        "domainPrefix": API,
        "extendedRequestId": request_id,
        "httpMethod": request.method,
        "identity": {
            "sourceIp": request.client.host if request.client else "127.0.0.1",
            "userAgent": request.headers.get("user-agent"),
        },
        "path": raw_path(request),
        "protocol": "HTTP/1.1",
        "requestId": request_id,
        "requestTime": now.strftime("%d/%b/%Y:%H:%M:%S +0000"),
        "requestTimeEpoch": int(now.timestamp() * 1000),
        "resourceId": "local",
        "resourcePath": resource,
        "stage": STAGE,
    }
    if authorizer is not None:
        context["authorizer"] = dict(authorizer)
    return context


def proxy_event(
    request: Request, resource: str, parameters: Mapping[str, str], body: bytes, context: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the event of a Lambda proxy integration. Single-value maps have the last value of a repeated name."""
    # ASGI has lower-case names; API Gateway passes names on as the client wrote them.
    headers = _grouped((name.title(), value) for name, value in request.headers.items())
    # Empty values are kept, as API Gateway does.
    query = _grouped(parse_qsl(request.url.query, keep_blank_values=True))
    text, is_base64 = _text(body)
    return {
        "resource": resource,
        "path": raw_path(request),
        "httpMethod": request.method,
        "headers": _last(headers),
        "multiValueHeaders": headers,
        "queryStringParameters": _last(query) or None,
        "multiValueQueryStringParameters": query or None,
        "pathParameters": dict(parameters) or None,
        "stageVariables": None,
        "requestContext": dict(context),
        "body": text,
        "isBase64Encoded": is_base64,
    }


def proxy_response(answer: Mapping[str, Any]) -> Response:
    """Return the HTTP response of a handler's result. Raises KeyError, TypeError or ValueError for another shape."""
    body = answer.get("body") or ""
    content = base64.b64decode(body) if answer.get("isBase64Encoded") else str(body).encode()
    response = Response(content, status_code=int(answer["statusCode"]))
    # A 204 must not have the header (RFC 9110, section 8.6).
    if response.status_code == 204:
        del response.headers["content-length"]
    for name, value in (answer.get("headers") or {}).items():
        response.headers[name] = str(value)
    # Appended: a response may have a header several times, such as `set-cookie`.
    for name, values in (answer.get("multiValueHeaders") or {}).items():
        for value in values:
            response.headers.append(name, str(value))
    return response


def _grouped(pairs: Any) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for name, value in pairs:
        grouped.setdefault(name, []).append(value)
    return grouped


def _last(grouped: Mapping[str, list[str]]) -> dict[str, str]:
    return {name: values[-1] for name, values in grouped.items()}


def _text(body: bytes) -> tuple[str | None, bool]:
    if not body:
        return None, False
    try:
        return body.decode(), False
    except UnicodeDecodeError:
        return base64.b64encode(body).decode(), True
