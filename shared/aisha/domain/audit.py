"""The audit trail of tool calls: an append-only chain of entries, each with the hash of the one before."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from aisha.domain.json_values import compact_json

Severity = Literal["normal", "high", "warning"]
AuditStatus = Literal["intended", "executed", "failed", "rejected", "not_found", "pending", "unreadable"]
BEGINNING = "0" * 64
"""The previous hash of the first entry."""
_CHAIN_FIELDS = frozenset(("sequence", "previous_hash", "hash"))


class AuditEntry(Struct, frozen=True):
    """One call of a tool, or the intention of one."""

    id: str
    tenant: str
    user: str
    door: str
    tool: str
    status: AuditStatus
    """The call's, or `intended` for a write that is about to run, whose outcome is an entry of its own.

    `pending` for a call that waits for the user, `unreadable` for an entry that was tampered with.
    """
    at: datetime
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Without sensitive fields, as are the receipts."""
    line: str = ""
    severity: Severity = "normal"
    receipts: Sequence[Mapping[str, Any]] = ()
    """The records of a write before and after it."""
    entities: Sequence[str] = ()
    """Ids of the call's records."""
    error: Mapping[str, Any] | None = None
    duration_ms: float = 0.0
    """The time of the tool's own code."""
    call_id: str | None = None
    operation_id: str | None = None
    conversation_id: str | None = None
    confirmation_id: str | None = None
    intent: str | None = None
    """The id of the entry of status `intended`, on the entry with the outcome."""
    reason: str = ""
    """The reason why a write ran or waited, in words."""
    sequence: int = 0
    """Counts a tenant's entries from 1; set by the log, like the hashes."""
    previous_hash: str = ""
    hash: str = ""

    @property
    def action(self) -> str:
        return f"aisha.{self.tool}"


class AuditHead(Struct, frozen=True):
    """The end of a tenant's chain: how many entries it has, and the last one's hash."""

    sequence: int = 0
    hash: str = BEGINNING


class AuditLink(Struct, frozen=True):
    """An entry as it is stored: its JSON, and its hashes."""

    sequence: int
    body: str
    previous_hash: str
    hash: str

    @property
    def is_sealed(self) -> bool:
        """True if the entry is unchanged since it was added."""
        return self.hash == hash_of(self.sequence, self.previous_hash, self.body)


def hash_of(sequence: int, previous_hash: str, body: str) -> str:
    """Return the SHA-256, in hex, of an entry at its place in the chain."""
    # The line breaks keep the parts apart: neither the number nor the hash can contain one.
    return hashlib.sha256(f"{sequence}\n{previous_hash}\n{body}".encode()).hexdigest()


def chained(head: AuditHead, entries: Sequence[AuditEntry]) -> Iterator[tuple[AuditEntry, AuditLink]]:
    """Yield each entry with its place after `head`, and its link to store."""
    # The store compares the head when it appends, so that two writers can't continue the same entry.
    sequence, previous = head.sequence, head.hash
    for entry in entries:
        sequence, body = sequence + 1, _body_of(entry)
        link = AuditLink(sequence, body, previous, hash_of(sequence, previous, body))
        yield replace(entry, sequence=sequence, previous_hash=previous, hash=link.hash), link
        previous = link.hash


def entry_of(tenant: str, link: AuditLink) -> AuditEntry:
    """Return the entry that a link holds, or one of status `unreadable` when its JSON is damaged."""
    chain: dict[str, Any] = {"sequence": link.sequence, "previous_hash": link.previous_hash, "hash": link.hash}
    try:
        values: dict[str, Any] = json.loads(link.body)
        at = datetime.fromisoformat(values.pop("at"))
        return AuditEntry(at=at, **values, **chain)
    # One damaged entry must not make the rest of the log unreadable. `AttributeError`: the JSON is no object.
    except (ValueError, KeyError, TypeError, AttributeError):
        unknown, epoch = "unknown", datetime.fromtimestamp(0, UTC)
        return AuditEntry(unknown, tenant, unknown, unknown, unknown, "unreadable", epoch, severity="warning", **chain)


def _body_of(entry: AuditEntry) -> str:
    values = {name: value for name, value in asdict(entry).items() if name not in _CHAIN_FIELDS}
    values["at"] = entry.at.astimezone(UTC).isoformat()
    # The hash covers this text, which is also stored: it is never computed from the entry again.
    return compact_json(values)
