"""Keys of providers: a text, or a function that returns the current key, so that a rotated key takes effect soon."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from aisha.domain.errors import NotFoundError, UnavailableError

if TYPE_CHECKING:
    # The ports import every record type, which the authorizer does not load.
    from aisha.domain.ports import SecretStore

type ApiKey = str | Callable[[], str]
"""The function raises `UnavailableError` when the key can't be read."""


def key_text(key: ApiKey) -> str:
    """Return the current key. Raises `UnavailableError`."""
    return key() if callable(key) else key


def stored_key(name: str, secrets: "Callable[[], SecretStore]") -> Callable[[], str]:
    """Return a reader of the secret `name`, which raises `UnavailableError` when it is not in the store."""

    def read() -> str:
        store = secrets()
        try:
            return store.get(name)
        except NotFoundError as error:
            raise UnavailableError(f"{name} is not set up: {error.message}", suggestion=error.suggestion) from error

    return read
