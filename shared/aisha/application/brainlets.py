"""Brainlets: small steps before and after a turn's own work, one file each (K-019, K-030 to K-034).

A pre brainlet looks at the message before the model does; what it returns stands in the message stream as a tool call of
its name with its result. A post brainlet sees the finished turn. Either may do what `BrainletTurn` offers. One that
fails or takes too long is left out with a warning (C-K1).
"""

import importlib
import json
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from functools import partial
from graphlib import CycleError, TopologicalSorter
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from aisha.application.preferences import MODES
from aisha.application.single_turn import collected
from aisha.domain.errors import AishaError, DeadlineExceededError, ModelUnavailableError
from aisha.domain.events import MoodChanged
from aisha.domain.models import ModelMessage, ModelRequest, Scene, ToolCallRequest, Usage
from aisha.domain.tools import ToolCall, ToolSpec

if TYPE_CHECKING:
    from aisha.application.turn_state import TurnState

Stage = Literal["pre", "post"]
MARK = "__aisha_brainlet__"
_OFFLINE = "offline"
KEEPING = ("memory_ingest",)
"""Brainlets that keep what a turn did; the others add to what is said."""


@dataclass(frozen=True, slots=True)
class BrainletOptions:
    """`max_completion_tokens` and `temperature` are those of what it asks a model; `seconds` is how long a turn waits for it."""

    max_completion_tokens: int = 64
    temperature: float = 0.7
    seconds: float = 4.0


Run = Callable[[Mapping[str, Any], "BrainletTurn"], dict[str, Any] | list[Any] | str | None]


@dataclass(frozen=True, slots=True)
class Brainlet:
    """A brainlet as data. `depends_on` names those that come first; `modes` those in which it runs.

    `capability` is the chain of models that its `ask` goes to, None where it asks none.
    """

    name: str
    description: str
    stage: Stage
    run: Run
    depends_on: tuple[str, ...] = ()
    modes: tuple[str, ...] = MODES
    capability: str | None = None
    options: BrainletOptions = BrainletOptions()


def brainlet(
    *,
    stage: Stage,
    depends_on: Sequence[str] = (),
    modes: Sequence[str] = MODES,
    capability: str | None = None,
    options: BrainletOptions | None = None,
) -> Callable[[Run], Run]:
    """Makes a function a brainlet of its own name; its docstring describes it."""

    def mark(function: Run) -> Run:
        made = Brainlet(
            function.__name__, (function.__doc__ or "").strip(), stage, function,
            tuple(depends_on), tuple(modes), capability, options or BrainletOptions(),
        )  # fmt: skip
        setattr(function, MARK, made)
        return function

    return mark


class Brainlets:
    """All brainlets in an order that their dependencies allow.

    Raises ValueError for two of one name, for an unknown dependency or mode, for one on a later stage, and for a circle.
    """

    def __init__(self, brainlets: Iterable[Brainlet] = ()) -> None:
        self._by_name: dict[str, Brainlet] = {}
        for one in brainlets:
            if one.name in self._by_name:
                raise ValueError(f"two brainlets are called {one.name!r}")
            self._by_name[one.name] = one
        for one in self._by_name.values():
            self._check(one)
        graph = {one.name: one.depends_on for one in self._by_name.values()}
        try:
            names = list(TopologicalSorter(graph).static_order())
        except CycleError as error:
            raise ValueError(f"brainlets depend on each other in a circle: {' -> '.join(error.args[1])}") from None
        self.ordered = tuple(self._by_name[name] for name in names)

    def _check(self, one: Brainlet) -> None:
        for name in one.depends_on:
            if name not in self._by_name:
                raise ValueError(f"the brainlet {one.name!r} depends on {name!r}, which does not exist")
            if one.stage == "pre" and self._by_name[name].stage == "post":
                raise ValueError(f"the brainlet {one.name!r} runs before {name!r}, on which it depends")
        if unknown := set(one.modes) - set(MODES):
            raise ValueError(f"the brainlet {one.name!r} has unknown modes: {', '.join(sorted(unknown))}")

    def only(self, *names: str) -> "Brainlets":
        """Those of these names. Raises ValueError when one depends on another one."""
        return Brainlets(one for one in self.ordered if one.name in names)

    def run(self, stage: Stage, state: "TurnState") -> list[ModelMessage]:
        """Runs those of the stage and the turn's mode, side by side where nothing is between them.

        The messages are what the pre brainlets put before the model, in order.
        """
        chosen = {one.name: one for one in self.ordered if one.stage == stage and state.mode in one.modes}
        sorter = TopologicalSorter(
            {name: [on for on in one.depends_on if on in chosen] for name, one in chosen.items()}
        )
        sorter.prepare()
        outputs: dict[str, Any] = dict(state.brainlet_outputs)
        while sorter.is_active():
            ready = sorter.get_ready()
            for started in [_start(chosen[name], outputs, state) for name in ready]:
                if (output := _outcome(started)) is not None:
                    outputs[started.one.name] = output
            sorter.done(*ready)
        state.brainlet_outputs = outputs
        return [message for name in chosen if name in outputs for message in _pair(name, outputs[name])]


