"""Create records by a repository, in as many writes as its limit of changes takes."""

from typing import Any

from aisha.domain.crm.queries import Change, Create
from aisha.domain.crm.record_changes import MAX_CHANGES
from aisha.domain.crm.records import Record
from aisha.domain.ports import RecordRepository


def create(records: RecordRepository, *new: Record, tenant: str = "demo") -> list[Any]:
    """Store any number of new records of a tenant and return them in order, with their ids."""
    created: list[Any] = []
    for start in range(0, len(new), MAX_CHANGES):
        changes: list[Change] = [Create(record) for record in new[start : start + MAX_CHANGES]]
        created += [written.after for written in records.write(tenant, changes)]
    return created
