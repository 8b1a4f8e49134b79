"""Find the names that an order says and its calls have no place for: the second of two companies, another person."""

from collections.abc import Iterable, Sequence

from aisha.adapters.llm.planner.resolve import all_near
from aisha.adapters.llm.planner.results import PlannedCall, Results
from aisha.domain.language.acts import NAME_TAGS
from aisha.domain.language.ask import Ask


def unplaced(ask: Ask, calls: Sequence[PlannedCall], results: Results, known: Iterable[str] = ()) -> list[str]:
    """Return the names of an order that neither its calls nor the records that these are about hold.

    `known` are the names of records spoken of before.
    """
    values = [text for call in calls for text in _texts_in(call.arguments)]
    records = [record for one in values if (record := results.record(one) or results.changed(one)) is not None]
    words = " ".join((*values, *_texts_in(records), *known))
    return [one.text for one in ask.segment.spans if one.tag in NAME_TAGS and not all_near(one.text, words)]


def _texts_in(value: object) -> list[str]:
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return [text for one in inner for text in _texts_in(one)]
    return [] if value is None else [str(value)]
