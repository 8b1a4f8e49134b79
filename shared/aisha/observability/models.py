"""Observation of models: metrics of each call's time, tokens, cost and failure, and a span `chat <model>`."""

from collections.abc import Generator
from time import perf_counter

from aisha.application.models.completion import closing_events
from aisha.domain.errors import BudgetError
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest
from aisha.domain.ports import ChatModel
from aisha.domain.ports.tracing import Span
from aisha.observability.metrics import measure
from aisha.observability.request_context import current
from aisha.observability.tracing import span_in

_PROVIDERS = {"gemini": "gcp.gemini"}
"""Providers that OpenTelemetry names differently."""


class ObservedModel:
    """A `ChatModel` that measures and traces `model`, under the names `provider` and `name`."""

    def __init__(self, model: ChatModel, provider: str, name: str) -> None:
        self._model, self._provider, self._name = model, provider, name

    def stream(self, request: ModelRequest) -> Generator[ModelEvent]:
        start, first, finished, failure = perf_counter(), 0.0, None, None
        span = self._span(request)
        try:
            for event in closing_events(self._model.stream(request)):
                first = first or perf_counter()
                if isinstance(event, ModelFinished):
                    finished = event
                yield event
        # GeneratorExit is not a failure: a reader that has enough closes the stream.
        except Exception as error:
            failure = error
            raise
        finally:
            seconds_to_first = first - start if first else None
            # A refused call has not reached the model: its time near zero would improve the model's latency, and the
            # provider has made no error.
            if isinstance(failure, BudgetError):
                measure("BudgetRefusals")
            else:
                self._measure(perf_counter() - start, seconds_to_first, finished, failure)
            _note_request_id(span, finished, failure)
            if span is not None:
                _end(span, seconds_to_first, finished, failure)

    def _measure(
        self, seconds: float, to_first: float | None, finished: ModelFinished | None, failure: Exception | None
    ) -> None:
        dimensions = {"provider": self._provider, "model": self._name}
        measure("ModelLatency", seconds * 1000, **dimensions)
        measure("ModelErrors", int(failure is not None), **dimensions)
        if to_first is not None:
            measure("ModelTimeToFirstToken", to_first * 1000, **dimensions)
        if finished is not None:
            measure("InputTokens", finished.usage.input_tokens, **dimensions)
            measure("OutputTokens", finished.usage.output_tokens, **dimensions)
            measure("CostUSD", finished.usage.cost_usd, **dimensions)

    def _span(self, request: ModelRequest) -> Span | None:
        scope = current()
        attributes: dict[str, str | int | float | bool] = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": _PROVIDERS.get(self._provider, self._provider),
            "gen_ai.request.model": self._name,
            "gen_ai.request.stream": request.streamed,
        }
        if request.temperature is not None:
            attributes["gen_ai.request.temperature"] = request.temperature
        if request.max_tokens is not None:
            attributes["gen_ai.request.max_tokens"] = request.max_tokens
        if scope is not None and (conversation := scope.fields.get("conversation_id")):
            attributes["gen_ai.conversation.id"] = conversation
        return span_in(scope, f"chat {self._name}", "client", attributes)


def _note_request_id(span: Span | None, finished: ModelFinished | None, failure: Exception | None) -> None:
    """Add the provider's request id to the span and to the request's log lines: its support asks for it."""
    request_id = finished.request_id if finished is not None else getattr(failure, "provider_request_id", None)
    if request_id is None:
        return
    if (scope := current()) is not None:
        scope.fields["provider_request_ids"] = [*scope.fields.get("provider_request_ids", ()), request_id]
    if span is not None:
        span.note({"aisha.provider.request_id": request_id})


def _end(span: Span, to_first: float | None, finished: ModelFinished | None, failure: Exception | None) -> None:
    if to_first is not None:
        span.note({"gen_ai.response.time_to_first_chunk": to_first})
    if finished is not None:
        span.note(
            {
                "gen_ai.response.model": finished.model,
                "gen_ai.usage.input_tokens": finished.usage.input_tokens,
                "gen_ai.usage.output_tokens": finished.usage.output_tokens,
            }
        )
    span.end(None if failure is None else getattr(failure, "code", type(failure).__name__))
