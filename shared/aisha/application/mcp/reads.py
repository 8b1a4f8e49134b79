"""Confirmation of an MCP client's writes in the hour after its model has read records or texts.

The client does not send the user's words, so nothing shows whether the user ordered the write or a text that was read.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from aisha.domain.conversations.tool_results import receipts_in
from aisha.domain.ids import new_ulid
from aisha.domain.ports import EntryRepository
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall, ToolSpec

KIND = "mcp_read"
READ_TTL = timedelta(hours=1)
UNKNOWN_ORDER = "your app's model has read texts of others, and I don't see your own words here"


def note_read(call: ToolCall, principal: Principal, entries: EntryRepository, now: datetime) -> None:
    """Store that the user's client has got a result that may have texts of others."""
    receipts = list(receipts_in(call.result.value))
    # What the client has just made has only its own texts.
    is_own = bool(receipts) and all(receipt.get("action") == "created" for receipt in receipts)
    if not is_own and (_has_text(call.result.value) or call.result.error is not None):
        entries.put(principal.tenant, principal.user, KIND, f"{KIND}_{new_ulid()}", {}, expires_at=now + READ_TTL)


def reason_to_wait(
    call: ToolCall, principal: Principal, entries: EntryRepository, offered: Iterable[ToolSpec] = ()
) -> str:
    """Return why a write of the client waits; empty while its model has read nothing within the hour.

    `offered` are the tools that the client has been told of: a server's descriptions of its tools are such texts, too.
    """
    if call.spec is None or call.spec.access == "read":
        return ""
    if any(spec.toolkit == "mcp" for spec in offered):
        return UNKNOWN_ORDER
    page = entries.page(principal.tenant, principal.user, KIND, limit=1)
    return UNKNOWN_ORDER if page.items or page.next_cursor else ""


def _has_text(value: object) -> bool:
    """Return whether a result has any record or text; empty lists and counts have none."""
    if isinstance(value, str):
        return bool(value.strip())
    if isinstance(value, dict):
        return any(map(_has_text, value.values()))
    return isinstance(value, list) and any(map(_has_text, value))
