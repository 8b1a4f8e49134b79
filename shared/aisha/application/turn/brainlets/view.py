"""The implementation of `BrainletView` on a turn."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from time import monotonic

from msgspec.structs import replace

from aisha.application.memory.turn_chunks import ExecutedCalls
from aisha.application.models.completion import complete
from aisha.application.tooling.context import ToolPorts
from aisha.application.turn.brainlets.spec import Brainlet
from aisha.application.turn.concluding.remember import executed_calls
from aisha.application.turn.state import Turn
from aisha.domain.conversations.conversation import Session
from aisha.domain.conversations.events import MoodChanged
from aisha.domain.errors import InvalidInputError, ModelUnavailableError
from aisha.domain.models import OFFLINE, Caller, ModelMessage, ModelRequest, Usage
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall, ToolSpec


class TurnView:
    """A `BrainletView` that collects the brainlet's changes until `apply`.

    `apply` is called only if the brainlet succeeds in time, so one that is left out changes nothing, not even when its
    thread ends later. `usage` counts the tokens of its model calls.
    """

    def __init__(self, turn: Turn, brainlet: Brainlet) -> None:
        self.turn = turn
        self.usage = Usage()
        self._brainlet = brainlet
        self._deadline = min(turn.input.deadline, monotonic() + brainlet.options.seconds)
        self._changes: list[Callable[[], object]] = []

    @property
    def text(self) -> str:
        return self.turn.input.request.message

    @property
    def calls(self) -> Sequence[ToolCall]:
        return self.turn.record.calls

    @property
    def executed_calls(self) -> ExecutedCalls:
        return executed_calls(self.turn.input, self.turn.record)

    @property
    def reply(self) -> str:
        return self.turn.record.reply

    @property
    def principal(self) -> Principal:
        return self.turn.input.principal

    @property
    def now(self) -> datetime:
        return self.turn.input.now

    @property
    def ports(self) -> ToolPorts:
        return self.turn.input.deps.ports

    @property
    def session(self) -> Session:
        return self.turn.input.session

    @property
    def history_messages(self) -> int:
        return self.turn.input.deps.limits.history_messages

    @property
    def message_id(self) -> str:
        return self.turn.input.message_id

    @property
    def mood(self) -> MoodChanged | None:
        return self.turn.record.mood

    @property
    def routed(self) -> Mapping[str, ToolSpec]:
        return {name: spec for name, spec in self.turn.record.more_info.tools.items() if not spec.always}

    @property
    def unrouted(self) -> Mapping[str, ToolSpec]:
        """The tools that are sent without being chosen."""
        return {name: spec for name, spec in self.turn.record.more_info.tools.items() if spec.always}

    @property
    def begins_conversation(self) -> bool:
        conversation = self.turn.input.session.conversation
        return not (self.turn.input.session.messages or conversation.pending or self.turn.input.entities)

    def ask(self, system: str, text: str, *, json_mode: bool = False) -> str:
        options = self._brainlet.options
        request = ModelRequest(
            # Only the user's own message counts as typed: contact data in any other text is masked for some tenants.
            messages=[ModelMessage("system", system), ModelMessage("user", text, is_typed=text == self.text)],
            tools=(),
            caller=Caller(self.principal, self.now),
            deadline=self._deadline,
            capability=self._brainlet.capability or "chat_light",
            temperature=options.temperature,
            provider=options.provider,
            model=options.model,
            json_mode=json_mode,
            max_tokens=options.max_completion_tokens,
        )
        try:
            answer, finished = complete(self.turn.input.deps.model, request)
        except InvalidInputError:
            # The brainlet's own model is not set up here, or is not of the tenant's provider.
            answer, finished = complete(self.turn.input.deps.model, replace(request, provider=None, model=None))
        # The offline planner ends the chains of chat models, but cannot follow a brainlet's instructions.
        if finished.provider == OFFLINE:
            raise ModelUnavailableError("No language model answered")
        self.usage += finished.usage
        return answer

    def attach_tools(self, names: Iterable[str]) -> None:
        self._attach([name for name in names if name in self.routed])

    def _attach(self, chosen: Sequence[str]) -> None:
        def attach() -> None:
            # None means all routed tools. From the first choice on, even an empty one, only the chosen ones are sent.
            self.turn.record.chosen_tools = [*(self.turn.record.chosen_tools or ()), *chosen]

        self._changes.append(attach)

    def send_only_tools(self, names: Iterable[str]) -> None:
        self._attach([*names])
        self._changes.append(partial(setattr, self.turn.record, "sends_only_chosen", True))

    def add_recalled(self, texts: Iterable[str]) -> None:
        self._changes.append(partial(self.turn.record.recalled.extend, tuple(texts)))

    def add_insight(self, text: str) -> None:
        self._changes.append(partial(self.turn.record.insights.append, text))

    def close_reply(self, mark: str, text: str) -> None:
        self._changes.append(partial(self.turn.record.closing.update, {mark: text}))

    def recommend(self, step: str | None = None, scan: str | None = None) -> None:
        if step:
            self._changes.append(partial(self.turn.record.next_steps.append, step))
        if scan:
            self._changes.append(partial(self.turn.record.recommended_scans.append, scan))

    def show_mood(self, mood: MoodChanged) -> None:
        self._changes.append(partial(setattr, self.turn.record, "mood", mood))

    def summarise(self, text: str) -> None:
        self._changes.append(partial(setattr, self.turn.record, "summary", text))

    def apply(self) -> None:
        """Apply the brainlet's changes. Call it in the turn's own thread: the record has no locks."""
        for change in self._changes:
            change()
