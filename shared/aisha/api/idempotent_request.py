"""A request that a client may send again under one `Idempotency-Key`: its answer is stored, as JSON or as a stream."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress

from msgspec import Struct

from aisha.api.operation import JSON
from aisha.application.idempotency.keys import Attempt, IdempotencyKeys, KeptAnswer
from aisha.domain.errors import AishaError, UnavailableError


class IdempotentRequest(Struct):
    """One try of a request under a key; without a key nothing is stored.

    A try that failed or was cut off releases the key: the next try of the same request goes on with the same operation.
    An answer that the store can't take, because it does not respond, is made again by the next try.
    """

    keys: IdempotencyKeys | None = None
    attempt: Attempt | None = None
    has_failed: bool = False
    """The turn behind a stream failed although the stream ends in order: its answer is not stored."""

    def run(self, make: Callable[[], str]) -> str:
        """Return the JSON text that `make` gives, and store it. Raises what `make` raises."""
        with self.released_on_error():
            text = make()
        self.store(KeptAnswer(200, JSON, text))
        return text

    def streamed(self, pieces: Generator[str], content_type: str) -> Generator[str]:
        """Yield the pieces; all of them together are stored after the last one."""
        parts: list[str] = []
        with closing(pieces), self.released_on_error():
            for piece in pieces:
                parts.append(piece)
                yield piece
        if self.has_failed:
            self._release(is_settled=False)
        else:
            self.store(KeptAnswer(200, content_type, "".join(parts)))

    @contextmanager
    def released_on_error(self, *, may_settle: bool = False) -> Iterator[None]:
        """Release the key when the block raises or is closed.

        With `may_settle` an error of the client's settles the key: nothing was written, so another request may use it.
        """
        try:
            yield
        except BaseException as error:
            self._release(is_settled=may_settle and isinstance(error, AishaError) and error.status < 500)
            raise

    def store(self, answer: KeptAnswer) -> None:
        """Store the answer if that is possible: what was done is not undone by a store that does not respond."""
        if self.keys is not None and self.attempt is not None:
            with suppress(UnavailableError):
                self.keys.keep(self.attempt, answer)

    def _release(self, *, is_settled: bool) -> None:
        if self.keys is not None and self.attempt is not None:
            with suppress(UnavailableError):
                self.keys.release(self.attempt, is_settled=is_settled)
