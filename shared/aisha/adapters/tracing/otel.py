"""Spans by OpenTelemetry, sent to a collector as OTLP's JSON over HTTP: protobuf would triple the code to load.

The SDK's own variables apply, too: OTEL_TRACES_SAMPLER, OTEL_RESOURCE_ATTRIBUTES, OTEL_EXPORTER_OTLP_HEADERS and so on.
"""

from collections.abc import Mapping

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.json.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from aisha.domain.ports.tracing import Attributes, Span, SpanKind

SECONDS = 2.0
"""Timeout of a flush, for which the user waits."""
_KINDS = {
    "server": trace.SpanKind.SERVER,
    "client": trace.SpanKind.CLIENT,
    "internal": trace.SpanKind.INTERNAL,
    "consumer": trace.SpanKind.CONSUMER,
}


class OpenTelemetrySpan:
    """A `Span` of the SDK."""

    def __init__(self, span: trace.Span) -> None:
        self.span = span

    def note(self, attributes: Attributes) -> None:
        """Add attributes."""
        self.span.set_attributes(attributes)

    def end(self, error_type: str | None = None, at_ns: int | None = None) -> None:
        """End the span. Of an error only the type is recorded, never the message."""
        if error_type is not None:
            self.span.set_attribute("error.type", error_type)
            # Without a description, which would be the message.
            self.span.set_status(trace.StatusCode.ERROR)
        self.span.end(at_ns)


class OpenTelemetryTracer:
    """A `Tracer` that collects spans until `flush`. `endpoint` is the collector's address without a path."""

    def __init__(self, endpoint: str, function: str) -> None:
        # One service of many functions: `faas.name` tells them apart in a trace.
        resource = Resource.create({"service.name": "aisha", "faas.name": function})
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        exporter = OTLPSpanExporter(f"{endpoint.rstrip('/')}/v1/traces", timeout=SECONDS)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("aisha")
        self._propagator = TraceContextTextMapPropagator()

    def start(
        self,
        name: str,
        kind: SpanKind,
        parent: Span | Mapping[str, str] | None,
        attributes: Attributes,
        at_ns: int | None = None,
    ) -> OpenTelemetrySpan:
        """Start a span within `parent`, or within the `traceparent` of header fields."""
        # An empty context: None would make the thread's current span the parent.
        context = Context()
        if isinstance(parent, OpenTelemetrySpan):
            context = trace.set_span_in_context(parent.span, context)
        elif isinstance(parent, Mapping):
            context = self._propagator.extract(parent, context)
        started = self._tracer.start_span(name, context, _KINDS[kind], dict(attributes), start_time=at_ns)
        return OpenTelemetrySpan(started)

    def flush(self) -> None:
        """Send the ended spans; give up after `SECONDS` when the collector does not answer."""
        self._provider.force_flush(int(SECONDS * 1000))

    def close(self) -> None:
        """Send the remaining spans and end the sending thread."""
        self._provider.shutdown()
