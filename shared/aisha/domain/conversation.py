"""A conversation as it is kept."""

from datetime import datetime
from typing import Any, Literal

from msgspec import Struct, field

Role = Literal["system", "user", "assistant", "tool"]


class SessionEntity(Struct, frozen=True):
    """A record the talk is about. `aliases`: lower-cased ways the user may call it."""

    id: str
    type: str
    name: str
    aliases: tuple[str, ...] = ()


class ToolSummary(Struct, frozen=True):
    """A tool call as later turns see it. `line` says in one sentence what came of it; `entities` are what it found."""

    id: str
    name: str
    arguments: dict[str, Any]
    status: str
    line: str
    entities: tuple[SessionEntity, ...] = ()


class Message(Struct, frozen=True):
    """One message. `sequence` orders a conversation: a user's message is odd, its answer the even number after it.

    `finished` is False on an answer whose turn was cut off. `provider_state` is what the model that wrote it wants back
    at the next turn (opaque here).
    """

    id: str
    sequence: int
    role: Role
    content: str
    created_at: datetime
    tool_calls: tuple[ToolSummary, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)
    provider_state: dict[str, Any] | None = None
    finished: bool = True


class Alternative(Struct, frozen=True):
    """One of several to choose from: what the user reads, and what stands for it in a request."""

    label: str
    value: str


class PendingConfirmation(Struct, frozen=True):
    """A call that waits for the user. `digest` is the SHA-256 of tool and arguments; single use; `expires_at` rules.

    With `alternatives` one of them is to be chosen, which is the yes.
    """

    id: str
    tool: str
    arguments: dict[str, Any]
    digest: str
    question: str
    is_destructive: bool
    asked_in: str
    expires_at: datetime
    alternatives: tuple[Alternative, ...] = ()


class Attachments(Struct, frozen=True):
    """What a conversation asked for beyond the base prompt: ids of articles, names of tools, ids of data sections."""

    knowledge: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()

    def __or__(self, other: "Attachments") -> "Attachments":
        """Both, each once, in the order in which they came."""
        return Attachments(
            tuple(dict.fromkeys(self.knowledge + other.knowledge)),
            tuple(dict.fromkeys(self.tools + other.tools)),
            tuple(dict.fromkeys(self.sections + other.sections)),
        )


class Conversation(Struct, frozen=True):
    """The head. `version` counts its saves; `sequence` is the last message number given out. `entities`: last first."""

    id: str
    tenant: str
    user: str
    title: str
    created_at: datetime
    updated_at: datetime
    version: int = 0
    sequence: int = 0
    entities: tuple[SessionEntity, ...] = ()
    pending: PendingConfirmation | None = None
    summary: str | None = None
    attachments: Attachments = Attachments()


class Session(Struct, frozen=True):
    """What a turn starts from: the head and the last messages, oldest first."""

    conversation: Conversation
    messages: tuple[Message, ...] = ()
