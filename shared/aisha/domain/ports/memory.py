"""Ports of memory: embedding texts, and searching memories by meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from aisha.domain.memory import MemoryChunk, MemoryHit, MemoryQuery


class Embedder(Protocol):
    """Embeds texts as vectors, near each other for similar meanings. Vectors of two embedders can't be compared."""

    @property
    def name(self) -> str:
        """The name of the model, which is stored with the vectors."""
        ...

    @property
    def dimensions(self) -> int:
        """Floats per vector."""
        ...

    @property
    def threshold(self) -> float:
        """The minimum cosine of similar texts; each model has its own."""
        ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector of length 1 for each text, in order. Raises `UnavailableError`."""
        ...


class MemoryStore(Protocol):
    """Memories that are searched by meaning. `tenant` leads every call; memories of another tenant do not exist."""

    # By content, because the queue may deliver a message twice.
    def add(self, chunks: Sequence[MemoryChunk], vectors: Sequence[Sequence[float]]) -> int:
        """Store chunks whose content hash the tenant does not have yet, and return their number.

        A chunk replaces an older one with the same id. Raises `InvalidInputError` for vectors of a wrong shape,
        `UnavailableError` when some could not be stored: the same call again then stores the rest.
        """
        ...

    def search(self, tenant: str, vector: Sequence[float], query: MemoryQuery) -> list[MemoryHit]:
        """Return the chunks above the threshold, the best first: by similar meaning and by words of the query.

        Tenant and filters apply during the search of neighbours, so that a rare type still fills the limit.
        """
        ...

    def get(self, tenant: str, chunk_id: str) -> MemoryChunk:
        """Return a chunk. Raises `NotFoundError`."""
        ...

    def delete(self, tenant: str, chunk_id: str) -> None:
        """Delete a chunk. Raises `NotFoundError`."""
        ...

    # Called when a record is deleted: its memories must not answer any more.
    def delete_record(self, tenant: str, entity_type: str, entity_id: str) -> int:
        """Delete the chunks on a record and return their number."""
        ...

    def delete_user(self, tenant: str, user: str) -> int:
        """Delete the chunks of a user and return their number."""
        ...

    def delete_tenant(self, tenant: str) -> int:
        """Delete the chunks of a tenant and return their number."""
        ...

    # For the retention period, over all tenants.
    def delete_before(self, instant: datetime) -> int:
        """Delete older chunks of every tenant and return their number. `instant` has a time zone."""
        ...
