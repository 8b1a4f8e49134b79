"""The journal of a write to a CRM: its steps, which a second try goes on with after a kill."""

from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct, convert, field, to_builtins

from aisha.domain.crm.connector import Outgoing, RemoteRecord
from aisha.domain.crm.queries import Written
from aisha.domain.crm.record_json import decode_result, encode_result
from aisha.domain.errors import AishaError, UnavailableError
from aisha.domain.ports import Clock, EntryRepository

JOURNAL = "crm_write"
"""Kind of the entries with writes in progress, by a hash of their operation's id."""
JOURNAL_TTL = timedelta(days=7)


class Step(Struct):
    """A change on its way: `planned`, `sent`, or `done`. `local_fields` stay here.

    `restores` is the ref of the deleted record that a create brings back where the CRM can.
    """

    written: Written
    outgoing: Outgoing
    local_fields: frozenset[str] = frozenset()
    state: str = "planned"
    ref: str = ""
    remote: RemoteRecord | None = None
    read_at: datetime | None = None
    restores: str = ""


class Journal(Struct):
    """The steps of one write. `started_at` is before its first request."""

    id: str
    operation_id: str
    started_at: datetime
    steps: list[Step] = field(default_factory=list)


class Journals:
    """The journals of all tenants' writes."""

    def __init__(self, entries: EntryRepository, clock: Clock) -> None:
        self._entries = entries
        self._clock = clock

    def find(self, tenant: str, journal_id: str) -> Journal | None:
        """Return the journal of a write that was cut off."""
        entry = self._entries.find(tenant, None, JOURNAL, journal_id)
        return _decode(journal_id, entry.body) if entry is not None else None

    def save(self, tenant: str, journal: Journal) -> None:
        """Store a journal as it is now. Raises `UnavailableError`: without it no request may be sent."""
        # Kept for days: a user may repeat an order whose outcome nobody knew.
        expires_at = self._clock.now() + JOURNAL_TTL
        try:
            self._entries.put(tenant, None, JOURNAL, journal.id, _encode(journal), expires_at=expires_at)
        except AishaError as error:
            raise UnavailableError("This can't be written now, because it can't be noted down first.") from error

    def delete(self, tenant: str, journal: Journal) -> None:
        """Delete the journal of a write that is through."""
        self._entries.delete(tenant, None, JOURNAL, journal.id)


def _encode(journal: Journal) -> dict[str, Any]:
    return {
        "operation": journal.operation_id,
        "started_at": journal.started_at.isoformat(),
        "changes": encode_result([step.written for step in journal.steps]),
        "steps": [
            {
                "state": step.state,
                "ref": step.ref,
                "local_fields": sorted(step.local_fields),
                "read_at": step.read_at.isoformat() if step.read_at else None,
                "outgoing": to_builtins(step.outgoing),
                "remote": to_builtins(step.remote),
                "restores": step.restores,
            }
            for step in journal.steps
        ],
    }


def _decode(journal_id: str, body: Any) -> Journal:
    steps = [
        Step(
            written,
            convert(step["outgoing"], Outgoing),
            frozenset(step["local_fields"]),
            step["state"],
            step["ref"],
            convert(step["remote"], RemoteRecord | None),
            datetime.fromisoformat(step["read_at"]) if step["read_at"] else None,
            step.get("restores", ""),
        )
        for written, step in zip(decode_result(body["changes"]), body["steps"], strict=True)
    ]
    return Journal(journal_id, body["operation"], datetime.fromisoformat(body["started_at"]), steps)
