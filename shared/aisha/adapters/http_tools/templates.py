"""Templates of paths, queries, bodies and headers, with placeholders such as `{name}`."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from aisha.domain.errors import InvalidInputError
from aisha.domain.json_values import texts_in

_PLACEHOLDER = re.compile(r"\{(\w+(?:\.\w+){0,2})\}")
_SEPARATORS = re.compile(r"[/\\]")
ABSENT: Final = object()
"""A template without a value: it is left out of the query or body that it is part of."""


def names_in(template: Any) -> Iterator[str]:
    """Yield the names of the placeholders in a template, or in any part of a nested one."""
    for text in texts_in(template):
        yield from _PLACEHOLDER.findall(text)


def filled(template: Any, values: Mapping[str, Any]) -> Any:
    """Return the template with its values; a text that is one placeholder alone becomes the value, with its type."""
    if isinstance(template, Mapping):
        members = {key: filled(part, values) for key, part in template.items()}
        return {key: value for key, value in members.items() if value is not ABSENT}
    if isinstance(template, list):
        return [value for part in template if (value := filled(part, values)) is not ABSENT]
    if not isinstance(template, str):
        return template
    # Half a text, such as "Dear {name}" without the name, is worse than none.
    if any(name not in values for name in names_in(template)):
        return ABSENT
    # "{amount}" becomes the number 5, not the text "5".
    if alone := _PLACEHOLDER.fullmatch(template):
        return values[alone[1]]
    return _PLACEHOLDER.sub(lambda match: as_text(values[match[1]]), template)


def filled_path(template: str, values: Mapping[str, Any]) -> str:
    """Return the path with percent-encoded values. Raises `InvalidInputError` for a value that leads elsewhere."""
    return _PLACEHOLDER.sub(lambda match: _segment(match[1], as_text(values[match[1]])), template)


def leads_elsewhere(value: str) -> bool:
    """Return whether a value as a part of a path would name no resource, or another one than it says."""
    # Dots are legal in a path and some servers decode %2F before they resolve "..": both are refused.
    return not value.strip() or any(part in (".", "..") for part in _SEPARATORS.split(value))


def _segment(name: str, value: str) -> str:
    if leads_elsewhere(value):
        raise InvalidInputError(f"{name}: this can't be part of an address", pointer=f"/{name}")
    return quote(value, safe="")


def as_text(value: Any) -> str:
    """Return a value as it stands in a text: as JSON, and texts unchanged."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def query_pairs(template: Mapping[str, str], values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the names and values of a query string; a list has one pair for each item, an absent value none."""
    pairs: list[tuple[str, str]] = []
    for name, value in filled(template, values).items():
        pairs += [(name, as_text(item)) for item in (value if isinstance(value, list) else [value])]
    return pairs
