"""The gateway over functions that a test writes, some of them broken: it answers as API Gateway would."""

import asyncio
import json
import logging
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message

from aisha.bootstrap import Services
from infra.local.errors import TemplateError
from infra.local.server.app import make_app
from infra.local.server.keys import TokenSigner
from infra.local.server.template import load_template

ROOT = Path(__file__).parents[3]
TEMPLATE = """
Globals: {Function: {Handler: handler.handler, Timeout: 1, MemorySize: 256}}
Resources:
  Api:
    Type: AWS::Serverless::Api
    Properties:
      Auth:
        DefaultAuthorizer: Token
        Authorizers: {Token: {FunctionArn: !GetAtt Authorizer.Arn}}
      GatewayResponses:
        ACCESS_DENIED: {StatusCode: 403, ResponseTemplates: {application/json: '{"why":$context.error.messageString}'}}
        DEFAULT_5XX: {ResponseTemplates: {application/json: '{"id":"$context.requestId"}'}}
  Authorizer:
    Type: AWS::Serverless::Function
    Properties: {CodeUri: authorizer/}
  Function:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: function/
      Events:
        Open:
          Type: Api
          Properties: {RestApiId: !Ref Api, Method: ANY, Path: "/open/{id}", Auth: {Authorizer: NONE}}
        Special:
          Type: Api
          Properties: {RestApiId: !Ref Api, Method: GET, Path: /open/special, Auth: {Authorizer: NONE}}
        Rest:
          Type: Api
          Properties: {RestApiId: !Ref Api, Method: GET, Path: "/rest/{path+}", Auth: {Authorizer: NONE}}
        Closed:
          Type: Api
          Properties: {RestApiId: !Ref Api, Method: GET, Path: /closed}
  Web:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: web/
      Handler: run.sh
      Events:
        Web:
          Type: Api
          Properties: {RestApiId: !Ref Api, Method: POST, Path: /web, Auth: {Authorizer: NONE}}
"""
ECHO = """
    import json
    def handler(event, context):
        return {"statusCode": 200, "multiValueHeaders": {"set-cookie": ["a=1", "b=2"]},
                "body": json.dumps({"event": event, "left": context.get_remaining_time_in_millis()})}
"""


