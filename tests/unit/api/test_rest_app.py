"""The REST edge: apps of one process serve requests at the same time, as they do on the local server."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from pydantic import BaseModel

from aisha.api.rest_app import RestApp
from infra.local.server.lambda_events import LambdaContext
from tests.fakes.world import World

BOTH = 10


class Said(BaseModel):
    """A caller's request body."""

    said: str


def app_that_waits(path: str, together: threading.Barrier) -> RestApp:
    """Return an app that answers with its body, read only once both apps have begun."""
    app = RestApp(World().services)

    @app.operation("POST", path, "say", summary="Say", body=Said, limited=False)
    def say() -> Said:
        together.wait(BOTH)
        return app.body(Said)

    return app


def event(path: str, said: str) -> dict[str, Any]:
    return {
        "httpMethod": "POST",
        "path": path,
        "resource": path,
        "headers": {},
        "requestContext": {"requestId": said},
        "queryStringParameters": None,
        "body": json.dumps({"said": said}),
    }


def test_two_apps_at_once_read_each_their_own_request() -> None:
    together = threading.Barrier(2)
    apps = {path: app_that_waits(path, together) for path in ("/one", "/other")}
    context: Any = LambdaContext("tested", 512, "request", 0.0)
    with ThreadPoolExecutor(2) as threads:
        running = {path: threads.submit(app.resolve, event(path, path), context) for path, app in apps.items()}
        answers = {path: json.loads(run.result(BOTH)["body"]) for path, run in running.items()}
    assert answers == {"/one": {"said": "/one"}, "/other": {"said": "/other"}}


def test_what_a_function_returns_is_the_response() -> None:
    app = RestApp(World().services)

    @app.operation("GET", "/one", "one", summary="One", public=True)
    def one() -> Said:
        return Said(said="one")

    @app.operation("DELETE", "/one", "delete", summary="Delete", public=True)
    def delete() -> None: ...

    context: Any = LambdaContext("tested", 512, "request", 0.0)
    response = app.resolve(event("/one", "") | {"httpMethod": "GET"}, context)
    deleted = app.resolve(event("/one", "") | {"httpMethod": "DELETE"}, context)
    assert (response["statusCode"], json.loads(response["body"])) == (200, {"said": "one"})
    assert (deleted["statusCode"], deleted["body"]) == (204, "")
    assert [(operation.response, operation.success) for operation in app.operations] == [(Said, 200), (None, 204)]


def test_query_and_body_are_arguments_and_a_stranger_learns_nothing_of_their_form() -> None:
    app = RestApp(World().services)

    @app.operation("POST", "/open/{id}", "open", summary="Open", public=True)
    def open_to_all(id: str, query: Said, body: Said) -> Said:
        return Said(said=f"{id} {query.said} {body.said}")

    @app.operation("POST", "/closed", "closed", summary="Closed", limited=False)
    def closed(body: Said) -> Said:
        return body

    context: Any = LambdaContext("tested", 512, "request", 0.0)
    request = event("/open/1", "body") | {"resource": "/open/{id}", "queryStringParameters": {"said": "query"}}
    assert json.loads(app.resolve(request, context)["body"]) == {"said": "1 query body"}
    assert app.resolve(request | {"body": "{}"}, context)["statusCode"] == 422
    assert app.resolve(event("/closed", "") | {"body": "{}"}, context)["statusCode"] == 401
    assert [(operation.query, operation.body) for operation in app.operations] == [(Said, Said), (None, Said)]
