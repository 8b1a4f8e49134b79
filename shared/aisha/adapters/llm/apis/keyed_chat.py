"""A `ChatModel` that reads its provider's key at each request."""

from collections.abc import Callable, Iterator
from threading import Lock

from aisha.adapters.auth.api_key import ApiKey, key_text
from aisha.adapters.llm.provider import ConnectedModel
from aisha.domain.errors import ModelUnavailableError, UnavailableError
from aisha.domain.models import ModelEvent, ModelRequest


class KeyedChatModel:
    """A model from `make` for the current key. A changed key makes a new one, so that rotation needs no restart."""

    def __init__(self, provider: str, key: ApiKey, make: Callable[[str], ConnectedModel]) -> None:
        self._provider, self._key, self._make = provider, key, make
        self._current: tuple[str, ConnectedModel] | None = None
        self._lock = Lock()

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """Yield the model's events. Raises `ModelUnavailableError`, also when the key can't be read."""
        return self._model().stream(request)

    def close(self) -> None:
        """Close its connections."""
        with self._lock:
            if self._current:
                self._current[1].close()
            self._current = None

    def _model(self) -> ConnectedModel:
        try:
            key = key_text(self._key)
        except UnavailableError as error:
            raise ModelUnavailableError(f"{self._provider} can't be asked: its key can't be read now") from error
        with self._lock:
            # Streams of the earlier model go on with its connections, which end with the last of them.
            if self._current is None or self._current[0] != key:
                try:
                    self._current = key, self._make(key)
                except ValueError as error:
                    raise ModelUnavailableError(f"{self._provider} can't be asked: it is not set up right") from error
            return self._current[1]
