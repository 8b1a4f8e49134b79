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
from graphlib import CycleError, TopologicalSorter
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from aisha.application.tenants.preferences import MODES
from aisha.application.turn.brainlets.view import BrainletTurn
from aisha.domain.errors import AishaError, DeadlineExceededError
from aisha.domain.models import ModelMessage, ToolCallRequest

if TYPE_CHECKING:
    from aisha.application.turn.state import TurnState

Stage = Literal["pre", "post"]
MARK = "__aisha_brainlet__"
KEEPING = ("memory_ingest",)
"""Brainlets that keep what a turn did; the others add to what is said."""


class BrainletOptions(Struct, frozen=True):
    """`max_completion_tokens` and `temperature` are those of what it asks a model; `seconds` is how long a turn waits for it.

    One that `computes_only` has nobody to wait for: it is done in the turn's own thread at once.
    """

    max_completion_tokens: int = 64
    temperature: float = 0.7
    seconds: float = 4.0
    computes_only: bool = False


Run = Callable[[Mapping[str, Any], BrainletTurn], dict[str, Any] | list[Any] | str | None]
Applies = Callable[[BrainletTurn], bool]


def always(_turn: BrainletTurn) -> bool:
    """There is something to do in every turn."""
    return True


class Brainlet(Struct, frozen=True):
    """A brainlet as data. `depends_on` names those that come first; `modes` those in which it runs.

    `applies` says whether there is anything to do in a turn; it only computes, for the turn waits for it. `capability` is
    the chain of models that its `ask` goes to, None where it asks none.
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


def brainlet(
    *,
    stage: Stage,
    depends_on: Sequence[str] = (),
    modes: Sequence[str] = MODES,
    applies: Applies = always,
    capability: str | None = None,
    options: BrainletOptions | None = None,
) -> Callable[[Run], Run]:
    """Makes a function a brainlet of its own name; its docstring describes it."""

    def mark(function: Run) -> Run:
        made = Brainlet(
            function.__name__, (function.__doc__ or "").strip(), stage, function,
            tuple(depends_on), tuple(modes), applies, capability, options or BrainletOptions(),
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
            for started in filter(None, [_start(chosen[name], outputs, state) for name in ready]):
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


class _Started(Struct, frozen=True):
    one: Brainlet
    turn: BrainletTurn
    future: Future[Any]


def _start(one: Brainlet, outputs: Mapping[str, Any], state: "TurnState") -> _Started | None:
    """None for one that has nothing to do."""
    turn = BrainletTurn(state, one)
    applies = _done(one.applies, turn)
    if applies.exception() is not None:
        return _Started(one, turn, applies)
    if not applies.result():
        return None
    given = {name: outputs[name] for name in one.depends_on if name in outputs}
    start = _done if one.options.computes_only else state.deps.workers.submit
    return _Started(one, turn, start(one.run, given, turn))


def _done(function: Callable[..., Any], *arguments: Any) -> Future[Any]:
    future = Future[Any]()
    try:
        future.set_result(function(*arguments))
    except Exception as error:
        future.set_exception(error)
    return future


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
