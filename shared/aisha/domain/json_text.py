"""JSON written as a compact text, and read without infinities: `1e999` is valid JSON, but no number to write again."""

import json
from codecs import BOM_UTF8
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
