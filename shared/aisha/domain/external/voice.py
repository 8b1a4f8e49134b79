"""A spoken conversation with a realtime model: its setup, and the secret that opens it."""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from aisha.domain.tools import ToolSpec


class VoiceSession(Struct, frozen=True):
    """The setup. `voice` is the provider's name of one; the secret is valid for `secret_seconds` (60 to 600).

    `user_key` is a pseudonym of the user for the provider.
    """

    instructions: str
    tools: Sequence[ToolSpec]
    voice: str
    secret_seconds: int
    user_key: str


class ClientSecret(Struct, frozen=True):
    """A secret with which a client connects to `url` (WebRTC: it sends its SDP offer there)."""

    value: str
    expires_at: datetime
    model: str
    voice: str
    url: str
