"""Powertools' circuit breaker around models: one circuit a provider and model, its state in this process."""

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from threading import Lock
from typing import Any

from aws_lambda_powertools.utilities.circuit_breaker import (
    CircuitBreakerConfig,
    CircuitBreakerOpenError,
    CircuitState,
    circuit_breaker,
)
from aws_lambda_powertools.utilities.circuit_breaker.persistence import (
    CircuitBreakerPersistenceLayer,
    CircuitStateRecord,
)
from aws_lambda_powertools.utilities.circuit_breaker.persistence.base import CircuitBreakerExistingLockError

from aisha.domain.errors import ModelUnavailableError

FAILURES = 3
"""In a row, before a model is left alone."""
RECOVERY_SECONDS = 30

_SERIAL = count()


class ModelCircuits:
    """Opens after `FAILURES` in a row; after `RECOVERY_SECONDS` one request tries again, the others go on past."""

    def __init__(self, store: CircuitBreakerPersistenceLayer | None = None) -> None:
        self._store = store or InProcess()
        self._config = CircuitBreakerConfig(
            failure_threshold=FAILURES,
            recovery_timeout=RECOVERY_SECONDS,
            success_threshold=1,
            handled_exceptions=ModelUnavailableError,
            local_cache_max_age=0 if store is None else 5,
        )
        # Powertools counts by name for the whole process, and these circuits have a state of their own.
        self._prefix = f"{next(_SERIAL)}:" if store is None else ""

    def begin[T](self, name: str, step: Callable[[], T]) -> T:
        """What `step` returns. Raises `ModelUnavailableError`, without asking when the circuit is open.

        A closed circuit waits for `end` to know how it went. One that is tried out is settled by the first event: the
        rest of a stream may be read by another thread, and Powertools lets only one thread try.
        """

        def begun() -> T:
            outcome = step()
            if self._is_closed(name):
                raise _UndecidedError(outcome)
            return outcome

        try:
            return self._guarded(name, begun)
        except _UndecidedError as undecided:
            outcome: T = undecided.outcome
            return outcome
        except CircuitBreakerOpenError:
            provider, _, model = name.partition(":")
            raise ModelUnavailableError(
                f"{provider} was not asked: it failed {FAILURES} times in a row",
                detail={"provider": provider, "model": model, "circuit": "open"},
            ) from None

    def end(self, name: str, error: ModelUnavailableError | None) -> None:
        """Counts a failure, or starts the count again. Nothing when the circuit was opened meanwhile."""
        if self._is_closed(name):
            with suppress(ModelUnavailableError, CircuitBreakerOpenError):
                self._guarded(name, partial(_outcome, error))

    def _is_closed(self, name: str) -> bool:
        return self._store.get_state(self._prefix + name).state == CircuitState.CLOSED

    def _guarded[T](self, name: str, step: Callable[[], T]) -> T:
        guarded: Callable[[], T] = circuit_breaker(self._prefix + name, self._store, config=self._config)(step)
        return guarded()


class _UndecidedError(Exception):
    """Leaves a circuit as it is: Powertools counts only the errors it is told to."""

    def __init__(self, outcome: Any) -> None:
        super().__init__()
        self.outcome = outcome


def _outcome(error: ModelUnavailableError | None) -> None:
    if error is not None:
        raise error


class InProcess(CircuitBreakerPersistenceLayer):
    """States of circuits in a dictionary."""

    def __init__(self) -> None:
        super().__init__()
        self._records: dict[str, CircuitStateRecord] = {}
        self._election = Lock()

    def _get_record(self, name: str) -> CircuitStateRecord | None:
        return self._records.get(name)

    def _put_record(
        self, record: CircuitStateRecord, condition: str | None = None, expected_opened_at: int | None = None
    ) -> None:
        with self._election:
            if condition == "half_open" and not _may_probe(self._records.get(record.name), expected_opened_at):
                raise CircuitBreakerExistingLockError
            self._records[record.name] = record

    def _update_record(self, record: CircuitStateRecord) -> None:
        self._records[record.name] = record


def _may_probe(now: CircuitStateRecord | None, opened_at: int | None) -> bool:
    """Whether it is open since the time that was seen, or left half open by someone whose turn to try is over."""
    if now is None:
        return False
    if now.state == CircuitState.OPEN:
        return now.opened_at == opened_at
    return now.state == CircuitState.HALF_OPEN and (now.probe_lease_expiry or 0) <= time.time()
