"""Literals from free texts that an MCP client's model has read: a write with one of them needs a confirmation.

The client does not send the user's words, so that only half of the rule of `turn.provenance` can be applied: the client
is trusted about the change itself, but not about an address, a number or a link from a record's free text.
"""

import re
from datetime import datetime, timedelta

from ulid import ULID

from aisha.application.tooling.policy import Provenance
from aisha.application.turn.provenance import literals_in, texts_read
from aisha.domain.ports import EntryRepository
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall

KIND = "mcp_read"
LITERAL_TTL = timedelta(hours=1)
_MAX_LITERALS = 200
"""Literals stored per call. With more, every literal counts as read."""
_MAX_READS = 50
"""Calls within the hour that are searched. With more, every literal counts as read."""
_DATE = re.compile(r"(?:19|20)\d{6}(?:\d\d){0,3}")
"""A date or time as a literal, without hyphens. Notes are full of them, so that they don't count."""


def store_literals(call: ToolCall, principal: Principal, entries: EntryRepository, now: datetime) -> None:
    """Store the addresses, numbers and links in the free texts of a call's result."""
    if literals := _literals(texts_read([call])):
        body = {"literals": literals[:_MAX_LITERALS], "is_cut": len(literals) > _MAX_LITERALS}
        entry_id, expires_at = f"{KIND}_{ULID()}", now + LITERAL_TTL
        entries.put(principal.tenant, principal.user, KIND, entry_id, body, expires_at=expires_at)


def provenance(call: ToolCall, principal: Principal, entries: EntryRepository) -> Provenance:
    """Return `user`, or `record` for a write with a literal that was or may have been read within the hour."""
    if call.spec is None or call.spec.access == "read" or not (literals := _literals(call.arguments)):
        return "user"
    page = entries.page(principal.tenant, principal.user, KIND, limit=_MAX_READS)
    if page.next_cursor or any(entry.body.get("is_cut") for entry in page.items):
        return "record"
    read = "\n".join(literal for entry in page.items for literal in entry.body["literals"])
    return "record" if any(literal in read for literal in literals) else "user"


def _literals(value: object) -> list[str]:
    return sorted(literal for literal in literals_in(value) if not _DATE.fullmatch(literal))