class Api:
    """A template's API over functions that a test writes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "template.yaml").write_text(TEMPLATE)

    def write(self, name: str, code: str) -> None:
        (self._folder / name).mkdir(exist_ok=True)
        (self._folder / name / "handler.py").write_text(textwrap.dedent(code))

    def app(self) -> ASGIApp:
        return make_app(
            load_template(self._folder / "template.yaml"), TokenSigner(self._folder), Services(), lambda: None
        )

    def client(self) -> TestClient:
        return TestClient(self.app(), base_url="http://127.0.0.1")

    def get(self, path: str, **headers: str) -> Any:
        return self.client().get(path, headers=headers)


@pytest.fixture
def api(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Api:
    caplog.set_level(logging.CRITICAL)
    return Api(tmp_path)


def event_of(response: Any) -> Any:
    assert response.status_code == 200, response.text
    return response.json()["event"]


# --- events and answers


def test_an_event_has_what_the_request_had(api: Api) -> None:
    api.write("function", ECHO)
    response = api.client().post("/open/a%2Fb?x=1&x=2&y=", content="grüße", headers={"x-one": "1"})
    event = event_of(response)
    assert (event["httpMethod"], event["resource"], event["path"]) == ("POST", "/open/{id}", "/open/a%2Fb")
    assert event["pathParameters"] == {"id": "a/b"}
    assert event["queryStringParameters"] == {"x": "2", "y": ""}
    assert event["multiValueQueryStringParameters"] == {"x": ["1", "2"], "y": [""]}
    assert event["headers"]["X-One"] == "1"
    assert (event["body"], event["isBase64Encoded"]) == ("grüße", False)
    assert event["requestContext"]["requestId"] == response.headers["x-request-id"]
    assert "authorizer" not in event["requestContext"]
    assert 0 < response.json()["left"] <= 1000
    assert response.headers.get_list("set-cookie") == ["a=1", "b=2"]


def test_absent_parts_are_null_and_binary_bodies_are_base64(api: Api) -> None:
    api.write("function", ECHO)
    empty = event_of(api.get("/open/special"))
    assert [empty[name] for name in ("body", "queryStringParameters", "pathParameters")] == [None, None, None]
    binary = event_of(api.client().post("/open/x", content=b"\xff\xfe"))
    assert (binary["body"], binary["isBase64Encoded"]) == ("//4=", True)


def test_the_most_specific_route_answers(api: Api) -> None:
    api.write("function", ECHO)
    assert event_of(api.get("/open/special"))["resource"] == "/open/special"
    assert event_of(api.get("/open/other"))["resource"] == "/open/{id}"
    assert event_of(api.get("/rest/a/b"))["pathParameters"] == {"path": "a/b"}


@pytest.mark.parametrize(
    "code",
    [
        'def handler(event, context): raise RuntimeError("secret")',
        'def handler(event, context): return "no answer"',
        'def handler(event, context): return {"body": "no status"}',
        'raise ImportError("secret")',
        "def handler(event, context) return",
    ],
    ids=["raises", "is no map", "has no status", "does not load", "is no Python"],
)
def test_a_broken_function_is_a_bad_gateway_without_details(api: Api, code: str) -> None:
    api.write("function", code)
    response = api.get("/open/special")
    assert response.status_code == 502
    assert response.json() == {"id": response.headers["x-request-id"]}


def test_a_repaired_function_is_loaded_at_the_next_request(api: Api) -> None:
    api.write("function", 'raise ImportError("not yet")')
    client = api.client()
    assert client.get("/open/special").status_code == 502
    api.write("function", ECHO + "    # repaired\n")
    assert client.get("/open/special").status_code == 200


def test_a_slow_function_is_given_up(api: Api) -> None:
    api.write(
        "function",
        """
        import threading
        def handler(event, context):
            threading.Event().wait(1.5)
            return {"statusCode": 200}
        """,
    )
    assert api.get("/open/special").status_code == 504


# --- the authorizer


def authorizer(effect: str, resource: str = "*") -> str:
    policy = {"Statement": [{"Action": "execute-api:Invoke", "Effect": effect, "Resource": resource}]}
    return f"""
    def handler(event, context):
        assert event["type"] == "TOKEN" and event["methodArn"].endswith("/GET/closed")
        return {{"principalId": "p", "policyDocument": {policy!r}, "context": {{"token": event["authorizationToken"]}}}}
    """


def test_the_authorizers_context_reaches_the_function(api: Api) -> None:
    api.write("function", ECHO)
    api.write("authorizer", authorizer("Allow"))
    context = event_of(api.get("/closed", authorization="Bearer t"))["requestContext"]
    assert context["authorizer"] == {"principalId": "p", "token": "Bearer t"}


@pytest.mark.parametrize(("effect", "resource"), [("Deny", "*"), ("Allow", "arn:aws:execute-api:*/GET/other")])
def test_a_denied_caller_gets_a_403(api: Api, effect: str, resource: str) -> None:
    api.write("function", ECHO)
    api.write("authorizer", authorizer(effect, resource))
    response = api.get("/closed", authorization="t")
    assert (response.status_code, list(response.json())) == (403, ["why"])


@pytest.mark.parametrize(("message", "status"), [("Unauthorized", 401), ("anything else", 500)])
def test_an_authorizer_that_raises_lets_nobody_in(api: Api, message: str, status: int) -> None:
    api.write("function", ECHO)
    api.write("authorizer", f"def handler(event, context): raise Exception({message!r})")
    assert api.get("/closed", authorization="t").status_code == status
    assert api.get("/closed").status_code == 401


# --- web servers in a function


def test_a_web_function_gets_the_context_and_streams(api: Api) -> None:
    api.write(
        "web",
        """
        async def app(scope, receive, send):
            body = (await receive())["body"]
            contexts = [value for name, value in scope["headers"] if name == b"x-amzn-request-context"]
            await send({"type": "http.response.start", "status": 201, "headers": [(b"x-request-id", b"own")]})
            for part in (body, b"|", *contexts):
                await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        """,
    )
    response = api.client().post("/web", content=b"hello", headers={"X-Amzn-Request-Context": "forged"})
    body, _, context = response.text.partition("|")
    assert (response.status_code, response.headers["x-request-id"], body) == (201, "own", "hello")
    assert json.loads(context)["resourcePath"] == "/web"


def test_what_a_web_function_streams_is_passed_on_at_once(api: Api) -> None:
    api.write(
        "web",
        """
        import asyncio
        arrived = asyncio.Event()
        async def app(scope, receive, send):
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"first", "more_body": True})
            await arrived.wait()
            await send({"type": "http.response.body", "body": b"second"})
        """,
    )
    parts: list[bytes] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        if body := message.get("body"):
            parts.append(body)
            sys.modules["local_function_Web"].arrived.set()

    async def exchange() -> None:
        scope = {"type": "http", "method": "POST", "path": "/web", "raw_path": b"/web", "query_string": b""}
        async with asyncio.timeout(10):
            await api.app()(scope | {"headers": []}, receive, send)

    asyncio.run(exchange())
    assert parts == [b"first", b"second"]


def test_a_broken_web_function_is_a_server_error(api: Api) -> None:
    api.write("web", 'async def app(scope, receive, send): raise RuntimeError("secret")')
    response = api.client().post("/web")
    assert response.status_code == 500
    assert response.json() == {"id": response.headers["x-request-id"]}


# --- templates


def test_the_products_template_is_read_whole() -> None:
    template = load_template(ROOT / "template.yaml")
    match = template.find("GET", "/api/crm/lead/lead_1")
    assert match is not None
    route, parameters = match
    assert parameters == {"type": "lead", "id": "lead_1"}
    assert route.authorizer is not None
    assert {route.resource for route in template.routes if route.authorizer is None} == {
        "/health",
        "/docs",
        "/docs/{file}",
        "/openapi.json",
        "/api/crm/hooks/{connection}",
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/{path+}",
    }
    assert {route.resource for route in template.routes if route.function.is_asgi} == {
        "/api/ai/chat",
        "/api/ai/chat/{id}/stream",
        "/api/ai/flow-chat",
        "/api/ai/speech",
        "/v1/chat/completions",
        "/v1/models",
        "/v1/models/{model}",
        "/v1/responses",
        "/mcp",
        "/mcp/copilot",
        "/mcp/external",
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/{path+}",
    }
    for name, refusal in template.responses.items():
        body = json.loads(refusal.render("an-id", 'the "message"'))
        assert body["request_id"] == "an-id", name


def test_a_template_that_names_no_api_is_refused(tmp_path: Path) -> None:
    (tmp_path / "template.yaml").write_text(TEMPLATE.replace("!Ref Api", "!Ref Other"))
    with pytest.raises(TemplateError, match="RestApiId"):
        load_template(tmp_path / "template.yaml")
