"""The feed of changes: who changed which records, for pages that show changes as they happen.

The audit log has every write of every door with its receipts, in one order. So a page polls it by sequence number: a
poll without news is one small query, while a stream per open page would keep a Lambda function running, and billed, for
as long as the page is open.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import islice
from typing import Any, Literal

from msgspec import Struct
from pydantic import ValidationError

from aisha.application.tooling.gate.visibility import is_visible
from aisha.domain.audit import AuditEntry, entry_of
from aisha.domain.crm.queries import MAX_PAGE
from aisha.domain.crm.records import RECORD_TYPES, Record
from aisha.domain.ports import AuditLog, RecordRepository
from aisha.domain.principal import Principal

Action = Literal["created", "updated", "deleted"]
_ACTIONS: tuple[Action, ...] = ("created", "updated", "deleted")
MAX_READ = 100
"""Entries of the log read for one poll; the next poll reads on."""


class RecordChange(Struct, frozen=True):
    """One changed record. `before` and `after` have the fields that differ.

    `record` is the record as it is now, None if it no longer exists. `operation` names the write, which may have
    changed several records.
    """

    sequence: int
    at: datetime
    user: str
    door: str
    tool: str
    operation: str | None
    action: Action
    entity_type: str
    entity_id: str
    name: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    record: Record | None


class ChangePage(Struct, frozen=True):
    """Changes in their order. `sequence` is where the next poll begins; with `has_more` it may begin at once."""

    items: Sequence[RecordChange]
    sequence: int
    has_more: bool


def changes_since(log: AuditLog, records: RecordRepository, principal: Principal, since: int | None) -> ChangePage:
    """Return the changes after a sequence number that the user may see; without one, the latest.

    Raises `UnavailableError`.
    """
    tenant = principal.tenant
    # A page that was just opened shows what happened last, and polls from there.
    if since is None:
        entries = log.page(tenant, MAX_READ)[::-1]
        position = entries[-1].sequence if entries else 0
        has_more = False
    else:
        # One more than is used tells whether there are more.
        links = list(islice(log.links(tenant, since), MAX_READ + 1))
        has_more = len(links) > MAX_READ
        entries = [entry_of(tenant, link) for link in links[:MAX_READ]]
        position = entries[-1].sequence if entries else since
    written = [(entry, receipt) for entry in entries for receipt in _receipts(entry)]
    current = _current(records, tenant, [receipt["entity"] for _, receipt in written])
    items = [_change(entry, receipt, current) for entry, receipt in written if _may_see(principal, receipt, current)]
    return ChangePage(items, position, has_more)


def _receipts(entry: AuditEntry) -> Iterator[Mapping[str, Any]]:
    if entry.status == "executed":
        yield from (
            receipt
            for receipt in entry.receipts
            if receipt.get("action") in _ACTIONS and receipt["entity"]["type"] in RECORD_TYPES
        )


def _current(records: RecordRepository, tenant: str, entities: Sequence[Mapping[str, Any]]) -> dict[str, Record]:
    ids = list(dict.fromkeys((str(entity["type"]), str(entity["id"])) for entity in entities))
    current: dict[str, Record] = {}
    # A store reads at most a page of ids at once.
    for start in range(0, len(ids), MAX_PAGE):
        current |= records.get_many(tenant, ids[start : start + MAX_PAGE])
    return current


def _may_see(principal: Principal, receipt: Mapping[str, Any], current: Mapping[str, Record]) -> bool:
    """Return whether the user may see the record; for one that is gone, whether they might have."""
    entity = receipt["entity"]
    record = current.get(entity["id"])
    if record is None:
        # A receipt without all values, such as one cut to fit the log, says too little: it stays hidden.
        with suppress(ValidationError):
            values = receipt.get("before") or receipt.get("after") or {}
            record = RECORD_TYPES[entity["type"]].model_validate({"id": entity["id"], **values})
    return record is not None and is_visible(principal, record)


def _change(entry: AuditEntry, receipt: Mapping[str, Any], current: Mapping[str, Record]) -> RecordChange:
    entity = receipt["entity"]
    action = next(action for action in _ACTIONS if action == receipt["action"])
    return RecordChange(
        sequence=entry.sequence,
        at=entry.at,
        user=entry.user,
        door=entry.door,
        tool=entry.tool,
        operation=entry.operation_id,
        action=action,
        entity_type=entity["type"],
        entity_id=entity["id"],
        name=entity["name"],
        before=receipt.get("before") or {},
        after=receipt.get("after") or {},
        record=current.get(entity["id"]),
    )
