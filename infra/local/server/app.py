"""The local API: the template's routes behind the gateway, and those that exist only here.

These are the page under /desk/, /local/jwks, /local/token, /local/reset and /local/commands/.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from time import perf_counter
from typing import Any
from uuid import uuid4

from anyio import to_thread
from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from aisha.bootstrap import Services
from aisha.domain.errors import AishaError
from infra.local.errors import UnknownUserError
from infra.local.server.gateway import Gateway
from infra.local.server.keys import LIFETIME, TokenSigner
from infra.local.server.problems import problem
from infra.local.server.template import ApiTemplate
from infra.local.server.web_client import page_routes

LOOPBACK_HOSTS = {"127.0.0.1", "localhost", "::1"}
_LOGGER = logging.getLogger(__name__)
WARM_UP_HEADER = "x-aisha-warm-up"
"""Header of the server's own first request, which is refused on purpose and would look like a failure in the log."""


Command = Callable[[Services, str, str], Mapping[str, Any]]
"""A command on the data of a tenant and user; returns its result as JSON."""


def make_app(
    template: ApiTemplate,
    signer: TokenSigner,
    services: Services,
    reset: Callable[[], None],
    commands: Mapping[str, Command] | None = None,
) -> ASGIApp:
    """Return the local API: the routes of `template`, and those that exist only here, one for each command."""
    routes = [
        *_local_routes(signer, services, reset, commands or {}),
        *page_routes(services.voice_url),
        # Last: what exists only here must not be looked for in the template.
        Route("/{path:path}", Gateway(template, services)),
    ]
    return _LoggedRequests(Router(routes), template)


def _local_routes(
    signer: TokenSigner, services: Services, reset: Callable[[], None], commands: Mapping[str, Command]
) -> list[Route]:
    async def jwks(_: Request) -> Response:
        return JSONResponse(signer.jwks())

    async def token(request: Request) -> Response:
        now = datetime.now(UTC)
        user, tenant = request.query_params.get("user", "alice"), request.query_params.get("tenant", "demo")
        try:
            text = signer.user_token(user, tenant, now)
        except UnknownUserError as error:
            return problem(request, 404, "not_found", str(error))
        ends = (now + LIFETIME).isoformat(timespec="seconds")
        return JSONResponse({"token": text, "user": user, "tenant": tenant, "expiresAt": ends})

    async def reset_data(_: Request) -> Response:
        await to_thread.run_sync(reset)
        return JSONResponse({"status": "ok"})

    async def command(request: Request) -> Response:
        run = commands.get(request.path_params["command"])
        if run is None:
            return problem(request, 404, "not_found", "There is no such command.")
        user, tenant = request.query_params.get("user", "alice"), request.query_params.get("tenant", "demo")
        try:
            return JSONResponse(dict(await to_thread.run_sync(run, services, tenant, user)))
        except AishaError as error:
            return problem(request, error.status, error.code, error.message)

    return [
        Route("/local/jwks", jwks, methods=["GET"]),
        Route("/local/token", _only_from_here(token), methods=["GET"]),
        Route("/local/reset", _only_from_here(reset_data), methods=["POST"]),
        Route("/local/commands/{command}", _only_from_here(command), methods=["POST"]),
    ]


def _only_from_here(endpoint: Callable[[Request], Any]) -> Callable[[Request], Any]:
    """Refuse requests of other sites' pages in the developer's browser: they must not get tokens and data."""

    async def checked(request: Request) -> Response:
        # Browsers send this header, programs do not. The host name is that of the header `Host`:
        # a page that has rebound its DNS name to this machine sends that name.
        site = request.headers.get("sec-fetch-site", "none")
        if request.url.hostname not in LOOPBACK_HOSTS or site not in ("none", "same-origin"):
            return problem(request, 403, "permission_denied", "This is only for programs and pages of this machine.")
        response: Response = await endpoint(request)
        return response

    return checked


class _LoggedRequests:
    """Give each request an id (also in its response), a line in the log, and a response after any error."""

    def __init__(self, app: ASGIApp, template: ApiTemplate) -> None:
        self._app, self._template = app, template

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request_id, start, status = str(uuid4()), perf_counter(), 0
        scope.setdefault("state", {})["request_id"] = request_id
        is_warm_up = WARM_UP_HEADER.encode() in dict(scope["headers"])

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message).setdefault("x-request-id", request_id)
            await send(message)

        try:
            await self._app(scope, receive, send_on)
        # Nobody is there to be answered, and nothing is wrong here.
        except ClientDisconnect:
            return
        except Exception:
            _LOGGER.exception("%s %s failed", scope["method"], scope["path"])
            # A response that has begun can't be replaced.
            if status:
                raise
            text = self._template.refusal("DEFAULT_5XX", 500).render(request_id, "Internal server error")
            await Response(text, 500, media_type="application/problem+json")(scope, receive, send_on)
        milliseconds = (perf_counter() - start) * 1000
        if is_warm_up:
            _LOGGER.info("ready for the first turn after %.0f ms", milliseconds)
        else:
            _LOGGER.info("%s %s %d %.0f ms", scope["method"], scope["path"], status, milliseconds)
