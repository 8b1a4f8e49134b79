"""Create records through a repository."""

from typing import Any

from aisha.domain.ports import RecordRepository
from aisha.domain.queries import Change, Create
from aisha.domain.record_changes import MAX_CHANGES
from aisha.domain.records import Record


def create(records: RecordRepository, *new: Record, tenant: str = "demo") -> list[Any]:
    """Return the created records in order; any number of them."""
    created: list[Any] = []
    for start in range(0, len(new), MAX_CHANGES):
        changes: list[Change] = [Create(record) for record in new[start : start + MAX_CHANGES]]
        created += [written.after for written in records.write(tenant, changes)]
    return created
