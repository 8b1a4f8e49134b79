"""What the assistant remembers of earlier work: pieces of text about what was done to a record and how it ended."""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct, field

from aisha.domain.errors import InvalidInputError

GOOD_OUTCOMES, BAD_OUTCOMES = frozenset(("won", "converted", "accepted")), frozenset(("lost",))
"""They show whether what was done has worked; all others are still open."""
NOTE_ACTION = "create_note"
"""The action of what was done by writing a note."""
LIMIT = 5
"""How many hits a query gets unless it says otherwise (A-124)."""
MOST_HITS = 50
MOST_CHARACTERS = 8000
"""Longer chunks would be cut by the embedding models, so that their end could not be found."""


class MemoryChunk(Struct, frozen=True):
    """One thing that happened. `user` is who did it, None when it is nobody's.

    `metadata` has `entity_type`, `entity_id`, `action` and `outcome` where they are known. Raises `InvalidInputError`
    for a chunk without id, tenant or text, with a text of more than 8,000 characters, or of a time without zone.
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
        if len(self.text) > MOST_CHARACTERS:
            raise InvalidInputError(
                f"A memory's text has at most {MOST_CHARACTERS} characters, not {len(self.text)}: split it"
            )
        if self.created_at.tzinfo is None:
            raise InvalidInputError("A memory's created_at needs a time zone")

    @property
    def content_hash(self) -> str:
        """SHA-256, in hex, of what is remembered about what and whom: the same twice in a tenant is one memory.

        Neither the id nor the time counts, so that a message delivered twice is remembered once.
        """
        content = [self.text.strip(), self.user, self.entity_type, self.entity_id, sorted(self.metadata.items())]
        return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()


class MemoryHit(Struct, frozen=True):
    """`score` is the cosine of the angle between the chunk's vector and the query's: -1 to 1, 1 for the same meaning."""

    chunk: MemoryChunk
    score: float


class MemoryQuery(Struct, frozen=True):
    """What to look for. A filter that is None filters nothing; without a threshold the nearest come, however far.

    Raises `InvalidInputError` for a text that is empty, a limit outside 1 to 50, a threshold outside -1 to 1.
    """

    text: str
    entity_type: str | None = None
    entity_id: str | None = None
    user: str | None = None
    limit: int = LIMIT
    threshold: float | None = None

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise InvalidInputError("Say what to look for in memory", pointer="/text")
        if not 1 <= self.limit <= MOST_HITS:
            raise InvalidInputError(f"The limit must be 1 to {MOST_HITS}, not {self.limit}", pointer="/limit")
        if self.threshold is not None and not -1 <= self.threshold <= 1:
            raise InvalidInputError(f"The threshold must be -1 to 1, not {self.threshold}", pointer="/threshold")
