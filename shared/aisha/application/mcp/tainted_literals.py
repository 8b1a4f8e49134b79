"""What strangers wrote and an MCP client's model has read: a write that takes an address from it waits for the user.

The user's words stay with the client, so that half of the rule of `provenance` can be kept here: that a change is wanted
is the client's word, but an address, a number or a link out of a record's free text is nobody's wish.
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
REMEMBERED = timedelta(hours=1)
_MOST = 200
"""Literals of one call's result. Where there were more, none is known not to have been read."""
_LATEST = 50
"""Reads that are looked through; where there were more within the hour, likewise."""
_DATE = re.compile(r"(?:19|20)\d{6}(?:\d\d){0,3}")
"""As compared, without the hyphens. When something was meant to happen is told in notes all the time."""


def keep_what_was_read(call: ToolCall, principal: Principal, entries: EntryRepository, now: datetime) -> None:
    """Notes the addresses, numbers and links of the free texts in a call's result."""
    if found := _telling(texts_read([call])):
        body, ends = {"literals": found[:_MOST], "is_cut": len(found) > _MOST}, now + REMEMBERED
        entries.put(principal.tenant, principal.user, KIND, f"{KIND}_{ULID()}", body, expires_at=ends)


def provenance(call: ToolCall, principal: Principal, entries: EntryRepository) -> Provenance:
    """`user`, or `record` for a write with something that was read, or may have been, within the hour."""
    if call.spec is None or call.spec.access == "read" or not (given := _telling(call.arguments)):
        return "user"
    page = entries.page(principal.tenant, principal.user, KIND, limit=_LATEST)
    if page.next_cursor or any(entry.body.get("is_cut") for entry in page.items):
        return "record"
    read = "\n".join(literal for entry in page.items for literal in entry.body["literals"])
    return "record" if any(literal in read for literal in given) else "user"


def _telling(value: object) -> list[str]:
    return sorted(literal for literal in literals_in(value) if not _DATE.fullmatch(literal))
