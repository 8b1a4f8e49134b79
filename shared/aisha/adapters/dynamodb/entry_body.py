"""What an entry's body must be to be kept. Pure: no storage here."""

import json
from collections.abc import Mapping
from typing import Any

from aisha.domain.errors import InvalidInputError, PayloadTooLargeError

MOST_BYTES = 380_000
"""Of a body: DynamoDB takes 400 KB an item, keys and all."""
LONGEST_ID = 200


def checked_body(entry_id: str, body: Mapping[str, Any]) -> str:
    """The body as JSON. Raises `InvalidInputError`, `PayloadTooLargeError`."""
    if not 0 < len(entry_id) <= LONGEST_ID:
        raise InvalidInputError(f"An id has 1 to {LONGEST_ID} characters.", pointer="/id")
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    if len(text.encode()) > MOST_BYTES:
        raise PayloadTooLargeError("This is too long to keep. Shorten it.")
    return text
