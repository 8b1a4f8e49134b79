"""An HTTP client of the API, signed in as a demo user."""

from typing import Any, Self

import httpx

from infra.local.errors import RequestFailedError

SECONDS = 90.0
PROBE_SECONDS = 2.0
JSON = dict[str, Any]


class ApiClient:
    """A user of a local server. Every method raises `RequestFailedError`, with the server's message if it has one."""

    def __init__(self, base_url: str, user: str = "alice", tenant: str = "demo") -> None:
        # `trust_env=False`: no proxy of the environment for a server on this machine.
        self._http = httpx.Client(base_url=base_url, timeout=SECONDS, trust_env=False)
        self._identity = {"user": user, "tenant": tenant}
        self._token = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def chat(self, message: str, conversation_id: str | None = None) -> JSON:
        """Run one turn and return its response."""
        body = {"message": message} | ({"conversationId": conversation_id} if conversation_id else {})
        return self._signed_in("/api/ai/chat", body)

    def decide(self, confirmation_id: str, *, approve: bool) -> JSON:
        """Approve or reject the pending call."""
        decision = "approve" if approve else "reject"
        return self._signed_in(f"/api/ai/confirmations/{confirmation_id}", {"decision": decision})

    def reset(self) -> None:
        """Restore the demo data."""
        _checked(self._send("POST", "/local/reset"))

    def command(self, name: str) -> JSON:
        """Run a command of the server for this client's tenant and user."""
        return _checked(self._send("POST", f"/local/commands/{name}", params=self._identity))

    def _signed_in(self, path: str, body: JSON) -> JSON:
        if not self._token:
            self._sign_in()
        response = self._send("POST", path, body)
        if response.status_code == httpx.codes.UNAUTHORIZED:  # The token has expired, or the server has a new key.
            self._sign_in()
            response = self._send("POST", path, body)
        return _checked(response)

    def _sign_in(self) -> None:
        self._token = _checked(self._send("GET", "/local/token", params=self._identity))["token"]

    def _send(self, method: str, path: str, body: JSON | None = None, params: dict[str, str] | None = None) -> Any:
        headers = {"authorization": f"Bearer {self._token}"} if self._token else {}
        try:
            return self._http.request(method, path, json=body, params=params, headers=headers)
        except httpx.HTTPError as error:
            raise RequestFailedError(f"{self._http.base_url} does not answer: {error}") from error


def is_serving(base_url: str) -> bool:
    """Return whether a local server of this project runs there."""
    try:
        response = httpx.get(f"{base_url}/local/jwks", timeout=PROBE_SECONDS, trust_env=False)
        return response.is_success and "keys" in response.json()
    except (httpx.HTTPError, ValueError):
        return False


def _checked(response: httpx.Response) -> JSON:
    try:
        body: JSON = response.json()
    except ValueError:
        body = {}
    if response.is_success and body:
        return body
    # A problem document says what to do; a proxy's page would not.
    message = body.get("message") or f"The server answered {response.status_code}."
    suggestion, request_id = body.get("suggestion"), response.headers.get("x-request-id", "none")
    raise RequestFailedError(" ".join(filter(None, (message, suggestion, f"(request {request_id})"))))
