"""A circuit breaker for models: one circuit for each provider and model, with its state in this process."""

from collections.abc import Callable
from threading import Lock
from time import monotonic

from msgspec import Struct

from aisha.domain.errors import ModelUnavailableError

MAX_FAILURES = 3
"""Failures in a row that open the circuit."""
RECOVERY_SECONDS = 30.0
"""Time from opening to the next attempt."""


class Circuit(Struct):
    failures: int = 0
    """Failures in a row."""
    retry_at: float | None = None
    """Time of the next attempt by the breaker's clock; None while the circuit is closed."""
    is_half_open: bool = False
    """One request tries again."""


class ModelCircuitBreaker:
    """A `CircuitBreaker` that opens after `MAX_FAILURES` in a row and tries again every `RECOVERY_SECONDS`.

    Only one request tries; the others are refused until its outcome is recorded. Safe for threads: no lock is held
    during a call, since a call is a stream that another thread may read to its end.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._circuits: dict[str, Circuit] = {}
        self._lock = Lock()

    def check(self, name: str) -> None:
        with self._lock:
            circuit = self._circuits.get(name)
            if circuit is None or circuit.retry_at is None:
                return
            if self._clock() >= circuit.retry_at:
                # Another try is allowed after the same time, in case this one is never recorded: its client may leave.
                circuit.is_half_open, circuit.retry_at = True, self._clock() + RECOVERY_SECONDS
                return
        provider, _, model = name.partition(":")
        raise ModelUnavailableError(
            f"{provider} was not asked: it failed {MAX_FAILURES} times in a row",
            detail={"provider": provider, "model": model, "circuit": "open"},
        )

    def record(self, name: str, error: ModelUnavailableError | None) -> None:
        with self._lock:
            circuit = self._circuits.setdefault(name, Circuit())
            if circuit.retry_at is not None and not circuit.is_half_open:
                return  # The call began before the circuit opened.
            if error is None:
                del self._circuits[name]
                return
            circuit.failures += 1
            if circuit.is_half_open or circuit.failures >= MAX_FAILURES:
                circuit.is_half_open, circuit.retry_at = False, self._clock() + RECOVERY_SECONDS
