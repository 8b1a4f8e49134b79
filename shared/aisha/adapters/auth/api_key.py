"""Keys of providers: a text, or what gives one when it is needed, so that a key that was changed is used soon."""

from collections.abc import Callable

type ApiKey = str | Callable[[], str]
"""A callable one raises `UnavailableError` when the key can't be had now."""


def key_text(key: ApiKey) -> str:
    """The key as it is now. Raises `UnavailableError`."""
    return key() if callable(key) else key
