"""What a brainlet sees of the turn, and what it may do to it (K-019, K-030 to K-034)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from aisha.application.models.completion import complete
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.events import MoodChanged
from aisha.domain.models import OFFLINE, Caller, ModelMessage, ModelRequest, Usage
from aisha.domain.tools import ToolCall, ToolSpec

if TYPE_CHECKING:
    from aisha.application.turn.brainlets.registry import Brainlet
    from aisha.application.turn.state import TurnState


class BrainletTurn:
    """A turn, for one brainlet. What it does to the turn happens once it has ended well and in time.

    One that is left out changes nothing, then or later. `usage` is what its questions to models took.
    """

    def __init__(self, state: "TurnState", one: "Brainlet") -> None:
        self.state = state
        self.usage = Usage()
        self._one = one
        self._deadline = min(state.deadline, monotonic() + one.options.seconds)
        self._changes: list[Callable[[], object]] = []

    @property
    def text(self) -> str:
        """The user's message."""
        return self.state.request.message

    @property
    def calls(self) -> Sequence[ToolCall]:
        """The turn's tool calls so far."""
        return self.state.calls

    @property
    def routed(self) -> Mapping[str, ToolSpec]:
        """The tools that the user may use and that are not sent at every turn."""
        return self.state.more_info.tools

    def ask(self, system: str, text: str, *, json_mode: bool = False) -> str:
        """One model call without history. Raises `ModelUnavailableError` where no language model answers."""
        state = self.state
        request = ModelRequest(
            [ModelMessage("system", system), ModelMessage("user", text, is_typed=text == self.text)],
            (), Caller(state.principal, state.now), self._deadline,
            capability=self._one.capability or "chat_light", temperature=self._one.options.temperature,
            json_mode=json_mode, max_tokens=self._one.options.max_completion_tokens,
        )  # fmt: skip
        text, finished = complete(state.deps.model, request)
        if finished.provider == OFFLINE:
            raise ModelUnavailableError("No language model answered")
        self.usage += finished.usage
        return text

    def attach_tools(self, names: Iterable[str]) -> None:
        """Sends these of the routed tools with this turn."""
        chosen = [name for name in names if name in self.routed]

        def attach() -> None:
            self.state.routed = [*(self.state.routed or ()), *chosen]

        self._changes.append(attach)

    def add_recalled(self, texts: Iterable[str]) -> None:
        """Texts of memory that strangers may have written: a write that follows them waits for the user."""
        self._changes.append(partial(self.state.recalled.extend, tuple(texts)))

    def add_insight(self, text: str) -> None:
        """Something that stands out, for the response."""
        self._changes.append(partial(self.state.insights.append, text))

    def recommend(self, step: str | None = None, scan: str | None = None) -> None:
        """A next step in words, a scan that would tell more."""
        if step:
            self._changes.append(partial(self.state.next_steps.append, step))
        if scan:
            self._changes.append(partial(self.state.recommended_scans.append, scan))

    def show_mood(self, mood: MoodChanged) -> None:
        """The turn's mood, for the widget."""
        self._changes.append(partial(setattr, self.state, "mood", mood))

    def summarise(self, text: str) -> None:
        """The running summary of what was said before the messages that the model gets."""
        self._changes.append(partial(setattr, self.state, "summary", text))

    def apply(self) -> None:
        """Does what the brainlet wants done, in the turn's own thread: two at once would get in each other's way."""
        for change in self._changes:
            change()
