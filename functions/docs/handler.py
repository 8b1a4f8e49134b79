"""GET /openapi.json and /docs: the API description and a self-contained page that shows it."""

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

from aws_lambda_powertools.event_handler import Response

from aisha.api.operation import Operation
from aisha.api.rest_app import RestApp, answer

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content security policy of the page, which has inline script and style and may connect to this API only."""

app = RestApp()


@app.operation(
    Operation(
        "GET",
        "/openapi.json",
        "openapi",
        summary="Get this API description",
        description="An OpenAPI 3.1 document.",
        tag="Operations",
        public=True,
    )
)
def description() -> Response[str]:
    return answer({**_description(), "servers": [{"url": _base()}]})


@app.operation(
    Operation(
        "GET",
        "/docs",
        "docs",
        summary="Get this API description as a web page",
        description="Shows the operations and schemas, and has a form to try the chat.",
        tag="Operations",
        content_type="text/html",
        public=True,
    )
)
def page() -> Response[str]:
    headers: dict[str, str | list[str]] = {
        "content-security-policy": POLICY,
        "cache-control": "max-age=300",
        "referrer-policy": "no-referrer",
    }
    return Response(status_code=200, content_type="text/html; charset=utf-8", headers=headers, body=_asset("docs.html"))


def _base() -> str:
    """Return the base path of the API: the stage behind API Gateway's own host name, otherwise `/`."""
    path = str(app.current_event["requestContext"].get("path") or "")
    return path.removesuffix("/openapi.json") or "/"


@lru_cache(maxsize=1)
def _description() -> dict[str, Any]:
    return dict(json.loads(_asset("openapi.json")))


@lru_cache(maxsize=2)
def _asset(name: str) -> str:
    return files("aisha").joinpath("assets", name).read_text(encoding="utf-8")


handler = app.resolve
