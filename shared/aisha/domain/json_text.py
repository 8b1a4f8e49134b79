"""JSON as a compact text."""

import json
from typing import Any

import msgspec

_encode = msgspec.json.Encoder(enc_hook=str).encode
_encode_in_ascii = json.JSONEncoder(separators=(",", ":"), default=str).encode


def compact_json(value: Any) -> str:
    """Return a value as JSON without spaces; what has no form in JSON is written as its text."""
    try:
        return _encode(value).decode()
    except UnicodeEncodeError:
        # Half a surrogate pair in someone's message, which can only be written as an escape.
        return _encode_in_ascii(value)
