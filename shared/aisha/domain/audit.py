"""What was done with tools, for whoever has to answer for it: entries that are only ever added, each sealed to the one before."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import asdict, replace

Severity = Literal["normal", "high", "warning"]
AuditStatus = Literal["intended", "executed", "failed", "rejected", "not_found", "pending", "unreadable"]
BEGINNING = "0" * 64
"""Stands for the hash before the first entry."""
_SEAL = frozenset(("sequence", "previous_hash", "hash"))


class AuditEntry(Struct, frozen=True):
    """One call of a tool, or that one is about to run.

    `action` is `aisha.<tool>`. `status` is the call's, or `intended` for a write that is about to run (its outcome is an
    entry of its own, whose `intent` is this one's id), `pending` for one that waits for the user, `unreadable` for what
    was tampered with. `arguments` and `receipts` (what a write did: before and after) are without sensitive fields.
    `entities` are ids of the records it was about. `duration_ms` is the tool's own time. `sequence` counts a tenant's
    entries from 1; it and the hashes are given by the log.
    """

    id: str
    tenant: str
    user: str
    door: str
    tool: str
    status: AuditStatus
    at: datetime
    arguments: Mapping[str, Any] = field(default_factory=dict)
    line: str = ""
    severity: Severity = "normal"
    receipts: Sequence[Mapping[str, Any]] = ()
    entities: Sequence[str] = ()
    error: Mapping[str, Any] | None = None
    duration_ms: float = 0.0
    call_id: str | None = None
    operation_id: str | None = None
    conversation_id: str | None = None
    confirmation_id: str | None = None
    intent: str | None = None
    sequence: int = 0
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
    """An entry as it is stored: its JSON, and what it is sealed with."""

    sequence: int
    body: str
    previous_hash: str
    hash: str

    @property
    def is_sealed(self) -> bool:
        """Whether nothing of it was changed since it was sealed."""
        return self.hash == seal_of(self.sequence, self.previous_hash, self.body)


def seal_of(sequence: int, previous_hash: str, body: str) -> str:
    """SHA-256, in hex, of an entry at its place after the one before."""
    return hashlib.sha256(f"{sequence}\n{previous_hash}\n{body}".encode()).hexdigest()


def chained(head: AuditHead, entries: Sequence[AuditEntry]) -> Iterator[tuple[AuditEntry, AuditLink]]:
    """The entries at their places after `head`, and as they are to be stored."""
    sequence, previous = head.sequence, head.hash
    for entry in entries:
        sequence, body = sequence + 1, _body_of(entry)
        link = AuditLink(sequence, body, previous, seal_of(sequence, previous, body))
        yield replace(entry, sequence=sequence, previous_hash=previous, hash=link.hash), link
        previous = link.hash


def entry_of(tenant: str, link: AuditLink) -> AuditEntry:
    """The entry that a link holds; one of status `unreadable` where it holds none."""
    seal: dict[str, Any] = {"sequence": link.sequence, "previous_hash": link.previous_hash, "hash": link.hash}
    try:
        values: dict[str, Any] = json.loads(link.body)
        at = datetime.fromisoformat(values.pop("at"))
        return AuditEntry(at=at, **values, **seal)
    except (ValueError, KeyError, TypeError, AttributeError):
        nobody, then = "unknown", datetime.fromtimestamp(0, UTC)
        return AuditEntry(nobody, tenant, nobody, nobody, nobody, "unreadable", then, severity="warning", **seal)


def _body_of(entry: AuditEntry) -> str:
    values = {name: value for name, value in asdict(entry).items() if name not in _SEAL}
    values["at"] = entry.at.astimezone(UTC).isoformat()
    return json.dumps(values, separators=(",", ":"), sort_keys=True, default=str)
