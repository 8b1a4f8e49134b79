"""A model that says one piece and then waits until the test lets it go on."""

import threading
from collections.abc import Iterator

from aisha.domain.errors import AishaError
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk

SECONDS = 10.0
"""Longer than any test needs; a test that does not let go fails here and does not hang."""


class WaitingModel:
    """`go_on` releases the rest; `error` is raised instead of it; `left` is set when nobody wants the rest."""

    def __init__(self, *pieces: str, error: Exception | None = None) -> None:
        self._pieces, self._error = pieces, error
        self.go_on, self.left = threading.Event(), threading.Event()

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        first, *rest = self._pieces
        try:
            yield TextChunk(first)
            if not self.go_on.wait(SECONDS):
                raise AishaError("The test did not let the model go on.")
            if self._error is not None:
                raise self._error
            for piece in rest:
                yield TextChunk(piece)
            yield ModelFinished("waiting", "waiting-1")
        except GeneratorExit:
            self.left.set()
            raise
