"""What an audit entry keeps of large arguments and receipts, so that it always fits: a call is recorded whatever is in it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

ARGUMENT_BYTES = 60_000
RECEIPT_BYTES = 200_000
"""An item of the log holds 400 KB, and up to 25 entries without receipts go into one transaction of 4 MB."""
_TEXT = 2000
_SHORT_TEXT = 200


def fitting_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, long texts shortened; when even that is too much, their SHA-256 and size stand for them."""
    for most in (_TEXT, _SHORT_TEXT):
        kept: dict[str, Any] = _shortened(dict(arguments), most)
        if _size(kept) <= ARGUMENT_BYTES:
            return kept
    text = _text(arguments)
    return {
        "cut": True,
        "bytes": len(text),
        "sha256": hashlib.sha256(text).hexdigest(),
        "names": sorted(arguments)[:50],
    }


def fitting_receipts(receipts: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """The receipts whole; when they are too large with shortened texts, then without before and after, then the first."""
    if _size(receipts) <= RECEIPT_BYTES:
        return tuple(receipts)
    shortened: list[dict[str, Any]] = _shortened(list(receipts), _SHORT_TEXT)
    if _size(shortened) <= RECEIPT_BYTES:
        return tuple(shortened)
    bare = [{"action": one["action"], "entity": one["entity"], "cut": True} for one in shortened]
    while bare and _size(bare) > RECEIPT_BYTES:
        del bare[len(bare) // 2 :]
    return tuple(bare)


def _shortened(value: Any, most: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= most else f"{value[:most]}… ({len(value)} characters)"
    if isinstance(value, Mapping):
        return {str(key)[:_SHORT_TEXT]: _shortened(item, most) for key, item in value.items()}
    return [_shortened(item, most) for item in value] if isinstance(value, list | tuple) else value


def _text(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), default=str).encode()


def _size(value: Any) -> int:
    return len(_text(value))
