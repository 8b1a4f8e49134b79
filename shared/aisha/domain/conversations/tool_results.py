"""Read records and receipts from the results of tools."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from aisha.domain.conversations.conversation import SessionEntity
from aisha.domain.crm.records import RECORD_TYPES, Record
from aisha.domain.tools import ToolResult

# Shorter words, such as initials, would match anywhere.
_MIN_ALIAS_LENGTH = 3
# Another system's JSON may be nested without end.
_MAX_DEPTH = 8
_WORD = re.compile(r"[^\W_]+")


def aliases_of(name: str, *more: str | None) -> tuple[str, ...]:
    """Return, in lower case, the full name, each word of it with 3 letters or more, company and email."""
    lowered = name.lower()
    words = (word for word in _WORD.findall(lowered) if len(word) >= _MIN_ALIAS_LENGTH)
    aliases = dict.fromkeys((lowered, *words, *(text.lower() for text in more if text)))
    return tuple(alias for alias in aliases if alias)


def entity_of_record(record: Record) -> SessionEntity:
    """Return a record as an entity of a session."""
    name = record.display_name
    aliases = aliases_of(name, getattr(record, "company", None), getattr(record, "email", None))
    return SessionEntity(record.id, record.entity_type, name, aliases)


def entities_in(value: Any, depth: int = 0) -> Iterator[SessionEntity]:
    """Yield every record in a tool's result, whole or as a reference, in its order; some come twice."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        if (entity := entity_in(value)) is not None:
            yield entity
        for item in value.values():
            if isinstance(item, dict | list):
                yield from entities_in(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            yield from entities_in(item, depth + 1)


def found_in(result: ToolResult) -> tuple[SessionEntity, ...]:
    """Return the records in a call's result, which are extracted once and then stored in it."""
    # Several steps of a turn ask for them, and a list may have fifty records.
    if result.entities is None:
        result.entities = tuple(entities_in(result.value))
    return result.entities


def receipts_in(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the receipts of a write's result, in its order. Another system's JSON may have members of their name."""
    if not isinstance(value, dict):
        return
    listed, items = value.get("receipts"), value.get("items")
    # One write has `receipt`, a conversion `receipts`, a bulk write one in each of its `items`.
    for receipt in (value.get("receipt"), *(listed if isinstance(listed, list) else ())):
        if isinstance(receipt, dict) and _is_receipt(receipt):
            yield receipt
    for item in items if isinstance(items, list) else ():
        yield from receipts_in(item)


def _is_receipt(value: Mapping[str, Any]) -> bool:
    entity = value.get("entity")
    return "action" in value and isinstance(entity, dict) and {"id", "type", "name"} <= entity.keys()


def entity_in(value: Mapping[str, Any]) -> SessionEntity | None:
    """Return the record that a JSON object is, if it is one.

    A whole record has `entity_type`, `id` and `display_name`; a reference has `type`, `id` and `name`.
    """
    if (record := _record_in(value)) is None:
        return None
    record_id, kind, name = record
    more = (text if isinstance(text := value.get(field), str) else None for field in ("company", "email"))
    return SessionEntity(record_id, kind, name, aliases_of(name, *more), _moment(value.get("updated_at")))


def record_id_in(value: Any) -> str | None:
    """Return the id of the record that a JSON value is, if it is one."""
    record = _record_in(value) if isinstance(value, dict) else None
    return record[0] if record is not None else None


def _record_in(value: Mapping[str, Any]) -> tuple[str, str, str] | None:
    """Return a record's id, type and name."""
    record_id = value.get("id")
    if not isinstance(record_id, str):
        return None
    # Whole records name their type `entity_type`, since `type` may be a field of theirs.
    if "entity_type" in value:
        kind, name = value["entity_type"], value.get("display_name")
    else:
        kind, name = value.get("type"), value.get("name")
    if not isinstance(kind, str) or kind not in RECORD_TYPES or not isinstance(name, str) or not name:
        return None
    return record_id, kind, name


def _moment(text: Any) -> datetime | None:
    """Return an instant of a record's JSON. Another system's JSON may have anything there."""
    try:
        moment = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return moment if moment is not None and moment.tzinfo is not None else None
