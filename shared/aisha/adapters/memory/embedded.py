"""Memory in a SQLite file, searched exactly: for a laptop, tests and trials, up to some 100,000 chunks a tenant."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aisha.adapters.memory.tenant_matrix import TenantMatrix
from aisha.adapters.memory.vectors import unit_vectors
from aisha.application.knowledge.bm25 import SECTION_LENGTH, BM25Index, stems
from aisha.application.memory.retrieval import CANDIDATES, fuse
from aisha.domain.errors import NotFoundError, UnavailableError
from aisha.domain.memory import MemoryChunk, MemoryHit, MemoryQuery
from aisha.domain.ports import Embedder

FILE = "memory.sqlite3"
FILTERS = ("entity_type", "entity_id", "user")
BATCH = 256
_TABLES = """
CREATE TABLE IF NOT EXISTS space (name TEXT NOT NULL, dimensions INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS chunks (
  number INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, hash TEXT NOT NULL, id TEXT NOT NULL, user TEXT,
  entity_type TEXT, entity_id TEXT, text TEXT NOT NULL, metadata TEXT NOT NULL, created_at TEXT NOT NULL,
  vector BLOB NOT NULL, UNIQUE (tenant, hash));
CREATE INDEX IF NOT EXISTS chunks_by_id ON chunks (tenant, id);
"""
_INSERT = """
INSERT OR IGNORE INTO chunks (id, tenant, text, created_at, user, entity_type, entity_id, metadata, hash, vector)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
# One of the two parameters is NULL, and `= NULL` is never true: rows are selected by the other one.
_SELECT = """
SELECT id, tenant, text, created_at, user, entity_type, entity_id, metadata FROM chunks
WHERE tenant = ? AND (number = ? OR id = ?) ORDER BY number
"""
_VECTORS = "SELECT number, vector, entity_type, entity_id, user FROM chunks WHERE tenant = ? ORDER BY number"
_DELETE = """
DELETE FROM chunks WHERE tenant = :tenant AND (:id IS NULL OR id = :id) AND (:user IS NULL OR user = :user)
AND (:entity_type IS NULL OR (entity_type = :entity_type AND entity_id = :entity_id))
"""
_DELETE_BEFORE = "DELETE FROM chunks WHERE julianday(created_at) < julianday(?)"
"""Compares instants, because times are stored in the zone that they came with."""
_VERSIONS = "SELECT hash, created_at FROM chunks WHERE tenant = ? AND id = ?"
_REPLACE = "DELETE FROM chunks WHERE tenant = ? AND id = ? AND hash != ?"
_DELETE_BY = {"id": None, "user": None, "entity_type": None, "entity_id": None}


class EmbeddedMemoryStore:
    """A `MemoryStore` in a file. Safe for threads and for other processes with the same file.

    `space` names the embedder of the stored vectors. A file with another embedder's vectors does not answer
    (`UnavailableError`) until `reembed` has recomputed them.
    """

    def __init__(self, folder: str | Path, space: str, dimensions: int) -> None:
        Path(folder).mkdir(parents=True, exist_ok=True)
        self._space, self._dimensions = space, dimensions
        self._lock = RLock()
        self._matrices: dict[str, TenantMatrix] = {}
        self._seen_version: int | None = None
        self._database = open_database(Path(folder) / FILE)

    def add(self, chunks: Sequence[MemoryChunk], vectors: Sequence[Sequence[float]]) -> int:
        """Store all chunks or none."""
        units = _floats(unit_vectors(vectors, len(chunks), self._dimensions))
        with self._reading() as database, database:
            return sum(self._insert(chunk, unit) for chunk, unit in zip(chunks, units, strict=True))

    def search(self, tenant: str, vector: Sequence[float], query: MemoryQuery) -> list[MemoryHit]:
        (unit,) = _floats(unit_vectors([vector], 1, self._dimensions))
        filters = {name: value for name in FILTERS if (value := getattr(query, name)) is not None}
        with self._reading():
            nearest = self._matrix(tenant).nearest(unit, filters, CANDIDATES, query.threshold)
            hits = [MemoryHit(_from_row(self._row(tenant, number=number)), score) for number, score in nearest]
        return [hits[index] for index in _best_first(hits, query.text)[: query.limit]]

    def get(self, tenant: str, chunk_id: str) -> MemoryChunk:
        with self._reading():
            row = self._row(tenant, chunk_id=chunk_id)
        if row is None:
            raise NotFoundError(f"There is no memory {chunk_id}")
        return _from_row(row)

    def delete(self, tenant: str, chunk_id: str) -> None:
        if not self._delete(tenant, id=chunk_id):
            raise NotFoundError(f"There is no memory {chunk_id}")

    def delete_record(self, tenant: str, entity_type: str, entity_id: str) -> int:
        return self._delete(tenant, entity_type=entity_type, entity_id=entity_id)

    def delete_user(self, tenant: str, user: str) -> int:
        return self._delete(tenant, user=user)

    def delete_tenant(self, tenant: str) -> int:
        return self._delete(tenant)

    def delete_before(self, instant: datetime) -> int:
        with self._reading() as database, database:
            deleted = database.execute(_DELETE_BEFORE, (instant.isoformat(),)).rowcount
            if deleted:
                self._matrices.clear()
        return deleted

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    def _check_space(self) -> None:
        with self._database as database:
            stored = database.execute("SELECT name, dimensions FROM space").fetchone()
            if stored is None:
                database.execute("INSERT INTO space VALUES (?, ?)", (self._space, self._dimensions))
            elif stored != (self._space, self._dimensions):
                raise UnavailableError(
                    f"Memory was kept with {stored[0]} and can't be read with {self._space}",
                    suggestion="Make its vectors anew (make memory-reindex), or set AISHA_EMBEDDER back",
                )

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Yield the database, after dropping matrices that another process has outdated. Raises `UnavailableError`."""
        with self._lock:
            try:
                # SQLite changes this number only when another connection has written to the file.
                (version,) = self._database.execute("PRAGMA data_version").fetchone()
                if version != self._seen_version:
                    self._matrices.clear()
                    self._check_space()
                    self._seen_version = version
                yield self._database
            except sqlite3.Error as error:
                self._matrices.clear()
                raise UnavailableError("The memory file does not answer", detail={"reason": str(error)}) from error

    def _insert(self, chunk: MemoryChunk, unit: Any) -> int:
        versions = dict(self._database.execute(_VERSIONS, (chunk.tenant, chunk.id)).fetchall())
        # A message that a queue delivers late or twice must not replace newer content.
        if any(datetime.fromisoformat(at) >= chunk.created_at for at in versions.values()):
            return 0
        inserted = self._database.execute(_INSERT, (*_row(chunk), chunk.content_hash, unit.tobytes()))
        if versions.keys() - {chunk.content_hash}:
            self._database.execute(_REPLACE, (chunk.tenant, chunk.id, chunk.content_hash))
            self._matrices.pop(chunk.tenant, None)
        if (
            inserted.rowcount
            and (matrix := self._matrices.get(chunk.tenant)) is not None
            and inserted.lastrowid is not None
        ):
            matrix.append(inserted.lastrowid, unit, [getattr(chunk, name) for name in FILTERS])
        return inserted.rowcount

    def _matrix(self, tenant: str) -> TenantMatrix:
        if tenant not in self._matrices:
            matrix = self._matrices[tenant] = TenantMatrix(self._dimensions, FILTERS)
            for number, vector, *values in self._database.execute(_VECTORS, (tenant,)):
                matrix.append(number, np.frombuffer(vector, dtype=np.float32), values)
        return self._matrices[tenant]

    def _row(self, tenant: str, *, number: int | None = None, chunk_id: str | None = None) -> Any:
        return self._database.execute(_SELECT, (tenant, number, chunk_id)).fetchone()

    def _delete(self, tenant: str, **values: str) -> int:
        with self._reading() as database, database:
            deleted = database.execute(_DELETE, {"tenant": tenant, **_DELETE_BY, **values}).rowcount
            if deleted:
                self._matrices.pop(tenant, None)
        return deleted


def open_database(file: Path) -> sqlite3.Connection:
    """Open the file, created with its tables when it does not exist. Many threads may use it, one at a time."""
    database = sqlite3.connect(file, check_same_thread=False)
    # Readers of other processes go on while one writes; a crash of this process loses nothing that was committed.
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA busy_timeout = 5000")
    # Deleted memories are overwritten in the file, so that they can't be read from its free pages.
    database.execute("PRAGMA secure_delete = ON")
    database.executescript(_TABLES)
    return database


def reembed(folder: str | Path, embedder: Embedder) -> int:
    """Recompute the vectors of a whole file with another embedder, all or none; return their number."""
    with closing(open_database(Path(folder) / FILE)) as database, database:
        texts = database.execute("SELECT number, text FROM chunks ORDER BY number").fetchall()
        for start in range(0, len(texts), BATCH):
            batch = texts[start : start + BATCH]
            vectors = embedder.embed([text for _, text in batch])
            units = _floats(unit_vectors(vectors, len(batch), embedder.dimensions))
            changed = [(unit.tobytes(), number) for unit, (number, _) in zip(units, batch, strict=True)]
            database.executemany("UPDATE chunks SET vector = ? WHERE number = ?", changed)
        database.execute("DELETE FROM space")
        database.execute("INSERT INTO space VALUES (?, ?)", (embedder.name, embedder.dimensions))
    return len(texts)


def _floats(units: Sequence[Sequence[float]]) -> NDArray[np.float32]:
    return np.array(units, dtype=np.float32)


def _row(chunk: MemoryChunk) -> tuple[Any, ...]:
    metadata = json.dumps(dict(chunk.metadata), ensure_ascii=False)
    created = chunk.created_at.isoformat()
    return (chunk.id, chunk.tenant, chunk.text, created, chunk.user, chunk.entity_type, chunk.entity_id, metadata)


def _from_row(row: Sequence[Any]) -> MemoryChunk:
    chunk_id, tenant, text, created_at, user, entity_type, entity_id, metadata = row
    created = datetime.fromisoformat(created_at)
    return MemoryChunk(chunk_id, tenant, text, created, user, entity_type, entity_id, json.loads(metadata))


def _best_first(hits: Sequence[MemoryHit], text: str) -> list[int]:
    """Return indexes of the hits by nearness and by shared words, as OpenSearch does, but over the neighbours alone."""
    words = BM25Index([Counter(stems(hit.chunk.text)) for hit in hits], SECTION_LENGTH)
    query = frozenset(stems(text))
    scores = [words.score(index, query) for index in range(len(hits))]
    sharing = sorted((index for index in range(len(hits)) if scores[index]), key=lambda index: -scores[index])
    return fuse(range(len(hits)), sharing)
