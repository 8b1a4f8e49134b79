"""GET /openapi.json and /docs: the API description and a page that shows it with Swagger UI."""

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

from aws_lambda_powertools.event_handler import Response

from aisha.api.rest_app import RestApp
from aisha.domain.errors import NotFoundError

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:; "
    "font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content security policy of the page: Swagger UI, which has inline styles, may connect to this API only."""
FILES = {
    "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
    "start.js": "text/javascript; charset=utf-8",
    "swagger-ui.css": "text/css; charset=utf-8",
}
"""The page's files with their content types."""

app = RestApp()


@app.operation(
    "GET",
    "/openapi.json",
    "openapi",
    summary="Get this API description",
    description="An OpenAPI 3.1 document.",
    tag="Operations",
    public=True,
)
def description() -> dict[str, Any]:
    # The address under which the client has found it, so that its forms work behind any stage.
    return {**_description(), "servers": [{"url": _base()}]}


@app.operation(
    "GET",
    "/docs",
    "docs",
    summary="Get this API description as a web page",
    description="Shows the operations and schemas, each with a form to try it.",
    tag="Operations",
    content_type="text/html",
    public=True,
)
def page() -> Response[str]:
    headers: dict[str, str | list[str]] = {
        "content-security-policy": POLICY,
        "cache-control": "max-age=300",
        "referrer-policy": "no-referrer",
    }
    return Response(status_code=200, content_type="text/html; charset=utf-8", headers=headers, body=_asset("docs.html"))


@app.operation(
    "GET",
    "/docs/{file}",
    "docs_file",
    summary="Get a script or style sheet of the API description's page",
    description="Swagger UI's files, which the page loads itself.",
    tag="Operations",
    content_type="text/javascript",
    public=True,
    path_parameters={"file": "The file's name."},
    hidden=True,
)
def file(file: str) -> Response[str]:
    # A fixed list: a path in the name can lead to no other file.
    if file not in FILES:
        raise NotFoundError(f"There is no {file} here. The page is /docs.")
    headers: dict[str, str | list[str]] = {"cache-control": "max-age=86400"}
    return Response(200, FILES[file], _asset(f"swagger-ui/{file}"), headers)


def _base() -> str:
    """Return the base path of the API: the stage behind API Gateway's own host name, otherwise `/`."""
    path = str(app.current_event["requestContext"].get("path") or "")
    return path.removesuffix("/openapi.json") or "/"


@lru_cache(maxsize=1)
def _description() -> dict[str, Any]:
    return dict(json.loads(_asset("openapi.json")))


@lru_cache(maxsize=5)
def _asset(name: str) -> str:
    return files("aisha").joinpath("assets", *name.split("/")).read_text(encoding="utf-8")


handler = app.resolve
