"""Ids of what an operation makes: the same operation, tried again, knows them again."""

import hashlib
import re

from ulid import ULID

SUFFIX_LENGTH = 16
"""Of a ULID's 26, those that are not its time."""
_PLACE = re.compile(r"\.(\d{1,4})$")
_TIME_BYTES = 6


def operation_ulid(operation_id: str, step: str, place: int = 0) -> str:
    """A ULID of now; its last characters follow from the operation, the step and the place alone.

    Those of one millisecond sort by the number that the operation's id ends with, then by `place`.
    """
    number = int(match[1]) if (match := _PLACE.search(operation_id)) else 0
    rest = hashlib.sha256(f"{operation_id}\n{step}\n{place}".encode()).digest()
    return str(ULID.from_bytes(ULID().bytes[:_TIME_BYTES] + number.to_bytes(2) + place.to_bytes(2) + rest[:6]))


def sibling_ulid(ulid: str, step: str) -> str:
    """The ULID of something made together with what has this one: of the same time, and always the same."""
    rest = hashlib.sha256(f"{ulid}\n{step}".encode()).digest()
    return str(ULID.from_bytes(ULID.from_str(ulid).bytes[:_TIME_BYTES] + rest[:10]))
