"""Export of trace spans."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aisha.bootstrap.services import Services
    from aisha.domain.tracing import Tracer


def tracer(services: Services) -> Tracer | None:
    """Return the tracer of the settings; None without one."""
    settings = services.settings
    if settings.traces == "otel":
        from aisha.adapters.tracing.otel import OpenTelemetryTracer

        return OpenTelemetryTracer(settings.otlp_endpoint, settings.function_name)
    return None
