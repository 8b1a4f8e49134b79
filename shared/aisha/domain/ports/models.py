"""Ports of models: language, speech and realtime voice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aisha.domain.external.voice import ClientSecret, VoiceSession
    from aisha.domain.models import ModelEvent, ModelRequest


class ChatModel(Protocol):
    """A language model, or a chain of them, or the offline planner."""

    # A generator, which the caller may close at any event: the adapter then ends the connection.
    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """Yield text, then exactly one `ModelFinished`. Raises `ModelUnavailableError`, `DeadlineExceededError`."""
        ...


class SpeechSynthesizer(Protocol):
    """Converts text to speech."""

    @property
    def name(self) -> str:
        """The name of model, voice and settings: the same text and name give the same audio."""
        ...

    def cost(self, text: str, voice: str | None = None) -> float:
        """Return what `speak` costs with these arguments, in USD."""
        ...

    def speak(self, text: str, voice: str | None = None) -> Iterator[bytes]:
        """Yield the audio (MP3) in pieces; `voice` is the id of another voice than the default.

        Raises, before the first piece, `InvalidInputError` for an unknown voice, `SpeechUnavailableError` when the
        provider refuses the key or its credit is used up, `UnavailableError`, `DeadlineExceededError`,
        `PayloadTooLargeError`.
        """
        ...


class VoiceSessions(Protocol):
    """Creates secrets with which a client can talk to a realtime model for a while."""

    @property
    def model(self) -> str:
        """The name of the realtime model."""
        ...

    # The client talks to the provider itself, and must not get the deployment's own key.
    def mint(self, session: VoiceSession) -> ClientSecret:
        """Return a secret that opens such a session until it expires.

        Raises `UnavailableError` when the provider does not respond or refuses the key, `DeadlineExceededError`.
        """
        ...
