"""A model that sends one piece of text and then waits for the test."""

import threading
from collections.abc import Iterator

from aisha.domain.errors import AishaError
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk

MAX_WAIT_SECONDS = 10.0
"""Longer than any test needs: a test that never sets `resume` fails instead of hanging."""


class WaitingModel:
    """Sends the rest, or raises `error`, after `resume` is set; sets `closed` when its stream is closed early."""

    def __init__(self, *pieces: str, error: Exception | None = None) -> None:
        self._pieces, self._error = pieces, error
        self.resume, self.closed = threading.Event(), threading.Event()

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        first, *rest = self._pieces
        try:
            yield TextChunk(first)
            if not self.resume.wait(MAX_WAIT_SECONDS):
                raise AishaError("The test did not set `resume`.")
            if self._error is not None:
                raise self._error
            for piece in rest:
                yield TextChunk(piece)
            yield ModelFinished("waiting", "waiting-1")
        except GeneratorExit:
            self.closed.set()
            raise
