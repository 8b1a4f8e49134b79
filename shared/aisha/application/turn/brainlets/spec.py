"""The specification of brainlets and their access to a turn (K-019, K-030 to K-034).

A pre brainlet runs before the model; its output becomes a tool call of its name and the result in the messages to the
model. A post brainlet runs after the answer. Both may use everything in `BrainletView`. A brainlet that fails or takes
too long is left out with a warning (C-K1).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, Protocol

from msgspec import Struct

from aisha.application.memory.turn_chunks import ExecutedCalls
from aisha.application.tooling.context import ToolPorts
from aisha.domain.conversations.conversation import Session
from aisha.domain.conversations.events import MoodChanged
from aisha.domain.conversations.modes import MODES
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall, ToolSpec

Stage = Literal["pre", "post"]
MARK = "__aisha_brainlet__"


class BrainletView(Protocol):
    """A turn as one brainlet sees it. The brainlet's changes are applied only if it succeeds in time."""

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
        """The number of messages before the turn that the model gets."""
        ...

    @property
    def message_id(self) -> str:
        """The id of the answer."""
        ...

    @property
    def mood(self) -> MoodChanged | None:
        """The turn's mood, if an earlier brainlet has set one."""
        ...

    @property
    def routed(self) -> Mapping[str, ToolSpec]:
        """The tools that the user may use and that are not sent in every turn."""
        ...

    @property
    def unrouted(self) -> Mapping[str, ToolSpec]:
        """The tools that are sent without being chosen."""
        ...

    @property
    def begins_conversation(self) -> bool:
        """True when there is nothing yet to which the message could refer."""
        ...

    def ask(self, system: str, text: str, *, json_mode: bool = False) -> str:
        """Return the whole answer of one model call without history.

        Raises `ModelUnavailableError` if no model answers.
        """
        ...

    def attach_tools(self, names: Iterable[str]) -> None:
        """Send these routed tools to the model in this turn; other names are ignored."""
        ...

    def send_only_tools(self, names: Iterable[str]) -> None:
        """Send only these tools and the one that attaches more context, until the model attaches another tool."""
        ...

    def add_recalled(self, texts: Iterable[str]) -> None:
        """Add texts from memory that outsiders may have written: a write that follows them waits for the user."""
        ...

    def add_insight(self, text: str) -> None:
        """Add an insight to the response."""
        ...

    def close_reply(self, mark: str, text: str) -> None:
        """End the reply of a turn that calls tools with this text, unless the reply has `mark` in it already."""
        ...

    def recommend(self, step: str | None = None, scan: str | None = None) -> None:
        """Recommend a next step in words, or a scan by its name."""
        ...

    def show_mood(self, mood: MoodChanged) -> None:
        """Show the turn's mood in the widget."""
        ...

    def summarise(self, text: str) -> None:
        """Replace the summary of the conversation before the messages that the model gets."""
        ...


Run = Callable[[Mapping[str, Any], BrainletView], dict[str, Any] | list[Any] | str | None]
Applies = Callable[[BrainletView], bool]


class BrainletOptions(Struct, frozen=True):
    """Options of a brainlet's model calls and of its execution.

    `provider` and `model` name the one of its capability's models that is asked first; the others follow when it fails
    or is not set up. `max_completion_tokens` and `temperature` apply to its model calls; `seconds` is the longest time
    that a turn waits for it. A brainlet that `computes_only` does no I/O and runs in the turn's own thread.
    """

    provider: str | None = None
    model: str | None = None
    max_completion_tokens: int = 64
    temperature: float = 0.7
    seconds: float = 4.0
    computes_only: bool = False


def always(_turn: BrainletView) -> bool:
    """Return True: the brainlet applies to every turn."""
    return True


class Brainlet(Struct, frozen=True):
    """A brainlet. `depends_on` names the brainlets that run first; `modes` are the modes of answering in which it runs.

    `applies` returns whether it has anything to do in a turn; it must not block, because the turn waits for it.
    `capability` is the chain of models that `ask` uses, None for a brainlet without model calls. A brainlet that
    `keeps_turn` stores the turn's results: it also runs for callers that only read the answer, and may run past the
    turn's deadline. Failures of a brainlet that `counts_memory` also count as failures of the memory.
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
    """Mark a function as a brainlet of that name, described by its docstring."""
    for option, value in {"depends_on": depends_on, "modes": modes}.items():
        if isinstance(value, str):
            raise TypeError(f"{option} must be several texts in parentheses, not one: ({value!r},)")

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
