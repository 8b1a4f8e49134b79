"""The web client on the local server: the files of `web/dist` under `/desk/`, with the headers of a strict page."""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

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


def page_routes(voice_url: str | None = None) -> list[BaseRoute]:
    """Return the routes of the page; none if it is not built. It may connect to the provider of realtime voice."""
    if not DIST.exists():
        return []
    files = StaticFiles(directory=DIST, html=True)
    return [
        Route("/", _to_page, methods=["GET"]),
        Route(PATH.rstrip("/"), _to_page, methods=["GET"]),
        Mount(PATH, _WithHeaders(ExceptionMiddleware(files), _headers(voice_url))),
    ]


def _headers(voice_url: str | None) -> dict[str, str]:
    if voice_url is None:
        return HEADERS
    url = urlsplit(voice_url)
    connect = f"connect-src {POLICY['connect-src']}"
    policy = HEADERS["content-security-policy"].replace(connect, f"{connect} {url.scheme}://{url.netloc}")
    return HEADERS | {"content-security-policy": policy}


async def _to_page(_: object) -> Response:
    return RedirectResponse(PATH)


class _WithHeaders:
    """Add headers to every response of an app."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self._app, self._headers = app, headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        await self._app(scope, receive, send_on)
