"""Read once what a sweep needs of a whole tenant: planned activities, notes that ask for something, and duplicates.

The pages of a sweep need these for every record. Reading them whole, in large pages, takes a hundredth of the requests
that a search for each record would take.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from threading import Lock, RLock
from typing import Any, cast

from aisha.application.next_steps import asks_for_something
from aisha.application.next_steps.note_rules import NOTE_DAYS
from aisha.application.records.related_records import MAX_NOTES
from aisha.application.scans import ScanReader
from aisha.application.scans.data_quality import duplicate_key
from aisha.application.scans.judgement import by_subject
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.gate.visibility import is_private_to_other
from aisha.application.tooling.results import EntityRef
from aisha.domain.crm.enumerations import ActivityStatus
from aisha.domain.crm.queries import Condition
from aisha.domain.crm.records import Activity, Note, Record

MAX_SURVEYED = 30_000
"""Records of a type that a survey reads, in less than a worker's time; with more, each record is searched for."""
MAX_AGE = 600.0
"""Seconds for which a worker uses a survey: the activities that its pages see may be as old."""
_MAX_SURVEYS = 4
"""Surveys that a worker keeps; its messages are mostly of one or two tenants at a time."""

Planned = Mapping[str, Sequence[Activity]]
Requests = Mapping[str, Sequence[Note]]
Oldest = Mapping[str, EntityRef]


class Survey:
    """The survey of one tenant for one sweep. Each part is read when it is asked for first.

    A part is None when the tenant has more than `max_records` of its records.
    """

    def __init__(self, context: ToolContext, max_records: int) -> None:
        self._context = context
        self._max_records = max_records
        self._parts: dict[str, Any] = {}
        self._lock = RLock()

    @property
    def planned(self) -> Planned | None:
        """The planned activities by the id of their subject."""
        return self._part("planned", self._read_planned)

    @property
    def requests(self) -> Requests | None:
        """The recent notes that ask for something, by the id of their subject and newest first."""
        return self._part("requests", self._read_requests)

    def oldest(self, kind: type[Record]) -> Oldest | None:
        """Return the oldest record of each key by which duplicates are found, see `duplicate_key`."""
        return self._part(f"oldest {kind.TYPE}", lambda: self._read_oldest(kind))

    def _part[T](self, name: str, load: Callable[[], T]) -> T:
        with self._lock:
            if name not in self._parts:
                self._parts[name] = load()
            return cast(T, self._parts[name])

    def _read_planned(self) -> Planned | None:
        activities = self._read(Activity, Condition("status", "eq", ActivityStatus.SCHEDULED))
        return None if activities is None else by_subject(activities)

    def _read_requests(self) -> Requests | None:
        since = self._context.now - timedelta(days=NOTE_DAYS)
        notes = self._read(Note, Condition("created_at", "gte", since))
        if notes is None:
            return None
        readable = by_subject(note for note in notes if not is_private_to_other(self._context.principal, note))
        # The newest notes count, whether they ask for something or not: later ones may have settled an older request.
        return {
            subject: [note for note in about[:MAX_NOTES] if asks_for_something(note)]
            for subject, about in readable.items()
        }

    def _read_oldest(self, kind: type[Record]) -> Oldest | None:
        records = self._read(kind)
        if records is None:
            return None
        oldest: dict[str, EntityRef] = {}
        for record in records:
            # Ids begin with the time of creation.
            if (key := duplicate_key(record)) and (key not in oldest or record.id < oldest[key].id):
                oldest[key] = EntityRef.of(record)
        return oldest

    def _read[R: Record](self, kind: type[R], *where: Condition) -> list[R] | None:
        reader = ScanReader(self._context, self._max_records)
        records = list(reader.iterate(kind, *where))
        return None if reader.truncated else records


class SurveyCache:
    """The latest surveys of this process, of at most `max_records` of a type."""

    def __init__(self, max_records: int = MAX_SURVEYED, clock: Callable[[], float] = time.monotonic) -> None:
        self._max_records = max_records
        from cachetools import TTLCache  # noqa: PLC0415 - what serves requests imports this module, too

        self._surveys: TTLCache[tuple[str, str], Survey] = TTLCache(_MAX_SURVEYS, MAX_AGE, timer=clock)
        # `TTLCache` is not safe for threads.
        self._lock = Lock()

    def survey(self, context: ToolContext, sweep: str) -> Survey:
        """Return the survey of the context's tenant for this sweep."""
        key = context.principal.tenant, sweep
        with self._lock:
            if key not in self._surveys:
                self._surveys[key] = Survey(context, self._max_records)
            return self._surveys[key]
