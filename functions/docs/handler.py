"""GET /openapi.json and /docs: the API's description and its page, which needs nothing from elsewhere."""

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
"""The page is one file with its script and style inside; it may talk to this API and to nobody else."""

app = RestApp()


@app.operation(
    Operation(
        "GET",
        "/openapi.json",
        "openapi",
        summary="This description",
        description="OpenAPI 3.1.",
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
        summary="The description as a page",
        description="Operations, schemas and a box to try the chat.",
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
    """Where the API is mounted: behind API Gateway's own host name the stage leads the path."""
    path = str(app.current_event["requestContext"].get("path") or "")
    return path.removesuffix("/openapi.json") or "/"


@lru_cache(maxsize=1)
def _description() -> dict[str, Any]:
    return dict(json.loads(_asset("openapi.json")))


@lru_cache(maxsize=2)
def _asset(name: str) -> str:
    return files("aisha").joinpath("assets", name).read_text(encoding="utf-8")


handler = app.resolve
