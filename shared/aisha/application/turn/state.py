"""One turn: what it depends on, what it was given, and, in its record and timings, what it does and takes.

A step that takes a `Turn` may change record and timings; one that takes a `TurnInput` only reads what the turn was
given.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

from msgspec import Struct, field
from msgspec.structs import replace

from aisha.application.audit.trail import AuditTrail
from aisha.application.requests.chat_request import ChatRequest
from aisha.application.tenants.preferences import Preferences, TenantProfile
from aisha.application.tooling import ToolRegistry
from aisha.application.tooling.context import ToolContext, ToolPorts, make_context
from aisha.application.turn.brainlets.registry import Brainlets
from aisha.application.turn.brainlets.spec import Brainlet
from aisha.application.turn.journal import Settlement, TurnJournal
from aisha.application.turn.record import TurnRecord, TurnTimings
from aisha.domain.conversation import PendingConfirmation, Session, SessionEntity
from aisha.domain.events import TurnEvent
from aisha.domain.ports import ChatModel, Clock, ConversationRepository, EntryRepository, RecordRepository
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall, ToolSpec


class TurnLimits(Struct, frozen=True):
    """The bounds of a turn. The composition root fills it from the settings.

    `turn_seconds` is the deadline counted from the start; `confirmation_seconds` how long a stored call waits (C-X4: 10
    minutes); `labels` maps an entity type to what this tenant calls it, e.g. `{"lead": "prospect"}`.
    """

    max_rounds: int = 3
    max_flow_rounds: int = 10
    max_calls_per_round: int = 16
    bulk_confirmation_threshold: int = 10
    turn_seconds: float = 25.0
    confirmation_seconds: float = 600.0
    history_messages: int = 10
    assistant_name: str = "AiSHA"
    labels: Mapping[str, str] = field(default_factory=dict)


def _ignore(*_: object) -> None:
    """The default hook: does nothing."""


def _pass_on(events: Generator[TurnEvent], _: "Turn") -> Generator[TurnEvent]:
    return events


class TurnDependencies(Struct, frozen=True):
    """The model, the tools and the ports of all turns, put together once by the composition root.

    `workers` runs the reads of one round side by side. `stored_call_runners` run what waited for the user and is no
    call of a tool, by the name under which it is stored. `on_brainlet_failure` gets a brainlet that was left out, and
    why. `observe` passes a turn's events on and may look at them and at the turn; `note_call` gets each call that ran,
    or never will, outside of a turn.
    """

    model: ChatModel
    registry: ToolRegistry
    ports: ToolPorts
    conversations: ConversationRepository
    limits: TurnLimits
    workers: ThreadPoolExecutor
    brainlets: Brainlets = field(default_factory=Brainlets)
    stored_call_runners: Mapping[str, "StoredCallRunner"] = field(default_factory=dict)
    on_brainlet_failure: Callable[[Brainlet, Exception], None] = _ignore
    observe: Callable[[Generator[TurnEvent], "Turn"], Generator[TurnEvent]] = _pass_on
    note_call: Callable[[ToolCall], None] = _ignore

    def without_side_brainlets(self) -> "TurnDependencies":
        """Return the same with only those brainlets that keep the turn: the others add what only a chat shows."""
        return replace(self, brainlets=self.brainlets.that_keep_turns())

    @property
    def records(self) -> RecordRepository:
        return self.ports.records

    @property
    def entries(self) -> EntryRepository:
        return self.ports.entries

    @property
    def clock(self) -> Clock:
        return self.ports.clock


class TurnInput(Struct, frozen=True):
    """What a turn was given.

    `now` is in the user's zone; `deadline` in seconds of `time.monotonic()`; `message_id` is the answer's. `tools` are
    all that the user may use; `entities` the session's records at the turn's start, most recent first. `is_streamed`:
    the text is read as it comes. `journal` is there for a request that may be tried again, `settlement` if another try
    of it settled a question. `trail` records the calls, if the deployment does.
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
    tools: tuple[ToolSpec, ...]
    entities: tuple[SessionEntity, ...] = ()
    is_streamed: bool = True
    journal: TurnJournal | None = None
    settlement: Settlement | None = None
    trail: AuditTrail | None = None

    @property
    def mode(self) -> str:
        """How the user wants to be answered: as this request says, else as they set it."""
        return self.request.mode or self.preferences.mode


class Turn(Struct, frozen=True):
    """A turn under way."""

    input: TurnInput
    record: TurnRecord
    timings: TurnTimings

    def context(self, operation_id: str) -> ToolContext:
        """Return the context of one call."""
        given, record = self.input, self.record
        audit = given.trail.of_operation(operation_id, record.settled) if given.trail else None
        is_repeated = given.journal is not None and given.journal.is_resumed
        return make_context(
            given.principal, given.deps.ports, operation_id, given.now, record.more_info.attach, audit, is_repeated
        )


StoredCallRunner = Callable[[Turn, PendingConfirmation], Iterator[TurnEvent]]
