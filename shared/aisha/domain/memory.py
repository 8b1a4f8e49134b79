"""The assistant's memory of earlier work: pieces of text on changes of records and their outcomes."""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct, field

from aisha.domain.errors import InvalidInputError

GOOD_OUTCOMES, BAD_OUTCOMES = frozenset(("won", "converted", "accepted")), frozenset(("lost",))
"""Outcomes that show whether an action has worked; with any other outcome, or none, a case is still open."""
NOTE_ACTION = "create_note"
"""The `action` of a memory that comes from a note."""
LIMIT = 5
"""The default number of hits."""
MAX_HITS = 50
MAX_CHUNK_LENGTH = 8000
"""Embedding models would cut longer chunks, so that a search could not match their end."""


class MemoryChunk(Struct, frozen=True):
    """One event. `user` is the person who did it, or None.

    `metadata` may have `entity_type`, `entity_id`, `action` and `outcome`. Raises `InvalidInputError` for a chunk
    without id, tenant or text, with a text of more than 8,000 characters, or with a time without zone.
    """

    id: str
    tenant: str
    text: str
    created_at: datetime
    user: str | None = None
    entity_type: str | None = None
    entity_id: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("id", "tenant", "text"):
            if not getattr(self, name).strip():
                raise InvalidInputError(f"A memory needs a {name}")
        if len(self.text) > MAX_CHUNK_LENGTH:
            raise InvalidInputError(
                f"A memory's text has at most {MAX_CHUNK_LENGTH} characters, not {len(self.text)}: split it"
            )
        if self.created_at.tzinfo is None:
            raise InvalidInputError("A memory's created_at needs a time zone")

    @property
    def content_hash(self) -> str:
        """The SHA-256, in hex, of text, user, entity and metadata: a tenant stores the same content once.

        Id and time are left out, so that a message that is delivered twice is stored once.
        """
        # A list, so that two fields can't run into each other.
        content = [self.text.strip(), self.user, self.entity_type, self.entity_id, sorted(self.metadata.items())]
        return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()


class MemoryHit(Struct, frozen=True):
    """A chunk and its `score`, the cosine similarity of its vector to the query's: -1 to 1, 1 for the same meaning."""

    chunk: MemoryChunk
    score: float


class MemoryQuery(Struct, frozen=True):
    """A search in memory. A filter that is None filters nothing; without a threshold, hits may have any score.

    Raises `InvalidInputError` for an empty text, a limit outside 1 to 50, a threshold outside -1 to 1.
    """

    text: str
    entity_type: str | None = None
    entity_id: str | None = None
    user: str | None = None
    limit: int = LIMIT
    threshold: float | None = None

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise InvalidInputError("A search in memory needs a text", pointer="/text")
        if not 1 <= self.limit <= MAX_HITS:
            raise InvalidInputError(f"The limit must be 1 to {MAX_HITS}, not {self.limit}", pointer="/limit")
        if self.threshold is not None and not -1 <= self.threshold <= 1:
            raise InvalidInputError(f"The threshold must be -1 to 1, not {self.threshold}", pointer="/threshold")
