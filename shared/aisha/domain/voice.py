"""A spoken conversation with a realtime model: what it is set up with, and what a client opens it with."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from aisha.domain.tools import ToolSpec


@dataclass(frozen=True, slots=True)
class VoiceSession:
    """`voice` is the provider's name of one; `secret_seconds` how long a session can be opened (60 to 600).

    `user_key` tells users apart for the provider, without saying who they are.
    """

    instructions: str
    tools: Sequence[ToolSpec]
    voice: str
    secret_seconds: int
    user_key: str


@dataclass(frozen=True, slots=True)
class ClientSecret:
    """`url` is where a client connects with it (WebRTC: its SDP offer goes there)."""

    value: str
    expires_at: datetime
    model: str
    voice: str
    url: str
