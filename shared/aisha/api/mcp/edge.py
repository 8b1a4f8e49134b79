"""Checks of an MCP request's HTTP side: allowed origins, and the discovery of the authorization server (RFC 9728)."""

from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from aisha.api.asgi_app import request_context
from aisha.api.mcp.operations import METADATA, PATHS
from aisha.api.mcp.schemas import ResourceMetadataJson
from aisha.domain.errors import NotFoundError, PermissionDeniedError
from aisha.settings import Settings

LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")


def check_origin(request: Request, settings: Settings) -> None:
    """Raise `PermissionDeniedError` for a web page of another origin, as the protocol demands against DNS rebinding."""
    origin = request.headers.get("origin")
    # Programs send no `Origin`. A page that rebinds its DNS name to this server still sends that name as its origin.
    if origin is None or origin in settings.mcp_origins or _host(origin) in LOOPBACK_HOSTS:
        return
    raise PermissionDeniedError(
        "Pages of this origin may not use /mcp.",
        suggestion="Have it added to AISHA_MCP_ORIGINS, or use a program that is not a web page.",
    )


def with_challenge(response: Response, request: Request, settings: Settings) -> Response:
    """Return a 401 with a link to the metadata of this resource, if the settings name an authorization server."""
    if settings.authorization_server is not None:
        response.headers["www-authenticate"] = (
            f'Bearer resource_metadata="{_base(request)}{METADATA}{request.url.path}"'
        )
    return response


def protected_resource_metadata(request: Request, settings: Settings) -> dict[str, Any]:
    """Return the metadata of RFC 9728, of the resource whose path follows the well-known one; by default /mcp.

    Raises `NotFoundError` without an authorization server in the settings, and for a path that is no such resource.
    """
    base, path = _base(request), request.url.path.partition(METADATA)[2] or "/mcp"
    # RFC 9728 puts the resource's path after the well-known one.
    if path not in PATHS:
        raise NotFoundError(f"There is no resource {path}. It is one of: {', '.join(PATHS)}.")
    if settings.authorization_server is None:
        raise NotFoundError(
            "There is no authorization server here.", suggestion="Set AISHA_AUTHORIZATION_SERVER to the address of one."
        )
    return ResourceMetadataJson(
        resource=f"{base}{path}",
        authorization_servers=[settings.authorization_server],
        bearer_methods_supported=["header"],
        resource_name=settings.assistant_name,
        resource_documentation=f"{base}/docs",
    ).model_dump()


def _base(request: Request) -> str:
    """Return the base URL of the API. With API Gateway's own host name it ends with the stage."""
    context = request_context(request)
    scheme = request.headers.get("x-forwarded-proto", request.url.scheme)
    host = str(context.get("domainName") or request.url.netloc)
    return f"{scheme}://{host}{str(context.get('path') or '').removesuffix(request.url.path)}"


def _host(origin: str) -> str | None:
    try:
        return urlsplit(origin).hostname
    except ValueError:
        return None
