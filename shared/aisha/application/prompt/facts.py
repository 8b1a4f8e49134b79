"""What the sections of the prompt are written from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from aisha.domain.conversation import Message, SessionEntity
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolSpec


@dataclass(frozen=True, slots=True)
class PromptFacts:
    """One turn, as the prompt needs it. `now` is in the user's zone; `closed_modules` are those the user may not use.

    `entities`: most recent first. `messages`: before this turn, oldest first. `labels`: entity type to the tenant's word.
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


def one_line(text: str, most: int = 200) -> str:
    """Data as one line of the prompt: it can't open a section of its own."""
    return " ".join(text.replace('"', "'").split())[:most]
