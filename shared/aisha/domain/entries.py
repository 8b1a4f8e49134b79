"""Data of a user or a tenant besides CRM records: preferences, sticky notes, receipts, suggestions, notifications."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from msgspec import Struct, field

from aisha.domain.errors import InvalidInputError, PayloadTooLargeError
from aisha.domain.json_values import compact_json

PROFILE = "profile"
"""Kind and id of a tenant's one profile entry, which is the tenant's own."""
MAX_BODY_BYTES = 380_000
"""A DynamoDB item takes 400 KB including its keys."""
# A part of the sort key, for which DynamoDB takes 1,024 bytes.
MAX_ID_LENGTH = 200
MAX_ENTRIES = 100
"""Entries that are read or saved at once: the limit of DynamoDB's BatchGetItem and TransactWriteItems."""


class Entry(Struct, frozen=True):
    """A JSON document stored under a kind. Lists are sorted by id, e.g. `note_<ULID>` by time.

    `version` counts the saves. After `expires_at` the entry no longer exists.
    """

    kind: str
    id: str
    body: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime
    version: int = 1
    expires_at: datetime | None = None


class EntryKey(NamedTuple):
    """The place of an entry in a tenant; `owner` is None for an entry of the whole tenant."""

    owner: str | None
    kind: str
    id: str


class EntryPut(Struct, frozen=True):
    """One save of several; see `EntryRepository.put` for the options."""

    key: EntryKey
    body: Mapping[str, Any]
    expected_version: int | None = None
    expires_at: datetime | None = None


class EntryPage(Struct, frozen=True):
    """One page of entries; `next_cursor` is None on the last one."""

    items: list[Entry] = field(default_factory=list)
    next_cursor: str | None = None


def is_entry_id(entry_id: str) -> bool:
    """Return whether an entry can be stored under this id."""
    return 0 < len(entry_id) <= MAX_ID_LENGTH


def encode_body(entry_id: str, body: Mapping[str, Any]) -> str:
    """Return the body as JSON. Raises `InvalidInputError` for the id, `PayloadTooLargeError` for the body."""
    if not is_entry_id(entry_id):
        raise InvalidInputError(f"An id must have 1 to {MAX_ID_LENGTH} characters.", pointer="/id")
    # Measured as stored: what is short as an object may be long in UTF-8.
    text = compact_json(body)
    if len(text.encode()) > MAX_BODY_BYTES:
        raise PayloadTooLargeError("This is too long to keep. Shorten it.")
    return text
