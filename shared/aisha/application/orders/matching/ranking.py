"""Judge whether words mean a listed record by its size or age: "the bigger one", "the newest"."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from aisha.application.orders.matching.targets import Focus, RecordMention
from aisha.application.orders.reading.utterance import Utterance
from aisha.domain.language import lexicon
from aisha.domain.language.tokens import tokenize

_TABLES = ("orders", "sizes")


def is_ranked_first(
    record: RecordMention, utterance: Utterance, focus: Focus, stored_fields_of: Callable[[str], Mapping[str, Any]]
) -> bool:
    """Return whether a record comes first of those of its kind in the last list, by the order that was said.

    `stored_fields_of` returns the fields of a record by its id. A record with the same value makes it unclear.
    """
    kind = record.id.partition("_")[0]
    listed = [one for one in focus.last_listed if one.partition("_")[0] == kind]
    if record.id not in listed or len(listed) < 2:
        return False
    for order in _orders_said(utterance):
        field = lexicon.entries("order_fields").get(order, {}).get(kind, "")
        values = {one: _comparable(stored_fields_of(one).get(field.removeprefix("-"))) for one in listed}
        if field and None not in values.values() and len({type(one) for one in values.values()}) == 1:
            best = (max if field.startswith("-") else min)(values.values())
            return [one for one, value in values.items() if value == best] == [record.id]
    return False


def _orders_said(utterance: Utterance) -> Iterator[str]:
    """Yield the orders of references with "the" in a message: "the bigger one"."""
    for text in (text for segment in utterance.current_segments for text in segment.ask.texts("ref")):
        tokens = tokenize(text)
        if tokens and tokens[0].word == "the":
            yield from (order for table in _TABLES for order, _, _ in lexicon.placed_in(tokens, table))


def _comparable(value: Any) -> Any:
    """Return a stored number as such, also one that is stored as text; a date as its text."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return value
