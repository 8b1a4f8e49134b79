"""`{name}` in paths, queries, bodies and headers: which names a template needs, and the template with their values."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from aisha.domain.errors import InvalidInputError

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_SEPARATORS = re.compile(r"[/\\]")
ABSENT: Final = object()
"""What a template is whose value was not given: it is left out of the query or the body that it stands in."""


def names_in(template: Any) -> Iterator[str]:
    """The names that a template, or any part of a nested one, asks for."""
    if isinstance(template, str):
        yield from _PLACEHOLDER.findall(template)
    elif isinstance(template, Mapping | list):
        for part in template.values() if isinstance(template, Mapping) else template:
            yield from names_in(part)


def filled(template: Any, values: Mapping[str, Any]) -> Any:
    """The template with its values; a text that is one placeholder alone becomes the value itself, whatever its type."""
    if isinstance(template, Mapping):
        members = {key: filled(part, values) for key, part in template.items()}
        return {key: value for key, value in members.items() if value is not ABSENT}
    if isinstance(template, list):
        return [value for part in template if (value := filled(part, values)) is not ABSENT]
    if not isinstance(template, str):
        return template
    if any(name not in values for name in names_in(template)):
        return ABSENT
    if alone := _PLACEHOLDER.fullmatch(template):
        return values[alone[1]]
    return _PLACEHOLDER.sub(lambda match: as_text(values[match[1]]), template)


def filled_path(template: str, values: Mapping[str, Any]) -> str:
    """The path with percent-encoded values. Raises `InvalidInputError` for a value that would lead elsewhere."""
    return _PLACEHOLDER.sub(lambda match: _segment(match[1], as_text(values[match[1]])), template)


def _segment(name: str, value: str) -> str:
    # Dots are legal in a path and some servers decode %2F before they resolve "..": both are refused.
    if not value.strip() or any(part in (".", "..") for part in _SEPARATORS.split(value)):
        raise InvalidInputError(f"{name}: this can't be part of an address", pointer=f"/{name}")
    return quote(value, safe="")


def as_text(value: Any) -> str:
    """A value inside a text, as JSON writes it; texts are themselves."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def query_pairs(template: Mapping[str, str], values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Names and values of a query string: a list's items each under its name, what was not given left out."""
    pairs: list[tuple[str, str]] = []
    for name, value in filled(template, values).items():
        pairs += [(name, as_text(item)) for item in (value if isinstance(value, list) else [value])]
    return pairs
