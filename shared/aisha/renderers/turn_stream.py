"""A turn's events as Server-Sent Events, whatever their shape: how a stream begins, ends and breaks off."""

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from aisha.domain.errors import AishaError, as_told
from aisha.domain.events import TurnEvent, TurnFailed
from aisha.renderers.server_sent_events import DONE, data


class Parts(Protocol):
    """The shape: the JSON values of one answer, in their order."""

    def of(self, event: TurnEvent) -> Iterator[dict[str, Any]]:
        """What an event is in it, if anything."""
        ...

    def end(self) -> Iterator[dict[str, Any]]:
        """What comes after the last event."""
        ...

    def broken_off(self, error: AishaError) -> Iterator[dict[str, Any]]:
        """What comes in place of the rest."""
        ...


def turn_stream(events: Iterable[TurnEvent], parts: Parts) -> Iterator[str]:
    """The events of the stream, ending with `[DONE]`.

    What fails before anything was sent is raised. What fails later is told and the stream is ended; then it is raised,
    for the log.
    """
    begun = False
    try:
        for event in events:
            for part in parts.of(event):
                yield data(part)
                begun = True
            if isinstance(event, TurnFailed):
                raise event.error
    except Exception as error:
        if not begun:
            raise
        for part in parts.broken_off(as_told(error)):
            yield data(part)
        yield DONE
        raise
    for part in parts.end():
        yield data(part)
    yield DONE
