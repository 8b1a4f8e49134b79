"""Loads into memory what a tenant's records tell already: notes, completed activities, deals and leads that ended."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.memory.chunks import Case, activity_chunk, note_chunk, outcome_chunk
from aisha.application.memory.retrieval import remember
from aisha.application.tooling.context import ToolPorts
from aisha.domain.memory import MemoryChunk
from aisha.domain.pages import pages
from aisha.domain.ports import Clock, RecordRepository
from aisha.domain.queries import MAX_PAGE, Condition, RecordQuery
from aisha.domain.records import Activity, ActivityStatus, Lead, LeadStatus, Note, Opportunity, Record, Stage

ENDED = {
    Opportunity.TYPE: Condition("stage", "in", [Stage.CLOSED_WON, Stage.CLOSED_LOST]),
    Lead.TYPE: Condition("status", "in", [LeadStatus.CONVERTED, LeadStatus.LOST]),
}
COMPLETED = Condition("status", "eq", ActivityStatus.COMPLETED)
TOUCHES_READ = 20


class Loaded(Struct, frozen=True):
    """How many records of a type were read and how many new memories they gave."""

    read: int
    added: int


class _Source(Struct, frozen=True):
    tenant: str
    records: RecordRepository
    clock: Clock
    sensitive: frozenset[str]

    def pages(self, entity_type: str, *where: Condition) -> Iterator[Sequence[Record]]:
        """All records of a type, 50 at a time."""
        query = RecordQuery(entity_type, where=where, order="newest", limit=MAX_PAGE)
        for page in pages(lambda cursor: self.records.search(self.tenant, replace(query, cursor=cursor))):
            yield page.items

    def case(self, record: Record, subject: Record) -> Case:
        """`record` is what tells when it was and who did it."""
        done = getattr(record, "completed_at", None) or record.updated_at or record.created_at or self.clock.now()
        return Case(self.tenant, record.owner, done, subject, self.sensitive)


def load_memory(tenant: str, ports: ToolPorts) -> dict[str, Loaded]:
    """Loads all of a tenant's, page by page, by type of record. Again adds only what is new.

    Raises `UnavailableError` when there is no memory or it does not answer: what was loaded by then stays.
    """
    store, embedder = ports.memory(), ports.embedder()
    source = _Source(tenant, ports.records, ports.clock, ports.sensitive)
    kinds: Mapping[str, Iterable[tuple[int, list[MemoryChunk]]]] = {
        Note.TYPE: _told(source, source.pages(Note.TYPE), lambda case, one: note_chunk(case, cast(Note, one))),
        Activity.TYPE: _told(
            source, source.pages(Activity.TYPE, COMPLETED), lambda case, one: activity_chunk(case, cast(Activity, one))
        ),
        Opportunity.TYPE: _ended(source, Opportunity.TYPE),
        Lead.TYPE: _ended(source, Lead.TYPE),
    }
    loaded = {}
    for kind, batches in kinds.items():
        counts = [(read, remember(store, embedder, chunks)) for read, chunks in batches]
        loaded[kind] = Loaded(sum(read for read, _ in counts), sum(added for _, added in counts))
    return loaded


def _told(
    source: _Source, pages: Iterable[Sequence[Record]], chunk: Callable[[Case, Record], MemoryChunk | None]
) -> Iterator[tuple[int, list[MemoryChunk]]]:
    """What is written about other records, with these as they now stand; what is about none any more is left out."""
    for page in pages:
        told = [one for one in page if isinstance(one, Note | Activity)]
        pairs = list(dict.fromkeys((one.related.type, one.related.id) for one in told))
        subjects = source.records.get_many(source.tenant, pairs) if pairs else {}
        made = [
            chunk(source.case(one, subject), one)
            for one in told
            if (subject := subjects.get(one.related.id)) is not None
        ]
        yield len(page), [one for one in made if one is not None]


def _ended(source: _Source, kind: str) -> Iterator[tuple[int, list[MemoryChunk]]]:
    for page in source.pages(kind, ENDED[kind]):
        made = [outcome_chunk(source.case(one, one), _touches(source, one)) for one in page]
        yield len(page), [one for one in made if one is not None]


def _touches(source: _Source, record: Record) -> list[Activity]:
    where = (Condition("related.id", "eq", record.id), COMPLETED)
    query = RecordQuery(Activity.TYPE, where=where, order="newest", limit=TOUCHES_READ)
    return cast(list[Activity], source.records.search(source.tenant, query).items)
