"""Find in the audit log what other users have changed on a record since a user saw it."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from msgspec import Struct

from aisha.domain.audit import AuditEntry
from aisha.domain.crm.records import Record
from aisha.domain.errors import AishaError
from aisha.domain.ports import AuditLog
from aisha.domain.principal import Principal
from aisha.domain.wording import humanise, join_names

_BATCH = 100
_MAX_READ = 500
"""Entries of the log that are read, the newest first."""
_BOOKKEEPING = frozenset(("updated_at", "version"))


class MeanwhileChange(Struct, frozen=True):
    """Changes of a record by others: the new values by field, and the ids of the users in the order of the changes.

    Both are empty for a change that the log does not have, such as one made in a connected CRM.
    """

    record: Record
    users: tuple[str, ...] = ()
    fields: Mapping[str, Any] = {}

    def touches(self, arguments: Mapping[str, Any]) -> bool:
        """Return whether a call with these arguments would write a field that has changed, as far as is known."""
        return not self.fields or not self.fields.keys().isdisjoint(arguments)

    @property
    def clause(self) -> str:
        """The change in words: `bob changed the status of “Jack Russel” to lost`."""
        name = f"“{self.record.display_name}”"
        if not self.users:
            return f"{name} was changed by somebody else"
        changes = join_names([f"the {humanise(field)}" for field in self.fields]) or "something"
        values = [_value_of(self.record, field, value) for field, value in self.fields.items()]
        value = f" to {values[0]}" if len(values) == 1 and values[0] else ""
        return f"{join_names(list(self.users))} changed {changes} of {name}{value}"


def changed_by_others(
    log: AuditLog | None, principal: Principal, record: Record, since: datetime, version: int | None = None
) -> MeanwhileChange | None:
    """Return what others changed on the record after `since`; None if nothing, or if there is no log to tell.

    With the `version` of that time, a change in the same instant is seen too. A log that does not answer counts as a
    change that it does not have.
    """
    # `since` is by our clock, and that of a connected CRM may differ by minutes.
    changed_at = record.remote.read_at if record.remote else record.updated_at
    is_same = changed_at is None or changed_at <= since if version is None else record.version == version
    if log is None or is_same:
        return None
    try:
        written = list(_writes(log, principal.tenant, record.id, since))
        if version is not None:
            # The version that was shown includes earlier writes of the same instant.
            written = written[: max(0, record.version - version)]
    except AishaError:
        return MeanwhileChange(record)
    # Oldest first, so that the last value of a field wins below.
    others = [(entry, receipt) for entry, receipt in reversed(written) if entry.user != principal.user]
    if not others:
        return None if written else MeanwhileChange(record)
    fields: dict[str, Any] = {}
    for _, receipt in others:
        fields |= {name: value for name, value in (receipt.get("after") or {}).items() if name not in _BOOKKEEPING}
    return MeanwhileChange(record, tuple(dict.fromkeys(entry.user for entry, _ in others)), fields)


def _writes(
    log: AuditLog, tenant: str, record_id: str, since: datetime
) -> Iterator[tuple[AuditEntry, Mapping[str, Any]]]:
    """Yield the entries that wrote the record after an instant, with their receipts, the newest first."""
    before, read = None, 0
    while read < _MAX_READ:
        batch = log.page(tenant, _BATCH, before)
        for entry in batch:
            if entry.at < since:
                return
            for receipt in entry.receipts if entry.status == "executed" else ():
                if receipt.get("entity", {}).get("id") == record_id:
                    yield entry, receipt
        if len(batch) < _BATCH:
            return
        before, read = batch[-1].sequence, read + len(batch)


def _value_of(record: Record, field: str, value: Any) -> str:
    """Return a new value in words if it is a choice, a number or an owner; others may be another user's free text."""
    is_short = isinstance(getattr(record, field, None), StrEnum | int | float | Decimal)
    return humanise(str(value)) if value is not None and (is_short or field == "owner") else ""
