"""Reduction of large arguments and receipts, so that every call fits into an entry of the audit log."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from aisha.domain.json_values import compact_json

MAX_ARGUMENT_BYTES = 60_000
MAX_RECEIPT_BYTES = 200_000
"""DynamoDB takes 400 KB per item, and 4 MB per transaction with up to 25 entries, of which one has receipts."""
_MAX_TEXT_LENGTH = 2000
_SHORT_TEXT_LENGTH = 200


def fit_arguments(arguments: Mapping[str, Any], max_bytes: int = MAX_ARGUMENT_BYTES) -> dict[str, Any]:
    """Return the arguments with long texts shortened; if they are still too large, their SHA-256, size and names."""
    for max_length in (_MAX_TEXT_LENGTH, _SHORT_TEXT_LENGTH):
        shortened: dict[str, Any] = _shorten(dict(arguments), max_length)
        if _size(shortened) <= max_bytes:
            return shortened
    text = _encode(arguments)
    return {
        "cut": True,
        "bytes": len(text),
        "sha256": hashlib.sha256(text).hexdigest(),
        "names": sorted(arguments)[:50],
    }


def fit_receipts(receipts: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """Return the receipts as far as they fit: whole, with shortened texts, without fields, or only the first ones."""
    if _size(receipts) <= MAX_RECEIPT_BYTES:
        return tuple(receipts)
    shortened: list[dict[str, Any]] = _shorten(list(receipts), _SHORT_TEXT_LENGTH)
    if _size(shortened) <= MAX_RECEIPT_BYTES:
        return tuple(shortened)
    bare = [{"action": receipt["action"], "entity": receipt["entity"], "cut": True} for receipt in shortened]
    while bare and _size(bare) > MAX_RECEIPT_BYTES:
        # Halved rather than shortened one by one: each size is measured by encoding all of them.
        del bare[len(bare) // 2 :]
    return tuple(bare)


def _shorten(value: Any, max_length: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= max_length else f"{value[:max_length]}… ({len(value)} characters)"
    if isinstance(value, Mapping):
        return {str(key)[:_SHORT_TEXT_LENGTH]: _shorten(item, max_length) for key, item in value.items()}
    return [_shorten(item, max_length) for item in value] if isinstance(value, list | tuple) else value


def _encode(value: Any) -> bytes:
    return compact_json(value).encode()


def _size(value: Any) -> int:
    return len(_encode(value))
