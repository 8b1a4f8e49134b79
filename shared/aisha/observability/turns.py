"""A turn as its events tell it: figures, spans and a line in the log."""

from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from time import monotonic
from typing import Any

from aisha.application.redaction.summaries import without_sensitive
from aisha.application.turn.state import TurnState
from aisha.domain.errors import AishaError
from aisha.domain.events import (
    ConfirmationNeeded,
    TextDelta,
    ToolCallFinished,
    TurnEvent,
    TurnFailed,
    TurnFinished,
)
from aisha.domain.tools import ToolCall
from aisha.domain.tracing import Span
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
"""What the time of each step of a turn is measured as."""


def observed(events: Generator[TurnEvent], state: TurnState) -> Generator[TurnEvent]:
    """The same events, noted on their way."""
    observer = _TurnObserver(state, current())
    with closing(events):
        try:
            for event in events:
                observer.see(event)
                yield event
        finally:
            observer.end()


def note_call(call: ToolCall) -> None:
    """Measures and traces a call that is over or waits; one whose tool broke is logged, without what it was about."""
    name, result = call.name if call.spec is not None else "unknown", call.result
    if result.started_ns is not None:
        measure("ToolLatency", result.duration_ms, tool=name)
    measure("ToolErrors", int(not result.ok and result.error is not None), tool=name)
    if (broke := result.exception) is not None and not isinstance(broke, AishaError):
        logger.error("tool failed", exc_info=broke, extra={"tool": name, **error_fields(broke)})
    _trace_call(current(), call, name)


class _TurnObserver:
    def __init__(self, state: TurnState, scope: Scope | None) -> None:
        self._state, self._scope = state, scope
        self._route = {"route": scope.route if scope else "none"}
        self._first: float | None = None
        self._status, self._failure = "abandoned", ""
        self._outer: Span | None = scope.span if scope else None
        conversation = state.session.conversation.id
        if scope is not None:
            scope.fields |= {"tenant": state.principal.tenant, "conversation_id": conversation}
        attributes = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": AGENT,
            "gen_ai.conversation.id": conversation,
            "aisha.tenant": state.principal.tenant,
        }
        self._span = span_in(scope, f"invoke_agent {AGENT}", "internal", attributes)
        if scope is not None and self._span is not None:
            scope.span = self._span
        self._see: Mapping[type, Callable[[Any], None]] = {
            TextDelta: self._text,
            ToolCallFinished: self._tool,
            ConfirmationNeeded: self._asked,
            TurnFinished: self._finished,
            TurnFailed: self._failed,
        }

    def see(self, event: TurnEvent) -> None:
        if (noted := self._see.get(type(event))) is not None:
            noted(event)

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
        if cause is not None and type(event.error) is AishaError:
            self._failure = type(cause).__name__

    def end(self) -> None:
        state, route = self._state, self._route
        measure("TurnLatency", (monotonic() - state.started) * 1000, **route)
        if self._first is not None:
            measure("TimeToFirstToken", (self._first - state.started) * 1000, **route)
        for step, seconds in state.step_seconds().items():
            measure(STEPS[step], seconds * 1000, **route)
        measure("Rounds", state.iterations, **route)
        measure("Degraded", int(state.degraded), **route)
        measure("TurnFailures", int(self._status == "failed"), **route)
        if state.settled is not None:
            measure("ConfirmationsApproved" if state.calls else "ConfirmationsDeclined", **route)
        self._end_span()
        self._log()

    def _end_span(self) -> None:
        if self._span is None:
            return
        state = self._state
        self._span.note(
            {
                "gen_ai.usage.input_tokens": state.usage.input_tokens,
                "gen_ai.usage.output_tokens": state.usage.output_tokens,
                "aisha.turn.status": self._status,
                "aisha.turn.rounds": state.iterations,
                "aisha.turn.degraded": state.degraded,
            }
        )
        self._span.end(self._failure or None)
        if self._scope is not None:
            self._scope.span = self._outer

    def _log(self) -> None:
        state = self._state
        fields = {
            "conversation_id": state.session.conversation.id,
            "turn_status": self._status,
            "provider": state.provider,
            "model": state.model,
            "degraded": state.degraded,
            "rounds": state.iterations,
            "input_tokens": state.usage.input_tokens,
            "output_tokens": state.usage.output_tokens,
            "cost_usd": round(state.usage.cost_usd, 6),
            "tools": [call.name for call in state.calls if call.spec is not None],
        }
        logger.info("turn", extra=fields | ({"error": self._failure} if self._failure else {}))
        if logs_content():
            logger.info("turn content", extra=_content(state))


def _content(state: TurnState) -> dict[str, Any]:
    """What was said, and with which arguments tools were called, without fields of sensitive names."""
    calls = [
        {"tool": call.name, "arguments": without_sensitive(call.arguments, call.sensitive)} for call in state.calls
    ]
    return {"said": state.request.message, "reply": state.reply, "calls": calls}


def _trace_call(scope: Scope | None, call: ToolCall, name: str) -> None:
    """The span of a call that is over: it began when it says, and took as long as it says."""
    result = call.result
    begun = result.started_ns
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": call.id,
        "aisha.tool.status": str(result.status),
    }
    span = span_in(scope, f"execute_tool {name}", "internal", attributes, begun)
    if span is not None:
        error = str(result.error.get("code", "failed")) if result.error else None
        span.end(error, begun + int(result.duration_ms * 1e6) if begun else None)
