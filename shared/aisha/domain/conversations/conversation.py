"""A stored conversation: its head and its messages."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from msgspec import Struct, field

Role = Literal["system", "user", "assistant", "tool"]


class SessionEntity(Struct, frozen=True):
    """A record that the conversation is about. `aliases` are lower-case names by which the user may refer to it.

    `seen` is the time of the record's last change when it was read here last, and `version` the version of it; None if
    only its name was read.
    """

    id: str
    type: str
    name: str
    aliases: tuple[str, ...] = ()
    seen: datetime | None = None
    version: int | None = None


class ToolSummary(Struct, frozen=True):
    """A tool call as later turns see it. `line` is its outcome in one sentence; `entities` are its records."""

    id: str
    name: str
    arguments: dict[str, Any]
    status: str
    line: str
    entities: tuple[SessionEntity, ...] = ()


class Message(Struct, frozen=True):
    """One message. `sequence` orders a conversation: a user's message is odd, its answer the even number after it.

    `finished` is False on an answer whose turn was interrupted. `provider_state` is opaque: the provider of the answer
    gets it back at the next turn.
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
    """One option of a choice: `label` for the user, `value` for requests."""

    label: str
    value: str


class PendingConfirmation(Struct, frozen=True):
    """A tool call that waits for the user's confirmation, which can be used once and until `expires_at`.

    `digest` is the SHA-256 of tool and arguments. Where there are `alternatives`, the choice of one is the
    confirmation. `reason` is the gate's, in words: why it asks. `rest` is the part of the user's `message` that asks
    for something else: it is answered after a yes. Both are empty if nothing else was asked.
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
    reason: str = ""
    rest: str = ""
    message: str = ""


class Attachments(Struct, frozen=True):
    """Additions to a conversation's base prompt: ids of articles, names of tools, ids of data sections.

    `client_data` has the sections that the client sent last, each as JSON.
    """

    knowledge: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    client_data: Mapping[str, str] = field(default_factory=dict)

    def __or__(self, other: "Attachments") -> "Attachments":
        """Return the additions of both, in their order and without duplicates."""
        return Attachments(
            tuple(dict.fromkeys(self.knowledge + other.knowledge)),
            tuple(dict.fromkeys(self.tools + other.tools)),
            tuple(dict.fromkeys(self.sections + other.sections)),
            {**self.client_data, **other.client_data},
        )


class Conversation(Struct, frozen=True):
    """The head: `version` counts saves, `sequence` is the number of the last message, `entities` are newest first.

    `untrusted_sources` names the kinds of texts by others that its models have seen; it only grows.
    """

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
    # `sight` is its name in the store: conversations of earlier versions have it.
    untrusted_sources: tuple[str, ...] = field(default=(), name="sight")


class Session(Struct, frozen=True):
    """The start of a turn: the head and the last messages, oldest first."""

    conversation: Conversation
    messages: tuple[Message, ...] = ()
