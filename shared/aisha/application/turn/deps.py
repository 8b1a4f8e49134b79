"""What a turn needs of the world, put together once by the composition root."""

from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from aisha.application.tooling import ToolRegistry
from aisha.application.tooling.context import ToolPorts
from aisha.application.turn.brainlets.registry import KEEPING, Brainlets
from aisha.domain.events import TurnEvent
from aisha.domain.ports import ChatModel, Clock, ConversationRepository, EntryRepository, RecordRepository
from aisha.domain.tools import ToolCall

if TYPE_CHECKING:
    from aisha.application.turn.state import TurnState


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


def _pass_on(events: Generator[TurnEvent], _: "TurnState") -> Generator[TurnEvent]:
    return events


class TurnDependencies(Struct, frozen=True):
    """The model, the tools and the ports. `workers` runs the reads of one round side by side.

    `on_brainlet_failure` is told the name of a brainlet that was left out, and why. `observe` passes a turn's events on and
    may look at them and at the turn; `note_call` is told each call that ran, or never will, outside of a turn.
    """

    model: ChatModel
    registry: ToolRegistry
    ports: ToolPorts
    conversations: ConversationRepository
    limits: TurnLimits
    workers: ThreadPoolExecutor
    brainlets: Brainlets = field(default_factory=Brainlets)
    on_brainlet_failure: Callable[[str, Exception], None] = _ignore
    observe: Callable[[Generator[TurnEvent], "TurnState"], Generator[TurnEvent]] = _pass_on
    note_call: Callable[[ToolCall], None] = _ignore

    def without_side_brainlets(self) -> "TurnDependencies":
        """Return the same with only those brainlets that keep the turn: the others add what only a chat shows."""
        return replace(self, brainlets=self.brainlets.only(*KEEPING))

    @property
    def records(self) -> RecordRepository:
        return self.ports.records

    @property
    def entries(self) -> EntryRepository:
        return self.ports.entries

    @property
    def clock(self) -> Clock:
        return self.ports.clock
