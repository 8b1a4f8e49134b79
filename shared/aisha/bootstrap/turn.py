"""The dependencies of a turn, and the export of its trace spans."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aisha.application.turn.state import Turn, TurnDependencies
    from aisha.bootstrap.services import Services
    from aisha.domain.conversations.conversation import PendingConfirmation
    from aisha.domain.conversations.events import TurnEvent
    from aisha.domain.ports.tracing import Tracer


def turn_dependencies(services: Services) -> TurnDependencies:
    """Return the dependencies of turns, with one thread pool for the tool calls that read."""
    from aisha.application.turn.brainlets.registry import discover_brainlets
    from aisha.application.turn.state import TurnDependencies, TurnLimits
    from aisha.observability import log_brainlet_failure
    from aisha.observability.request_context import ContextThreadPool
    from aisha.observability.turns import note_call, observed, timed
    from aisha.renderers.voice import unspoken

    settings = services.settings
    limits = TurnLimits(
        max_rounds=settings.max_rounds,
        max_flow_rounds=settings.max_flow_rounds,
        max_calls_per_round=settings.max_calls_per_round,
        bulk_confirmation_threshold=settings.bulk_confirmation_threshold,
        turn_seconds=settings.turn_seconds,
        assistant_name=settings.assistant_name,
    )
    # As many threads as one round may have reads; several turns of the process share them.
    workers = ContextThreadPool(settings.max_calls_per_round, thread_name_prefix="reads")
    services.on_close(workers.shutdown)
    return TurnDependencies(
        model=services.chat_model,
        registry=services.tools,
        ports=services.tool_ports,
        conversations=services.conversations,
        limits=limits,
        workers=workers,
        brainlets=timed(discover_brainlets("aisha.brainlets")),
        stored_call_runners={"run_plan": _run_stored_plan},
        on_brainlet_failure=log_brainlet_failure,
        observe=observed,
        note_call=note_call,
        unspoken=unspoken,
        order_judge=services.chat_model if services.model_chains.chain("chat_light") else None,
        answers_as_json=bool(services.model_chains.chain("json_strict")),
    )


def _run_stored_plan(turn: Turn, pending: PendingConfirmation) -> Iterator[TurnEvent]:
    # Cold start: most turns confirm no plan.
    from aisha.application.flow.confirmed_plan import run_stored

    return run_stored(turn, pending)


def tracer(services: Services) -> Tracer | None:
    """Return the tracer of the settings; None without one."""
    settings = services.settings
    if settings.traces == "otel":
        from aisha.adapters.tracing.otel import OpenTelemetryTracer

        return OpenTelemetryTracer(settings.otlp_endpoint, settings.function_name)
    return None
