"""What an answer rests on: the records and documents that the turn's reads brought (N-036)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aisha.application.turn.entities import found_in
from aisha.domain.events import Source
from aisha.domain.tools import ToolCall

MOST = 10
_DOCUMENTS = "documents"
"""The toolkit whose results are documents."""


def sources_of(calls: Sequence[ToolCall]) -> tuple[Source, ...]:
    """At most ten, each once, in the order in which they were read; what was written is no source."""
    found: dict[tuple[str, str], Source] = {}
    for call in calls:
        if call.spec is not None and call.result.ok and call.spec.access == "read":
            for source in _of(call):
                found.setdefault((source.type, source.id), source)
    return tuple(found.values())[:MOST]


def _of(call: ToolCall) -> Iterator[Source]:
    if call.spec is not None and call.spec.toolkit == _DOCUMENTS:
        yield from map(_document, _documents(call.result.value))
        return
    for entity in found_in(call.result):
        yield Source(entity.type, entity.id, entity.name, f"{entity.type.capitalize()}, from {call.name}")


def _documents(value: Any) -> Iterator[Mapping[str, Any]]:
    items = value.get("items", [value]) if isinstance(value, Mapping) else []
    yield from (item for item in items if isinstance(item, Mapping) and {"id", "title"} <= item.keys())


def _document(value: Mapping[str, Any]) -> Source:
    return Source("document", str(value["id"]), str(value["title"]), str(value.get("description") or "Document"))
