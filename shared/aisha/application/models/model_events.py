"""What every model in front of another does with the other's events."""

from collections.abc import Generator, Iterator
from contextlib import closing

from aisha.domain.models import ModelEvent


def closing_events(events: Iterator[ModelEvent]) -> Iterator[ModelEvent]:
    """The events; whoever stops reading them early ends the model's call, too."""
    if not isinstance(events, Generator):
        yield from events
        return
    with closing(events):
        yield from events
