"""The REST edge: apps of one process serve requests at the same time, as they do on the local server."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aws_lambda_powertools.event_handler import Response
from pydantic import BaseModel

from aisha.api.rest_app import RestApp, answer
from infra.local.server.lambda_events import LambdaContext
from tests.fakes.world import World

BOTH = 10


class Said(BaseModel):
    """A caller's request body."""

    said: str


def app_that_waits(path: str, together: threading.Barrier) -> RestApp:
    """Return an app that answers with its body, read only once both apps have begun."""
    app = RestApp(World().services)

    @app.operation("POST", path, "say", summary="Say", body=Said, response=Said, limited=False)
    def say() -> Response[str]:
        together.wait(BOTH)
        return answer(app.body(Said))

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
