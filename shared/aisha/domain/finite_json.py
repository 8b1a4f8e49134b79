"""JSON without infinities: `1e999` is valid JSON, but no number that could be written as JSON again."""

from codecs import BOM_UTF8
from math import isfinite
from typing import Any

from pydantic_core import from_json


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
