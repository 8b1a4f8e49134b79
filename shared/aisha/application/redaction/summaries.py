"""Results of tool calls: one line for people and later turns, and the JSON that a model gets."""

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from aisha.application.redaction.masking import (
    masked_contacts,
    masked_number,
    parsed_json,
    with_masked_names,
    without_numbers,
)
from aisha.application.redaction.safe_text import safe_text
from aisha.domain.conversations.conversation import ToolSummary
from aisha.domain.conversations.tool_results import found_in, receipts_in
from aisha.domain.errors import NotFoundError, PermissionDeniedError
from aisha.domain.json_values import compact_json
from aisha.domain.tools import ToolCall, ToolStatus
from aisha.domain.wording import truncate

SENSITIVE = frozenset(("password", "apikey", "ssn", "creditcard"))
"""Fields that no model gets and no audit entry stores (A-143), as `field_keys` writes names."""
_LABELS = ("name", "field", "key")
_CONTENTS = frozenset(("value", "values", "before", "after", "old", "new"))
"""Members of a list of fields with their names and values: `[{"name": "ssn", "value": "123"}]`."""
_MAX_NAMES = 5
_MAX_LENGTH = 160


def line(call: ToolCall) -> str:
    """Return one sentence without a full stop; that of a call that has ended is then stored in its result.

    E.g. `found 3: Jack Russel, Ann Lee, Bo Ray` or `created activity Call Jack`.
    """
    result = call.result
    if result.status is ToolStatus.PENDING:
        return "waits for the user's confirmation"
    if result.line is None:
        result.line = safe_text(without_numbers(_describe(call)))
    return result.line


def _describe(call: ToolCall) -> str:
    result = call.result
    if not result.ok:
        return f"failed: {(result.error or {}).get('message', 'it was not run')}"
    value = result.value
    if receipts := list(receipts_in(value)):
        return _format_receipts([(receipt["action"], receipt["entity"]) for receipt in receipts])
    if isinstance(value, Mapping) and isinstance(items := value.get("items"), list):
        return _format_list(value, items)
    if isinstance(value, Mapping) and "entity_type" in value:
        return f"read {value['entity_type']} {value.get('display_name', '')}"
    if isinstance(value, Mapping):
        # The line is stored and shown to models: it must hold no more than they may see.
        members = without_sensitive(value, call.sensitive)
        parts = [part for name, member in members.items() if (part := _format_member(name, member))]
        return truncate(", ".join(parts), _MAX_LENGTH) or "done"
    return truncate(str(value), _MAX_LENGTH) if value not in (None, "", []) else "done"


def _format_member(name: str, value: Any) -> str:
    """Return `overdue: 2` or `total: 5`; a text is left out, because it may be an id."""
    label = name.replace("_", " ")
    if isinstance(value, list):
        return f"{label}: {len(value)}"
    return f"{label}: {value}" if isinstance(value, int | float) else ""


def _format_receipts(steps: list[tuple[str, Mapping[str, Any]]]) -> str:
    parts: dict[str, list[str]] = {}
    for action, entity in steps:
        parts.setdefault(f"{action} {entity['type']}", []).append(str(entity["name"]))
    return truncate("; ".join(f"{action} {_names(names)}" for action, names in parts.items()), 2 * _MAX_LENGTH)


def _format_list(value: Mapping[str, Any], items: list[Any]) -> str:
    total = value.get("total")
    count = total if total is not None else f"at least {len(items)}" if value.get("next_cursor") else len(items)
    names = [str(item.get("display_name") or item.get("name") or "") for item in items if isinstance(item, Mapping)]
    return f"found {count}: {_names(names)}" if any(names) else f"found {count}"


def _names(names: list[str]) -> str:
    more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
    return ", ".join(names[:_MAX_NAMES]) + more


def summary(call: ToolCall) -> ToolSummary:
    """Return the call as later turns get it, with at most 5 of the records in its result."""
    entities = {entity.id: entity for entity in found_in(call.result)} if call.result.ok else {}
    arguments = without_sensitive(call.arguments, call.sensitive)
    return ToolSummary(
        call.id, call.name, arguments, str(call.result.status), line(call), tuple(entities.values())[:_MAX_NAMES]
    )


def shown_to_model(call: ToolCall) -> str:
    """Return the content of the `tool` message that answers a call, as JSON.

    A success is the tool's value without sensitive fields, and with contact data masked if the tenant says so; a
    failure has one of the three shapes of A-150, A-152, A-154.
    """
    content = without_sensitive(call.result.value if call.result.ok else _failure(call), call.sensitive)
    content = masked_contacts(content) if call.masks_contacts else content
    return compact_json(content) if call.result.ok else json.dumps(content, ensure_ascii=False)


def _failure(call: ToolCall) -> dict[str, Any]:
    error, members = call.result.exception, call.result.error or {}
    if isinstance(error, NotFoundError) and members.get("entity_type"):
        return {
            "error": "Entity not found",
            "entity_type": members["entity_type"],
            "entity_id": members.get("entity_id"),
        }
    if isinstance(error, PermissionDeniedError):
        return {"error": "Permission denied", "tool": call.name, "reason": members.get("message")}
    shape = {"error": "Tool execution failed", "tool": call.name, "reason": members.get("message")}
    return shape | ({"suggestion": members["suggestion"]} if members.get("suggestion") else {})


def field_keys(names: Iterable[str]) -> frozenset[str]:
    """Return names of fields in the form in which they are compared: `API-Key`, `apiKey` and `api_key` are equal."""
    return frozenset(key for name in names if (key := _key(name)))


@lru_cache(maxsize=4096)
def _key(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def without_sensitive(value: Any, more: frozenset[str] = frozenset()) -> Any:
    """Return the value without fields of sensitive names, at any depth; `more` are further names, as of `field_keys`.

    Card and social security numbers are replaced in every text, also in a text that is JSON.
    """
    return _without(value, SENSITIVE | more)


def _without(value: Any, names: frozenset[str]) -> Any:
    if isinstance(value, str):
        return _text_without(value, names)
    if value is None or isinstance(value, int | float):
        return masked_number(value, without_numbers)
    # Nearly all are dicts, for which asking the abstract class would take most of the time here.
    if type(value) is dict or isinstance(value, Mapping):
        # A list of fields, such as a record's history, names the field in one member and has its value in another.
        hidden = _CONTENTS if _is_labelled(value, names) else ()
        members = {
            key: _without(item, names)
            for key, item in value.items()
            if _key(str(key)) not in names and key not in hidden
        }
        return with_masked_names(members, without_numbers)
    return [_without(item, names) for item in value] if isinstance(value, list | tuple) else value


def _text_without(text: str, names: frozenset[str]) -> str:
    """Redact a text, also when it is JSON, as in other systems' answers."""
    parsed = parsed_json(text)
    if parsed is not None and (redacted := _without(parsed, names)) != parsed:
        return json.dumps(redacted, ensure_ascii=False)
    return without_numbers(text)


def _is_labelled(value: Mapping[Any, Any], names: frozenset[str]) -> bool:
    if _CONTENTS.isdisjoint(value):
        return False
    return any(isinstance(label := value.get(name), str) and _key(label) in names for name in _LABELS)
