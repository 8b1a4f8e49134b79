"""Brainlets as data, and what one may read of a turn and do to it (K-019, K-030 to K-034).

A pre brainlet looks at the message before the model does; what it returns stands in the message stream as a tool call
of its name with its result. A post brainlet sees the finished turn. Either may do what `BrainletView` offers. One that
fails or takes too long is left out with a warning (C-K1).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, Protocol

from msgspec import Struct

from aisha.application.memory.turn_chunks import ExecutedCalls
from aisha.application.tooling.context import ToolPorts
from aisha.domain.conversation import Session
from aisha.domain.events import MoodChanged
from aisha.domain.modes import MODES
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall, ToolSpec

Stage = Literal["pre", "post"]
MARK = "__aisha_brainlet__"


class BrainletView(Protocol):
    """A turn, for one brainlet. What it does to the turn happens once it has ended well and in time."""

    @property
    def text(self) -> str:
        """The user's message."""
        ...

    @property
    def calls(self) -> Sequence[ToolCall]:
        """The turn's tool calls so far."""
        ...

    @property
    def executed_calls(self) -> ExecutedCalls:
        """The turn's tool calls with the words that asked for them, for memory."""
        ...

    @property
    def reply(self) -> str:
        """The answer so far, as the user sees it."""
        ...

    @property
    def principal(self) -> Principal:
        """The user, with the time zone and locale of the request."""
        ...

    @property
    def now(self) -> datetime:
        """The turn's instant in the user's zone."""
        ...

    @property
    def ports(self) -> ToolPorts:
        """The stores and services that tools use."""
        ...

    @property
    def session(self) -> Session:
        """The conversation and its last messages before this turn, oldest first."""
        ...

    @property
    def history_messages(self) -> int:
        """How many messages before the turn a model gets."""
        ...

    @property
    def message_id(self) -> str:
        """The id of the answer."""
        ...

    @property
    def mood(self) -> MoodChanged | None:
        """The turn's mood, if a brainlet before has shown one."""
        ...

    @property
    def routed(self) -> Mapping[str, ToolSpec]:
        """The tools that the user may use and that are not sent at every turn."""
        ...

    def ask(self, system: str, text: str, *, json_mode: bool = False) -> str:
        """Return the answer to one model call without history.

        Raises `ModelUnavailableError` where no language model answers.
        """
        ...

    def attach_tools(self, names: Iterable[str]) -> None:
        """Send these of the routed tools with this turn."""
        ...

    def add_recalled(self, texts: Iterable[str]) -> None:
        """Add texts of memory that strangers may have written: a write that follows them waits for the user."""
        ...

    def add_insight(self, text: str) -> None:
        """Add something that stands out to the response."""
        ...

    def recommend(self, step: str | None = None, scan: str | None = None) -> None:
        """Recommend a next step in words, or a scan that would tell more."""
        ...

    def show_mood(self, mood: MoodChanged) -> None:
        """Show the turn's mood in the widget."""
        ...

    def summarise(self, text: str) -> None:
        """Replace the running summary of the messages before those that the model gets."""
        ...


Run = Callable[[Mapping[str, Any], BrainletView], dict[str, Any] | list[Any] | str | None]
Applies = Callable[[BrainletView], bool]


class BrainletOptions(Struct, frozen=True):
    """`max_completion_tokens` and `temperature` are those of its model calls; `seconds` is how long a turn waits.

    One that `computes_only` is not worth a thread: it runs at once in the turn's own.
    """

    max_completion_tokens: int = 64
    temperature: float = 0.7
    seconds: float = 4.0
    computes_only: bool = False


def always(_turn: BrainletView) -> bool:
    """Return True: there is something to do in every turn."""
    return True


class Brainlet(Struct, frozen=True):
    """A brainlet as data. `depends_on` names those that run first; `modes` those in which it runs.

    `applies` says whether there is anything to do in a turn; it only computes, for the turn waits for it. `capability`
    is the chain of models that its `ask` goes to, None where it asks none. One that `keeps_turn` stores what the turn
    did: it runs for callers that read only the answer, too, and is waited for past the turn's deadline. The failures of
    one that `counts_memory` also count as failures of the memory.
    """

    name: str
    description: str
    stage: Stage
    run: Run
    depends_on: tuple[str, ...] = ()
    modes: tuple[str, ...] = MODES
    applies: Applies = always
    capability: str | None = None
    options: BrainletOptions = BrainletOptions()
    keeps_turn: bool = False
    counts_memory: bool = False


def brainlet(
    *,
    stage: Stage,
    depends_on: Sequence[str] = (),
    modes: Sequence[str] = MODES,
    applies: Applies = always,
    capability: str | None = None,
    options: BrainletOptions | None = None,
    keeps_turn: bool = False,
    counts_memory: bool = False,
) -> Callable[[Run], Run]:
    """Make a function a brainlet of its own name; its docstring describes it."""

    def mark(function: Run) -> Run:
        marked = Brainlet(
            name=function.__name__,
            description=(function.__doc__ or "").strip(),
            stage=stage,
            run=function,
            depends_on=tuple(depends_on),
            modes=tuple(modes),
            applies=applies,
            capability=capability,
            options=options or BrainletOptions(),
            keeps_turn=keeps_turn,
            counts_memory=counts_memory,
        )
        setattr(function, MARK, marked)
        return function

    return mark
