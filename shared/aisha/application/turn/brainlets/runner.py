"""The execution of a turn's brainlets, in parallel where none depends on another."""

import json
from collections.abc import Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from time import monotonic
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.turn.brainlets.spec import Brainlet, Stage
from aisha.application.turn.brainlets.view import TurnView
from aisha.application.turn.state import Turn
from aisha.domain.errors import AishaError, DeadlineExceededError
from aisha.domain.models import ModelMessage, ToolCallRequest


def run_brainlets(stage: Stage, turn: Turn) -> list[ModelMessage]:
    """Run the brainlets of the stage and of the turn's mode.

    Return their outputs, in order, as messages for the model.
    """
    configured = (
        _configured(brainlet, turn) for brainlet in turn.input.deps.brainlets.ordered if brainlet.stage == stage
    )
    chosen = {
        brainlet.name: brainlet for brainlet in configured if brainlet is not None and turn.input.mode in brainlet.modes
    }
    outputs: dict[str, Any] = dict(turn.record.brainlet_outputs)
    waiting = dict(chosen)
    while waiting:
        # A dependency that does not run in this mode does not stop the brainlets that depend on it.
        ready = [brainlet for brainlet in waiting.values() if waiting.keys().isdisjoint(brainlet.depends_on)]
        # A list and not a generator: all ready brainlets are started before the first result is awaited.
        for run in filter(None, [_start(brainlet, outputs, turn) for brainlet in ready]):
            if (output := _output(run, turn)) is not None:
                outputs[run.brainlet.name] = output
        for brainlet in ready:
            del waiting[brainlet.name]
    turn.record.brainlet_outputs = outputs
    return [message for name in chosen if name in outputs for message in _messages(name, outputs[name])]


def _configured(brainlet: Brainlet, turn: Turn) -> Brainlet | None:
    """Return the brainlet with the tenant's settings; None if the tenant has switched it off."""
    settings = turn.input.profile.brainlets.get(brainlet.name)
    if settings is None:
        return brainlet
    if not settings.enabled:
        return None
    options = brainlet.options
    if settings.seconds is not None:
        options = replace(options, seconds=settings.seconds)
    if settings.provider or settings.model:
        # Both, because the brainlet's own model would be none of another provider's.
        options = replace(options, provider=settings.provider, model=settings.model)
    return replace(brainlet, options=options, modes=brainlet.modes if settings.modes is None else tuple(settings.modes))


class _Run(Struct, frozen=True):
    """A brainlet that was started: in a thread as `future`, or already ended with its `output` or an `error`."""

    brainlet: Brainlet
    view: TurnView
    future: Future[Any] | None = None
    output: Any = None
    error: Exception | None = None


def _start(brainlet: Brainlet, outputs: Mapping[str, Any], turn: Turn) -> _Run | None:
    """Start a brainlet; return None if it does not apply to the turn."""
    view = TurnView(turn, brainlet)
    try:
        if not brainlet.applies(view):
            return None
        inputs = {name: outputs[name] for name in brainlet.depends_on if name in outputs}
        if brainlet.options.computes_only:
            return _Run(brainlet, view, output=brainlet.run(inputs, view))
        return _Run(brainlet, view, turn.input.deps.workers.submit(brainlet.run, inputs, view))
    except Exception as error:
        return _Run(brainlet, view, error=error)


def _output(run: _Run, turn: Turn) -> Any:
    """Apply a brainlet's changes and return its output; None if it fails or takes too long."""
    try:
        if run.error is not None:
            raise run.error
        output = run.output if run.future is None else run.future.result(_seconds_left(run.brainlet, turn))
    except FutureTimeoutError:
        if run.future is not None:
            # Only prevents a start: a running thread cannot be stopped, and its changes are never applied.
            run.future.cancel()
        _leave_out(run.brainlet, turn, DeadlineExceededError("It took too long"), "took too long and was left out.")
    except AishaError as error:
        _leave_out(run.brainlet, turn, error, f"was left out: {error.message}")
    except Exception as error:
        _leave_out(run.brainlet, turn, error, "was left out.")
    else:
        run.view.apply()
        return output
    finally:
        # Model calls count even when the brainlet failed after them.
        turn.timings.usage += run.view.usage
    return None


def _leave_out(brainlet: Brainlet, turn: Turn, error: Exception, warning: str) -> None:
    turn.input.deps.on_brainlet_failure(brainlet, error)
    turn.record.warn(f"{brainlet.name} {warning}")


def _seconds_left(brainlet: Brainlet, turn: Turn) -> float:
    # A brainlet that stores the turn gets its time even when the turn has used up its own.
    if brainlet.keeps_turn:
        return brainlet.options.seconds
    return max(0.0, min(brainlet.options.seconds, turn.input.deadline - monotonic()))


def _messages(name: str, output: Any) -> list[ModelMessage]:
    text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False, default=str)
    call = ToolCallRequest(f"brainlet_{name}", name, "{}")
    return [ModelMessage("assistant", "", (call,)), ModelMessage("tool", text, tool_call_id=call.id)]
