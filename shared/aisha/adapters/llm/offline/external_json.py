"""Words for JSON of another system, of which nothing is known: no record of ours, no schema."""

from collections.abc import Iterator, Mapping
from typing import Any

from aisha.adapters.llm.offline.phrasing import words

_NAMES = ("display_name", "name", "title", "subject", "label", "number")
_LISTS = ("items", "data", "results", "records")
_MOST = 10
_YES_NO = {True: "Yes.", False: "No."}
NOTHING = "Nothing was found."


def is_record(value: Any) -> bool:
    """True for a record as our own tools return it."""
    return isinstance(value, Mapping) and "entity_type" in value and isinstance(value.get("display_name"), str)


def worded(value: Any) -> str:
    """A list as numbered lines, an object as labelled values, anything else as it is. Ids are left out."""
    if isinstance(value, list):
        return _listed(value)
    if not isinstance(value, Mapping):
        return _YES_NO[value] if isinstance(value, bool) else str(value) if value not in (None, "") else "Done."
    listed = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
    if listed is not None:
        return _listed(listed)
    lines = [f"- {words(name).capitalize()}: {text}" for name, text in _members(value)]
    return "\n".join(lines[:_MOST]) or "Done."


def _listed(items: list[Any]) -> str:
    lines = [f"{place}. {_line(item)}" for place, item in enumerate(items[:_MOST], 1)]
    if len(items) > _MOST:
        lines.append(f"and {len(items) - _MOST} more")
    return "\n".join(lines) or NOTHING


def _line(item: Any) -> str:
    if not isinstance(item, Mapping):
        return ", ".join(map(str, item)) if isinstance(item, list) else str(item)
    members = dict(_members(item))
    named = next((name for name in _NAMES if name in members), None)
    first = [f"**{members.pop(named)}**"] if named else []
    return ", ".join([*first, *(f"{words(name)}: {text}" for name, text in members.items())]) or "an entry"


def _members(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, item in value.items():
        if name.lower() == "id" or name.endswith(("_id", "Id")) or item in (None, ""):
            continue
        if isinstance(item, Mapping):
            item = next((item[known] for known in _NAMES if isinstance(item.get(known), str)), None)
        if isinstance(item, bool):
            item = "yes" if item else "no"
        if isinstance(item, str | int | float):
            yield name, str(item)
