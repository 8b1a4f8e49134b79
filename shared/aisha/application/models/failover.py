"""A chain of models as one `ChatModel`: when one can't answer, the next one is asked."""

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from time import monotonic
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from aisha.domain.errors import BudgetError, BudgetExceededError, DeadlineExceededError, ModelUnavailableError
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk
from aisha.domain.ports import ChatModel

_LOGGER = logging.getLogger(__name__)
REQUEST_AT_FAULT = frozenset((400, 413, 422))
"""HTTP statuses for faults of the request, which say nothing about the provider's health."""


class ChainEntry(Struct, frozen=True):
    """One model of a chain. `chat` returns it, and makes it (with its SDK) on its first call."""

    provider: str
    model: str
    chat: Callable[[], ChatModel]

    @property
    def name(self) -> str:
        return f"{self.provider}:{self.model}"


class CircuitBreaker(Protocol):
    """A count of each model's failures in a row, so that no request waits for a model that keeps failing."""

    def check(self, name: str) -> None:
        """Raise `ModelUnavailableError` while the circuit of the model `name` is open."""
        ...

    def record(self, name: str, error: ModelUnavailableError | None) -> None:
        """Count the outcome of a call that `check` let pass: a success where `error` is None."""
        ...


class NoCircuitBreaker:
    """A breaker that never opens."""

    def check(self, name: str) -> None:
        """No-op."""

    def record(self, name: str, error: ModelUnavailableError | None) -> None:
        """No-op."""


class FailoverModel:
    """A `ChatModel` that asks `entries` in their order, except those whose circuit is open."""

    def __init__(self, entries: Sequence[ChainEntry], breaker: CircuitBreaker | None = None) -> None:
        if not entries:
            raise ValueError("a chain needs at least one model")
        self._entries = tuple(entries)
        self._breaker = breaker or NoCircuitBreaker()

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """Yield the first answer: its texts, then its end, `degraded` with a warning unless the first entry answered.

        After the first text no other model is asked: the user would read two beginnings. Raises
        `ModelUnavailableError` (when all failed, the last one's, with each one's reason in `detail`) and
        `DeadlineExceededError`.
        """
        # A model that the user asked for by name is the first entry; the others would not know the name.
        request = replace(request, provider=None, model=None)
        failures: list[tuple[ChainEntry, ModelUnavailableError]] = []
        for entry in self._entries:
            # Each model keeps the deadline during its own call; this keeps another one from being asked after it.
            if failures and monotonic() >= request.deadline:
                raise DeadlineExceededError("The assistant ran out of time; try again") from failures[-1][1]
            has_text = False
            try:
                for event in self._events(entry, request):
                    has_text = has_text or isinstance(event, TextChunk)
                    yield _degraded(event, failures) if failures and isinstance(event, ModelFinished) else event
                return
            except ModelUnavailableError as error:
                fields = {"link": entry.name, "reason": error.message} | _request_id(error)
                _LOGGER.warning("model unavailable", extra=fields)
                if has_text:
                    raise
                failures.append((entry, error))
        raise _all_failed(failures) from failures[-1][1]

    def _events(self, entry: ChainEntry, request: ModelRequest) -> Iterator[ModelEvent]:
        # Outside of the `try`: the refusal of an open circuit is not another failure of the model.
        self._breaker.check(entry.name)
        events: Iterator[ModelEvent] | None = None
        is_empty = True
        try:
            events = entry.chat().stream(request)
            for event in events:
                is_empty = False
                yield event
            if is_empty:
                raise ModelUnavailableError(f"{entry.provider} did not answer: it said nothing")
            self._breaker.record(entry.name, None)
        except ModelUnavailableError as error:
            # A request that the provider refused shows that it is there. One that was not sent shows nothing.
            if not isinstance(error, BudgetError):
                self._breaker.record(entry.name, None if is_empty and _is_at_fault(error) else error)
            raise
        finally:
            # Closes the connection at once when the reader stops early, instead of at some garbage collection.
            if isinstance(events, Generator):
                events.close()


def _is_at_fault(error: ModelUnavailableError) -> bool:
    """Return whether the request itself was refused, which is not a failure of the provider."""
    status = error.detail.get("status") if isinstance(error.detail, dict) else None
    return status in REQUEST_AT_FAULT


def _degraded(finished: ModelFinished, failures: Sequence[tuple[ChainEntry, ModelUnavailableError]]) -> ModelFinished:
    warnings = tuple(f"{error.message}; {finished.provider} answered instead." for _, error in failures)
    return replace(finished, degraded=True, warnings=(*warnings, *finished.warnings))


def _all_failed(failures: Sequence[tuple[ChainEntry, ModelUnavailableError]]) -> ModelUnavailableError:
    reasons = [
        {"provider": entry.provider, "model": entry.model, "reason": error.message} | _request_id(error)
        for entry, error in failures
    ]
    if all(isinstance(error, BudgetExceededError) for _, error in failures):
        return failures[-1][1]
    return ModelUnavailableError(failures[-1][1].message, detail={"providers": reasons}, suggestion="Try again soon.")


def _request_id(error: ModelUnavailableError) -> dict[str, str]:
    """Return the provider's request id as a field of the log and of `detail`; empty when there is none."""
    request_id = error.provider_request_id
    return {} if request_id is None else {"provider_request_id": request_id}
