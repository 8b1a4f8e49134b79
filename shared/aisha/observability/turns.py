"""Observation of turns by their events: metrics, spans and a log line."""

from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from time import monotonic, perf_counter
from typing import Any

from msgspec.structs import replace

from aisha.application.redaction.summaries import without_sensitive
from aisha.application.turn.brainlets.registry import Brainlets
from aisha.application.turn.brainlets.spec import Brainlet, BrainletView
from aisha.application.turn.state import Turn
from aisha.domain.conversations.events import (
    ConfirmationNeeded,
    TextDelta,
    ToolCallFinished,
    TurnEvent,
    TurnFailed,
    TurnFinished,
)
from aisha.domain.errors import AishaError
from aisha.domain.ports.tracing import Span
from aisha.domain.tools import ToolCall
from aisha.observability.logs import error_fields, logger, logs_content
from aisha.observability.metrics import measure
from aisha.observability.request_context import Scope, current
from aisha.observability.tracing import span_in

AGENT = "AiSHA"
STEPS = {
    "load": "LoadLatency",
    "enrich": "EnrichLatency",
    "prompt": "PromptLatency",
    "models": "ModelsLatency",
    "tools": "ToolsLatency",
    "conclude": "ConcludeLatency",
    "save": "SaveLatency",
}
"""The metric of each step of a turn."""


def observed(events: Generator[TurnEvent], turn: Turn) -> Generator[TurnEvent]:
    """Yield the same events, and observe them."""
    observer = _TurnObserver(turn, current())
    with closing(events):
        try:
            for event in events:
                observer.see(event)
                yield event
        finally:
            observer.end()


def note_call(call: ToolCall) -> None:
    """Measure and trace a call that is over or waits; log an unexpected error of its tool, without content."""
    # A model can invent names, and each would be another metric.
    name, result = call.name if call.spec is not None else "unknown", call.result
    if result.started_ns is not None:
        measure("ToolLatency", result.duration_ms, tool=name)
    measure("ToolErrors", int(not result.ok and result.error is not None), tool=name)
    if (error := result.exception) is not None and not isinstance(error, AishaError):
        logger.error("tool failed", exc_info=error, extra={"tool": name, **error_fields(error)})
    _trace_call(current(), call, name)


class _TurnObserver:
    def __init__(self, turn: Turn, scope: Scope | None) -> None:
        self._turn, self._scope = turn, scope
        self._route = {"route": scope.route if scope else "none"}
        self._first: float | None = None
        # Stays so when the client disconnects: then no event ends the turn.
        self._status, self._failure = "abandoned", ""
        self._outer: Span | None = scope.span if scope else None
        conversation = turn.input.session.conversation.id
        if scope is not None:
            scope.fields |= {"tenant": turn.input.principal.tenant, "conversation_id": conversation}
        attributes = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": AGENT,
            "gen_ai.conversation.id": conversation,
            "aisha.tenant": turn.input.principal.tenant,
        }
        self._span = span_in(scope, f"invoke_agent {AGENT}", "internal", attributes)
        if scope is not None and self._span is not None:
            scope.span = self._span
        self._handlers: Mapping[type, Callable[[Any], None]] = {
            TextDelta: self._text,
            ToolCallFinished: self._tool,
            ConfirmationNeeded: self._asked,
            TurnFinished: self._finished,
            TurnFailed: self._failed,
        }

    def see(self, event: TurnEvent) -> None:
        if (handler := self._handlers.get(type(event))) is not None:
            handler(event)

    def _text(self, event: TextDelta) -> None:
        if self._first is None and event.text:
            self._first = monotonic()

    def _tool(self, event: ToolCallFinished) -> None:
        note_call(event.call)

    def _asked(self, _: ConfirmationNeeded) -> None:
        measure("ConfirmationsAsked", **self._route)

    def _finished(self, event: TurnFinished) -> None:
        self._status = event.status

    def _failed(self, event: TurnFailed) -> None:
        self._status, self._failure = "failed", event.error.code
        cause = event.error.__cause__
        # An unexpected error is shown to the user as a general one: the log names its actual type.
        if cause is not None and type(event.error) is AishaError:
            self._failure = type(cause).__name__

    def end(self) -> None:
        turn, route = self._turn, self._route
        measure("TurnLatency", (monotonic() - turn.timings.started) * 1000, **route)
        if self._first is not None:
            measure("TimeToFirstToken", (self._first - turn.timings.started) * 1000, **route)
        for step, seconds in turn.timings.seconds.items():
            measure(STEPS[step], seconds * 1000, **route)
        measure("Rounds", turn.timings.iterations, **route)
        measure("Degraded", int(turn.timings.degraded), **route)
        measure("TurnFailures", int(self._status == "failed"), **route)
        if turn.record.settled is not None:
            measure("ConfirmationsApproved" if turn.record.calls else "ConfirmationsDeclined", **route)
        self._end_span()
        self._log()

    def _end_span(self) -> None:
        if self._span is None:
            return
        turn = self._turn
        self._span.note(
            {
                "gen_ai.usage.input_tokens": turn.timings.usage.input_tokens,
                "gen_ai.usage.output_tokens": turn.timings.usage.output_tokens,
                "aisha.turn.status": self._status,
                "aisha.turn.rounds": turn.timings.iterations,
                "aisha.turn.degraded": turn.timings.degraded,
            }
        )
        self._span.end(self._failure or None)
        if self._scope is not None:
            self._scope.span = self._outer

    def _log(self) -> None:
        turn = self._turn
        fields = {
            "conversation_id": turn.input.session.conversation.id,
            "turn_status": self._status,
            "provider": turn.timings.provider,
            "model": turn.timings.model,
            "degraded": turn.timings.degraded,
            "rounds": turn.timings.iterations,
            "input_tokens": turn.timings.usage.input_tokens,
            "output_tokens": turn.timings.usage.output_tokens,
            "cost_usd": round(turn.timings.usage.cost_usd, 6),
            "tools": [call.name for call in turn.record.calls if call.spec is not None],
        }
        logger.info("turn", extra=fields | ({"error": self._failure} if self._failure else {}))
        if logs_content():
            logger.info("turn content", extra=_content(turn))


def _content(turn: Turn) -> dict[str, Any]:
    """Return a turn's texts and its calls' arguments, without fields of sensitive names."""
    calls = [
        {"tool": call.name, "arguments": without_sensitive(call.arguments, call.sensitive)}
        for call in turn.record.calls
    ]
    return {"said": turn.input.request.message, "reply": turn.record.reply, "calls": calls}


def _trace_call(scope: Scope | None, call: ToolCall, name: str) -> None:
    """Trace a call that is over, from its own start and duration."""
    result = call.result
    start = result.started_ns
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": call.id,
        "aisha.tool.status": str(result.status),
    }
    span = span_in(scope, f"execute_tool {name}", "internal", attributes, start)
    if span is not None:
        error = str(result.error.get("code", "failed")) if result.error else None
        span.end(error, start + int(result.duration_ms * 1e6) if start else None)


def timed(brainlets: Brainlets) -> Brainlets:
    """Return the brainlets with every run measured as `BrainletLatency`, also one that fails."""
    return Brainlets(replace(brainlet, run=_timed(brainlet)) for brainlet in brainlets.ordered)


def _timed(brainlet: Brainlet) -> Callable[[Mapping[str, Any], BrainletView], Any]:
    def run(outputs: Mapping[str, Any], turn: BrainletView) -> Any:
        start = perf_counter()
        try:
            return brainlet.run(outputs, turn)
        finally:
            measure("BrainletLatency", (perf_counter() - start) * 1000, brainlet=brainlet.name)

    return run
