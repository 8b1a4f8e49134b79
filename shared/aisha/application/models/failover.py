"""A chain of models is a model: the next one answers when one can't."""

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from time import monotonic
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from aisha.domain.errors import BudgetError, BudgetExceededError, DeadlineExceededError, ModelUnavailableError
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk
from aisha.domain.ports import ChatModel

_LOGGER = logging.getLogger(__name__)
REQUEST_AT_FAULT = frozenset((400, 413, 422))
"""HTTP statuses that say nothing about the provider's health."""


class Link(Struct, frozen=True):
    """One model of a chain. `chat` gives it, and makes it (with its SDK) when it is asked for the first time."""

    provider: str
    model: str
    chat: Callable[[], ChatModel]

    @property
    def name(self) -> str:
        return f"{self.provider}:{self.model}"


class Circuits(Protocol):
    """Remembers who keeps failing, by name, so that nobody waits for them for a while."""

    def begin[T](self, name: str, step: Callable[[], T]) -> T:
        """What `step` returns. Its `ModelUnavailableError` counts; after some in a row it is raised without a call.

        What comes of a step that returned is told with `end`.
        """
        ...

    def end(self, name: str, error: ModelUnavailableError | None) -> None:
        """Whether all went well."""
        ...


class NoCircuits:
    """Everybody is asked every time."""

    def begin[T](self, name: str, step: Callable[[], T]) -> T:  # noqa: ARG002
        return step()

    def end(self, name: str, error: ModelUnavailableError | None) -> None:
        """Nobody remembers."""


class FailoverModel:
    """`links` are asked in their order, but for those whose circuit is open."""

    def __init__(self, links: Sequence[Link], circuits: Circuits | None = None) -> None:
        if not links:
            raise ValueError("a chain needs at least one model")
        self._links = tuple(links)
        self._circuits = circuits or NoCircuits()

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """Text of the first that answers, then its end, `degraded` with a warning when it is not the first of the chain.

        Once text was given out nobody else is asked: the user would read two beginnings. Raises `ModelUnavailableError`
        (when all failed, the last one's, with each one's reason in `detail`) and `DeadlineExceededError`.
        """
        # Whoever the user asked for by name is the first link; the others would not know the name.
        request = replace(request, provider=None, model=None)
        failures: list[tuple[Link, ModelUnavailableError]] = []
        for link in self._links:
            if failures and monotonic() >= request.deadline:
                raise DeadlineExceededError("The assistant ran out of time; try again") from failures[-1][1]
            has_text = False
            try:
                for event in self._events(link, request):
                    has_text = has_text or isinstance(event, TextChunk)
                    yield _degraded(event, failures) if failures and isinstance(event, ModelFinished) else event
                return
            except ModelUnavailableError as error:
                told = {"link": link.name, "reason": error.message} | _request_id(error)
                _LOGGER.warning("model unavailable", extra=told)
                if has_text:
                    raise
                failures.append((link, error))
        raise _all_failed(failures) from failures[-1][1]

    def _events(self, link: Link, request: ModelRequest) -> Iterator[ModelEvent]:
        """The link's events. Its circuit hears how it went, also when it failed in the middle."""
        first = self._circuits.begin(link.name, partial(_first, link, request))
        if isinstance(first, ModelUnavailableError):
            self._circuits.end(link.name, None)
            raise first
        event, events = first
        try:
            yield event
            yield from events
            self._circuits.end(link.name, None)
        except ModelUnavailableError as error:
            self._circuits.end(link.name, error)
            raise
        finally:
            if isinstance(events, Generator):
                events.close()


def _first(link: Link, request: ModelRequest) -> tuple[ModelEvent, Iterator[ModelEvent]] | ModelUnavailableError:
    """The first event and the rest. A refusal of this one request is returned: the provider did not fail."""
    try:
        events = link.chat().stream(request)
        if (event := next(events, None)) is None:
            raise ModelUnavailableError(f"{link.provider} did not answer: it said nothing")
        return event, events
    except BudgetError as error:
        return error
    except ModelUnavailableError as error:
        if isinstance(error.detail, dict) and error.detail.get("status") in REQUEST_AT_FAULT:
            return error
        raise


def _degraded(finished: ModelFinished, failures: Sequence[tuple[Link, ModelUnavailableError]]) -> ModelFinished:
    warnings = tuple(f"{error.message}; {finished.provider} answered instead." for _, error in failures)
    return replace(finished, degraded=True, warnings=(*warnings, *finished.warnings))


def _all_failed(failures: Sequence[tuple[Link, ModelUnavailableError]]) -> ModelUnavailableError:
    reasons = [
        {"provider": link.provider, "model": link.model, "reason": error.message} | _request_id(error)
        for link, error in failures
    ]
    if all(isinstance(error, BudgetExceededError) for _, error in failures):
        return failures[-1][1]
    return ModelUnavailableError(failures[-1][1].message, detail={"providers": reasons}, suggestion="Try again soon.")


def _request_id(error: ModelUnavailableError) -> dict[str, str]:
    """As a field of the log and of `detail`; nothing when the provider gave none."""
    known = error.provider_request_id
    return {} if known is None else {"provider_request_id": known}
