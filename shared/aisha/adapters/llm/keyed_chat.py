"""A model whose provider's key is read when it is asked."""

from collections.abc import Callable, Iterator
from threading import Lock
from typing import Protocol

from aisha.adapters.auth.api_key import ApiKey, key_text
from aisha.domain.errors import ModelUnavailableError, UnavailableError
from aisha.domain.models import ModelEvent, ModelRequest
from aisha.domain.ports import ChatModel


class SdkModel(ChatModel, Protocol):
    """A model with connections of its own."""

    def close(self) -> None: ...


class KeyedChatModel:
    """What `make` makes of the key, and makes anew of another one: a key that was rotated needs no new process."""

    def __init__(self, provider: str, key: ApiKey, make: Callable[[str], SdkModel]) -> None:
        self._provider, self._key, self._make = provider, key, make
        self._made: tuple[str, SdkModel] | None = None
        self._lock = Lock()

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """See `ChatModel`. Raises `ModelUnavailableError` also when the key can't be read."""
        return self._model().stream(request)

    def close(self) -> None:
        """Closes its connections."""
        with self._lock:
            if self._made:
                self._made[1].close()
            self._made = None

    def _model(self) -> SdkModel:
        try:
            key = key_text(self._key)
        except UnavailableError as error:
            raise ModelUnavailableError(f"{self._provider} can't be asked: its key can't be read now") from error
        with self._lock:
            # Streams of the model before go on with its connections, which end with the last of them.
            if self._made is None or self._made[0] != key:
                self._made = key, self._make(key)
            return self._made[1]
