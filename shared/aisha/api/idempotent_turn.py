"""A turn that a client may send again under one `Idempotency-Key`: its answer is kept, as JSON or as the stream it was."""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress

from msgspec import Struct

from aisha.api.operation import JSON
from aisha.application.idempotency.keys import Attempt, IdempotencyKeys, KeptAnswer
from aisha.domain.errors import UnavailableError
from aisha.domain.events import TurnEvent, TurnFailed


class IdempotentTurn(Struct):
    """One try of a turn under a key; without a key nothing is kept.

    A turn that failed or was cut off gives the key back: the next try of the same request goes on with the same turn. What
    a store that does not answer keeps from being kept is tried again the same way.
    """

    keys: IdempotencyKeys | None = None
    attempt: Attempt | None = None
    _has_failed: bool = False

    def track_failure(self, events: Iterable[TurnEvent]) -> Iterator[TurnEvent]:
        """The turn's events, on their way to be rendered."""
        for event in events:
            self._has_failed = self._has_failed or isinstance(event, TurnFailed)
            yield event

    def run(self, make: Callable[[], str]) -> str:
        """The JSON text that `make` gives, kept. Raises what it raises."""
        is_done = False
        try:
            text = make()
            is_done = True
        finally:
            if not is_done:
                self._release()
        self._keep(JSON, text)
        return text

    def streamed(self, pieces: Generator[str], content_type: str) -> Generator[str]:
        """The pieces; all of them together are kept after the last one."""
        parts: list[str] = []
        is_done = False
        try:
            with closing(pieces):
                for piece in pieces:
                    parts.append(piece)
                    yield piece
            is_done = not self._has_failed
        finally:
            if not is_done:
                self._release()
        if is_done:
            self._keep(content_type, "".join(parts))

    def _keep(self, content_type: str, text: str) -> None:
        if self.keys is not None and self.attempt is not None:
            with suppress(UnavailableError):
                self.keys.keep(self.attempt, KeptAnswer(200, content_type, text))

    def _release(self) -> None:
        if self.keys is not None and self.attempt is not None:
            with suppress(UnavailableError):
                self.keys.release(self.attempt, is_settled=False)
