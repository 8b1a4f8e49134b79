"""The facts from which the sections of the prompt are rendered."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec import Struct, field

from aisha.domain.conversations.conversation import Message, SessionEntity
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolSpec


class OnDemand(Struct, frozen=True):
    """Context that can be attached, as descriptions by id, and the `blocks` of text that are attached."""

    sections: Mapping[str, str] = field(default_factory=dict)
    knowledge: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    blocks: Sequence[str] = ()


class PromptFacts(Struct, frozen=True):
    """The facts of one turn."""

    principal: Principal
    now: datetime
    """The turn's instant in the user's time zone."""
    assistant_name: str = "AiSHA"
    entities: Sequence[SessionEntity] = ()
    """The session's records, most recent first."""
    messages: Sequence[Message] = ()
    """The messages before this turn, oldest first."""
    tools: Sequence[ToolSpec] = ()
    closed_modules: Sequence[str] = ()
    """The modules that the user may not use."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """The tenant's words by entity type."""
    spoken: bool = False
    page: str | None = None
    """The title of the page that the user has open."""
    on_demand: OnDemand = field(default_factory=OnDemand)
    summary: str | None = None
    """The summary of the conversation before `messages`."""
    instructions: Sequence[str] = ()
    """The user's standing instructions."""
    mode: str = "default"
    persona: Sequence[str] = ()
    """The tenant's lines on the assistant's character and tone."""


def one_line(text: str, max_chars: int = 200) -> str:
    """Return data as one line without double quotes, so that it cannot start a section or end a quotation."""
    # Names and titles come from outside and could pretend to be instructions.
    return " ".join(text.replace('"', "'").split())[:max_chars]
