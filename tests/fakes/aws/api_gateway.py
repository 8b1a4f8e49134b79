"""A fake of API Gateway: it calls a function's handler with the event of a request and reads the answer."""

import asyncio
import importlib.util
import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
from starlette.types import ASGIApp

from aisha.api.operation import Operation
from aisha.bootstrap import Services, default_services
from infra.local.server.lambda_events import LambdaContext

ROOT = Path(__file__).parents[3]
REQUEST_ID = "6f8e4c1a-1f0b-4f7e-9a55-0d7b7f0c9d11"
STAGE = "v1"
ALL_MODULES = ("leads", "contacts", "accounts", "opportunities", "activities", "notes", "goals", "events")
_MEMBERS = {"type", "title", "status", "code", "message", "retryable", "request_id", "detail", "error"}
_OPTIONAL = {"errors", "data", "pointer", "tool", "entity_type", "entity_id", "suggestion"}


@dataclass(frozen=True)
class Answer:
    """A response. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    text: str = field(repr=False)

    @property
    def json(self) -> Any:
        return json.loads(self.text)


_loaded: dict[str, ModuleType] = {}
_services = default_services()


def serve(services: Services | None = None) -> None:
    """Give these services to every function; without an argument, the process's own ones."""
    global _services
    _services = services or default_services()
    for module in _loaded.values():
        module.app.services = _services


@contextmanager
def serving(services: Services) -> Iterator[Services]:
    """Let every function work with these services inside the block, and close them at its end."""
    serve(services)
    try:
        with closing(services):
            yield services
    finally:
        serve()


def function(name: str) -> ModuleType:
    """Return the module `functions/<name>/handler.py`, loaded once, with the current services."""
    if name not in _loaded:
        _loaded[name] = _load(name)
        _loaded[name].app.services = _services
    return _loaded[name]


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"tested_{name}", ROOT / "functions" / name / "handler.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def operations(name: str) -> list[Operation]:
    """Return the operations that a function declares; none for a function without routes."""
    module = function(name)
    owner = module if hasattr(module, "OPERATIONS") else getattr(module, "app", None)
    return list(getattr(owner, "OPERATIONS", None) or getattr(owner, "operations", None) or ())


def declared() -> Iterator[tuple[str, Operation]]:
    """Yield every operation of every function, with the function's name."""
    for path in sorted((ROOT / "functions").glob("*/handler.py")):
        for operation in operations(path.parent.name):
            yield path.parent.name, operation


def caller(tenant: str, user: str, *, modules: tuple[str, ...] = ALL_MODULES, **claims: str) -> dict[str, str]:
    """Return the context that the authorizer returns for a user."""
    context = {"tenant_id": tenant, "user": user, "roles": '["member"]', "modules": json.dumps(modules)}
    return context | {"expires_at": "4102444800"} | claims


def request_context(method: str, path: str, resource: str, authorizer: Mapping[str, str] | None) -> dict[str, Any]:
    context: dict[str, Any] = {
        "accountId": "012345678912",
        "apiId": "api",
        "domainName": "api.example.com",
        "httpMethod": method,
        "identity": {"sourceIp": "127.0.0.1", "userAgent": "test"},
        "path": f"/{STAGE}{path}",
        "requestId": REQUEST_ID,
        "resourcePath": resource,
        "stage": STAGE,
    }
    return context | ({"authorizer": dict(authorizer)} if authorizer is not None else {})


def event(
    name: str, method: str, url: str, authorizer: Mapping[str, str] | None, body: str | None = None
) -> dict[str, Any]:
    """Return a proxy event with the resource and the path parameters of the matching operation of the function."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    resource, parameters = _match(function(name).app.operations, parts.path)
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    return {
        "resource": resource,
        "path": parts.path,
        "httpMethod": method,
        "headers": headers,
        "multiValueHeaders": {key: [value] for key, value in headers.items()},
        "queryStringParameters": query or None,
        "multiValueQueryStringParameters": {key: [value] for key, value in query.items()} or None,
        "pathParameters": parameters or None,
        "stageVariables": None,
        "requestContext": request_context(method, parts.path, resource, authorizer),
        "body": body,
        "isBase64Encoded": False,
    }


def _match(operations: Iterable[Operation], path: str) -> tuple[str, dict[str, str]]:
    for operation in operations:
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(operation.path))
        if match := re.fullmatch(pattern, path):
            return operation.path, match.groupdict()
    return path, {}


def call(
    name: str,
    method: str,
    url: str,
    authorizer: Mapping[str, str] | None = None,
    body: str | None = None,
    *,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """Call a REST function and return its answer."""
    proxy_event = event(name, method, url, authorizer, body)
    proxy_event["headers"] |= headers or {}
    return answer_of(function(name), proxy_event)


def answer_of(module: ModuleType, proxy_event: Mapping[str, Any]) -> Answer:
    """Call a handler with a complete event and return its answer."""
    context = LambdaContext("tested", 512, REQUEST_ID, time.time() + 10)
    answer = module.handler(dict(proxy_event), context)
    headers = {key.lower(): value for key, value in (answer.get("headers") or {}).items()}
    headers |= {key.lower(): values[-1] for key, values in (answer.get("multiValueHeaders") or {}).items()}
    assert not answer.get("isBase64Encoded")
    return Answer(answer["statusCode"], headers, answer.get("body") or "")


def chat(
    content: bytes | str | Mapping[str, Any],
    authorizer: Mapping[str, str] | None = None,
    *,
    method: str = "POST",
    path: str = "/api/ai/chat",
    app: ASGIApp | None = None,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """Call an ASGI function, by default chat, with the header that the Lambda Web Adapter adds, in UTF-8."""
    if isinstance(content, Mapping):
        content = json.dumps(content)
    context = json.dumps(request_context(method, path, path, authorizer), ensure_ascii=False)
    all_headers = {b"content-type": b"application/json", b"x-amzn-request-context": context.encode()}
    all_headers |= {name.encode(): value.encode() for name, value in (headers or {}).items()}

    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(app=app or function("chat").app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.request(method, path, content=content, headers=list(all_headers.items()))

    response = asyncio.run(send())
    return Answer(response.status_code, {key.lower(): value for key, value in response.headers.items()}, response.text)


def assert_problem(answer: Answer, status: int, code: str, pointer: str | None = None) -> dict[str, Any]:
    """Assert that `answer` is a complete problem document of this kind without internal details, and return it."""
    assert answer.status == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json", answer.headers
    body: dict[str, Any] = answer.json
    assert set(body) >= _MEMBERS, body
    assert set(body) <= _MEMBERS | _OPTIONAL, body
    assert (body["status"], body["code"], body.get("pointer")) == (status, code, pointer), body
    assert body["request_id"] == answer.headers["x-request-id"] == REQUEST_ID, body
    assert body["detail"] == body["error"]["message"] == body["message"], body
    assert "Traceback" not in answer.text, body
    assert ".py" not in answer.text, body
    return body
