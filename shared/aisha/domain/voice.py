"""A spoken conversation with a realtime model: what it is set up with, and what a client opens it with."""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from aisha.domain.tools import ToolSpec


class VoiceSession(Struct, frozen=True):
    """`voice` is the provider's name of one; `secret_seconds` how long a session can be opened (60 to 600).

    `user_key` tells users apart for the provider, without saying who they are.
    """

    instructions: str
    tools: Sequence[ToolSpec]
    voice: str
    secret_seconds: int
    user_key: str


class ClientSecret(Struct, frozen=True):
    """`url` is where a client connects with it (WebRTC: its SDP offer goes there)."""

    value: str
    expires_at: datetime
    model: str
    voice: str
    url: str
