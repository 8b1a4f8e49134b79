"""What the sections of the prompt are written from."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec import Struct, field

from aisha.domain.conversation import Message, SessionEntity
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolSpec


class OnDemand(Struct, frozen=True):
    """What can be attached, id to description by kind, and what is: blocks of text with their markers."""

    sections: Mapping[str, str] = field(default_factory=dict)
    knowledge: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    blocks: Sequence[str] = ()


class PromptFacts(Struct, frozen=True):
    """One turn, as the prompt needs it. `now` is in the user's zone; `closed_modules` are those the user may not use.

    `entities`: most recent first. `messages`: before this turn, oldest first. `labels`: entity type to the tenant's word.
    `persona`: the tenant's lines on character and tone. `mode`: the user's way of being answered. `instructions`: the
    user's standing wishes.
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


def one_line(text: str, most: int = 200) -> str:
    """Data as one line of the prompt: it can't open a section of its own."""
    return " ".join(text.replace('"', "'").split())[:most]
