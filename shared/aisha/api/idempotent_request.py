"""A request that a client may repeat under one `Idempotency-Key`: its answer is stored, as JSON or as a stream."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress

from msgspec import Struct

from aisha.api.operation import JSON
from aisha.application.idempotency.keys import Attempt, IdempotencyKeys, StoredAnswer
from aisha.domain.errors import AishaError, UnavailableError


class IdempotentRequest(Struct):
    """One attempt at a request under a key; without a key nothing is stored.

    An attempt that fails or is cut off releases the key, and the next attempt at the same request continues its
    operation. So does the next attempt when the store does not respond and the answer can't be stored.
    """

    keys: IdempotencyKeys | None = None
    attempt: Attempt | None = None
    has_failed: bool = False
    """True when the turn failed although its stream ended regularly: the answer is not stored."""

    def run(self, make: Callable[[], str]) -> str:
        """Return the JSON text that `make` returns, and store it. Raises what `make` raises."""
        with self.released_on_error():
            text = make()
        # After `make`: an answer is stored as a whole or not at all.
        self.store(StoredAnswer(200, JSON, text))
        return text

    def streamed(self, pieces: Generator[str], content_type: str) -> Generator[str]:
        """Yield the pieces and store them as one text after the last one."""
        parts: list[str] = []
        with closing(pieces), self.released_on_error():
            for piece in pieces:
                parts.append(piece)
                yield piece
        # After the block: an error of the store must not release the key of an answer that was sent.
        if self.has_failed:
            self._release(is_settled=False)
        else:
            self.store(StoredAnswer(200, content_type, "".join(parts)))

    @contextmanager
    def released_on_error(self, *, may_settle: bool = False) -> Iterator[None]:
        """Release the key when the block raises or its generator is closed.

        With `may_settle` a client error (status below 500) frees the key for other requests, because nothing was
        written.
        """
        try:
            yield
        # Also GeneratorExit, which ends a stream whose client has disconnected.
        except BaseException as error:
            self._release(is_settled=may_settle and isinstance(error, AishaError) and error.status < 500)
            raise

    def store(self, answer: StoredAnswer) -> None:
        """Store the answer. An unavailable store is ignored, because the operation itself is done."""
        if self.keys is not None and self.attempt is not None:
            with suppress(UnavailableError):
                self.keys.keep(self.attempt, answer)

    def _release(self, *, is_settled: bool) -> None:
        if self.keys is not None and self.attempt is not None:
            with suppress(UnavailableError):
                self.keys.release(self.attempt, is_settled=is_settled)
