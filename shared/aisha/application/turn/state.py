"""The state of one turn: its dependencies, its input, and its record and timings.

A step that takes a `Turn` may change record and timings; a step that takes a `TurnInput` only reads the input.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from time import perf_counter

from msgspec import Struct, field
from msgspec.structs import replace

from aisha.application.audit.trail import AuditTrail
from aisha.application.requests.chat_request import ChatRequest
from aisha.application.tenants.preferences import Preferences
from aisha.application.tenants.profile import TenantProfile
from aisha.application.tooling import ToolRegistry
from aisha.application.tooling.context import ToolContext, ToolPorts, make_context
from aisha.application.tooling.gate.policy import Verdict
from aisha.application.turn.brainlets.registry import Brainlets
from aisha.application.turn.brainlets.spec import Brainlet
from aisha.application.turn.journal import Settlement, TurnJournal
from aisha.application.turn.record import TurnRecord, TurnTimings
from aisha.domain.conversations.conversation import Message, PendingConfirmation, Session, SessionEntity
from aisha.domain.conversations.events import TurnEvent
from aisha.domain.ports import ChatModel, Clock, ConversationRepository, EntryRepository, RecordRepository
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall, ToolSpec

HAND_OVER_SECONDS = 0.0002
"""Time that a read in another thread costs besides its own, as both threads wait for Python's lock."""


class TurnLimits(Struct, frozen=True):
    """The limits of a turn, which the composition root fills from the settings.

    `turn_seconds` is the deadline counted from the start; `confirmation_seconds` is the lifetime of a stored call
    (C-X4: 10 minutes). `labels` maps an entity type to the tenant's word for it, e.g. `{"lead": "prospect"}`.
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
    pass


def _pass_on(events: Generator[TurnEvent], _: "Turn") -> Generator[TurnEvent]:
    return events


def _nothing_unspoken(_text: str, _locale: str) -> tuple[str, str]:
    return "", ""


class TurnDependencies(Struct, frozen=True):
    """The model, the tools and the ports of all turns, built once by the composition root."""

    model: ChatModel
    registry: ToolRegistry
    ports: ToolPorts
    conversations: ConversationRepository
    limits: TurnLimits
    workers: ThreadPoolExecutor
    """Runs reads in parallel."""
    brainlets: Brainlets = field(default_factory=Brainlets)
    stored_call_runners: Mapping[str, "StoredCallRunner"] = field(default_factory=dict)
    """Run confirmed calls that are not tool calls, by the name under which they are stored."""
    on_brainlet_failure: Callable[[Brainlet, Exception], None] = _ignore
    """Called with a brainlet that failed, and its error."""
    observe: Callable[[Generator[TurnEvent], "Turn"], Generator[TurnEvent]] = _pass_on
    """Passes a turn's events on, and may read them and the turn."""
    note_call: Callable[[ToolCall], None] = _ignore
    """Called with each call outside of a turn, whether it has run or was refused."""
    order_judge: ChatModel | None = None
    """Asked whether the user ordered a write that the reader can't read; None without a language model."""
    answers_as_json: bool = False
    """True if a model can put an answer into a form."""
    unspoken: Callable[[str, str], tuple[str, str]] = _nothing_unspoken
    """Takes an answer that was read aloud and a locale; returns the offer to go on, and what was left out."""
    read_seconds: dict[str, float] = field(default_factory=dict)
    """The time that each kind of read took last."""

    def start_read[T](self, kind: str, read: Callable[[], T]) -> Callable[[], T]:
        """Start a read in another thread; return the function that waits for its result, or raises its error.

        A read that took less time than the hand-over, such as one of what this process keeps, runs when it is waited
        for, in the waiting thread.
        """

        def measured() -> T:
            start = perf_counter()
            try:
                return read()
            finally:
                self.read_seconds[kind] = perf_counter() - start

        # Unknown at first: the default is not quick, so that the first read of a kind runs beside the others.
        is_quick = self.read_seconds.get(kind, HAND_OVER_SECONDS) < HAND_OVER_SECONDS
        return measured if is_quick else self.workers.submit(measured).result

    def without_side_brainlets(self) -> "TurnDependencies":
        """Return a copy with only the brainlets that store the turn; the others add output that only a chat shows."""
        return replace(self, brainlets=self.brainlets.keeping_turns())

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
    """The input of a turn."""

    request: ChatRequest
    principal: Principal
    deps: TurnDependencies
    session: Session
    now: datetime
    """The turn's instant in the user's time zone."""
    deadline: float
    """In seconds of `time.monotonic()`."""
    message_id: str
    """The id of the answer."""
    preferences: Preferences
    profile: TenantProfile
    tools: tuple[ToolSpec, ...]
    """All tools that the user may use."""
    entities: tuple[SessionEntity, ...] = ()
    """The session's records at the turn's start, most recent first."""
    is_streamed: bool = True
    """True when the text is shown as it arrives."""
    journal: TurnJournal | None = None
    """The journal of a request that may be retried."""
    settlement: Settlement | None = None
    """The decision about a question by another try of the request."""
    trail: AuditTrail | None = None
    """None for a deployment without an audit log."""
    is_stored: bool = True
    """False when the conversation can't be written right now: then the turn may only read."""
    replaced: tuple[Message, ...] = ()
    """The question and the answer whose place the turn takes; the session is without them."""
    continues: str = ""
    """The whole message, if the request has only the rest of it that is answered after a yes; else empty."""

    @property
    def whole_message(self) -> str:
        """The user's message as it was sent. What a part of it orders depends on the rest, such as a condition."""
        return self.continues or self.request.message

    @property
    def mode(self) -> str:
        """The mode of answering: the request's, otherwise the user's preference."""
        return self.request.mode or self.preferences.mode

    @property
    def assistant_name(self) -> str:
        """The name of the tenant's assistant, otherwise that of the deployment's."""
        return self.profile.assistant_name or self.deps.limits.assistant_name

    @property
    def labels(self) -> Mapping[str, str]:
        """The tenant's words by record type; a type without one is missing."""
        return {**self.deps.limits.labels, **self.profile.labels}

    @property
    def rules(self) -> Mapping[str, Verdict]:
        """The tenant's verdicts by tool name for the user's roles."""
        return self.profile.rules_for(self.principal.roles)

    @property
    def is_spoken(self) -> bool:
        """True when the answer is read aloud: plain and short (C-X9)."""
        return self.request.format == "voice" or self.mode == "voice"


class Turn(Struct, frozen=True):
    """A turn under way."""

    input: TurnInput
    record: TurnRecord
    timings: TurnTimings

    def context(self, operation_id: str) -> ToolContext:
        """Return the context of one call."""
        start, record = self.input, self.record
        is_repeated = start.journal is not None and start.journal.is_resumed
        audit = (
            start.trail.for_operation(operation_id, record.settled, is_repeated=is_repeated) if start.trail else None
        )
        return make_context(
            start.principal,
            start.deps.ports,
            operation_id,
            start.now,
            record.more_info.attach,
            audit,
            is_repeated=is_repeated,
            read=record.versions,
        )


StoredCallRunner = Callable[[Turn, PendingConfirmation], Iterator[TurnEvent]]
