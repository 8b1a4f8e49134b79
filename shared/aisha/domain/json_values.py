"""JSON: written as a compact text, read without infinities, and walked through at any depth."""

import json
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from math import isfinite
from typing import Any

import msgspec
from pydantic_core import from_json

_encode = msgspec.json.Encoder(enc_hook=str).encode
_encode_in_ascii = json.JSONEncoder(separators=(",", ":"), default=str).encode


def compact_json(value: Any) -> str:
    """Return a value as JSON without spaces; what has no form in JSON is written as its text."""
    try:
        return _encode(value).decode()
    except UnicodeEncodeError:
        # Half a surrogate pair in someone's message, which can only be written as an escape.
        return _encode_in_ascii(value)


def finite_json(text: str | bytes) -> Any:
    """Return the value of a JSON text, which may begin with a byte order mark, as RFC 8259 allows a reader.

    Raises `ValueError` also for `NaN`, `Infinity` and numbers beyond a float's.
    """
    text = text.removeprefix(BOM_UTF8) if isinstance(text, bytes) else text
    value = from_json(text, allow_inf_nan=False)
    if not _is_finite(value):
        raise ValueError("a number is too large")
    return value


def _is_finite(value: Any) -> bool:
    if isinstance(value, float):
        return isfinite(value)
    if isinstance(value, dict):
        return all(map(_is_finite, value.values()))
    return all(map(_is_finite, value)) if isinstance(value, list) else True


def values_in(value: Any) -> Iterator[Any]:
    """Yield a value and then all that is in it, at any depth."""
    yield value
    if isinstance(value, Mapping):
        for member in value.values():
            yield from values_in(member)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from values_in(item)


def texts_in(value: Any) -> Iterator[str]:
    """Yield the texts in a value, at any depth, without the names of members."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts_in(item)
    # Nearly all are dicts, for which asking the abstract class would take most of the time here.
    elif type(value) is dict or isinstance(value, Mapping):
        for member in value.values():
            yield from texts_in(member)


def with_texts(value: Any, change: Callable[[str], Any]) -> Any:
    """Return a value with `change` applied to each text in it, at any depth, but not to names of members."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {name: with_texts(member, change) for name, member in value.items()}
    return [with_texts(item, change) for item in value] if isinstance(value, list | tuple) else value


def repeated_members(text: str | bytes) -> list[str]:
    """Return the names that an object of a JSON text has more than once: readers take the last, without a word."""
    names: list[str] = []

    def note(members: list[tuple[str, Any]]) -> dict[str, Any]:
        names.extend(name for name, count in Counter(name for name, _ in members).items() if count > 1)
        return dict(members)

    json.loads(text, object_pairs_hook=note)
    return names


def without_none(**members: Any) -> dict[str, Any]:
    """Return an object of the members that are not None."""
    return {name: value for name, value in members.items() if value is not None}
