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
    """The facts of one turn.

    `now` is in the user's time zone. `entities` are most recent first; `messages` are those before this turn, oldest
    first. The user has no access to `closed_modules`. `labels` maps entity types to the tenant's words. `page` is the
    title of the page that the user has open. `summary` covers the conversation before `messages`. `instructions` are
    the user's standing instructions, `persona` the tenant's lines on the assistant's character and tone.
    """

    principal: Principal
    now: datetime
    assistant_name: str = "AiSHA"
    entities: Sequence[SessionEntity] = ()
    messages: Sequence[Message] = ()
    tools: Sequence[ToolSpec] = ()
    closed_modules: Sequence[str] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    spoken: bool = False
    page: str | None = None
    on_demand: OnDemand = field(default_factory=OnDemand)
    summary: str | None = None
    instructions: Sequence[str] = ()
    mode: str = "default"
    persona: Sequence[str] = ()


def one_line(text: str, max_chars: int = 200) -> str:
    """Return data as one line without double quotes, so that it cannot start a section or end a quotation."""
    # Names and titles come from outside and could pretend to be instructions.
    return " ".join(text.replace('"', "'").split())[:max_chars]
