"""Join what was told of an activity with the order to log it."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.activities.logs import type_logged
from aisha.adapters.llm.planner.dialogue.segments.slots import begins_as_order
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment

_NEWS = frozenset(("report", "context", "create_activity", "complete_activity"))
"""Acts that sentences such as "had a call with Ann" are read as."""
_LOGGING = _NEWS | {"create_note", "take_up"}


def with_logs(segments: Sequence[Segment], now: datetime) -> Iterator[Segment]:
    """Yield the segments; an order to log an activity is one with what was told of that before it."""
    waiting: Segment | None = None
    for segment in segments:
        joined = waiting.followed_by(segment) if waiting is not None and _is_news(waiting) else segment
        is_bare = not any(one.tag in ("name", "org", "new") for one in segment.spans)
        whole = joined if is_bare else segment
        if segment.act in _LOGGING and type_logged(Ask(whole, now)):
            waiting = waiting if whole is segment else None
            # The verb and what it is about say more than a reading as a note.
            sure = max(segment.probability, policy.SURE_PROBABILITY)
            segment = replace(whole, act="create_activity", probability=sure, others=(), is_disputed=False)
        if waiting is not None:
            yield waiting
        waiting = segment
    if waiting is not None:
        yield waiting


def _is_news(segment: Segment) -> bool:
    return segment.act in _NEWS and not begins_as_order(segment)
