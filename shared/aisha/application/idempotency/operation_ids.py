"""Ids of the entries that an operation creates, which a repeated operation recognises."""

import hashlib
import re
from time import time_ns

from ulid import ULID

SUFFIX_LENGTH = 16
"""The characters of a ULID after those of its time."""
_NUMBER = re.compile(r"\.(\d{1,4})$")
_TIME_BYTES = 6


def operation_ulid(operation_id: str, step: str, place: int = 0) -> str:
    """Return a ULID of the current time whose other characters depend only on the operation, the step and the place.

    ULIDs of the same millisecond sort by the number at the end of the operation's id, then by `place`.
    """
    number = int(match[1]) if (match := _NUMBER.search(operation_id)) else 0
    rest = hashlib.sha256(f"{operation_id}\n{step}\n{place}".encode()).digest()
    # 16 bytes: 6 of the time, 2 of the operation's number, 2 of the place, 6 of the hash.
    now = (time_ns() // 1_000_000).to_bytes(_TIME_BYTES)
    return str(ULID.from_bytes(now + number.to_bytes(2) + place.to_bytes(2) + rest[:6]))


def sibling_ulid(ulid: str, step: str) -> str:
    """Return a ULID with the same time as this one, which depends only on it and the step."""
    rest = hashlib.sha256(f"{ulid}\n{step}".encode()).digest()
    return str(ULID.from_bytes(ULID.from_str(ulid).bytes[:_TIME_BYTES] + rest[:10]))
