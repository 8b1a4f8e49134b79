"""A turn's events as Server-Sent Events of any shape: the beginning, the end and errors of a stream."""

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from aisha.domain.conversations.events import TurnEvent, TurnFailed
from aisha.domain.errors import AishaError, public_error
from aisha.renderers.server_sent_events import DONE, data


class Parts(Protocol):
    """A shape: the JSON values of one answer, in their order."""

    def of(self, event: TurnEvent) -> Iterator[dict[str, Any]]:
        """Yield the parts of an event, if it has any."""
        ...

    def end(self) -> Iterator[dict[str, Any]]:
        """Yield the parts after the last event."""
        ...

    def broken_off(self, error: AishaError) -> Iterator[dict[str, Any]]:
        """Yield the parts that replace the rest after an error."""
        ...


def turn_stream(events: Iterable[TurnEvent], renderer: Parts) -> Iterator[str]:
    """Yield the events of the stream, ending with `[DONE]`.

    An error before anything was sent is raised. A later one is sent as parts and ends the stream; then it is raised,
    for the log.
    """
    has_begun = False
    try:
        for event in events:
            for part in renderer.of(event):
                yield data(part)
                has_begun = True
            if isinstance(event, TurnFailed):
                raise event.error
    except Exception as error:
        # The caller can still answer with an error status, which is sent with the first part.
        if not has_begun:
            raise
        for part in renderer.broken_off(public_error(error)):
            yield data(part)
        yield DONE
        raise
    for part in renderer.end():
        yield data(part)
    yield DONE
