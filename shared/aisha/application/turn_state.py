"""What one turn knows and has done so far; its steps read and fill it."""

from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic
from typing import Any

from aisha.application.deps import TurnDependencies
from aisha.application.requests import ChatRequest
from aisha.application.tooling.context import ToolContext, make_context
from aisha.domain.conversation import PendingConfirmation, Session, SessionEntity
from aisha.domain.models import Usage
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall


@dataclass(slots=True)
class TurnState:
    """`entities` are those of the turn's start; `now` is in the user's zone; `deadline` in seconds of `monotonic()`.

    `names` maps lower-case record ids to names, for the output stage; it grows with every result.
    """

    request: ChatRequest
    principal: Principal
    deps: TurnDependencies
    session: Session
    now: datetime
    deadline: float
    message_id: str
    entities: tuple[SessionEntity, ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    calls: list[ToolCall] = field(default_factory=list)
    records_written: int = 0
    texts: list[str] = field(default_factory=list)
    asked: PendingConfirmation | None = None
    settled: str | None = None
    warnings: list[str] = field(default_factory=list)
    provider: str = "none"
    model: str = "none"
    degraded: bool = False
    usage: Usage = field(default_factory=Usage)
    iterations: int = 0
    started: float = field(default_factory=monotonic)
    llm_seconds: float = 0.0
    tools_seconds: float = 0.0
    provider_state: dict[str, Any] | None = None

    @property
    def reply(self) -> str:
        """The text so far, as the user sees it."""
        return "\n\n".join(text.strip() for text in self.texts if text.strip())

    def context(self, operation_id: str) -> ToolContext:
        """The context of one call."""
        return make_context(self.principal, self.deps.ports, operation_id, self.now)

    def warn(self, text: str) -> None:
        if text not in self.warnings:
            self.warnings.append(text)
