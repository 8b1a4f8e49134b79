"""Ports of the platform: time, secrets and queues."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


# A port, so that tests set the time instead of waiting for it.
class Clock(Protocol):
    """The source of the current time."""

    def now(self) -> datetime:
        """Return the current instant, aware, in UTC."""
        ...


class SecretStore(Protocol):
    """Keys and tokens of other systems, by name."""

    def get(self, name: str) -> str:
        """Return the value, which may be some minutes old. Raises `NotFoundError`, `UnavailableError`."""
        ...


class WritableSecretStore(SecretStore, Protocol):
    """A `SecretStore` for systems that replace a token at its use."""

    # Past any cache: another process may just have used the old token up.
    def fresh(self, name: str) -> str:
        """Return the value as it is now. Raises `NotFoundError`, `UnavailableError`."""
        ...

    def put(self, name: str, value: str) -> None:
        """Replace the value of a secret that exists. Raises `NotFoundError`, `UnavailableError`."""
        ...


class WorkQueue(Protocol):
    """Queues of asynchronous work. Each message is delivered at least once, in any order."""

    # At least once and in any order: what a message does must be safe to do twice.
    def send(self, queue: str, message: Mapping[str, Any]) -> None:
        """Add the JSON message to the queue of that name and return at once.

        Raises `UnavailableError` when that fails, `NotFoundError` for a queue that is not configured,
        `PayloadTooLargeError` for more than 256 KiB.
        """
        ...
