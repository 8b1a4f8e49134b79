"""Client secrets of OpenAI's Realtime API: POST /v1/realtime/client_secrets (its reference as of November 2026).

Without the SDK: one small request is all there is to it, and the SDK takes longer to import than the request.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from aisha.adapters.auth.api_key import ApiKey, key_text
from aisha.adapters.http.http_client import HttpAnswer, HttpClient, HttpRequest, failures_of
from aisha.domain.errors import UnavailableError
from aisha.domain.external.voice import ClientSecret, VoiceSession
from aisha.domain.json_values import finite_json
from aisha.domain.tools import ToolSpec

BASE_URL = "https://api.openai.com/v1"
_MAX_BYTES = 1 << 20
"""The answer repeats the whole session."""
_REASONS = {
    401: "It refused the key",
    403: "The key may not use this model",
    404: "It does not know this model",
    429: "It limits our rate",
}


class OpenAIRealtimeSettings(Struct, frozen=True):
    """`transcriber` is the model that transcribes the user's speech; `seconds` is for the whole request."""

    model: str
    transcriber: str
    base_url: str = BASE_URL
    seconds: float = 10.0


class OpenAIVoiceSessions:
    """`VoiceSessions` by OpenAI. The standing key goes to OpenAI alone."""

    def __init__(self, api_key: ApiKey, settings: OpenAIRealtimeSettings) -> None:
        self._key, self._settings, self._client = api_key, settings, HttpClient()

    @property
    def model(self) -> str:
        return self._settings.model

    def mint(self, session: VoiceSession) -> ClientSecret:
        request = self._request(session)
        with failures_of("openai"):
            answer = self._client.send(request)
            if answer.status != 200:
                refused = "It is out of order" if answer.status >= 500 else "It refused the request"
                raise UnavailableError(_REASONS.get(answer.status, refused), detail={"status": answer.status})
            value, expires_at = _secret(answer)
        return ClientSecret(value, expires_at, self.model, session.voice, f"{self._url}/realtime/calls")

    @property
    def _url(self) -> str:
        return self._settings.base_url.rstrip("/")

    def _request(self, session: VoiceSession) -> HttpRequest:
        return HttpRequest(
            method="POST",
            url=f"{self._url}/realtime/client_secrets",
            headers={
                "Authorization": f"Bearer {key_text(self._key)}",
                "Content-Type": "application/json",
                "Accept-Encoding": "identity",
                "OpenAI-Safety-Identifier": session.user_key,
            },
            body=json.dumps(self._body(session), ensure_ascii=False).encode(),
            seconds=self._settings.seconds,
            max_bytes=_MAX_BYTES,
            # The address is the deployment's own choice, never a caller's.
            allow_private=True,
        )

    def _body(self, session: VoiceSession) -> dict[str, Any]:
        return {
            "expires_after": {"anchor": "created_at", "seconds": session.secret_seconds},
            "session": {
                "type": "realtime",
                "model": self.model,
                "instructions": session.instructions,
                "audio": {
                    "input": {"transcription": {"model": self._settings.transcriber}},
                    "output": {"voice": session.voice},
                },
                "tools": [realtime_tool(spec) for spec in session.tools],
                "tool_choice": "auto",
            },
        }


def realtime_tool(spec: ToolSpec) -> dict[str, Any]:
    """Return a tool in the Realtime API's form: its function is not nested, unlike in chat completions."""
    return {"type": "function", "name": spec.name, "description": spec.description, "parameters": spec.parameters}


def _secret(answer: HttpAnswer) -> tuple[str, datetime]:
    try:
        body: Mapping[str, Any] = finite_json(answer.body)
        value, expires_at = body["value"], datetime.fromtimestamp(body["expires_at"], UTC)
        if not isinstance(value, str) or not value:
            raise ValueError("The secret must be text")
    except (ValueError, KeyError, TypeError, OverflowError, OSError):
        raise UnavailableError("Its answer could not be understood") from None
    return value, expires_at