def discover_brainlets(package: ModuleType | str) -> Brainlets:
    """Imports every module of the package; a brainlet is what is marked there. Raises ValueError as `Brainlets` does."""
    root = importlib.import_module(package) if isinstance(package, str) else package
    found = []
    for info in sorted(pkgutil.iter_modules(root.__path__), key=lambda info: info.name):
        module = importlib.import_module(f"{root.__name__}.{info.name}")
        found += [mark for value in vars(module).values() if isinstance(mark := getattr(value, MARK, None), Brainlet)]
    return Brainlets(found)


class BrainletTurn:
    """What a brainlet sees of the turn, and what it may do to it: that happens once it has ended well and in time.

    One that is left out changes nothing, then or later. `usage` is what its questions to models took.
    """

    def __init__(self, state: "TurnState", one: Brainlet) -> None:
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
        scene = Scene(state.principal, state.now, text)
        request = ModelRequest(
            [ModelMessage("system", system), ModelMessage("user", text)], (), scene, self._deadline,
            capability=self._one.capability or "chat_light", temperature=self._one.options.temperature,
            json_mode=json_mode, max_tokens=self._one.options.max_completion_tokens,
        )  # fmt: skip
        text, finished = collected(state.deps.model, request)
        if finished.provider == _OFFLINE:
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


@dataclass(frozen=True, slots=True)
class _Started:
    one: Brainlet
    turn: BrainletTurn
    future: Future[Any]


def _start(one: Brainlet, outputs: Mapping[str, Any], state: "TurnState") -> _Started:
    given = {name: outputs[name] for name in one.depends_on if name in outputs}
    turn = BrainletTurn(state, one)
    return _Started(one, turn, state.deps.workers.submit(one.run, given, turn))


def _outcome(started: _Started) -> Any:
    """What it gives, once what it wants done is done; None for one that is left out."""
    name, state = started.one.name, started.turn.state
    try:
        output = started.future.result(timeout=_patience(started.one, state))
    except FutureTimeoutError:
        started.future.cancel()
        state.deps.on_brainlet_failure(name, DeadlineExceededError("It took too long"))
        state.warn(f"{name} took too long and was left out.")
    except AishaError as error:
        state.deps.on_brainlet_failure(name, error)
        state.warn(f"{name} was left out: {error.message}")
    except Exception as error:
        state.deps.on_brainlet_failure(name, error)
        state.warn(f"{name} was left out.")
    else:
        started.turn.apply()
        return output
    finally:
        state.usage += started.turn.usage
    return None


def _patience(one: Brainlet, state: "TurnState") -> float:
    """How many seconds it is waited for. What was done is not forgotten because the turn took long."""
    if one.name in KEEPING:
        return one.options.seconds
    return max(0.0, min(one.options.seconds, state.deadline - monotonic()))


def _pair(name: str, output: Any) -> list[ModelMessage]:
    text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False, default=str)
    call = ToolCallRequest(f"brainlet_{name}", name, "{}")
    return [ModelMessage("assistant", "", (call,)), ModelMessage("tool", text, tool_call_id=call.id)]
