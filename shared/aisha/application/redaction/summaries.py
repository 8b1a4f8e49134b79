"""What came of a tool call: in one line for people and later turns, and as the JSON that a model is shown."""

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
from aisha.domain.conversation import ToolSummary
from aisha.domain.errors import NotFoundError, PermissionDeniedError
from aisha.domain.tool_results import found_in, receipts_in
from aisha.domain.tools import ToolCall, ToolStatus

SENSITIVE = frozenset(("password", "apikey", "ssn", "creditcard"))
"""Fields that no model sees and no audit entry keeps (A-143), as `field_keys` writes names."""
_LABELS = ("name", "field", "key")
_CONTENTS = frozenset(("value", "values", "before", "after", "old", "new"))
"""How a list of fields tells their names and what is in them: `[{"name": "ssn", "value": "123"}]`."""
_NAMED = 5
_LONGEST = 160


def line(call: ToolCall) -> str:
    """One sentence without a full stop, e.g. `found 3: Jack Russel, Ann Lee, Bo Ray` or `created activity Call Jack`."""
    return without_numbers(_line(call))


def _line(call: ToolCall) -> str:
    result = call.result
    if result.status is ToolStatus.PENDING:
        return "waits for the user's confirmation"
    if not result.ok:
        return f"failed: {(result.error or {}).get('message', 'it was not run')}"
    value = result.value
    if receipts := list(receipts_in(value)):
        return _written([(receipt["action"], receipt["entity"]) for receipt in receipts])
    if isinstance(value, Mapping) and isinstance(items := value.get("items"), list):
        return _listed(value, items)
    if isinstance(value, Mapping) and "entity_type" in value:
        return f"read {value['entity_type']} {value.get('display_name', '')}"
    if isinstance(value, Mapping):
        shown = without_sensitive(value, call.sensitive)
        parts = [part for name, member in shown.items() if (part := _member(name, member))]
        return _shortened(", ".join(parts)) or "done"
    return _shortened(str(value)) if value not in (None, "", []) else "done"


def _member(name: str, value: Any) -> str:
    """`overdue: 2`, `total: 5`; a text that may be an id is left out."""
    shown = name.replace("_", " ")
    if isinstance(value, list):
        return f"{shown}: {len(value)}"
    return f"{shown}: {value}" if isinstance(value, int | float) else ""


def _written(steps: list[tuple[str, Mapping[str, Any]]]) -> str:
    parts: dict[str, list[str]] = {}
    for action, entity in steps:
        parts.setdefault(f"{action} {entity['type']}", []).append(str(entity["name"]))
    return _shortened("; ".join(f"{done} {_names(names)}" for done, names in parts.items()), 2 * _LONGEST)


def _listed(value: Mapping[str, Any], items: list[Any]) -> str:
    total = value.get("total")
    count = total if total is not None else f"at least {len(items)}" if value.get("next_cursor") else len(items)
    names = [str(item.get("display_name") or item.get("name") or "") for item in items if isinstance(item, Mapping)]
    return f"found {count}: {_names(names)}" if any(names) else f"found {count}"


def _names(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _shortened(text: str, most: int = _LONGEST) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def summary(call: ToolCall) -> ToolSummary:
    """The call as later turns see it, with at most 5 of the records it found."""
    found = {entity.id: entity for entity in found_in(call.result)} if call.result.ok else {}
    kept = tuple(found.values())[:_NAMED]
    arguments = without_sensitive(call.arguments, call.sensitive)
    return ToolSummary(call.id, call.name, arguments, str(call.result.status), line(call), kept)


def shown_to_model(call: ToolCall) -> str:
    """The content of the `tool` message that answers a call, as JSON.

    A success is the tool's value without sensitive fields, and with contact data masked where the tenant has it so; a
    failure has one of the three shapes of A-150, A-152, A-154.
    """
    told = without_sensitive(call.result.value if call.result.ok else _failure(call), call.sensitive)
    told = masked_contacts(told) if call.masks_contacts else told
    return json.dumps(told, ensure_ascii=False, separators=(",", ":") if call.result.ok else None)


def _failure(call: ToolCall) -> dict[str, Any]:
    error, known = call.result.exception, call.result.error or {}
    if isinstance(error, NotFoundError) and known.get("entity_type"):
        return {"error": "Entity not found", "entity_type": known["entity_type"], "entity_id": known.get("entity_id")}
    if isinstance(error, PermissionDeniedError):
        return {"error": "Permission denied", "tool": call.name, "reason": known.get("message")}
    shape = {"error": "Tool execution failed", "tool": call.name, "reason": known.get("message")}
    return shape | ({"suggestion": known["suggestion"]} if known.get("suggestion") else {})


def field_keys(names: Iterable[str]) -> frozenset[str]:
    """Names of fields as they are compared: `API-Key`, `apiKey` and `api_key` are one."""
    return frozenset(key for name in names if (key := _key(name)))


@lru_cache(maxsize=4096)
def _key(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def without_sensitive(value: Any, more: frozenset[str] = frozenset()) -> Any:
    """The value without fields of sensitive names, at any depth; `more` are further names, as `field_keys` writes them.

    Card and social security numbers are replaced in every text, and a text that is JSON is looked into.
    """
    return _without(value, SENSITIVE | more)


def _without(value: Any, names: frozenset[str]) -> Any:
    if isinstance(value, Mapping):
        held = _CONTENTS if _is_labelled(value, names) else ()
        shown = {
            key: _without(item, names) for key, item in value.items() if _key(str(key)) not in names and key not in held
        }
        return with_masked_names(shown, without_numbers)
    if isinstance(value, list | tuple):
        return [_without(item, names) for item in value]
    return _text_without(value, names) if isinstance(value, str) else masked_number(value, without_numbers)


def _text_without(text: str, names: frozenset[str]) -> str:
    """Other systems answer with JSON inside of a text."""
    parsed = parsed_json(text)
    if parsed is not None and (shown := _without(parsed, names)) != parsed:
        return json.dumps(shown, ensure_ascii=False)
    return without_numbers(text)


def _is_labelled(value: Mapping[Any, Any], names: frozenset[str]) -> bool:
    if _CONTENTS.isdisjoint(value):
        return False
    return any(isinstance(label := value.get(name), str) and _key(label) in names for name in _LABELS)
