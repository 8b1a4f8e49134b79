"""What a user or a tenant has besides CRM records: preferences, sticky notes, receipts, suggestions, notifications."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct, field

PROFILE = "profile"
"""Kind and id of a tenant's one profile entry, which is the tenant's own."""


class Entry(Struct, frozen=True):
    """One thing kept under a kind. Ids sort in the order in which a list shows them, e.g. `note_<ULID>` by time.

    `body` is JSON. `version` counts the saves. After `expires_at` the entry no longer exists.
    """

    kind: str
    id: str
    body: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime
    version: int = 1
    expires_at: datetime | None = None


class EntryPage(Struct, frozen=True):
    """`next_cursor` is None on the last page."""

    items: list[Entry] = field(default_factory=list)
    next_cursor: str | None = None
