"""Speech by ElevenLabs (N-116).

Source: https://elevenlabs.io/docs/api-reference/text-to-speech/stream, read in November 2026.
"""

import json
from collections.abc import Iterator
from urllib.parse import quote

from msgspec import Struct

from aisha.adapters.auth.api_key import ApiKey, key_text
from aisha.adapters.http.http_client import HttpClient, HttpRequest, failures_of
from aisha.domain.errors import AishaError, InvalidInputError, SpeechUnavailableError, UnavailableError

_SUGGESTION = "Use the browser's own voice, or ask your admin."


class ElevenLabsSettings(Struct, frozen=True):
    """`stability` and `similarity` are from 0 to 1; `output_format` is one of the MP3 ones, e.g. mp3_44100_128.

    `seconds` is for the whole of a text's audio, `max_bytes` its limit; `usd_per_character` is its price.
    """

    base_url: str
    model: str
    voice: str
    stability: float
    similarity: float
    output_format: str
    seconds: float
    max_bytes: int
    usd_per_character: float = 0.0


class ElevenLabsSynthesizer:
    """A `SpeechSynthesizer` over the streaming endpoint."""

    def __init__(self, api_key: ApiKey, settings: ElevenLabsSettings) -> None:
        self._key, self._settings, self._client = api_key, settings, HttpClient()

    @property
    def name(self) -> str:
        """Return all that the sound depends on, except the text."""
        of = self._settings
        return f"elevenlabs/{of.model}/{of.voice}/{of.stability}/{of.similarity}/{of.output_format}"

    def cost(self, text: str, voice: str | None = None) -> float:  # noqa: ARG002 - all voices cost the same
        return len(text) * self._settings.usd_per_character

    def speak(self, text: str, voice: str | None = None) -> Iterator[bytes]:
        """Yield the audio as it comes. The provider's own error texts are not shown: they may quote the request."""
        request = self._request(text, voice or self._settings.voice)
        with failures_of("The voice provider"), self._client.open(request) as answer:
            if answer.status != 200:
                raise _refused(answer.status, voice)
            is_empty = True
            for piece in answer.pieces:
                is_empty = is_empty and not piece
                yield piece
            if is_empty:
                raise UnavailableError("It sent no audio", suggestion=_SUGGESTION)

    def _request(self, text: str, voice: str) -> HttpRequest:
        of = self._settings
        body = {
            "text": text,
            "model_id": of.model,
            "voice_settings": {"stability": of.stability, "similarity_boost": of.similarity},
        }
        return HttpRequest(
            method="POST",
            url=f"{of.base_url.rstrip('/')}/v1/text-to-speech/{quote(voice, safe='')}/stream"
            f"?output_format={quote(of.output_format)}",
            headers={
                "xi-api-key": key_text(self._key),
                "Content-Type": "application/json",
                "Accept": "audio/mpeg",
                "Accept-Encoding": "identity",
            },
            body=json.dumps(body).encode(),
            seconds=of.seconds,
            max_bytes=of.max_bytes,
            # The address is the deployment's own choice, never a caller's.
            allow_private=True,
        )


def _refused(status: int, voice: str | None) -> AishaError:
    # Only a voice that the caller chose is the caller's error; the configured one is the admin's.
    if voice is not None and status in (400, 404, 422):
        return InvalidInputError(
            "There is no such voice.", pointer="/voiceId", suggestion="Leave voiceId out for the usual voice."
        )
    if status in (400, 401, 402, 403, 404, 422):
        reason = {401: "refused its key, or its credit is used up", 402: "wants to be paid", 404: "has no such voice"}
        return SpeechUnavailableError(
            f"The voice provider {reason.get(status, 'refused the request')}.", suggestion=_SUGGESTION
        )
    if status == 429:
        return UnavailableError("It limits our rate", suggestion="Try again in a moment.")
    return UnavailableError("It is out of order", suggestion=_SUGGESTION)
