"""Find lengths of time, as opposed to points in time: "for 45 minutes", "an hour and a half"."""

from bisect import bisect_right
from collections.abc import Iterator
from datetime import UTC, datetime

from aisha.domain.dates.lengths import Length, read_length
from aisha.domain.dates.parsing import find_times
from aisha.domain.dates.tokens import Tokens, ends_freely, split, starts_freely, word_at

_ANY_DAY = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)
"""Any day: the place of a time in a text does not depend on it."""
_REPEATING = frozenset(("once", "twice", "times", "per", "every", "each"))
"""After these words a unit is no length: "twice a week"."""
_RELATIVE = frozenset(("before", "after", "earlier", "prior", "early", "late", "old", "ago"))
"""Before these words a length is a distance: "two hours before the meeting"."""

Duration = tuple[int, int, int]
"""Start and end in the text, and the length in minutes."""


def find_durations(text: str) -> list[Duration]:
    """Return the lengths of time in `text`, in order. Leave out those that are times: "in 20 minutes", "3 days ago".

    A day has 1,440 minutes, a month 30 days and a year 365.
    """
    times = find_times(text, _ANY_DAY)
    starts = [span.start for span in times]
    tokens = split(text)
    durations = []
    for first, after, length in _lengths(tokens):
        start, end = tokens[first].start, tokens[after - 1].end
        place = bisect_right(starts, start)
        is_time = (place and times[place - 1].end > start) or (place < len(times) and starts[place] < end)
        if not is_time and word_at(tokens, after) not in _RELATIVE:
            durations.append((start, end, length.minutes))
    return durations


def find_lengths(text: str) -> list[tuple[int, int, Length]]:
    """Return the lengths of time in `text`, in order, also those that are times, with where they start and end."""
    tokens, lengths, place = split(text), list[tuple[int, int, Length]](), 0
    while place < len(tokens):
        length = read_length(tokens, place)
        if length is not None:
            lengths.append((tokens[place].start, tokens[length[1] - 1].end, length[0]))
        place = length[1] if length else place + 1
    return lengths


def _lengths(tokens: Tokens) -> Iterator[tuple[int, int, Length]]:
    """Generate the lengths with the places of their first token and of the one after."""
    place = 0
    while place < len(tokens):
        parsed = read_length(tokens, place) if starts_freely(tokens, place) else None
        if parsed and ends_freely(tokens, parsed[1]) and word_at(tokens, place - 1) not in _REPEATING:
            yield place, parsed[1], parsed[0]
            place = parsed[1]
        else:
            place += 1
