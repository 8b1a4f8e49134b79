"""The web client on the local server: the files of `web/dist` under `/desk/`, with the headers of a strict page."""

from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

DIST = Path(__file__).parents[3] / "web" / "dist"
PATH = "/desk/"
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "media-src": "'self' blob:",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "lit-html dompurify",
}
"""The page's Content-Security-Policy: nothing inline, nothing evaluated, nothing from or to another origin."""
HEADERS = {
    "content-security-policy": "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "permissions-policy": "microphone=(self), camera=(), geolocation=()",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
}


def page_routes() -> list[BaseRoute]:
    """Return the routes of the page; none if it is not built."""
    if not DIST.exists():
        return []
    files = StaticFiles(directory=DIST, html=True)
    return [
        Route("/", _to_page, methods=["GET"]),
        Route(PATH.rstrip("/"), _to_page, methods=["GET"]),
        Mount(PATH, _WithHeaders(ExceptionMiddleware(files))),
    ]


async def _to_page(_: object) -> Response:
    return RedirectResponse(PATH)


class _WithHeaders:
    """Add `HEADERS` to every response of an app."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, send_on)
