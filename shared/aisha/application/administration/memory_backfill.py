"""Initial load of memory from a tenant's records: notes, completed activities, closed deals and leads."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import batched
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.memory.chunks import Case, activity_chunk, note_chunk, outcome_chunk
from aisha.application.memory.ingest import Deletion, messages
from aisha.application.memory.retrieval import remember
from aisha.application.memory.turn_chunks import touches
from aisha.application.tooling.context import ToolPorts
from aisha.domain.crm.enumerations import ActivityStatus, LeadStatus, Stage
from aisha.domain.crm.paging import pages
from aisha.domain.crm.queries import MAX_PAGE, Condition, RecordQuery, Written
from aisha.domain.crm.records import Activity, Lead, Note, Opportunity, Record
from aisha.domain.memory import MemoryChunk
from aisha.domain.ports import Clock, RecordRepository

CLOSED = {
    Opportunity.TYPE: Condition("stage", "in", [Stage.CLOSED_WON, Stage.CLOSED_LOST]),
    Lead.TYPE: Condition("status", "in", [LeadStatus.CONVERTED, LeadStatus.LOST]),
}
COMPLETED = Condition("status", "eq", ActivityStatus.COMPLETED)


class LoadCounts(Struct, frozen=True):
    """The numbers of records read and of chunks added."""

    read: int
    added: int


class _Source(Struct, frozen=True):
    tenant: str
    records: RecordRepository
    clock: Clock
    sensitive: frozenset[str]

    def pages(self, entity_type: str, *where: Condition) -> Iterator[Sequence[Record]]:
        """Yield all records of a type in pages of 50."""
        query = RecordQuery(entity_type, where=where, order="newest", limit=MAX_PAGE)
        for page in pages(lambda cursor: self.records.search(self.tenant, replace(query, cursor=cursor))):
            yield page.items

    def case(self, record: Record, subject: Record) -> Case:
        """Return a case about `subject`, with time and user taken from `record`."""
        # The time of the event, not of the load: memories are kept for a number of days from it.
        at = getattr(record, "completed_at", None) or record.updated_at or record.created_at or self.clock.now()
        return Case(self.tenant, record.owner, at, subject, self.sensitive)


def load_memory(tenant: str, ports: ToolPorts) -> dict[str, LoadCounts]:
    """Load a tenant's records page by page and return the counts by type. A second run adds only what is new.

    Raises `UnavailableError` when there is no memory or it does not answer: the pages before it stay loaded.
    """
    store, embedder = ports.memory(), ports.embedder()
    source = _Source(tenant, ports.records, ports.clock, ports.sensitive)
    kinds: Mapping[str, Iterable[tuple[int, list[MemoryChunk]]]] = {
        Note.TYPE: _related_batches(source, source.pages(Note.TYPE)),
        Activity.TYPE: _related_batches(source, source.pages(Activity.TYPE, COMPLETED)),
        Opportunity.TYPE: _outcome_batches(source, Opportunity.TYPE),
        Lead.TYPE: _outcome_batches(source, Lead.TYPE),
    }
    loaded = {}
    for kind, batches in kinds.items():
        counts = [(read, remember(store, embedder, chunks)) for read, chunks in batches]
        loaded[kind] = LoadCounts(sum(read for read, _ in counts), sum(added for _, added in counts))
    return loaded


def synced_messages(tenant: str, written: Sequence[Written], ports: ToolPorts) -> Iterator[Mapping[str, Any]]:
    """Yield the messages for memory's queue about notes and activities that came from, or left, another CRM."""
    source = _Source(tenant, ports.records, ports.clock, ports.sensitive)
    alive = [change.after for change in written if isinstance(change.after, Note | Activity)]
    related = [record for record in alive if isinstance(record, Note) or record.status is ActivityStatus.COMPLETED]
    gone = [
        Deletion(what="record", id=change.record.id, entity_type=change.record.TYPE)
        for change in written
        if not change.after
    ]
    chunks = [chunk for _, batch in _related_batches(source, batched(related, MAX_PAGE)) for chunk in batch]
    yield from messages(tenant, chunks, gone)


def _related_batches(source: _Source, pages: Iterable[Sequence[Record]]) -> Iterator[tuple[int, list[MemoryChunk]]]:
    """Yield the chunks of notes and activities, page by page; those of deleted subjects are left out."""
    for page in pages:
        records = [record for record in page if isinstance(record, Note | Activity)]
        # One request for the subjects of a page, and each of them once.
        pairs = list(dict.fromkeys((record.related.type, record.related.id) for record in records))
        subjects = source.records.get_many(source.tenant, pairs) if pairs else {}
        chunks = [
            _related_chunk(source.case(record, subject), record)
            for record in records
            if (subject := subjects.get(record.related.id)) is not None
        ]
        yield len(page), [chunk for chunk in chunks if chunk is not None]


def _related_chunk(case: Case, record: Note | Activity) -> MemoryChunk | None:
    return note_chunk(case, record) if isinstance(record, Note) else activity_chunk(case, record)


def _outcome_batches(source: _Source, kind: str) -> Iterator[tuple[int, list[MemoryChunk]]]:
    for page in source.pages(kind, CLOSED[kind]):
        chunks = [
            outcome_chunk(source.case(record, record), touches(source.records, source.tenant, record))
            for record in page
        ]
        yield len(page), [chunk for chunk in chunks if chunk is not None]
