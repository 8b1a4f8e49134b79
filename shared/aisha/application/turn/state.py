"""What one turn knows and has done so far; its steps read and fill it."""

from datetime import datetime
from time import monotonic
from typing import Any

from msgspec import Struct, field

from aisha.application.audit.trail import AuditTrail
from aisha.application.knowledge.on_demand_context import MoreInfo
from aisha.application.requests.chat_request import ChatRequest
from aisha.application.tenants.preferences import Preferences, TenantProfile
from aisha.application.tooling.context import ToolContext, make_context
from aisha.application.turn.deps import TurnDependencies
from aisha.application.turn.journal import Settlement, TurnJournal
from aisha.domain.conversation import PendingConfirmation, Session, SessionEntity
from aisha.domain.events import MoodChanged
from aisha.domain.models import Usage
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall, ToolSpec


class TurnState(Struct):
    """`entities` are those of the turn's start; `now` is in the user's zone; `deadline` in seconds of `monotonic()`.

    `tools` are all that the user may use, `routed` those that were chosen for this turn beside the ones always sent; None
    is all of them. `trail` records the calls, if the deployment does. `names` maps lower-case record ids to names, for the output stage; it grows with every result.
    `is_streamed` says whether anybody reads the text as it comes. `journal` is there for a request that may be tried again, `settlement` when another try of it settled a question.
    """

    request: ChatRequest
    principal: Principal
    deps: TurnDependencies
    session: Session
    now: datetime
    deadline: float
    message_id: str
    preferences: Preferences
    profile: TenantProfile
    more_info: MoreInfo
    tools: tuple[ToolSpec, ...]
    entities: tuple[SessionEntity, ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    calls: list[ToolCall] = field(default_factory=list)
    records_written: int = 0
    texts: list[str] = field(default_factory=list)
    asked: PendingConfirmation | None = None
    settled: str | None = None
    routed: list[str] | None = None
    brainlet_outputs: dict[str, Any] = field(default_factory=dict)
    insights: list[str] = field(default_factory=list)
    next_steps: list[str] = field(default_factory=list)
    recommended_scans: list[str] = field(default_factory=list)
    mood: MoodChanged | None = None
    summary: str | None = None
    prompt_tokens: dict[str, int] = field(default_factory=dict)
    recalled: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    provider: str = "none"
    model: str = "none"
    degraded: bool = False
    usage: Usage = field(default_factory=Usage)
    iterations: int = 0
    started: float = field(default_factory=monotonic)
    llm_seconds: float = 0.0
    tools_seconds: float = 0.0
    other_seconds: dict[str, float] = field(default_factory=dict)
    provider_state: dict[str, Any] | None = None
    is_streamed: bool = True
    journal: TurnJournal | None = None
    settlement: Settlement | None = None
    trail: AuditTrail | None = None

    def __post_init__(self) -> None:
        if (audit := self.deps.ports.audit) is not None:
            head = self.session.conversation
            self.trail = AuditTrail(audit, self.principal, self.deps.clock, head.id, is_batched=True)

    @property
    def mode(self) -> str:
        """How the user wants to be answered: as this request says, else as they set it."""
        return self.request.mode or self.preferences.mode

    @property
    def reply(self) -> str:
        """The text so far, as the user sees it."""
        return "\n\n".join(text.strip() for text in self.texts if text.strip())

    def context(self, operation_id: str) -> ToolContext:
        """The context of one call."""
        audit = self.trail.of_operation(operation_id, self.settled) if self.trail else None
        attach, is_repeated = self.more_info.attach, self.journal is not None and self.journal.is_resumed
        return make_context(self.principal, self.deps.ports, operation_id, self.now, attach, audit, is_repeated)

    def spent(self, step: str, start: float) -> None:
        """Counts the time since `start`, in seconds of `monotonic()`, to a step: load, enrich, prompt, conclude or save."""
        self.other_seconds[step] = self.other_seconds.get(step, 0.0) + monotonic() - start

    def step_seconds(self) -> dict[str, float]:
        """What the steps took so far, those of the models and the tools too."""
        return self.other_seconds | {"models": self.llm_seconds, "tools": self.tools_seconds}

    def warn(self, text: str) -> None:
        if text not in self.warnings:
            self.warnings.append(text)
